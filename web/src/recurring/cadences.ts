/** How often a payment comes. */
export type Cadence = 'weekly' | 'fortnightly' | 'four_weekly' | 'monthly' | 'quarterly' | 'yearly';

interface Rhythm {
  readonly unit: 'day' | 'month';
  /** How many of the unit are between two payments. */
  readonly step: number;
  /** How many days a payment may be off: weekends, holidays, and banks that book late. */
  readonly tolerance: number;
  /** After how many days past the expected one a payment is not expected any more. */
  readonly patience: number;
  /** The fewest payments that make a series. */
  readonly least: number;
  readonly perYear: bigint;
}

/** The order decides where a few payments fit two of them equally well. */
export const RHYTHMS: Readonly<Record<Cadence, Rhythm>> = {
  monthly: { unit: 'month', step: 1, tolerance: 4, patience: 9, least: 3, perYear: 12n },
  fortnightly: { unit: 'day', step: 14, tolerance: 3, patience: 6, least: 3, perYear: 26n },
  weekly: { unit: 'day', step: 7, tolerance: 2, patience: 4, least: 3, perYear: 52n },
  four_weekly: { unit: 'day', step: 28, tolerance: 4, patience: 8, least: 3, perYear: 13n },
  quarterly: { unit: 'month', step: 3, tolerance: 7, patience: 15, least: 3, perYear: 4n },
  yearly: { unit: 'month', step: 12, tolerance: 12, patience: 30, least: 2, perYear: 1n },
};

export const CADENCES: readonly Cadence[] = [
  'monthly',
  'fortnightly',
  'weekly',
  'four_weekly',
  'quarterly',
  'yearly',
];

/** The days of a cadence, numbered from one of them. */
export interface Schedule {
  readonly cadence: Cadence;
  /** The day of number 0 (days since 1970), or for months its month (months since 1970). */
  readonly start: number;
  /** For months, the day of the month; shorter months end before it. */
  readonly dayOfMonth: number;
}

const DAY_MS = 86_400_000;
const AVERAGE_MONTH = 30.436875;
const LONGEST_MONTH = 31;

/** A local day as days since 1970. */
export function dayNumber(day: string): number {
  return Math.round(Date.parse(day) / DAY_MS);
}

export function dayOfNumber(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

/** How many days are between two payments, about. */
export function daysOf(cadence: Cadence): number {
  const { unit, step } = RHYTHMS[cadence];
  return unit === 'day' ? step : step * AVERAGE_MONTH;
}

/** The day that a schedule has for a number. */
export function dayAt({ cadence, start, dayOfMonth }: Schedule, slot: number): number {
  const { unit, step } = RHYTHMS[cadence];
  const at = start + slot * step;
  return unit === 'day' ? at : Math.min(monthStart(at) + dayOfMonth, monthStart(at + 1)) - 1;
}

/** The number whose day is nearest. */
export function slotNear(schedule: Schedule, day: number): number {
  const { cadence, start } = schedule;
  const { unit, step } = RHYTHMS[cadence];
  if (unit === 'day') return Math.round((day - start) / step);
  const about = Math.round((monthOfDay(day) - start) / step);
  let nearest = about;
  for (const slot of [about - 1, about + 1])
    if (Math.abs(day - dayAt(schedule, slot)) < Math.abs(day - dayAt(schedule, nearest))) nearest = slot;
  return nearest;
}

/** The schedules with one of these days, each once. */
export function schedulesThrough(cadence: Cadence, days: readonly number[]): readonly Schedule[] {
  const { unit, step } = RHYTHMS[cadence];
  const found = new Map<string, Schedule>();
  const add = (key: string, schedule: Schedule) => {
    if (!found.has(key)) found.set(key, schedule);
  };
  for (const day of days) {
    if (unit === 'day') {
      add(`${((day % step) + step) % step}`, { cadence, start: day, dayOfMonth: 0 });
      continue;
    }
    const month = monthOfDay(day);
    const dayOfMonth = day - monthStart(month) + 1;
    add(`${month % step} ${dayOfMonth}`, { cadence, start: month, dayOfMonth });
    // What comes on the last day of each month is never seen on the 31st of a shorter one.
    if (day + 1 === monthStart(month + 1))
      add(`${month % step} last`, { cadence, start: month, dayOfMonth: LONGEST_MONTH });
  }
  return [...found.values()];
}

const MONTHS = 12;
const EPOCH_YEAR = 1970;
const MOST_KEPT = 10_000;
/** Asked for again and again of the same few hundred days. */
const starts = new Map<number, number>();
const months = new Map<number, number>();

function monthStart(month: number): number {
  return kept(starts, month, () => Date.UTC(EPOCH_YEAR, month, 1) / DAY_MS);
}

function monthOfDay(day: number): number {
  return kept(months, day, () => {
    const at = new Date(day * DAY_MS);
    return (at.getUTCFullYear() - EPOCH_YEAR) * MONTHS + at.getUTCMonth();
  });
}

function kept(known: Map<number, number>, key: number, worked: () => number): number {
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= MOST_KEPT) known.clear();
  const value = worked();
  known.set(key, value);
  return value;
}
