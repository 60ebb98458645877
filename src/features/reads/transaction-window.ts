import type { Limits } from '../../vocabulary/limits.ts';
import {
  addDays,
  isLocalDate,
  type LocalDate,
  localDate,
  localDateAt,
  monthsBefore,
} from '../../vocabulary/moments.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';

/** A window that means "no end" ends here: adapters ask for some days more, and the calendar ends with the year 9999. */
const LATEST = localDate('9999-11-30');

/** Inclusive days in the account's zone. */
export interface DayWindow {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

/** The days a caller wants, as text. */
export interface AskedWindow {
  readonly from: string | null;
  readonly to: string | null;
  /** The days are those a walk began with, which may have been yesterday: the history may begin a day later since. */
  readonly begun?: boolean;
}

/**
 * The window a caller asked for. Without `to` it ends today; without `from` it reaches LIMIT_TRANSACTION_DEFAULT_DAYS
 * back from its end, or to where the history begins. Raises `parameter_invalid`, `invalid_date_range`, `from_too_old`
 * (docs/resources.md#transaction).
 */
export function dayWindow(
  asked: AskedWindow,
  at: { readonly now: number; readonly timezone: string },
  limits: Limits,
): DayWindow {
  const today = localDateAt(at.now, at.timezone);
  const wanted = day('to', asked.to) ?? today;
  const to = wanted > LATEST ? LATEST : wanted;
  const floor = monthsBefore(asked.begun === true ? addDays(today, -1) : today, limits.history_months);
  const from = day('from', asked.from) ?? defaultFrom(to, floor, limits.transaction_default_days);
  requireOrder(from, to);
  if (from < floor) {
    throw new ServiceError('from_too_old', {
      message: `Banking history reaches back to ${floor}.`,
      param: 'from',
    });
  }
  return { from, to };
}

/** Raises `invalid_date_range` where both ends are there and in the wrong order. */
export function requireOrder(from: LocalDate | null, to: LocalDate | null): void {
  if (from === null || to === null || from <= to) return;
  throw new ServiceError('invalid_date_range', {
    message: `from (${from}) is after to (${to}).`,
    param: 'from',
  });
}

/** The window no longer than LIMIT_TRADE_WINDOW_DAYS, both its days counted: it keeps its end (docs/compatibility.md). */
export function cappedWindow({ from, to }: DayWindow, { trade_window_days: days }: Limits): DayWindow {
  const length = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return length <= days ? { from, to } : { from: addDays(to, 1 - days), to };
}

/** A window that ends before the history begins stays outside of it. */
function defaultFrom(to: LocalDate, floor: LocalDate, days: number): LocalDate {
  if (to < floor) return to;
  const from = addDays(to, -days);
  return from < floor ? floor : from;
}

function day(param: string, text: string | null): LocalDate | null {
  if (text === null) return null;
  if (!isLocalDate(text)) throw invalidParameter(param, `${param} must be a day such as 2026-01-31.`);
  return text;
}
