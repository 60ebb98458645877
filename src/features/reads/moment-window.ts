import type { Limits } from '../../vocabulary/limits.ts';
import { addDays, isLocalDate, type LocalDate, localDateAt, parseInstant } from '../../vocabulary/moments.ts';
import { invalidParameter, type ServiceError } from '../../vocabulary/service-error.ts';
import { type AskedWindow, type DayWindow, dayWindow } from './transaction-window.ts';

/** A day and a time without seconds or without an offset, which ISO 8601 allows and RFC 3339 does not. */
const LOOSE = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?$/;

/**
 * The window of days that two ends name, each a day or a moment (ISO 8601): rows are judged by their day in the account's
 * zone, so a moment stands for the day it falls on there. Without `from` it begins LIMIT_TRANSACTION_DEFAULT_DAYS before
 * today, whatever its end; without `to` it ends today. Raises `parameter_invalid`, `invalid_date_range`, `from_too_old`.
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
 * The day that an end of a window names, null where it is left out. A moment without an offset is of the zone. Raises
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
