import type {
  DestinationConnector,
  DestinationWriter,
} from '../../connectors/destinations/destination-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../storage/database.ts';
import type { RunLease } from '../../storage/run-leases.ts';
import type { SyncRunRow } from '../../storage/sync-runs.ts';
import type { SyncRow } from '../../storage/syncs.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { addDays, localDateAt } from '../../vocabulary/moments.ts';
import type { RowMacs } from './row-macs.ts';
import type { RowRules } from './row-rules.ts';
import type { SourceAccount, SourceWindow } from './sync-source.ts';

const DAY_MS = 86_400_000;

/** Everything one attempt at a run works with. */
export interface RunContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly run: SyncRunRow;
  readonly lease: RunLease;
  readonly sync: SyncRow;
  readonly connector: DestinationConnector;
  readonly writer: DestinationWriter;
  readonly macKey: Buffer;
  readonly macs: RowMacs;
  readonly rules: RowRules;
  /** Aborts when the run may do nothing more: its lease is gone or its time is up. */
  readonly halted: AbortSignal;
  /** Aborts then and also when the process is asked to stop: reading ends at once, a write under way does not. */
  readonly reading: AbortSignal;
  /** Raises LeaseLost unless the lease stands at this moment. To be called before anything is sent. */
  readonly confirmLease: () => Promise<void>;
}

/** The run is in other hands or over: this worker writes nothing more, not even why. */
export class LeaseLost extends Error {
  constructor() {
    super('another worker took the run, or it was ended');
    this.name = 'LeaseLost';
  }
}

/** The run took longer than its deadline. */
export class DeadlinePassed extends Error {
  constructor() {
    super('the run did not end within its deadline');
    this.name = 'DeadlinePassed';
  }
}

/**
 * What to read of an account: all from `data_from` the first time, afterwards what the provider recorded since the
 * cursor less the overlap, in which late postings and corrections are still found. A day more than today, because a
 * bank's day may be ahead of ours.
 */
export function windowOf(
  context: Pick<RunContext, 'clock' | 'limits' | 'sync'>,
  cursor: Date | null,
  source: SourceAccount,
): SourceWindow {
  const { data_from, include_pending } = context.sync.options;
  const end = addDays(localDateAt(context.clock.now(), source.timezone), 1);
  return {
    from: data_from,
    to: end < data_from ? data_from : end,
    since: cursor === null ? null : cursor.getTime() - context.limits.sync_overlap_days * DAY_MS,
    includePending: include_pending,
  };
}
