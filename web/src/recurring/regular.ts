import {
  CADENCES,
  type Cadence,
  dayAt,
  daysOf,
  RHYTHMS,
  type Schedule,
  schedulesThrough,
  slotNear,
} from './cadences.ts';

/** One payment, or several on one day. */
export interface Occurrence {
  /** Days since 1970. */
  readonly day: number;
  /** Minor units, never negative. */
  readonly amount: bigint;
}

/** Payments that come at the days of a schedule. */
export interface Regular {
  readonly schedule: Schedule;
  /** Oldest first, at most one for each number of the schedule. */
  readonly occurrences: readonly Occurrence[];
}

/** Of the payments between the first and the last of a series, at least this part is of the series. */
const LEAST_SHARE = 0.8;
/** Fewer than this many payments may be days that only look regular, so more has to speak for them. */
const FEW = 4;
const MANY = 6;
/** What share of all payments a series is at least: any days look regular among many others. */
const LEAST_OF_CLEAR = 0.5;
const LEAST_OF_OTHERS = 0.75;

/** How many payments there are to choose from. */
interface Choice {
  readonly payments: number;
  /** Of the same merchant, with whatever amount. */
  readonly ofMerchant: number;
}

/**
 * The series among these payments, of which none are on the same day, oldest first: the longest one, then those before
 * and after it.
 */
export function regularAmong(payments: readonly Occurrence[], choice: Choice): readonly Regular[] {
  const best = bestOf(payments, choice);
  const [first, last] = [best?.occurrences.at(0), best?.occurrences.at(-1)];
  if (best === null || first === undefined || last === undefined) return [];
  const before = payments.filter(({ day }) => day < first.day);
  const after = payments.filter(({ day }) => day > last.day);
  return [...regularAmong(before, choice), best, ...regularAmong(after, choice)];
}

function bestOf(payments: readonly Occurrence[], choice: Choice): Regular | null {
  const days = payments.map(({ day }) => day);
  let best: Fit | null = null;
  for (const cadence of CADENCES) {
    if (!isPossible(days, cadence)) continue;
    for (const schedule of schedulesThrough(cadence, days)) {
      const fit = fitOf(payments, schedule, choice);
      if (fit !== null && (best === null || isBetter(fit, best))) best = fit;
    }
  }
  return best;
}

/**
 * Whether the days can have a series of the cadence, at little cost: not if there are more than it has days, which also
 * bounds the work, and not without pauses of its length.
 */
function isPossible(days: readonly number[], cadence: Cadence): boolean {
  const { tolerance, least } = RHYTHMS[cadence];
  const [first = 0, last = 0] = [days.at(0), days.at(-1)];
  const length = daysOf(cadence);
  if (days.length > ((last - first) / length + 1) / LEAST_SHARE + 2) return false;
  const shortest = length - 2 * tolerance - 1;
  const longest = MOST_STEP * length + 2 * tolerance + 1;
  let pauses = 0;
  for (const [at, day] of days.entries()) {
    const pause = day - (days[at - 1] ?? day);
    if (pause >= shortest && pause <= longest) pauses += 1;
  }
  return pauses >= least - 1;
}

interface Fit extends Regular {
  /** How many days the payments are off, together. */
  readonly off: number;
}

function isBetter(one: Fit, other: Fit): boolean {
  const [more, fewer] = [one.occurrences.length, other.occurrences.length];
  return more === fewer ? one.off < other.off : more > fewer;
}

interface Placed extends Occurrence {
  readonly slot: number;
  readonly off: number;
}

/** The longest run of payments at the days of a schedule, without more than one missed day in a row; null if none is. */
function fitOf(payments: readonly Occurrence[], schedule: Schedule, choice: Choice): Fit | null {
  const { tolerance } = RHYTHMS[schedule.cadence];
  const bySlot = new Map<number, Placed>();
  for (const payment of payments) {
    const slot = slotNear(schedule, payment.day);
    const off = Math.abs(payment.day - dayAt(schedule, slot));
    const rival = bySlot.get(slot);
    if (off <= tolerance && (rival === undefined || off < rival.off))
      bySlot.set(slot, { ...payment, slot, off });
  }
  let best: Fit | null = null;
  for (const run of runsOf([...bySlot.values()].toSorted((a, b) => a.slot - b.slot))) {
    if (!isSeries(run, payments, schedule.cadence, choice)) continue;
    const off = run.reduce((sum, one) => sum + one.off, 0);
    const fit = { schedule, occurrences: run.map(({ day, amount }) => ({ day, amount })), off };
    if (best === null || isBetter(fit, best)) best = fit;
  }
  return best;
}

/** One missed payment does not end a series, two in a row do. */
export const MOST_STEP = 2;

function runsOf(placed: readonly Placed[]): readonly (readonly Placed[])[] {
  const runs: Placed[][] = [];
  for (const one of placed) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run !== undefined && before !== undefined && one.slot - before.slot <= MOST_STEP) run.push(one);
    else runs.push([one]);
  }
  return runs;
}

function isSeries(
  run: readonly Placed[],
  payments: readonly Occurrence[],
  cadence: Cadence,
  choice: Choice,
): boolean {
  const [first, last] = [run.at(0), run.at(-1)];
  const { least } = RHYTHMS[cadence];
  if (first === undefined || last === undefined || run.length < least) return false;
  const missed = last.slot - first.slot + 1 - run.length;
  if (missed > Math.floor(run.length / FEW)) return false;
  const among = payments.filter(({ day }) => day >= first.day && day <= last.day).length;
  if (run.length < among * LEAST_SHARE) return false;
  if (run.length < FEW) return isEvident(run, choice);
  const isClear = run.length >= MANY && spreadOf(run) <= ALIKE_OF_MANY;
  return run.length >= choice.payments * (isClear ? LEAST_OF_CLEAR : LEAST_OF_OTHERS);
}

/** By what percentage of the largest amount others are below it: of two yearly ones, of three, and of many. */
const ALIKE_OF_TWO = 25;
const ALIKE_OF_THREE = 10;
const ALIKE_OF_MANY = 50;

/** Whether two or three payments are a series: no others are between, and their amounts or days are almost the same. */
function isEvident(run: readonly Placed[], { payments, ofMerchant }: Choice): boolean {
  if (run.length < payments || run.length * 2 < ofMerchant) return false;
  if (run.length === 2) return ofMerchant === 2 && spreadOf(run) <= ALIKE_OF_TWO;
  return spreadOf(run) <= ALIKE_OF_THREE || run.every(({ off }) => off <= 1);
}

function spreadOf(run: readonly Occurrence[]): number {
  const amounts = run.map(({ amount }) => amount);
  const most = amounts.reduce((a, b) => (a > b ? a : b));
  const least = amounts.reduce((a, b) => (a < b ? a : b));
  return Number((100n * (most - least)) / most);
}
