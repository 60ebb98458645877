import type { SyncRow } from '../../storage/syncs.ts';
import { LIMITS, type Limits } from '../../vocabulary/limits.ts';
import { isLocalTime, type LocalTime, MINUTES_OF_DAY, minuteOfDay } from '../../vocabulary/local-times.ts';
import { isTimeZone } from '../../vocabulary/moments.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';
import type { SyncSchedule } from '../../vocabulary/syncs.ts';

export type ScheduleColumns = Pick<SyncRow, 'schedule_minutes' | 'schedule_times' | 'schedule_timezone'>;

/** A schedule as a caller sends it, its members not compared with each other yet. */
export interface AskedSchedule {
  readonly interval_minutes?: number;
  readonly times?: readonly string[];
  readonly timezone?: string;
}

/** What the owner of the sync chose; null: the sync runs as often as the service lets it. */
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
 * The schedule that was asked for, if it does not run a sync more often than the service lets one run. Raises
 * `parameter_invalid` and `parameter_missing`, naming the member at fault (docs/resources.md#schedule).
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
