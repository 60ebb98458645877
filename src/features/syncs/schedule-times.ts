import { createHash } from 'node:crypto';
import type { SyncRow } from '../../storage/syncs.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { type LocalTime, momentOf } from '../../vocabulary/local-times.ts';
import { addDays, isTimeZone, localDateAt } from '../../vocabulary/moments.ts';
import { type ScheduleColumns, scheduleOf } from './sync-schedules.ts';

const MINUTE_MS = 60_000;
/** Waits before a failed run that may pass by itself is tried again, by how many failed in a row. */
const RETRY_MINUTES: readonly number[] = [15, 30, 60, 120];

/** What of a sync decides when it runs. */
export type ScheduledSync = ScheduleColumns & Pick<SyncRow, 'account_record'>;

/**
 * When the sync runs next: by its own schedule, or else every LIMIT_SYNC_INTERVAL_MINUTES. No two scheduled runs are
 * closer together than that, also where the limit was raised after the schedule was set, or where clocks go forward
 * (docs/resources.md#schedule).
 *
 * @param now epoch milliseconds; the run is later than this
 */
export function nextRunOf(sync: ScheduledSync, now: number, limits: Limits): Date {
  const schedule = scheduleOf(sync);
  const least = limits.sync_interval_minutes;
  if (schedule !== null && 'times' in schedule) {
    if (isTimeZone(schedule.timezone)) return nextTime(schedule, now, least * MINUTE_MS);
    // A zone that was known when it was stored may leave the database of zones. Syncs go on all the same.
    return nextInterval(now, sync.account_record, least);
  }
  const minutes = Math.max(schedule?.interval_minutes ?? least, least);
  return nextInterval(now, sync.account_record, minutes);
}

/**
 * The next of the account record's moments, one every interval. Where in the interval they lie follows from the record's
 * id, so the load of many records spreads evenly and each record's times stay the same from day to day.
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
  // From the day before, whose last time may fall on this day where clocks pass over midnight.
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

/** When to try again after a failure that may pass by itself: soon at first, never later than the schedule. */
export function nextRetry(now: number, failedRuns: number, scheduled: Date): Date {
  const minutes = RETRY_MINUTES[failedRuns - 1];
  if (minutes === undefined) return scheduled;
  return new Date(Math.min(now + minutes * MINUTE_MS, scheduled.getTime()));
}
