import { createHash } from 'node:crypto';
import type { RowId } from '../../vocabulary/ids.ts';

const MINUTE_MS = 60_000;
/** Waits before a failed run that may pass by itself is tried again, by how many failed in a row. */
const RETRY_MINUTES: readonly number[] = [15, 30, 60, 120];

/**
 * The next of the account record's moments, one every interval. Where in the interval they lie follows from the record's
 * id, so the load of many records spreads evenly and each record's times stay the same from day to day.
 *
 * @param now epoch milliseconds
 */
export function nextScheduledRun(now: number, owner: RowId<'account_record'>, intervalMinutes: number): Date {
  const interval = intervalMinutes * MINUTE_MS;
  const offset = createHash('sha256').update(owner).digest().readUInt32BE(0) % interval;
  return new Date(Math.floor((now - offset) / interval) * interval + offset + interval);
}

/** When to try again after a failure that may pass by itself: soon at first, never later than the schedule. */
export function nextRetry(now: number, failedRuns: number, scheduled: Date): Date {
  const minutes = RETRY_MINUTES[failedRuns - 1];
  if (minutes === undefined) return scheduled;
  return new Date(Math.min(now + minutes * MINUTE_MS, scheduled.getTime()));
}
