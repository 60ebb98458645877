import { createHash } from 'node:crypto';
import type { SyncRow } from '../../storage/syncs.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import { LIMITS, type Limits } from '../../vocabulary/limits.ts';
import {
  isLocalTime,
  type LocalTime,
  MINUTES_OF_DAY,
  minuteOfDay,
  momentOf,
} from '../../vocabulary/local-times.ts';
import { addDays, isTimeZone, localDateAt } from '../../vocabulary/moments.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';
import type { SyncSchedule } from '../../vocabulary/syncs.ts';

export type ScheduleColumns = Pick<SyncRow, 'schedule_minutes' | 'schedule_times' | 'schedule_timezone'>;

/** A schedule as a caller sends it, before its members are checked against each other. */
export interface AskedSchedule {
  readonly interval_minutes?: number;
  readonly times?: readonly string[];
  readonly timezone?: string;
}

/** What the owner of the sync chose; null: the sync runs as often as the service allows. */
export function scheduleOf(row: ScheduleColumns): SyncSchedule | null {
  const { schedule_minutes: minutes, schedule_times: times, schedule_timezone: timezone } = row;
  if (minutes !== null) return { interval_minutes: minutes };
  return times === null || timezone === null ? null : { times, timezone };
}

export function scheduleColumns(schedule: SyncSchedule | null): ScheduleColumns {
  const times = schedule !== null && 'times' in schedule ? schedule : null;
  return {
    schedule_minutes: schedule !== null && 'interval_minutes' in schedule ? schedule.interval_minutes : null,
    schedule_times: times === null ? null : [...times.times],
    schedule_timezone: times?.timezone ?? null,
  };
}

/**
 * The requested schedule, unless it runs a sync more often than the service allows. Raises `parameter_invalid` and
 * `parameter_missing`, naming the invalid member (docs/resources.md#schedule).
 */
export function requireSchedule(asked: AskedSchedule, limits: Limits): SyncSchedule {
  const { interval_minutes: minutes, times, timezone } = asked;
  if (minutes !== undefined) {
    if (times !== undefined || timezone !== undefined) {
      throw invalidParameter('schedule', 'A schedule has either interval_minutes, or times and timezone.');
    }
    return { interval_minutes: requiredInterval(minutes, limits) };
  }
  if (times === undefined && timezone === undefined) {
    throw invalidParameter(
      'schedule',
      'A schedule needs interval_minutes, or times and timezone; null runs the sync as often as it may.',
    );
  }
  if (times === undefined) throw lacking('schedule.times');
  if (timezone === undefined) throw lacking('schedule.timezone');
  if (!isTimeZone(timezone)) {
    throw invalidParameter(
      'schedule.timezone',
      'schedule.timezone must be an IANA zone name, such as Pacific/Auckland.',
    );
  }
  return { times: requiredTimes(times, limits), timezone };
}

function lacking(param: string): ServiceError {
  return new ServiceError('parameter_missing', { param, message: `${param} is required.` });
}

function requiredInterval(minutes: number, { sync_interval_minutes: least }: Limits): number {
  const { max } = LIMITS.sync_interval_minutes;
  if (minutes >= least && minutes <= max) return minutes;
  throw invalidParameter(
    'schedule.interval_minutes',
    `schedule.interval_minutes must be from ${least} to ${max}; you sent ${minutes}.`,
  );
}

function requiredTimes(asked: readonly string[], limits: Limits): LocalTime[] {
  const times = asked.map(requiredTime).toSorted();
  if (times.length > limits.sync_schedule_times) {
    throw invalidParameter(
      'schedule.times',
      `schedule.times can have at most ${limits.sync_schedule_times} times.`,
    );
  }
  const twice = times.find((time, index) => time === times[index + 1]);
  if (twice !== undefined)
    throw invalidParameter('schedule.times', `schedule.times lists ${twice} more than once.`);
  const gap = smallestGap(times);
  if (gap < limits.sync_interval_minutes) {
    throw invalidParameter(
      'schedule.times',
      `A sync runs at most every ${limits.sync_interval_minutes} minutes, and schedule.times has runs ${gap} minutes apart; the last time of a day counts with the first of the next.`,
    );
  }
  return times;
}

function requiredTime(text: string, index: number): LocalTime {
  if (isLocalTime(text)) return text;
  throw invalidParameter(
    `schedule.times[${index}]`,
    `schedule.times[${index}] must be a time of day from 00:00 to 23:59, such as 08:30.`,
  );
}

/** Minutes between the two times of an ordered list that are nearest to each other around the day. */
function smallestGap(times: readonly LocalTime[]): number {
  const minutes = times.map(minuteOfDay);
  const gaps = minutes.map((minute, index) => {
    const next = minutes[index + 1] ?? (minutes[0] ?? 0) + MINUTES_OF_DAY;
    return next - minute;
  });
  return Math.min(...gaps);
}

const MINUTE_MS = 60_000;
/** Waits before the retry of a temporary failure, by how many runs failed in a row. */
const RETRY_MINUTES: readonly number[] = [15, 30, 60, 120];

/** The part of a sync that decides when it runs. */
type ScheduledSync = ScheduleColumns & Pick<SyncRow, 'account_record'>;

/**
 * When the sync runs next: by its own schedule, or else every LIMIT_SYNC_INTERVAL_MINUTES. No two scheduled runs are
 * closer together than that, even if the limit was raised after the schedule was set, or when clocks go forward
 * (docs/resources.md#schedule).
 *
 * @param now epoch milliseconds; the run is later than this
 */
export function nextRunOf(sync: ScheduledSync, now: number, limits: Limits): Date {
  const schedule = scheduleOf(sync);
  const least = limits.sync_interval_minutes;
  if (schedule !== null && 'times' in schedule) {
    if (isTimeZone(schedule.timezone)) return nextTime(schedule, now, least * MINUTE_MS);
    // A zone that was known when it was stored may be removed from the zone database. Syncs continue anyway.
    return nextInterval(now, sync.account_record, least);
  }
  const minutes = Math.max(schedule?.interval_minutes ?? least, least);
  return nextInterval(now, sync.account_record, minutes);
}

/**
 * The next of the account record's moments, one every interval. Where in the interval they lie follows from the
 * record's id, so the load of many records spreads evenly and each record's times stay the same from day to day.
 */
function nextInterval(now: number, owner: OwnerId, minutes: number): Date {
  const interval = minutes * MINUTE_MS;
  const offset = createHash('sha256').update(owner).digest().readUInt32BE(0) % interval;
  return new Date(Math.floor((now - offset) / interval) * interval + offset + interval);
}

/**
 * The next listed time, but at least `leastMs` after the last one. Counted from the last listed time and not from the
 * last run, so the answer is the same whenever it is asked between two of them.
 */
function nextTime(
  { times, timezone }: { readonly times: readonly LocalTime[]; readonly timezone: string },
  now: number,
  leastMs: number,
): Date {
  const earliest = Math.max(now + 1, lastTime(times, timezone, now) + leastMs);
  // From the day before, whose last time may fall on this day if clocks skip midnight.
  for (let day = addDays(localDateAt(earliest, timezone), -1); ; day = addDays(day, 1)) {
    const next = times.map((time) => momentOf(day, time, timezone)).find((at) => at >= earliest);
    if (next !== undefined) return new Date(next);
  }
}

/** The last listed time up to `now`. */
function lastTime(times: readonly LocalTime[], timezone: string, now: number): number {
  for (let day = localDateAt(now, timezone); ; day = addDays(day, -1)) {
    const last = times.map((time) => momentOf(day, time, timezone)).findLast((at) => at <= now);
    if (last !== undefined) return last;
  }
}

/** When to retry after a temporary failure: soon at first, never later than the schedule. */
export function nextRetry(now: number, failedRuns: number, scheduled: Date): Date {
  const minutes = RETRY_MINUTES[failedRuns - 1];
  if (minutes === undefined) return scheduled;
  return new Date(Math.min(now + minutes * MINUTE_MS, scheduled.getTime()));
}
