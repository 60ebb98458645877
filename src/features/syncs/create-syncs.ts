import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../storage/database.ts';
import type { Jobs } from '../../storage/jobs.ts';
import type { Notices } from '../../storage/notices.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { EventTrigger } from '../events/event-log.ts';
import { CategoryMappings } from './category-mappings.ts';
import type { CheckedTargets } from './row-places.ts';
import { RunQueue } from './run-queue.ts';
import { SyncRuns } from './sync-runs.ts';
import { type OwnedAccounts, Syncs } from './syncs.ts';

export interface SyncsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly notices: Pick<Notices, 'hintOnceCommitted'>;
  readonly events: EventTrigger;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly accounts: OwnedAccounts;
  readonly targets: CheckedTargets;
}

/** Syncs as their owners see them: settings, mappings, schedules, and the runs that are queued, listed and cancelled. */
export interface SyncFeatures {
  readonly syncs: Syncs;
  readonly syncRuns: SyncRuns;
  readonly categoryMappings: CategoryMappings;
}

export function createSyncs(options: SyncsOptions): SyncFeatures {
  const queue = new RunQueue(options);
  return {
    syncs: new Syncs({ ...options, queue }),
    syncRuns: new SyncRuns({ ...options, queue }),
    categoryMappings: new CategoryMappings(options),
  };
}
