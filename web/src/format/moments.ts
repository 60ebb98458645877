import { now } from './clock.ts';
import { dayAway } from './days.ts';
import { WORDS_LOCALE } from './locale.ts';

const UNITS = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const relative = new Intl.RelativeTimeFormat(WORDS_LOCALE, { numeric: 'auto' });
const days = new Intl.DateTimeFormat(WORDS_LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
const weekdays = new Intl.DateTimeFormat(WORDS_LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A moment of v2 as seen from now: `3 minutes ago`, `in 12 days`. */
export function agoText(moment: string): string {
  const away = Date.parse(moment) - now();
  for (const [unit, ms] of UNITS) {
    if (Math.abs(away) >= ms) return relative.format(Math.trunc(away / ms), unit);
  }
  return relative.format(0, 'second');
}

/** A moment as date and time in the account record's zone. */
export function momentText(moment: string, timeZone: string): string {
  return new Intl.DateTimeFormat(WORDS_LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    Date.parse(moment),
  );
}

/** The day of a moment in the account record's zone. */
export function dateText(moment: string, timeZone: string): string {
  return new Intl.DateTimeFormat(WORDS_LOCALE, { dateStyle: 'medium', timeZone }).format(Date.parse(moment));
}

/** A local day (`2026-07-01`), which has no zone, so it is parsed and formatted in the same one. */
export function dayText(day: string): string {
  return days.format(Date.parse(`${day}T00:00:00Z`));
}

const months = new Intl.DateTimeFormat(WORDS_LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const shortMonths = new Intl.DateTimeFormat(WORDS_LOCALE, { month: 'short', timeZone: 'UTC' });

/** A month (`2026-07`), with its year. */
export function monthText(month: string): string {
  return months.format(Date.parse(`${month}-01T00:00:00Z`));
}

/** A short month, for the axis of a chart. */
export function shortMonthText(month: string): string {
  return shortMonths.format(Date.parse(`${month}-01T00:00:00Z`));
}

/** A local day with its weekday, for the head of a group of rows. */
export function dayHeading(day: string): string {
  return weekdays.format(Date.parse(`${day}T00:00:00Z`));
}

/** Whole days from now until a moment; negative once it has passed. */
export function daysUntil(moment: string): number {
  return Math.floor((Date.parse(moment) - now()) / 86_400_000);
}

/** The time of day of a moment in a zone. */
export function timeText(moment: string, timeZone: string): string {
  return new Intl.DateTimeFormat(WORDS_LOCALE, { timeStyle: 'short', timeZone }).format(Date.parse(moment));
}

/** The day in a zone, `2026-07-01`, now or at another moment, optionally shifted by days. */
export function dayIn(timeZone: string, daysAway = 0, at = now()): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const day = parts.formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => day.find((one) => one.type === type)?.value ?? '';
  return dayAway(`${part('year')}-${part('month')}-${part('day')}`, daysAway);
}
