import { Temporal } from 'temporal-polyfill';

const ZONE = 'Australia/Sydney';
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The local date at a given time, in days since 1970. */
export function dayNumber(at: number): number {
  const { year, month, day } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(ZONE);
  return Math.floor(Date.UTC(year, month - 1, day) / DAY_MS);
}

/** Epoch ms of a wall-clock time on a day. */
export function onDay(day: number, minutes: number): number {
  const date = Temporal.PlainDate.from('1970-01-01').add({ days: day });
  return date.toZonedDateTime(ZONE).epochMilliseconds + minutes * MINUTE_MS;
}

/** Day of the month, and of the week from 1 (Monday). */
export function dateOf(day: number): { readonly date: number; readonly weekday: number } {
  const date = Temporal.PlainDate.from('1970-01-01').add({ days: day });
  return { date: date.day, weekday: date.dayOfWeek };
}

/** As Up writes times: to the second, with the offset of Melbourne and Sydney. */
export function momentText(at: number): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(ZONE);
  return zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' });
}
