import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../storage/database.ts';
import { chunksInDoubt } from '../../../storage/delivery-chunks.ts';
import { streamsOfSync } from '../../../storage/delivery-streams.ts';
import { findDestination } from '../../../storage/destinations.ts';
import { rejectedKeys } from '../../../storage/rejected-rows.ts';
import { readingsOfStreams } from '../../../storage/stream-readings.ts';
import { hasSweepTurn } from '../../../storage/sweep-turns.ts';
import { findOpenRun, timesTaken } from '../../../storage/sync-runs.ts';
import { findSync, type SyncRow } from '../../../storage/syncs.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { missing, ServiceError } from '../../../vocabulary/service-error.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { DestinationSecrets } from '../../destinations/destination-secrets.ts';
import { RowPlaces } from '../../syncs/row-places.ts';
import { storedLedger } from '../compare/ledger-view.ts';
import { RowMacs } from '../compare/row-macs.ts';
import { passEveryRow, type RowRules } from '../compare/row-rules.ts';
import type { SyncSource } from '../read/sync-source.ts';
import { DryPass } from './dry-pass.ts';
import type { DryRun } from './dry-run-result.ts';
import { DryRunTally } from './dry-run-tally.ts';

type Owner = RowId<'account_record'>;

export interface DryRunsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly source: SyncSource;
  readonly secrets: Pick<DestinationSecrets, 'macKey'>;
  /** As SyncEngineOptions. */
  readonly rulesOf?: (sync: SyncRow) => Promise<RowRules>;
}

/** What the next run of a sync would do (docs/dry-runs.md). Nothing is written, and no destination is called. */
export class DryRuns {
  readonly #options: DryRunsOptions;

  constructor(options: DryRunsOptions) {
    this.#options = options;
  }

  /**
   * Reads what the next run would read, for LIMIT_DRY_RUN_SECONDS at most, and says what differs from what was
   * delivered. A sync that is disabled, or whose destination cannot be written to, is treated as if it could run.
   * `permit` raises where the caller may not read rows of the type. Raises `resource_missing`, `sync_has_no_destination`, `sync_already_running` when a run is under way or began
   * meanwhile, `categories_seed_failed`, and `signal.reason`.
   */
  async of(
    owner: Owner,
    id: RowId<'sync'>,
    permit: (type: SyncType) => void,
    signal: AbortSignal,
  ): Promise<DryRun> {
    const { db, clock, limits, source, secrets, rulesOf } = this.#options;
    const sync = await findSync(db, owner, id);
    if (sync === null) throw missing('sync');
    permit(sync.type);
    const destination = await findDestination(db, owner, sync.destination);
    if (destination === null) throw new ServiceError('sync_has_no_destination');
    const taken = await this.#idle(owner, id);
    const rules = (await rulesOf?.(sync)) ?? passEveryRow;
    const streams = await streamsOfSync(db, owner, id);
    const tally = new DryRunTally(limits.dry_run_rows);
    const late = new AbortController();
    const done = new AbortController();
    clock.sleep(limits.dry_run_seconds * 1000, done.signal).then(
      () => late.abort(),
      () => undefined,
    );
    const pass = new DryPass({
      context: {
        clock,
        limits,
        sync,
        ledger: storedLedger(db),
        macs: new RowMacs(secrets.macKey(destination)),
        places: new RowPlaces(sync),
        rules,
        reading: AbortSignal.any([signal, late.signal]),
        takeSweepTurn: () => hasSweepTurn(db, owner, limits.sweeps_at_once, new Date(clock.now())),
        completeEntries: async () => false,
        noteSharedId: async () => undefined,
        range: null,
        rejected: await rejectedKeys(db, owner, id),
      },
      source,
      streams,
      readings: await readingsOfStreams(
        db,
        streams.map((stream) => stream.id),
      ),
      chunks: await chunksInDoubt(db, owner, id),
      tally,
      late: late.signal,
    });
    try {
      await pass.work();
    } finally {
      done.abort();
    }
    signal.throwIfAborted();
    // A run that wrote to the ledger meanwhile would make the comparison a mixture of before and after.
    if ((await this.#idle(owner, id)) !== taken) throw new ServiceError('sync_already_running');
    return tally.result;
  }

  /** How often runs of the sync were taken by a worker so far. */
  async #idle(owner: Owner, id: RowId<'sync'>): Promise<number> {
    const { db } = this.#options;
    if ((await findOpenRun(db, owner, id))?.status === 'running')
      throw new ServiceError('sync_already_running');
    return timesTaken(db, owner, id);
  }
}
