import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import { actorColumns } from '../../storage/actor-columns.ts';
import type { Trx } from '../../storage/database.ts';
import { wakeQueue } from '../../storage/job-queue.ts';
import type { Jobs } from '../../storage/jobs.ts';
import { endRun, findOpenRun, findRun, insertRun, type SyncRunRow } from '../../storage/sync-runs.ts';
import { accountsOfSyncs, type SyncRow } from '../../storage/syncs.ts';
import { rowId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { moveBy, SYNC_RUN_MOVES } from '../../vocabulary/states.ts';
import type { RunRange } from '../../vocabulary/syncs.ts';
import type { EventTrigger } from '../events/event-trigger.ts';
import type { RunCause } from './run-cause.ts';

/** Wakes a worker for a run. The runs themselves say what there is to do (docs/decisions/0013-sharing-by-owner.md). */
export const SYNC_RUN = wakeQueue({
  name: 'sync-run',
  payload: { run: 'sync_run' },
  retry: { limit: 3, delaySeconds: 1 },
  expireSeconds: 3 * 3600,
});

/** Queues runs: the run, its lines and the worker's job commit together or not at all. */
export class RunQueue {
  readonly #clock: Clock;
  readonly #jobs: Pick<Jobs, 'signal'>;
  readonly #events: EventTrigger;

  constructor(deps: { clock: Clock; jobs: Pick<Jobs, 'signal'>; events: EventTrigger }) {
    this.#clock = deps.clock;
    this.#jobs = deps.jobs;
    this.#events = deps.events;
  }

  /**
   * A queued run of the sync, whose row the caller holds; null when a run is open already. `range`: the only days it
   * reads, where it is a backfill. Raises
   * `sync_dispatch_failed` when the queue does not take the job; then the transaction must not commit.
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
    if (!(await insertRun(trx, queued, accounts))) return null;
    await this.dispatch(trx, run);
    await this.#events(trx, account_record, 'sync_run.queued', run);
    return findRun(trx, account_record, run);
  }

  /** Hands a run to the workers. Raises `sync_dispatch_failed`. */
  async dispatch(trx: Trx, run: SyncRunRow['id']): Promise<void> {
    try {
      await this.#jobs.signal(trx, SYNC_RUN, { run });
    } catch (cause) {
      throw new ServiceError('sync_dispatch_failed', { cause });
    }
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
