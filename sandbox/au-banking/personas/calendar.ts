import { Temporal } from 'temporal-polyfill';
import { type Moment, utcMoment } from '../rows/moment.ts';

const ZONE = 'Australia/Sydney';
const MINUTE_MS = 60_000;

/** One local date in Sydney. `weekday` runs from 1 (Monday) to 7. */
export type Day = {
  readonly iso: string;
  readonly number: number;
  readonly year: number;
  readonly month: number;
  readonly date: number;
  readonly daysInMonth: number;
  readonly weekday: number;
  /** Epoch ms of local midnight, and the UTC offset at that time. */
  readonly midnight: number;
  readonly offset: string;
};

/** Every local day from the first of the month two years before `now` to a year after it. */
export function personaDays(now: number): readonly Day[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(ZONE).toPlainDate();
  const first = today.subtract({ months: 24 }).with({ day: 1 });
  const count = first.until(today.add({ days: 366 }), { largestUnit: 'days' }).days;
  return Array.from({ length: count }, (_, index) => dayOf(first.add({ days: index })));
}

function dayOf(date: Temporal.PlainDate): Day {
  const start = date.toZonedDateTime(ZONE);
  return {
    iso: date.toString(),
    number: Math.floor(Date.UTC(date.year, date.month - 1, date.day) / 86_400_000),
    year: date.year,
    month: date.month,
    date: date.day,
    daysInMonth: date.daysInMonth,
    weekday: date.dayOfWeek,
    midnight: start.epochMilliseconds,
    offset: start.offset,
  };
}

/** An instant on a day, in UTC text as most banks write it. */
export function onDay(day: Day, minutes: number): Moment {
  return utcMoment(day.midnight + minutes * MINUTE_MS);
}

/** Local midnight with its offset, as some banks date interest and fees. */
export function atLocalMidnight(day: Day): Moment {
  return { at: day.midnight, text: `${day.iso}T00:00:00${day.offset}` };
}
