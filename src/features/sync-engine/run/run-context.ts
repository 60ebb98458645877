import type {
  DestinationConnector,
  DestinationWriter,
} from '../../../connectors/destinations/destination-contract.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Db } from '../../../storage/database.ts';
import type { LackingEntry } from '../../../storage/delivery-ledger.ts';
import type { KnownRejection } from '../../../storage/rejected-rows.ts';
import { type RunLease, releaseRun, renewLease } from '../../../storage/run-leases.ts';
import type { SyncRunRow } from '../../../storage/sync-runs.ts';
import type { SyncRow } from '../../../storage/syncs.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import type { RunRange } from '../../../vocabulary/syncs.ts';
import type { RowPlaces } from '../../syncs/row-places.ts';
import type { LedgerView } from '../compare/ledger-view.ts';
import type { RowMacs } from '../compare/row-macs.ts';
import type { DeliveryLog } from '../deliver/delivery-log.ts';
import type { RowWatch } from '../read/row-watch.ts';
import type { RowRules } from '../read/source-row.ts';

/** What is needed to compare rows with those of a ledger. */
export interface CompareContext {
  readonly clock: Pick<Clock, 'now'>;
  readonly limits: Limits;
  readonly sync: Pick<SyncRow, 'type'> & { readonly options: Pick<SyncRow['options'], 'data_from'> };
  readonly ledger: LedgerView;
  readonly macs: RowMacs;
  readonly places: RowPlaces;
  readonly rules: RowRules;
  /** Aborts when reading has to end: at once, while a write in progress is finished. */
  readonly reading: AbortSignal;
  /** The only days that are read and delivered, in a backfill; null: what is due. */
  readonly range: RunRange | null;
  /** Rows that the sync could not deliver before (rejected-rows.ts). */
  readonly rejected: readonly KnownRejection[];
  /** Completes entries of unchanged rows. False if the ledger was not changed. Raises LeaseLost. */
  readonly completeEntries: (stream: number, entries: readonly LackingEntry[]) => Promise<boolean>;
  /** Records that the bank lists several rows of the account under this id. */
  readonly noteSharedId: (account: RowId<'account'>, id: string) => Promise<void>;
}

/** What is needed to read and compare a sync's rows, whether or not they are delivered afterwards. */
export interface ReadContext extends CompareContext {
  readonly clock: Clock;
  readonly sync: SyncRow;
  /** Whether the attempt may sweep. Asked once, and only where a sweep is due. */
  readonly takeSweepTurn: () => Promise<boolean>;
}

/** The metrics of syncs. */
export type SyncMetrics = Pick<Metrics, 'syncRows' | 'delivery'>;

/** Everything that one attempt at a run uses. */
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
  /** Null if deliveries are not logged. */
  readonly deliveryLog: DeliveryLog | null;
  /** Aborts when the run must stop entirely: its lease is lost or its time is up. */
  readonly halted: AbortSignal;
  /** Called for each chunk, or snapshot, that the destination accepted and that no earlier attempt had started. */
  readonly progressed: () => void;
  /** Null if no one looks at the rows. */
  readonly watch: RowWatch | null;
  /** Raises LeaseLost unless the lease is held now. Call it before anything is sent. */
  readonly confirmLease: () => Promise<void>;
}

/** The run was taken over by another worker or has ended: this worker writes nothing more, not even why. */
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

/** Keeps a run's lease alive while it is worked on, and ends the work when the lease is lost or time is up. */
export class LeaseRenewal {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #lease: RunLease;
  readonly #leaseMs: number;
  readonly #halted = new AbortController();
  readonly #ended = new AbortController();
  /** Until when no other worker can take the run, by our clock (epoch milliseconds). */
  #heldUntil: number;

  constructor(deps: {
    db: Db;
    clock: Clock;
    log: Log;
    lease: RunLease;
    leaseMs: number;
    /** When the lease that was taken with the claim ends. */
    heldUntil: number;
    deadlineAt: number;
  }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#lease = deps.lease;
    this.#leaseMs = deps.leaseMs;
    this.#heldUntil = deps.heldUntil;
    void this.#renewing();
    void this.#timing(deps.deadlineAt);
  }

  /** Aborts with LeaseLost or DeadlinePassed. */
  get halted(): AbortSignal {
    return this.#halted.signal;
  }

  /**
   * Raises LeaseLost unless the lease is held. Until its end our own clock decides; a worker that slept past it queries
   * the database.
   */
  async confirm(): Promise<void> {
    this.#halted.signal.throwIfAborted();
    if (this.#clock.now() < this.#heldUntil || (await this.#renew())) return;
    this.#halted.abort(new LeaseLost());
    this.#halted.signal.throwIfAborted();
  }

  /** Ends the heartbeat. The lease is left as it is. */
  end(): void {
    this.#ended.abort();
  }

  /** Lets another worker take the run at once, after the others of its owner. */
  async release(): Promise<void> {
    this.end();
    await releaseRun(this.#db, this.#lease, new Date(this.#clock.now()));
  }

  async #renewing(): Promise<void> {
    for (;;) {
      if (!(await this.#slept(this.#leaseMs / 3))) return;
      try {
        if (await this.#renew()) continue;
        if (!this.#ended.signal.aborted) this.#halted.abort(new LeaseLost());
        return;
      } catch (error) {
        // The database may be back for the next heartbeat; until then the fence prevents two workers from writing.
        this.#log.warn('a lease was not renewed', { run: publicId('sync_run', this.#lease.run) }, error);
      }
    }
  }

  async #renew(): Promise<boolean> {
    const until = this.#clock.now() + this.#leaseMs;
    const renewed = await renewLease(this.#db, this.#lease, new Date(until));
    if (renewed) this.#heldUntil = until;
    return renewed;
  }

  async #timing(deadlineAt: number): Promise<void> {
    if (await this.#slept(deadlineAt - this.#clock.now())) this.#halted.abort(new DeadlinePassed());
  }

  /** False when the work ended first. */
  async #slept(ms: number): Promise<boolean> {
    try {
      await this.#clock.sleep(Math.max(0, ms), this.#ended.signal);
      return true;
    } catch {
      return false;
    }
  }
}
