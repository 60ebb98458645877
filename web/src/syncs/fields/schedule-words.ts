import type { Sync } from '#client';
import { SYNC_FIELDS_TEXT } from '../../text/sync-settings.ts';

const WORDS = SYNC_FIELDS_TEXT.schedule;
const HOUR = 60;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** A schedule as a sentence: `Every 6 hours`, `Daily at 08:00, 18:30 (Pacific/Auckland)`. */
export function scheduleWords(schedule: Sync['schedule']): string {
  if (schedule === null) return WORDS.often;
  if ('times' in schedule) return WORDS.atWords(schedule.times.join(', '), schedule.timezone);
  return WORDS.everyWords(periodWords(schedule.interval_minutes));
}

function periodWords(minutes: number): string {
  if (minutes === DAY) return WORDS.aDay;
  if (minutes === WEEK) return WORDS.aWeek;
  if (minutes % DAY === 0) return WORDS.days(minutes / DAY);
  return minutes % HOUR === 0 ? WORDS.hours(minutes / HOUR) : WORDS.minutes(minutes);
}

/** What is wrong with times of day, checked before the service is called; null if nothing is. */
export function timesProblem(times: readonly string[]): string | null {
  if (times.length === 0 || !times.every((time) => TIME.test(time))) return WORDS.bad;
  const twice = times.find((time, at) => times.indexOf(time) < at);
  return twice === undefined ? null : WORDS.twice(twice);
}

/** A time to add: the middle of the longest gap in the day. */
export function nextTime(times: readonly string[]): string {
  const minutes = times
    .filter((time) => TIME.test(time))
    .map((time) => Number(time.slice(0, 2)) * HOUR + Number(time.slice(3)))
    .toSorted((one, other) => one - other);
  const [first] = minutes;
  if (first === undefined) return '08:00';
  const gaps = minutes.map((start, at) => ({ start, length: (minutes[at + 1] ?? first + DAY) - start }));
  const longest = gaps.reduce((best, gap) => (gap.length > best.length ? gap : best));
  const middle = (longest.start + Math.floor(longest.length / 2)) % DAY;
  return `${String(Math.floor(middle / HOUR)).padStart(2, '0')}:${String(middle % HOUR).padStart(2, '0')}`;
}
