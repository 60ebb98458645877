import type {
  DestinationConnector,
  DestinationWriter,
} from '../../../connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../../connectors/destinations/destination-failure.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { currentSpan } from '../../../platform/request-origin.ts';
import { noteSharedRowId } from '../../../storage/accounts.ts';
import type { Db } from '../../../storage/database.ts';
import { completeEntries } from '../../../storage/delivery-ledger.ts';
import { type DeliveryStream, streamsOfSync } from '../../../storage/delivery-streams.ts';
import { type DestinationRow, findDestination } from '../../../storage/destinations.ts';
import { rejectedKeys } from '../../../storage/rejected-rows.ts';
import { claimRun, type RunChoice, type RunLease } from '../../../storage/run-leases.ts';
import { takeSweepTurn } from '../../../storage/sweep-turns.ts';
import type { SyncRunRow } from '../../../storage/sync-runs.ts';
import { findSync, type SyncRow } from '../../../storage/syncs.ts';
import { DESTINATION_KINDS, type DestinationType } from '../../../vocabulary/destination-kinds.ts';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { moveBy, SYNC_RUN_MOVES } from '../../../vocabulary/states.ts';
import { isStoreUnavailable } from '../../../vocabulary/store-unavailable.ts';
import { runFailure } from '../../destinations/destination-failures.ts';
import type { DestinationGrants } from '../../destinations/destination-grants.ts';
import type { DestinationSecrets } from '../../destinations/destination-secrets.ts';
import type { EventTrigger } from '../../events/event-log.ts';
import { RowPlaces } from '../../syncs/row-places.ts';
import { rangeOf } from '../../syncs/run-ranges.ts';
import { storedLedger } from '../compare/ledger-view.ts';
import { RowMacs } from '../compare/row-macs.ts';
import { openWriter, withAccountPlaces, withinFinishDeadline } from '../deliver/connector-calls.ts';
import { DeliveryLog } from '../deliver/delivery-log.ts';
import { NOTHING_REFUSED } from '../deliver/rejected-rows.ts';
import type { RowWatch } from '../read/row-watch.ts';
import { passEveryRow, type RowRules } from '../read/source-row.ts';
import type { SyncSource } from '../read/sync-source.ts';
import { untilNotHeld } from '../replay/replay-sender.ts';
import { DeadlinePassed, LeaseLost, LeaseRenewal, type RunContext, type SyncMetrics } from './run-context.ts';
import { finishRun, type RunFailure, type RunResult } from './run-ending.ts';
import { RunPass } from './run-pass.ts';

const LEASE_MS = 15_000;
const MINUTE_MS = 60_000;
const NOTHING_READ: Omit<RunResult, 'failure'> = {
  accounts: [],
  lines: new Map(),
  read: { processed: 0, skipped: 0 },
  aside: new Map(),
  refused: NOTHING_REFUSED,
  delivered: false,
  unswept: [],
  again: null,
};

export interface SyncEngineOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly source: SyncSource;
  readonly connectors: ReadonlyMap<DestinationType, DestinationConnector>;
  readonly secrets: DestinationSecrets;
  readonly grants: DestinationGrants;
  readonly events: EventTrigger;
  readonly metrics: SyncMetrics;
  /** The rules of a sync's rows; without it every row is passed on unchanged. */
  readonly rulesOf?: (sync: SyncRow) => Promise<RowRules>;
  /** Who looks at the rows of an attempt at a run; raises nothing. */
  readonly watchOf?: (sync: SyncRow) => Promise<RowWatch | null>;
}

/** A run that this worker has taken. */
export interface TakenRun {
  readonly run: SyncRunRow;
  /** When the lease taken with it ends, epoch milliseconds. */
  readonly heldUntil: number;
}

export interface Attempt {
  /** Ends the attempt at the next chunk boundary; the run can be taken again at once. */
  readonly stopping: AbortSignal;
  /** Called for each chunk, or snapshot, that the destination accepted and that no earlier attempt had started. */
  readonly progressed: () => void;
}

/**
 * Works on runs (docs/sync-engine.md). One call is one attempt: it takes the run if no other worker has it, continues
 * where an earlier attempt was interrupted, and leaves the run finished, or running without a lease if the process
 * stops.
 */
export class SyncEngine {
  readonly #options: SyncEngineOptions;

  constructor(options: SyncEngineOptions) {
    this.#options = options;
  }

  /** Takes this run, if no other worker has it, and works on it. */
  async run(id: RowId<'sync_run'>, stopping: AbortSignal): Promise<void> {
    if (stopping.aborted) return;
    const taken = await this.take({ run: id });
    if (taken !== null) await this.work(taken, { stopping, progressed: () => undefined });
  }

  /** Takes a run for this worker. Null if there is none to take. Raises what storage raises. */
  async take(choice: RunChoice): Promise<TakenRun | null> {
    const { db, clock, events } = this.#options;
    const now = clock.now();
    const heldUntil = now + LEASE_MS;
    const run = await db.transaction().execute(async (trx) => {
      const taken = await claimRun(trx, choice, new Date(now), new Date(heldUntil));
      // Workers after the first continue what has started.
      if (taken?.fence === 1)
        await events(trx, taken.account_record, moveBy(SYNC_RUN_MOVES, 'worker starts').emits, taken.id);
      return taken;
    });
    return run === null ? null : { run, heldUntil };
  }

  /**
   * Works on a run that was taken. Raises only what storage raises; then the run's lease expires and another worker
   * continues.
   */
  async work({ run, heldUntil }: TakenRun, { stopping, progressed }: Attempt): Promise<void> {
    const { db, clock, log, limits, events } = this.#options;
    const lease = { run: run.id, fence: run.fence };
    const startedAt = run.started_at?.getTime() ?? clock.now();
    const deadlineAt = startedAt + limits.run_deadline_minutes * MINUTE_MS;
    const hold = new LeaseRenewal({ db, clock, log, lease, leaseMs: LEASE_MS, heldUntil, deadlineAt });
    try {
      const result = await this.#attempt(run, hold, { stopping, progressed });
      if (result === null) await hold.release();
      else {
        await finishRun({ db, limits, events, clock }, run, lease, result);
        this.#count(result);
        if (result.failure !== null) currentSpan()?.fail(result.failure.code);
        log.info('A run ended.', { run: publicId('sync_run', run.id), code: result.failure?.code ?? null });
      }
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      log.info('A run was taken over by another worker or ended.', { run: publicId('sync_run', run.id) });
    } finally {
      hold.end();
    }
  }

  /** Rows that were not sent; those that were sent are counted with their chunk. */
  #count({ read, aside, refused }: RunResult): void {
    const { metrics } = this.#options;
    const sum = (counts: Iterable<{ readonly count: number }>): number =>
      [...counts].reduce((total, { count }) => total + count, 0);
    for (const [outcome, count] of [
      ['skipped', read.skipped],
      ['set_aside', sum(aside.values())],
      ['rejected', sum(refused.unsent.values())],
    ] as const)
      if (count > 0) metrics.syncRows(outcome, count);
  }

  /** The result of the run, or null if the attempt was asked to stop. */
  async #attempt(
    run: SyncRunRow,
    hold: LeaseRenewal,
    { stopping, progressed }: Attempt,
  ): Promise<RunResult | null> {
    const { db, clock, limits, log, metrics, source } = this.#options;
    const sync = await findSync(db, run.account_record, run.sync);
    const destination = await findDestination(db, run.account_record, run.destination);
    if (sync === null || destination === null) throw new LeaseLost();
    const obstacle = this.#obstacle(destination, sync);
    if (obstacle !== null) return { ...NOTHING_READ, failure: obstacle };
    let pass: RunPass | null = null;
    let writer: DestinationWriter | null = null;
    let watch: RowWatch | null = null;
    try {
      const connector = this.#connector(destination);
      const lease = { run: run.id, fence: run.fence };
      const access = this.#options.grants.access(destination);
      const { halted } = hold;
      const confirmLease = (): Promise<void> => hold.confirm();
      const places = { db, clock, limits, source, lease, halted, confirmLease };
      const { sync: placed, unplaced } = await withAccountPlaces(
        places,
        sync,
        destination,
        connector,
        access,
      );
      // A replay notices that a run was taken before its next chunk.
      if (DESTINATION_KINDS[destination.type].signingSecret)
        await untilNotHeld(this.#options, sync.id, halted);
      let streams: readonly DeliveryStream[] = [];
      const known = async () => streams;
      writer = await openWriter(this.#options, connector, destination, placed, halted, known);
      const macKey = this.#options.secrets.macKey(destination);
      // A backfill copies what is past.
      watch = rangeOf(run) === null ? ((await this.#options.watchOf?.(sync)) ?? null) : null;
      const context: RunContext = {
        db,
        clock,
        limits,
        log,
        metrics,
        run,
        lease,
        sync: placed,
        unplaced,
        connector,
        writer,
        rowForm: connector.rowForm ?? 1,
        macKey,
        deliveryLog: DeliveryLog.of(this.#options, destination, sync),
        macs: new RowMacs(macKey),
        range: rangeOf(run),
        rejected: await rejectedKeys(db, run.account_record, sync.id),
        ledger: storedLedger(db),
        takeSweepTurn: () => this.#takeSweepTurn(lease, run),
        completeEntries: async (stream, entries) => {
          if (!(await completeEntries(db, lease, stream, entries))) throw new LeaseLost();
          return true;
        },
        noteSharedId: (account, rowId) =>
          noteSharedRowId(db, {
            owner: run.account_record,
            account,
            rowId,
            most: limits.shared_row_ids,
          }),
        places: new RowPlaces(placed),
        rules: (await this.#options.rulesOf?.(sync)) ?? passEveryRow,
        halted,
        reading: AbortSignal.any([halted, stopping]),
        confirmLease,
        progressed,
        watch,
      };
      streams = await streamsOfSync(db, run.account_record, sync.id);
      pass = new RunPass(context, source, streams);
      return await pass.work();
    } catch (error) {
      const reason: unknown = hold.halted.aborted ? hold.halted.reason : error;
      if (reason instanceof LeaseLost) throw reason;
      // The run is not at fault: it is left as after a crash, and taken again once the database is back.
      if (isStoreUnavailable(reason)) throw reason;
      if (stopping.aborted && !(reason instanceof DeadlinePassed || reason instanceof DestinationFailure)) {
        return null;
      }
      return { ...(pass?.soFar() ?? NOTHING_READ), failure: this.#failureOf(reason, run) };
    } finally {
      if (writer !== null) await this.#close(writer, run);
      await watch?.ended(storedLedger(db));
    }
  }

  #takeSweepTurn(lease: RunLease, { account_record: owner }: SyncRunRow): Promise<boolean> {
    const { db, clock, limits } = this.#options;
    return takeSweepTurn(db, owner, lease, limits.sweeps_at_once, new Date(clock.now()));
  }

  /** What was written stays written: a connector that fails to end its work does not change the result. */
  async #close(writer: DestinationWriter, { id }: SyncRunRow): Promise<void> {
    const { clock, limits, log } = this.#options;
    // Also after a halt, which the connector has to clean up after.
    const bounds = { clock, limits, halted: new AbortController().signal };
    try {
      await withinFinishDeadline(bounds, () => writer.close());
    } catch (error) {
      log.warn('a destination was not closed', { run: publicId('sync_run', id) }, error);
    }
  }

  #obstacle(destination: DestinationRow, { type }: SyncRow): RunFailure | null {
    const base = { retryable: false, fault: 'none' } as const;
    // Refused when a sync is created; one created by another version fails instead of writing something unexpected.
    if (!DESTINATION_KINDS[destination.type].holds.includes(type)) {
      return { ...base, code: 'run_failed', attention: null };
    }
    if (destination.status === 'active') return null;
    return destination.status === 'reauth_required'
      ? { ...base, code: 'destination_auth_failed', attention: null }
      : { ...base, code: 'run_failed', attention: 'destination_disabled' };
  }

  #connector(destination: DestinationRow): DestinationConnector {
    const connector = this.#options.connectors.get(destination.type);
    if (connector === undefined)
      throw new TypeError(`no connector for destinations of type ${destination.type}`);
    return connector;
  }

  #failureOf(raised: unknown, run: SyncRunRow): RunFailure {
    const reason = runFailure(raised, 'unknown');
    if (reason instanceof DestinationFailure) {
      const fault = reason.disables ? 'gone' : 'failed';
      const { code, retryable, retryAfterSeconds } = reason;
      return {
        code,
        retryable,
        attention: null,
        fault,
        ...(retryAfterSeconds !== null && { retryAfterSeconds }),
      };
    }
    if (reason instanceof DeadlinePassed) {
      return { code: 'timeout', retryable: true, attention: null, fault: 'none' };
    }
    this.#options.log.error(
      'a run failed because of an internal error',
      { run: publicId('sync_run', run.id) },
      reason,
    );
    return { code: 'run_failed', retryable: true, attention: null, fault: 'none' };
  }
}
