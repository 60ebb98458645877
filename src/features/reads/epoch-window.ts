import { momentOnDay } from '../../vocabulary/day-moments.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { localDateAt, monthsBefore, parseInstant, startOfDay } from '../../vocabulary/moments.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import { type DayWindow, dayWindow } from './transaction-window.ts';

const DAY_MS = 86_400_000;

/** A period as the bridge asks for it, in epoch milliseconds: on or after `from`, before `until`. */
export interface AskedPeriod {
  readonly from: number | null;
  readonly until: number | null;
}

/**
 * What to read for a period: the days that hold it; or nothing, because it is empty or in the future (`empty`), or
 * because it ends before the history begins (`before_history`). `from` and `until` are the moments to keep rows
 * between.
 */
export type EpochWindow =
  | { readonly kind: 'empty' | 'before_history' }
  | { readonly kind: 'days'; readonly days: DayWindow; readonly from: number; readonly until: number };

/**
 * The window of a period, in days of the account's zone. Without both ends it is the default window of
 * `dayWindow`; without `from` it reaches LIMIT_TRANSACTION_DEFAULT_DAYS back from its end. One that begins before the
 * history is cut there, because apps ask from 1970 to get everything.
 */
export function epochWindow(
  { from, until }: AskedPeriod,
  at: { readonly now: number; readonly timezone: string },
  limits: Limits,
): EpochWindow {
  const { now, timezone } = at;
  const everything = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  if (from === null && until === null) {
    return { kind: 'days', days: dayWindow({ from: null, to: null }, at, limits), ...everything };
  }
  const today = localDateAt(now, timezone);
  const floor = monthsBefore(today, limits.history_months);
  const last = until === null ? today : localDateAt(until - 1, timezone);
  if (last < floor) return { kind: 'before_history' };
  const begin = from ?? (until ?? now) - limits.transaction_default_days * DAY_MS;
  const asked = localDateAt(begin, timezone);
  const first = asked < floor ? floor : asked;
  const to = last > today ? today : last;
  if (first > to || (until !== null && begin >= until)) return { kind: 'empty' };
  return {
    kind: 'days',
    days: { from: first, to },
    from: begin,
    until: until ?? everything.until,
  };
}

/** The zones in which a moment falls on the latest and on the earliest day. */
const AHEAD = 'Etc/GMT-14';
const BEHIND = 'Etc/GMT+12';

/** Whether the period ends before the history of any account begins, in any zone: `epochWindow` reads nothing. */
export function endsBeforeHistory(
  { until }: Pick<AskedPeriod, 'until'>,
  now: number,
  limits: Pick<Limits, 'history_months'>,
): boolean {
  if (until === null) return false;
  return localDateAt(until - 1, AHEAD) < monthsBefore(localDateAt(now, BEHIND), limits.history_months);
}

/**
 * Whether the row belongs to the period: by the moment that apps are shown (`momentOnDay`), so that a period of whole
 * days has the rows that v2 has of them, whatever chunks it is asked for in. That moment may still be to come, from the
 * bank's midnight to that of UTC; such a row belongs to the period in which it happened as well, or none that ends now
 * would have it. A pending row without a day is always in it.
 */
export function isInPeriod(
  { date, datetime }: Pick<Transaction, 'date' | 'datetime'>,
  { from, until }: { readonly from: number; readonly until: number },
  { now, timezone }: { readonly now: number; readonly timezone: string },
): boolean {
  if (date === null) return true;
  const shown = momentOnDay(date, datetime, timezone);
  if (shown >= from && shown < until) return true;
  if (shown < now) return false;
  const happened = (datetime === null ? null : parseInstant(datetime)) ?? startOfDay(date, timezone);
  return happened >= from && happened < until;
}
