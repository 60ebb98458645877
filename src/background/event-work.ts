import type { EventDeliveries } from '../features/event-destinations/event-deliveries.ts';
import type { EventFanOut } from '../features/event-destinations/event-fan-out.ts';
import type { Clock } from '../platform/clock.ts';
import type { Role } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import type { OpenDatabase } from '../storage/database.ts';
import { voidEventDestinationLeases } from '../storage/event-destination-leases.ts';
import { deleteEventsBefore } from '../storage/events.ts';
import type { Jobs } from '../storage/jobs.ts';
import type { Notices } from '../storage/notices.ts';
import type { Limits } from '../vocabulary/limits.ts';
import { FanOutWork } from './event-fan-out.ts';
import { Receivers } from './event-receivers.ts';
import { Periodic } from './periodic.ts';

const CLEAN_UP_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Events that one statement deletes. */
const DELETED_AT_ONCE = 500;

export interface EventWorkOptions {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: Jobs;
  readonly notices: Pick<Notices, 'onNotice' | 'onLost'>;
  readonly limits: Limits;
  readonly eventFanOut: EventFanOut;
  readonly eventDeliveries: EventDeliveries;
}

/**
 * Hands events on and delivers them (worker), and deletes old ones (scheduler). Returns what ends it within a deadline;
 * stop the queue after that.
 */
export async function startEventWork(
  options: EventWorkOptions,
  roles: readonly Role[],
): Promise<(deadlineMs: number) => Promise<void>> {
  const { database, clock, limits, eventFanOut, eventDeliveries } = options;
  const { db } = database;
  const fanOut = new FanOutWork({ ...options, fanOut: eventFanOut });
  const receivers = new Receivers({ ...options, deliveries: eventDeliveries });
  const stopping = new AbortController();
  const cleaning = new Periodic(options, 'old events', CLEAN_UP_MS, async () => {
    const before = new Date(clock.now() - limits.event_days * DAY_MS);
    while (!stopping.signal.aborted && (await deleteEventsBefore(db, before, DELETED_AT_ONCE)) > 0);
  });
  if (roles.includes('worker')) {
    // The process that held them on an embedded database is dead.
    if (database.kind === 'embedded') await voidEventDestinationLeases(db);
    fanOut.start();
    await receivers.start();
  }
  if (roles.includes('scheduler')) cleaning.start();
  return async (deadlineMs) => {
    stopping.abort();
    await cleaning.stop();
    await fanOut.stop();
    await receivers.stop(deadlineMs);
  };
}
