import {
  type DestinationConnector,
  DestinationFailure,
  type DestinationWriter,
} from '../../connectors/destinations/destination-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../storage/database.ts';
import { streamsOfSync } from '../../storage/delivery-ledger.ts';
import { type DestinationRow, findDestination } from '../../storage/destinations.ts';
import { claimRun } from '../../storage/run-leases.ts';
import type { SyncRunRow } from '../../storage/sync-runs.ts';
import { findSync, type SyncRow } from '../../storage/syncs.ts';
import type { DestinationType } from '../../vocabulary/destinations.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { DestinationSecrets } from '../destination-secrets.ts';
import { type EventTrigger, noEvents } from '../event-trigger.ts';
import { RowMacs } from './row-macs.ts';
import { passEveryRow, type RowRules } from './row-rules.ts';
import { DeadlinePassed, LeaseLost, type RunContext } from './run-context.ts';
import { finishRun, type RunFailure, type RunResult } from './run-ending.ts';
import { RunHold } from './run-hold.ts';
import { RunPass } from './run-pass.ts';
import type { SyncSource } from './sync-source.ts';

const LEASE_MS = 15_000;
const MINUTE_MS = 60_000;
const NOTHING_READ: Pick<RunResult, 'accounts' | 'read' | 'delivered'> = {
  accounts: [],
  read: { processed: 0, skipped: 0 },
  delivered: false,
};

export interface SyncEngineOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly source: SyncSource;
  readonly connectors: ReadonlyMap<DestinationType, DestinationConnector>;
  readonly secrets: DestinationSecrets;
  readonly events?: EventTrigger;
  /** The rules of a sync's rows; without it every row passes as it is. */
  readonly rulesOf?: (sync: SyncRow) => Promise<RowRules>;
}

/**
 * Works on runs (docs/sync-engine.md). One call is one attempt: it takes the run if nobody else has it, goes on where
 * an earlier attempt was cut off, and leaves the run finished, or running without a lease when the process stops.
 */
export class SyncEngine {
  readonly #options: SyncEngineOptions;

  constructor(options: SyncEngineOptions) {
    this.#options = options;
  }

  /**
   * @param stopping ends the attempt at the next chunk boundary; the run can be taken again at once
   * Raises only what storage raises; then the run's lease runs out and another worker goes on.
   */
  async run(id: RowId<'sync_run'>, stopping: AbortSignal): Promise<void> {
    const { db, clock, log, limits, events = noEvents } = this.#options;
    if (stopping.aborted) return;
    const now = clock.now();
    const heldUntil = now + LEASE_MS;
    const run = await db.transaction().execute(async (trx) => {
      const taken = await claimRun(trx, id, new Date(now), new Date(heldUntil));
      // Workers after the first go on with what has started.
      if (taken?.fence === 1) await events(trx, taken.account_record, 'sync_run.started', taken.id);
      return taken;
    });
    if (run === null) return;
    const lease = { run: run.id, fence: run.fence };
    const startedAt = run.started_at?.getTime() ?? now;
    const deadlineAt = startedAt + limits.run_deadline_minutes * MINUTE_MS;
    const hold = new RunHold({ db, clock, log, lease, leaseMs: LEASE_MS, heldUntil, deadlineAt });
    try {
      const result = await this.#attempt(run, hold, stopping);
      if (result === null) await hold.release();
      else await finishRun({ db, limits, events, now: clock.now() }, run, lease, result);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      log.info('a run went on in other hands or was ended', { run: run.id });
    } finally {
      hold.end();
    }
  }

  /** What the run ends with, or null when the process is stopping. */
  async #attempt(run: SyncRunRow, hold: RunHold, stopping: AbortSignal): Promise<RunResult | null> {
    const { db } = this.#options;
    const sync = await findSync(db, run.account_record, run.sync);
    const destination = await findDestination(db, run.account_record, run.destination);
    if (sync === null || destination === null) throw new LeaseLost();
    const obstacle = this.#obstacle(destination);
    if (obstacle !== null) return { ...NOTHING_READ, failure: obstacle };
    let pass: RunPass | null = null;
    let writer: DestinationWriter | null = null;
    try {
      const connector = this.#connector(destination);
      writer = await this.#open(connector, destination, sync.options, hold.halted);
      const macKey = this.#options.secrets.macKey(destination);
      const context: RunContext = {
        ...this.#options,
        run,
        lease: { run: run.id, fence: run.fence },
        sync,
        connector,
        writer,
        macKey,
        macs: new RowMacs(macKey),
        rules: (await this.#options.rulesOf?.(sync)) ?? passEveryRow,
        halted: hold.halted,
        reading: AbortSignal.any([hold.halted, stopping]),
        confirmLease: () => hold.confirm(),
      };
      pass = new RunPass(context, this.#options.source, await streamsOfSync(db, run.account_record, sync.id));
      return await pass.work();
    } catch (error) {
      const reason: unknown = hold.halted.aborted ? hold.halted.reason : error;
      if (reason instanceof LeaseLost) throw reason;
      if (stopping.aborted && !(reason instanceof DeadlinePassed || reason instanceof DestinationFailure)) {
        return null;
      }
      return { ...(pass?.soFar() ?? NOTHING_READ), failure: this.#failureOf(reason, run) };
    } finally {
      await writer?.close();
    }
  }

  #obstacle(destination: DestinationRow): RunFailure | null {
    if (destination.status === 'active') return null;
    const base = { retryable: false, destination: 'innocent' } as const;
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

  #open(
    connector: DestinationConnector,
    destination: DestinationRow,
    options: RunContext['sync']['options'],
    signal: AbortSignal,
  ): Promise<DestinationWriter> {
    const { secrets, clock } = this.#options;
    const opening = {
      target: destination.target,
      secrets: secrets.signingSecrets(destination, clock.now()),
      grant: secrets.grant(destination),
      options,
    };
    return connector.open(opening, signal);
  }

  #failureOf(reason: unknown, run: SyncRunRow): RunFailure {
    if (reason instanceof DestinationFailure) {
      const destination = reason.disables ? 'gone' : 'failed';
      return { code: reason.code, retryable: reason.retryable, attention: null, destination };
    }
    if (reason instanceof DeadlinePassed) {
      return { code: 'timeout', retryable: true, attention: null, destination: 'innocent' };
    }
    this.#options.log.error('a run failed for a reason of our own', { run: run.id }, reason);
    return { code: 'run_failed', retryable: true, attention: null, destination: 'innocent' };
  }
}
