import { Temporal } from 'temporal-polyfill';

const ZONE = 'Pacific/Auckland';

/** One local date in New Zealand. `weekday` runs from 1 (Monday) to 7. */
export type Day = {
  readonly iso: string;
  /** Days since 1970. */
  readonly number: number;
  readonly date: number;
  readonly weekday: number;
  /** Epoch ms of local midnight: how the vendor dates rows without a time. */
  readonly midnight: number;
};

/** Every local day from the first of the month a year before `now` to a year after it. */
export function daysAround(now: number): readonly Day[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(ZONE).toPlainDate();
  const first = today.subtract({ months: 12 }).with({ day: 1 });
  const count = first.until(today.add({ days: 366 }), { largestUnit: 'days' }).days;
  return Array.from({ length: count }, (_, index) => dayOf(first.add({ days: index })));
}

/** The midnights of a number of days up to that of `now`, newest first. */
export function midnightsBefore(now: number, count: number): readonly number[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(ZONE).toPlainDate();
  return Array.from({ length: count }, (_, back) => dayOf(today.subtract({ days: back })).midnight);
}

function dayOf(date: Temporal.PlainDate): Day {
  return {
    iso: date.toString(),
    number: Math.floor(Date.UTC(date.year, date.month - 1, date.day) / 86_400_000),
    date: date.day,
    weekday: date.dayOfWeek,
    midnight: date.toZonedDateTime(ZONE).epochMilliseconds,
  };
}
