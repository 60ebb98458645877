import type { Days } from '../api/held-rows.ts';
import { dayAway, daysIn } from '../format/days.ts';

interface Slice extends Days {
  /** How many rows it held. */
  readonly count: number;
}

const FIRST_DAYS = 14;
/**
 * How many rows a slice should have: with too few, requests run out (docs/scopes.md#rate-tiers); with too many, the
 * person waits.
 */
const WANTED = 4_000;
/** By how much a slice may be longer or shorter than the previous one, which may be very different. */
const MOST_CHANGE = 4;

/**
 * The days to read next of a period, which is read from its end to its beginning, or null if everything is read.
 * `whole` asks for the whole rest at once.
 */
export function nextSlice(period: Days, read: readonly Slice[], whole: boolean): Days | null {
  const last = read.at(-1);
  const to = last === undefined ? period.to : dayAway(last.from, -1);
  if (to < period.from && last !== undefined) return null;
  if (whole) return { from: period.from, to };
  const from = dayAway(to, 1 - (last === undefined ? FIRST_DAYS : lengthAfter(last)));
  return { from: from < period.from ? period.from : from, to };
}

function lengthAfter(slice: Slice): number {
  const change = Math.min(Math.max(WANTED / slice.count, 1 / MOST_CHANGE), MOST_CHANGE);
  return Math.max(1, Math.round(daysIn(slice) * change));
}
