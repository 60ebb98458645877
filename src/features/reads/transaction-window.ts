import type { Limits } from '../../vocabulary/limits.ts';
import {
  addDays,
  isLocalDate,
  type LocalDate,
  localDate,
  localDateAt,
  monthsBefore,
  parseInstant,
} from '../../vocabulary/moments.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';
import {
  comparePlaces,
  placeOf,
  type Transaction,
  type TransactionPlace,
} from '../../vocabulary/transactions.ts';

/**
 * A window that means "no end" ends here: adapters ask for some days more, and the calendar ends with the year 9999.
 */
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
  /**
   * Whether the days are those of the first page, which may be from yesterday: the history may begin a day later now.
   */
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

/** Raises `invalid_date_range` if both ends are given in the wrong order. */
export function requireOrder(from: LocalDate | null, to: LocalDate | null): void {
  if (from === null || to === null || from <= to) return;
  throw new ServiceError('invalid_date_range', {
    message: `from (${from}) is after to (${to}).`,
    param: 'from',
  });
}

/**
 * The window no longer than LIMIT_TRADE_WINDOW_DAYS, both its days counted: it keeps its end (docs/compatibility.md).
 */
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

/** Where a page of rows begins or ends. */
export interface RowPageRequest {
  readonly limit: number;
  /** Rows strictly older than this position, or null. */
  readonly after: TransactionPlace | null;
  /** Rows strictly newer than this position, the nearest ones, or null. */
  readonly before: TransactionPlace | null;
}

export interface RowPage {
  readonly rows: readonly Transaction[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

/**
 * A page of rows that are newest first. By position, not by count: rows that arrive or vanish while a caller follows
 * the pages neither repeat nor hide another.
 */
export function pageOfRows(rows: readonly Transaction[], request: RowPageRequest): RowPage {
  const { limit, after, before } = request;
  const end = before === null ? null : firstNotNewer(rows, before);
  const start = end === null ? (after === null ? 0 : firstOlder(rows, after)) : Math.max(0, end - limit);
  const page = rows.slice(start, end ?? start + limit);
  return { rows: page, hasOlder: start + page.length < rows.length, hasNewer: start > 0 };
}

function firstOlder(rows: readonly Transaction[], place: TransactionPlace): number {
  return firstWhere(rows, (row) => comparePlaces(placeOf(row), place) > 0);
}

function firstNotNewer(rows: readonly Transaction[], place: TransactionPlace): number {
  return firstWhere(rows, (row) => comparePlaces(placeOf(row), place) >= 0);
}

/** Binary search for the first row that holds, given that all after it hold too. */
function firstWhere(rows: readonly Transaction[], holds: (row: Transaction) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row !== undefined && holds(row)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A day and a time without seconds or without an offset, which ISO 8601 allows and RFC 3339 does not. */
const LOOSE = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?$/;

/**
 * The window of days that two ends name, each a day or a moment (ISO 8601): rows are judged by their day in the
 * account's zone, so a moment means the day it falls on there. Without `from` it begins LIMIT_TRANSACTION_DEFAULT_DAYS
 * before today, whatever its end; without `to` it ends today. Raises `parameter_invalid`, `invalid_date_range`,
 * `from_too_old`.
 */
export function momentWindow(
  { from, to }: AskedWindow,
  at: { readonly now: number; readonly timezone: string },
  limits: Limits,
): DayWindow {
  const today = localDateAt(at.now, at.timezone);
  return dayWindow(
    {
      from: dayOf('from', from, at.timezone) ?? addDays(today, -limits.transaction_default_days),
      to: dayOf('to', to, at.timezone),
    },
    at,
    limits,
  );
}

/**
 * The day that an end of a window names, null if it is left out. A moment without an offset is of the zone. Raises
 * `parameter_invalid`.
 */
export function dayOf(param: string, text: string | null, timezone: string): LocalDate | null {
  if (text === null) return null;
  if (isLocalDate(text)) return text;
  const [, day = '', time = '', seconds = ':00', offset] = LOOSE.exec(text) ?? [];
  const zone = offset?.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2') ?? 'Z';
  const moment = parseInstant(`${day}T${time}${seconds}${zone}`);
  if (moment === null) throw notAMoment(param);
  if (offset === undefined && isLocalDate(day)) return day;
  try {
    return localDateAt(moment, timezone);
  } catch {
    throw notAMoment(param);
  }
}

function notAMoment(param: string): ServiceError {
  return invalidParameter(
    param,
    `${param} must be a day such as 2026-01-31, or a moment such as 2026-01-31T09:00:00Z.`,
  );
}
