import type { SyncEngine, TakenRun } from '../features/sync-engine/run/sync-engine.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { withRetryBudget } from '../platform/retry-budget.ts';
import type { Db } from '../storage/database.ts';
import type { Notices } from '../storage/notices.ts';
import { waitingRuns } from '../storage/run-leases.ts';
import { voidLeases } from '../storage/sync-runs.ts';
import type { Limits } from '../vocabulary/limits.ts';
import { type ActiveRun, ActiveRuns } from './active-runs.ts';
import { Periodic } from './periodic.ts';

/** Owners to make room for in one look. */
const MOST_WAITING = 100;

export interface RunsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Pick<Notices, 'onNotice' | 'onLost'>;
  readonly engine: SyncEngine;
  readonly limits: Pick<Limits, 'runs_at_once' | 'run_slice_seconds' | 'run_retry_seconds'>;
  /** Whether no other process can be working: then every lease found at the start is a dead one's. */
  readonly alone: boolean;
}

/**
 * Works on runs, shared out by account record (docs/sync-engine.md, Sharing workers). The runs themselves are the
 * queue: every open run that no worker holds is taken, also when the worker that had it died.
 */
export class Runs {
  readonly #options: RunsOptions;
  readonly #looking: Periodic;
  readonly #stopping = new AbortController();
  readonly #working = new Set<Promise<void>>();
  readonly #active: ActiveRuns;
  #looks: Promise<void> = Promise.resolve();
  #lookWanted = false;

  constructor(options: RunsOptions) {
    this.#options = options;
    const { runs_at_once: slots, run_slice_seconds: slice } = options.limits;
    this.#active = new ActiveRuns({ slots, sliceMs: slice * 1000 });
    this.#looking = new Periodic(options, 'waiting runs', () => this.look());
  }

  async start(): Promise<void> {
    const { db, notices, alone } = this.#options;
    if (alone) await voidLeases(db, new Date(0));
    notices.onNotice(({ kind }) => {
      if (kind === 'sync_runs') this.#wake();
    });
    notices.onLost(() => this.#wake());
    this.#looking.start();
  }

  /**
   * Asks the runs under way to stop at their next chunk and waits until they have; the next start goes on with them.
   * A run that is not done within the deadline is left as a death would leave it, which costs nothing but the wait for
   * its lease.
   */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#looking.stop();
    const done = new AbortController();
    const late = this.#options.clock.sleep(deadlineMs, done.signal).catch(() => undefined);
    // A look that fails, because the database is unreachable or gone, ends the looks as well.
    const looked = this.#looks.catch(() => undefined);
    await Promise.race([looked.then(() => Promise.allSettled(this.#working)), late]);
    done.abort();
  }

  /** Takes what there is room for, and asks for room where others wait. Raises what storage raises. */
  look(): Promise<void> {
    // One look at a time, so that two never share out the same room; who asks meanwhile gets one more after it.
    if (this.#lookWanted) return this.#looks;
    this.#lookWanted = true;
    const look = this.#looks
      .catch(() => undefined)
      .then(() => {
        this.#lookWanted = false;
        return this.#lookOnce();
      });
    this.#looks = look;
    return look;
  }

  #wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.look().catch((error: unknown) => this.#options.log.warn('Failed to find queued runs.', {}, error));
  }

  async #lookOnce(): Promise<void> {
    const { db, clock, engine } = this.#options;
    while (!this.#active.full && !this.#stopping.signal.aborted) {
      const taken = await engine.take({ except: this.#active.atTheirShare });
      if (taken === null) break;
      this.#work(taken);
    }
    if (this.#stopping.signal.aborted || !this.#active.anyPliable(clock.now())) return;
    this.#active.makeRoom(await waitingRuns(db, new Date(clock.now()), MOST_WAITING), clock.now());
  }

  #work(taken: TakenRun): void {
    const { clock, engine, limits, log } = this.#options;
    const active: ActiveRun = {
      owner: taken.run.account_record,
      since: clock.now(),
      progressedAt: null,
      yielding: new AbortController(),
    };
    this.#active.add(active);
    const stopping = AbortSignal.any([this.#stopping.signal, active.yielding.signal]);
    const progressed = () => {
      active.progressedAt ??= clock.now();
    };
    const attempt = withRetryBudget(limits.run_retry_seconds * 1000, () =>
      engine.work(taken, { stopping, progressed }),
    )
      .catch((error: unknown) => log.error('a run was cut off', { run: taken.run.id }, error))
      .finally(() => {
        this.#active.delete(active);
        this.#working.delete(attempt);
        this.#wake();
      });
    this.#working.add(attempt);
  }
}
