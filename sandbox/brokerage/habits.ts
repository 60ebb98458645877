import type { Activity } from './activity.ts';
import { uuidOf } from './identity.ts';
import type { Habit } from './personas/plan.ts';

const MONTHS_BACK = 14;
const MONTHS_AHEAD = 12;

/**
 * What a habit did and will do around a day. It follows from the calendar, so a row is the same whenever the sandbox is
 * started.
 */
export function rowsOfHabits(
  account: string,
  habits: readonly Habit[],
  startedAt: number,
): readonly Activity[] {
  const start = new Date(startedAt);
  const now = start.getUTCFullYear() * 12 + start.getUTCMonth();
  const rows: Activity[] = [];
  for (let month = now - MONTHS_BACK; month <= now + MONTHS_AHEAD; month++) {
    for (const [at, habit] of habits.entries()) {
      for (let time = 1; time <= (habit.times ?? 1); time++)
        rows.push(rowOf(account, habit, { month, at, time }));
    }
  }
  return rows;
}

function rowOf(
  account: string,
  habit: Habit,
  { month, at, time }: { readonly month: number; readonly at: number; readonly time: number },
): Activity {
  const date = `${Math.floor(month / 12)}-${two((month % 12) + 1)}-${two(habit.day)}`;
  const cents =
    habit.priceCents === undefined ? null : habit.priceCents + (habit.riseCents ?? 0) * (month % 240);
  return {
    id: uuidOf('activity', account, date, at, time),
    tradeDate: `${date}T${habit.time ?? '00:00:00'}Z`,
    settlementDate: `${daysAfter(date, 2)}T00:00:00Z`,
    type: habit.type,
    instrument: habit.instrument ?? null,
    quote: habit.quote ?? null,
    currency: habit.currency,
    units: habit.units ?? null,
    price: cents === null ? null : `${Math.floor(cents / 100)}.${two(cents % 100)}`,
    amount: habit.amount ?? null,
    fee: habit.fee ?? null,
    description: habit.description,
  };
}

function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
