import type { SyncRuns } from '../features/syncs/sync-runs.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../storage/database.ts';
import { deleteDestinationLinksBefore } from '../storage/destination-links.ts';
import { pruneRuns } from '../storage/sync-runs.ts';
import { dueSyncs } from '../storage/syncs.ts';
import { publicId } from '../vocabulary/ids.ts';
import type { Limits } from '../vocabulary/limits.ts';

const AT_ONCE = 100;
const DAY_MS = 86_400_000;
const KEEP_DESTINATION_LINKS_MS = 30 * DAY_MS;

export interface SchedulesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  readonly syncRuns: SyncRuns;
}

/** Queues the runs that are due, and forgets the history that is too old. Any number of schedulers may run. */
export class Schedules {
  readonly #options: SchedulesOptions;

  constructor(options: SchedulesOptions) {
    this.#options = options;
  }

  /** Queues all that are due: many people choose the same time of day. */
  async queueDue(signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true && (await this.#queueSome()));
  }

  /** Whether there may be more. Not after a failure, which would be met again at once. */
  async #queueSome(): Promise<boolean> {
    const { db, clock, log, syncRuns } = this.#options;
    const found = await dueSyncs(db, new Date(clock.now()), AT_ONCE);
    let failed = false;
    for (const due of found) {
      try {
        await syncRuns.startDue(due.account_record, due.id);
      } catch (error) {
        failed = true;
        log.error('a due run was not queued', { sync: publicId('sync', due.id) }, error);
      }
    }
    return found.length === AT_ONCE && !failed;
  }

  async prune(): Promise<void> {
    const { db, clock, limits } = this.#options;
    await deleteDestinationLinksBefore(db, new Date(clock.now() - KEEP_DESTINATION_LINKS_MS));
    await pruneRuns(db, new Date(clock.now() - limits.run_history_days * DAY_MS));
  }
}
