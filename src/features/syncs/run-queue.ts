import type { Clock } from '../../platform/clock.ts';
import { currentRequestId } from '../../platform/request-origin.ts';
import { newRowId } from '../../platform/row-id.ts';
import { actorColumns } from '../../storage/actor-columns.ts';
import type { Trx } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import { endRun, findOpenRun, findRun, insertRun, type SyncRunRow } from '../../storage/sync-runs.ts';
import { accountsOfSyncs, deleteSync, type SyncRow } from '../../storage/syncs.ts';
import type { Actor } from '../../vocabulary/actors.ts';
import { CALLER_KINDS, type CallerKind } from '../../vocabulary/caller-kinds.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import { moveBy, SYNC_RUN_MOVES } from '../../vocabulary/states.ts';
import type { RunRange, RunTrigger } from '../../vocabulary/syncs.ts';
import type { EventTrigger } from '../events/event-log.ts';

/** Why a run is queued: its `trigger`, and who caused it. */
export interface RunCause {
  readonly trigger: RunTrigger;
  readonly actor: Actor;
}

/** The cause of a run that a caller requested (docs/callers.md). */
export function askedBy(caller: Actor & { readonly kind: CallerKind }): RunCause {
  return { trigger: CALLER_KINDS[caller.kind].trigger, actor: caller };
}

/**
 * Queues runs: the run and its lines commit together or not at all. Workers take what is queued (docs/sync-engine.md).
 */
export class RunQueue {
  readonly #clock: Clock;
  readonly #notices: Pick<Notices, 'hintOnceCommitted'>;
  readonly #events: EventTrigger;

  constructor(deps: {
    clock: Clock;
    notices: Pick<Notices, 'hintOnceCommitted'>;
    events: EventTrigger;
  }) {
    this.#clock = deps.clock;
    this.#notices = deps.notices;
    this.#events = deps.events;
  }

  /**
   * Queues a run of the sync, whose row the caller has locked; null if a run is open already. `range`: the days that a
   * backfill reads. Raises
   * `sync_dispatch_failed` if the run cannot be written; then the transaction must not commit.
   */
  async queue(
    trx: Trx,
    sync: SyncRow,
    cause: RunCause,
    range: RunRange | null = null,
  ): Promise<SyncRunRow | null> {
    const { account_record, id, destination } = sync;
    const accounts = (await accountsOfSyncs(trx, account_record, [id])).get(id) ?? [];
    const run = rowId('sync_run', newRowId(this.#clock));
    const created = new Date(this.#clock.now());
    const { trigger, actor } = cause;
    const queued = {
      id: run,
      account_record,
      sync: id,
      destination,
      trigger,
      ...actorColumns(actor),
      request_id: currentRequestId(),
      range_from: range?.from ?? null,
      range_to: range?.to ?? null,
      created,
    };
    const isQueued = await insertRun(trx, queued, accounts).catch((cause: unknown) => {
      throw new ServiceError('sync_dispatch_failed', { cause });
    });
    if (!isQueued) return null;
    await this.#notices.hintOnceCommitted(trx, { kind: 'sync_runs', id: account_record });
    await this.#events(trx, account_record, 'sync_run.queued', run);
    return findRun(trx, account_record, run);
  }

  /** Ends the open run, if any, in favour of a newer one. Its worker writes nothing more. */
  async supersede(trx: Trx, sync: SyncRow): Promise<void> {
    const open = await findOpenRun(trx, sync.account_record, sync.id);
    if (open === null) return;
    const move = moveBy(SYNC_RUN_MOVES, 'failed');
    const ended = await endRun(trx, sync.account_record, open.id, move, {
      failure: 'superseded',
      retryable: false,
      at: new Date(this.#clock.now()),
    });
    if (ended !== null) await this.#events(trx, sync.account_record, move.emits, ended.id);
  }
}

interface CancellationDependencies {
  readonly clock: Clock;
  readonly events: EventTrigger;
}

type CancellationTrigger = Extract<(typeof SYNC_RUN_MOVES)[number], { to: 'cancelled' }>['by'];

/** Cancels a run; null if its status does not allow that. Its worker writes nothing more. */
async function cancelRun(
  { clock, events }: CancellationDependencies,
  trx: Trx,
  owner: OwnerId,
  run: RowId<'sync_run'>,
  by: CancellationTrigger,
): Promise<SyncRunRow | null> {
  const at = new Date(clock.now());
  const move = moveBy(SYNC_RUN_MOVES, by);
  const ended = await endRun(trx, owner, run, move, {
    failure: null,
    retryable: null,
    at,
  });
  if (ended !== null) await events(trx, owner, move.emits, run);
  return ended;
}

/** Cancels the run that a caller names. Raises `resource_missing` and `run_not_cancellable`. */
export async function cancelNamedRun(
  deps: CancellationDependencies,
  trx: Trx,
  owner: OwnerId,
  run: RowId<'sync_run'>,
): Promise<SyncRunRow> {
  if ((await findRun(trx, owner, run)) === null) throw missing('sync run');
  const ended = await cancelRun(deps, trx, owner, run, 'cancelled by the caller');
  if (ended === null) throw new ServiceError('run_not_cancellable');
  return ended;
}

/** Cancels the open run of a sync whose row the caller has locked, whether it is queued or in progress. */
export async function cancelOpenRun(
  deps: CancellationDependencies,
  trx: Trx,
  owner: OwnerId,
  sync: RowId<'sync'>,
  by: CancellationTrigger,
): Promise<void> {
  const open = await findOpenRun(trx, owner, sync);
  if (open !== null) await cancelRun(deps, trx, owner, open.id, by);
}

/**
 * Deletes a sync whose row the caller has locked. A run that has not ended is cancelled first, so that its
 * subscribers are notified of its end. False if there is no such sync.
 */
export async function deleteHeldSync(
  deps: CancellationDependencies,
  trx: Trx,
  owner: OwnerId,
  sync: RowId<'sync'>,
): Promise<boolean> {
  await cancelOpenRun(deps, trx, owner, sync, 'sync deleted');
  return deleteSync(trx, owner, sync);
}
