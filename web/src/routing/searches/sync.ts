import { SYNC_RUN_STATUSES, type SyncRunStatus } from '../../../../src/vocabulary/states.ts';
import type { Search } from './search.ts';

/** Which runs of a sync are shown. */
export interface SyncSearch {
  readonly status?: SyncRunStatus;
}

export function syncSearch({ status: named }: Search): SyncSearch {
  const status = SYNC_RUN_STATUSES.find((one) => one === named);
  return status === undefined ? {} : { status };
}
