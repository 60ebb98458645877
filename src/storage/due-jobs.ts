import type { Db } from 'pg-boss';

/** How late a job may be noticed that another process wrote, or that waited for its moment. */
const POLL_MS = 500;

/** The condition under which pg-boss hands a job out; its index on waiting jobs answers. */
const QUEUES_WITH_DUE_JOBS = `
  select queue.name from unnest($1::text[]) as queue (name)
  where exists (
    select from pgboss.job as job
    where job.name = queue.name and job.state < 'active' and not job.blocked and job.start_after <= pgboss.job_now()
  )`;

export interface DueJobsOptions {
  readonly database: Db;
  /** Called for each queue that has a job whose time has come, again at every poll while it has. */
  readonly onDue: (queue: string) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Polls for due jobs of all queues in one statement, twice a second, so that idle workers need not: there are some
 * twenty, and each would poll for itself.
 */
export class DueJobs {
  readonly #options: DueJobsOptions;
  readonly #queues = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #polling: Promise<void> | null = null;
  #stopped = false;

  constructor(options: DueJobsOptions) {
    this.#options = options;
  }

  /** Polls for jobs of this queue too, from now on. */
  include(queue: string): void {
    this.#queues.add(queue);
    if (this.#timer === null && this.#polling === null) this.#schedule();
  }

  /** Waits for the poll under way; none follows. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#polling;
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#polling = this.#poll().finally(() => {
        this.#polling = null;
        this.#schedule();
      });
    }, POLL_MS);
  }

  async #poll(): Promise<void> {
    const { database, onDue, onError } = this.#options;
    try {
      const { rows }: { readonly rows: readonly { readonly name: string }[] } = await database.executeSql(
        QUEUES_WITH_DUE_JOBS,
        [[...this.#queues]],
      );
      for (const { name } of rows) onDue(name);
    } catch (error) {
      onError(error);
    }
  }
}
