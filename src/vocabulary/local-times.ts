import { Temporal } from 'temporal-polyfill';
import type { LocalDate } from './moments.ts';

/** A time of day without day or zone, `HH:MM`, 00:00 to 23:59. */
export type LocalTime = string & { readonly __localTime: true };

export const LOCAL_TIME_PATTERN = '^([01]\\d|2[0-3]):[0-5]\\d$';
export const MINUTES_OF_DAY = 1440;
const LOCAL_TIME = new RegExp(LOCAL_TIME_PATTERN);

export function isLocalTime(text: string): text is LocalTime {
  return LOCAL_TIME.test(text);
}

/** Minutes from 00:00 to the time, on a day without a change of clocks. */
export function minuteOfDay(time: LocalTime): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/**
 * The instant (epoch milliseconds) at which a zone's clocks show the time on the day. A time that the clocks skip on
 * that day becomes the first moment after the gap; for one that occurs twice, it is the first. Raises a RangeError for
 * an unknown zone.
 */
export function momentOf(date: LocalDate, time: LocalTime, zone: string): number {
  const wanted = Temporal.PlainDate.from(date).toPlainDateTime(time);
  const found = wanted.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (found.toPlainDateTime().equals(wanted)) return found.epochMilliseconds;
  // In a gap, `earlier` is a moment before it: the change of offset that follows is where the gap ends.
  return (found.getTimeZoneTransition('next') ?? found).epochMilliseconds;
}
