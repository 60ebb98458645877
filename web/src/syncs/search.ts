import { SYNC_RUN_STATUSES, type SyncRunStatus } from '../../../src/vocabulary/states.ts';
import type { Search } from '../shell/search.ts';

export const SYNC_STEPS = [
  'data',
  'accounts',
  'destination',
  'places',
  'rows',
  'schedule',
  'review',
] as const;
export type AddressStep = (typeof SYNC_STEPS)[number];

/** Which step of setting up a sync is shown, and what it is to begin with. */
interface NewSyncSearch {
  readonly step?: AddressStep;
  readonly destination?: string;
}

export function newSyncSearch({ step: named, destination }: Search): NewSyncSearch {
  const step = SYNC_STEPS.find((one) => one === named);
  return {
    ...(step !== undefined && { step }),
    ...(typeof destination === 'string' && { destination }),
  };
}

/** Which runs of a sync are shown. */
interface SyncSearch {
  readonly status?: SyncRunStatus;
}

export function syncSearch({ status: named }: Search): SyncSearch {
  const status = SYNC_RUN_STATUSES.find((one) => one === named);
  return status === undefined ? {} : { status };
}
