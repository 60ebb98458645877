import type { SyncEngine } from '../features/sync-engine/sync-engine.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../storage/database.ts';
import type { Jobs } from '../storage/jobs.ts';
import { takeStrandedRuns, voidLeases } from '../storage/sync-runs.ts';
import { rowId } from '../vocabulary/ids.ts';
import { Periodic } from './periodic.ts';

const SWEEP_MS = 5_000;
/** A job that is this old and has not led to a worker is queued once more; a second worker finds the run taken. */
const PATIENCE_MS = 30_000;

export interface RunsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: Pick<Jobs, 'enqueue' | 'work'>;
  readonly engine: SyncEngine;
  readonly concurrency: number;
  /** Whether no other process can be working: then every lease found at the start is a dead one's. */
  readonly alone: boolean;
}

/** Takes runs from the queue, and sees to it that a run whose worker died is taken again. */
export class Runs {
  readonly #options: RunsOptions;
  readonly #sweeping: Periodic;
  readonly #stopping = new AbortController();
  readonly #working = new Set<Promise<void>>();

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#sweeping = new Periodic(options, 'stranded runs', SWEEP_MS, () => this.sweep());
  }

  async start(): Promise<void> {
    const { db, jobs, concurrency, alone } = this.#options;
    if (alone) await voidLeases(db, new Date(0));
    await jobs.work('sync-run', concurrency, ({ run }) => this.#work(run));
    this.#sweeping.start();
  }

  /**
   * Asks the runs under way to stop at their next chunk and waits until they have; the next start goes on with them.
   * Stop the job queue after this, so that what the queue still hands out is refused at once. A run that is not done
   * within the deadline is left as a death would leave it, which costs nothing but the wait for its lease.
   */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#sweeping.stop();
    const done = new AbortController();
    const late = this.#options.clock.sleep(deadlineMs, done.signal).catch(() => undefined);
    await Promise.race([Promise.allSettled(this.#working), late]);
    done.abort();
  }

  /** Queues a job for every run that is open and in nobody's hands. */
  async sweep(): Promise<void> {
    const { db, clock, jobs } = this.#options;
    const now = clock.now();
    await db.transaction().execute(async (trx) => {
      const stranded = await takeStrandedRuns(trx, new Date(now), new Date(now - PATIENCE_MS));
      for (const run of stranded) await jobs.enqueue(trx, 'sync-run', { run });
    });
  }

  async #work(run: string): Promise<void> {
    const attempt = this.#options.engine.run(rowId('sync_run', run), this.#stopping.signal);
    this.#working.add(attempt);
    try {
      await attempt;
    } finally {
      this.#working.delete(attempt);
    }
  }
}
