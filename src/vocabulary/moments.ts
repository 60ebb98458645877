import { Temporal } from 'temporal-polyfill';

/** A calendar day without zone, `YYYY-MM-DD`. */
export type LocalDate = string & { readonly __localDate: true };

const LOCAL_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const INSTANT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const DAY_MS = 86_400_000;
/** Zone rules only ever change on a quarter hour, so one lookup serves a quarter hour of instants. */
const QUARTER_MS = 900_000;
const MAX_REMEMBERED = 20_000;

/** Whether the text is a day that exists. */
export function isLocalDate(text: string): text is LocalDate {
  const [, year, month, day] = LOCAL_DATE.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined || year === '0000') return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** The day as a LocalDate. Raises a RangeError when it does not exist. */
export function localDate(text: string): LocalDate {
  if (!isLocalDate(text)) throw new RangeError('not a calendar day');
  return text;
}

/** Epoch milliseconds of an RFC 3339 moment with an offset, or null for anything else. Never raises. */
export function parseInstant(text: string): number | null {
  if (!INSTANT.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** RFC 3339 UTC with milliseconds, the form of `created` and `updated` (SPEC, v2 conventions). */
export function formatInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

const offsets = new Map<string, Map<number, number>>();
const days = new Map<number, LocalDate>();

/** The day an instant falls on in a zone. Raises a RangeError for an unknown zone. */
export function localDateAt(epochMs: number, zone: string): LocalDate {
  return nthDay(Math.floor((epochMs + offsetMs(epochMs, zone)) / DAY_MS));
}

/** The day so many days after 1970-01-01. Remembered: a page of rows asks for the same few days over and over. */
function nthDay(number: number): LocalDate {
  let day = days.get(number);
  if (day === undefined) {
    day = localDate(new Date(number * DAY_MS).toISOString().slice(0, 10));
    if (days.size >= MAX_REMEMBERED) days.clear();
    days.set(number, day);
  }
  return day;
}

function offsetMs(epochMs: number, zone: string): number {
  const quarter = Math.floor(epochMs / QUARTER_MS);
  let known = offsets.get(zone);
  if (known === undefined) {
    known = new Map();
    offsets.set(zone, known);
  }
  let offset = known.get(quarter);
  if (offset === undefined) {
    const at = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS).toZonedDateTimeISO(zone);
    offset = at.offsetNanoseconds / 1e6;
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(quarter, offset);
  }
  return offset;
}

/** The instant at which a day begins in a zone. */
export function startOfDay(date: LocalDate, zone: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;
}

/** The day `days` later (or earlier when negative). */
export function addDays(date: LocalDate, days: number): LocalDate {
  return localDate(new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10));
}

/** The same day of the month `months` earlier, or the month's last day where it is shorter. */
export function monthsBefore(date: LocalDate, months: number): LocalDate {
  return localDate(Temporal.PlainDate.from(date).subtract({ months }).toString());
}

/** Whether the name is a zone the runtime knows. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
