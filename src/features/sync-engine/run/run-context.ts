import type {
  DestinationConnector,
  DestinationWriter,
} from '../../../connectors/destinations/destination-contract.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Db } from '../../../storage/database.ts';
import type { LackingEntry } from '../../../storage/delivery-ledger.ts';
import type { KnownRejection } from '../../../storage/rejected-rows.ts';
import type { RunLease } from '../../../storage/run-leases.ts';
import type { SyncRunRow } from '../../../storage/sync-runs.ts';
import type { SyncRow } from '../../../storage/syncs.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import type { RunRange } from '../../../vocabulary/syncs.ts';
import type { RowPlaces } from '../../syncs/row-places.ts';
import type { LedgerView } from '../compare/ledger-view.ts';
import type { RowMacs } from '../compare/row-macs.ts';
import type { RowRules } from '../compare/row-rules.ts';
import type { DeliveryLog, SyncMetrics } from '../deliver/delivery-log.ts';

/** What reading a sync's rows and comparing them takes, whether or not they are delivered afterwards. */
export interface ReadContext {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly sync: SyncRow;
  readonly ledger: LedgerView;
  readonly macs: RowMacs;
  readonly places: RowPlaces;
  readonly rules: RowRules;
  /** Aborts when reading has to end: at once, while a write under way is finished. */
  readonly reading: AbortSignal;
  /** The only days that are read and delivered, in a backfill; null: what is due. */
  readonly range: RunRange | null;
  /** Rows that the sync could not deliver before (rejected-rows.ts). */
  readonly rejected: readonly KnownRejection[];
  /** Whether the attempt may sweep. Asked once, and only where a sweep is due. */
  readonly takeSweepTurn: () => Promise<boolean>;
  /** Completes entries of unchanged rows. False where the ledger is left as it is. Raises LeaseLost. */
  readonly completeEntries: (stream: number, entries: readonly LackingEntry[]) => Promise<boolean>;
  /** Notes that the bank lists several rows of the account under this id. */
  readonly noteSharedId: (account: RowId<'account'>, id: string) => Promise<void>;
}

/** Everything one attempt at a run works with. */
export interface RunContext extends ReadContext {
  readonly db: Db;
  readonly log: Pick<Log, 'warn'>;
  readonly metrics: SyncMetrics;
  readonly run: SyncRunRow;
  readonly lease: RunLease;
  /** Accounts without the place they need: nothing is written of them, and each fails with this code. */
  readonly unplaced: ReadonlyMap<RowId<'account'>, ErrorCode>;
  readonly connector: DestinationConnector;
  readonly writer: DestinationWriter;
  /** The form in which new chunks are written (DestinationConnector.rowForm). */
  readonly rowForm: number;
  readonly macKey: Buffer;
  /** Null where deliveries are not logged. */
  readonly deliveryLog: DeliveryLog | null;
  /** Aborts when the run may do nothing more: its lease is gone or its time is up. */
  readonly halted: AbortSignal;
  /** To be called for each chunk, or snapshot, that the destination took and that no earlier attempt had begun. */
  readonly progressed: () => void;
  /** Raises LeaseLost unless the lease is at this moment. To be called before anything is sent. */
  readonly confirmLease: () => Promise<void>;
}

/** The run is taken over by another worker or over: this worker writes nothing more, not even why. */
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
