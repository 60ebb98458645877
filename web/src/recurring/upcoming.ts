import { dayAt, dayNumber, dayOfNumber } from './cadences.ts';
import type { Series } from './series.ts';

/** A payment that is expected. */
export interface Expected {
  readonly series: Series;
  readonly day: string;
  /** How many days ago it was expected; zero if it is still to come. */
  readonly late: number;
}

/** What is expected until that many days from today, the first first. Series that have ended expect nothing. */
export function expectedIn(series: readonly Series[], today: string, days: number): readonly Expected[] {
  const now = dayNumber(today);
  return series
    .filter(({ next }) => next !== null)
    .flatMap((one) => {
      const expected: Expected[] = [];
      for (let slot = one.lastSlot + 1; ; slot += 1) {
        const day = dayAt(one.schedule, slot);
        if (day > now + days) return expected;
        expected.push({ series: one, day: dayOfNumber(day), late: Math.max(0, now - day) });
      }
    })
    .toSorted((a, b) => (a.day === b.day ? compare(a.series.id, b.series.id) : compare(a.day, b.day)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What goes out and comes in, in minor units of one currency. */
export interface ExpectedTotal {
  readonly currency: string;
  readonly out: bigint;
  readonly in: bigint;
}

/** The totals of what is expected, by currency: those with most payments first. */
export function totalsOf(expected: readonly Expected[]): readonly ExpectedTotal[] {
  const sums = new Map<string, ExpectedTotal & { readonly count: number }>();
  for (const { series } of expected) {
    const { currency, direction, usual } = series;
    const sum = sums.get(currency) ?? { currency, out: 0n, in: 0n, count: 0 };
    sums.set(currency, { ...sum, [direction]: sum[direction] + usual, count: sum.count + 1 });
  }
  return [...sums.values()].toSorted((a, b) => b.count - a.count || compare(a.currency, b.currency));
}
