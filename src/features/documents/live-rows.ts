import type { LocalDate } from '../../vocabulary/moments.ts';
import { moneyFromDecimal } from '../../vocabulary/money.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';

/** A bank may give one row the day of the purchase in a file and the day of the posting in its feed, or the reverse. */
export const LIVE_DAYS = 3;
const DAY_MS = 86_400_000;

interface FileRow {
  readonly date: LocalDate;
  readonly amount: string;
  readonly currency: string;
}

interface LiveRow {
  used: boolean;
}

/**
 * Which rows of a file the live feed of the same account has, in the order of `rows`: the same amount and currency within
 * three days, one to one, the nearest days first.
 */
export function foundLive(rows: readonly FileRow[], live: readonly Transaction[]): readonly boolean[] {
  const byDay = new Map<string, LiveRow[]>();
  for (const row of live) {
    if (row.status !== 'posted') continue;
    const one: LiveRow = { used: false };
    for (const day of daysOf(row)) {
      const place = `${row.amount.amount} ${row.amount.currency} ${day}`;
      const there = byDay.get(place);
      if (there === undefined) byDay.set(place, [one]);
      else there.push(one);
    }
  }
  const open = rows.map((row, at) => ({ at, day: dayOf(row.date), key: keyOf(row) }));
  const found = rows.map(() => false);
  for (let apart = 0; apart <= LIVE_DAYS; apart += 1) {
    for (const { at, day, key } of open) {
      if (found[at] === true) continue;
      found[at] = [day - apart, day + apart].some((one) => takeOne(byDay.get(`${key} ${one}`)));
    }
  }
  return found;
}

/** Uses a row that is left, and says whether there was one. Used ones are dropped, so all of them cost one pass. */
function takeOne(rows: LiveRow[] | undefined): boolean {
  for (let row = rows?.pop(); row !== undefined; row = rows?.pop()) {
    if (row.used) continue;
    row.used = true;
    return true;
  }
  return false;
}

function daysOf({ date, post_date: posted }: Transaction): ReadonlySet<number> {
  return new Set([date, posted].flatMap((day) => (day === null ? [] : [dayOf(day)])));
}

function keyOf({ amount, currency }: FileRow): string {
  const money = moneyFromDecimal(amount, currency);
  return `${money.amount} ${money.currency}`;
}

function dayOf(date: LocalDate): number {
  return Date.parse(date) / DAY_MS;
}
