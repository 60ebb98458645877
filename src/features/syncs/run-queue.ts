import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import { actorColumns } from '../../storage/actor-columns.ts';
import type { Trx } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import { endRun, findOpenRun, findRun, insertRun, type SyncRunRow } from '../../storage/sync-runs.ts';
import { accountsOfSyncs, type SyncRow } from '../../storage/syncs.ts';
import type { Actor } from '../../vocabulary/actors.ts';
import { CALLER_KINDS, type CallerKind } from '../../vocabulary/caller-kinds.ts';
import { rowId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { moveBy, SYNC_RUN_MOVES } from '../../vocabulary/states.ts';
import type { RunRange, RunTrigger } from '../../vocabulary/syncs.ts';
import type { EventTrigger } from '../events/event-log.ts';

/** Why a run is queued: what it says in `trigger`, and who is behind it. */
export interface RunCause {
  readonly trigger: RunTrigger;
  readonly actor: Actor;
}

/** The cause of a run that a caller asked for (docs/callers.md). */
export function askedBy(caller: Actor & { readonly kind: CallerKind }): RunCause {
  return { trigger: CALLER_KINDS[caller.kind].trigger, actor: caller };
}

/** Queues runs: the run and its lines commit together or not at all. Workers take what is queued (docs/sync-engine.md). */
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
   * A queued run of the sync, whose row the caller holds; null when a run is open already. `range`: the only days it
   * reads, where it is a backfill. Raises
   * `sync_dispatch_failed` when the run cannot be written; then the transaction must not commit.
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

  /** Ends the open run, if there is one, in favour of a newer. Its worker writes nothing more. */
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
