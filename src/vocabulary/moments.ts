import { Temporal } from 'temporal-polyfill';

/** A calendar day without zone, `YYYY-MM-DD`. */
export type LocalDate = string & { readonly __localDate: true };

const LOCAL_DATE = /^\d{4}-\d{2}-\d{2}$/;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt](?:[01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const DAY_MS = 86_400_000;
/** Moments that fall on a day of the years 1 to 9999 in every zone: no zone is more than a day away from UTC. */
const FIRST_READ_MS = Date.parse('0001-01-02T00:00:00Z');
const LAST_READ_MS = Date.parse('9999-12-30T23:59:59.999Z');
/** 0000-01-01 to 9999-12-31 UTC: the moments RFC 3339 can spell. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const NANOSECONDS_LENGTH = '2026-01-01T00:00:00.000000000Z'.length;
const MAX_REMEMBERED = 20_000;

/** Whether the text is a day that exists, of the years 1 to 9999. */
export function isLocalDate(text: string): text is LocalDate {
  return dayExists(text) && !text.startsWith('0000');
}

/** Calculated, because the runtime accepts days that do not exist, such as the 30th of February. */
function dayExists(text: string): boolean {
  if (!LOCAL_DATE.test(text)) return false;
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  const last = month === 2 && isLeap(Number(text.slice(0, 4))) ? 29 : MONTH_DAYS[month - 1];
  return last !== undefined && day > 0 && day <= last;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** The day as a LocalDate. Raises a RangeError when it does not exist. */
export function localDate(text: string): LocalDate {
  if (!isLocalDate(text)) throw new RangeError('not a calendar day');
  return text;
}

/**
 * Epoch milliseconds of an RFC 3339 moment with an offset, or null for anything else: a bare date, a day that does not
 * exist, a moment that falls outside the years 1 to 9999 in some zone, such as the `9999-12-31T23:59:59Z` with which
 * some banks mean never. Fractions beyond the millisecond are truncated. A leap second (23:59:60 UTC at the end of a
 * month) becomes the following second, since epoch time cannot express it. Never raises.
 */
export function parseInstant(text: string): number | null {
  const [, day, second] = INSTANT.exec(text) ?? [];
  if (day === undefined || !dayExists(day)) return null;
  const leap = second === '60';
  const ms = Date.parse(shortened(leap ? text.replace(':60', ':59') : text).toUpperCase());
  if (leap && !endsMonth(ms)) return null;
  const at = leap ? ms + 1000 : ms;
  return isMoment(at) ? at : null;
}

/** Whether the moment, in epoch milliseconds, falls on a day of the years 1 to 9999 in every zone. */
export function isMoment(epochMs: number): boolean {
  return epochMs >= FIRST_READ_MS && epochMs <= LAST_READ_MS;
}

/** Without digits past the microsecond: the runtime misreads a fraction of ten digits or more that begins with zeros. */
function shortened(text: string): string {
  return text.length <= NANOSECONDS_LENGTH ? text : text.replace(/(\.\d{6})\d+/, '$1');
}

/** Whether the moment lies in the last second of a UTC month, the only second a leap second can follow. */
function endsMonth(ms: number): boolean {
  const next = new Date(ms + 1000);
  return (
    next.getUTCDate() === 1 &&
    next.getUTCHours() === 0 &&
    next.getUTCMinutes() === 0 &&
    next.getUTCSeconds() === 0
  );
}

/**
 * RFC 3339 UTC with milliseconds, the form of `created` and `updated` (docs/api-conventions.md#dates-and-times). Raises
 * a RangeError for a moment before the year 0 or after 9999, which RFC 3339 cannot express.
 */
export function formatInstant(epochMs: number): string {
  if (!(epochMs >= FIRST_MS && epochMs <= LAST_MS)) throw new RangeError('not a moment RFC 3339 can spell');
  return new Date(epochMs).toISOString();
}

/** By zone: the offset in milliseconds at the start of a UTC day, days counted from the epoch. */
const offsets = new Map<string, Map<number, number>>();
const days = new Map<number, LocalDate>();

/** The day an instant falls on in a zone. Raises a RangeError for an unknown zone or a year that is not 1 to 9999. */
export function localDateAt(epochMs: number, zone: string): LocalDate {
  return nthDay(Math.floor((epochMs + offsetMs(epochMs, zone)) / DAY_MS));
}

/** The day this many days after 1970-01-01. Cached, because a page of rows needs the same few days over and over. */
function nthDay(number: number): LocalDate {
  let day = days.get(number);
  if (day === undefined) {
    day = localDate(new Date(number * DAY_MS).toISOString().slice(0, 10));
    if (days.size >= MAX_REMEMBERED) days.clear();
    days.set(number, day);
  }
  return day;
}

/**
 * Looking up a zone's offset is expensive and a sync needs it for every row, so offsets at UTC midnights are cached. A
 * day that begins and ends with the same offset had it throughout, since no zone has ever switched back and forth
 * within a day. Only on the day of a change is the instant itself looked up.
 */
function offsetMs(epochMs: number, zone: string): number {
  const day = Math.floor(epochMs / DAY_MS);
  const before = offsetAtMidnight(day, zone);
  return before === offsetAtMidnight(day + 1, zone) ? before : exactOffsetMs(epochMs, zone);
}

function offsetAtMidnight(day: number, zone: string): number {
  const known = offsets.get(zone);
  const remembered = known?.get(day);
  if (remembered !== undefined) return remembered;
  const offset = exactOffsetMs(day * DAY_MS, zone);
  if (known === undefined) offsets.set(zone, new Map([[day, offset]]));
  else {
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(day, offset);
  }
  return offset;
}

function exactOffsetMs(epochMs: number, zone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
}

/** The instant at which a day begins in a zone. */
export function startOfDay(date: LocalDate, zone: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;
}

/** The day `days` later (or earlier when negative). Raises a RangeError outside the years 1 to 9999. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return localDate(new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10));
}

/** The same day of the month `months` earlier, or the month's last day where it is shorter. Raises a RangeError before the year 1. */
export function monthsBefore(date: LocalDate, months: number): LocalDate {
  const key = `${date} ${months}`;
  const known = earlierDays.get(key);
  if (known !== undefined) return known;
  const day = localDate(Temporal.PlainDate.from(date).subtract({ months }).toString());
  if (earlierDays.size >= MAX_REMEMBERED) earlierDays.clear();
  earlierDays.set(key, day);
  return day;
}

/** Each read of transactions asks where the history begins, and calculating it took longer than all else it does. */
const earlierDays = new Map<string, LocalDate>();

/** Whether the name is an IANA zone the runtime knows; a bare offset such as `+10:00` is not one. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // ICU knows abbreviations of its own, such as JST, that no calculation with a zone accepts.
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
