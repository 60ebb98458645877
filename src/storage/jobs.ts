import { sql } from 'kysely';
import { fromKysely, fromPglite, PgBoss, type Db as QueueDatabase } from 'pg-boss';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { RowId } from '../vocabulary/ids.ts';
import { isStoreUnavailable } from '../vocabulary/store-unavailable.ts';
import type { Db, OpenDatabase, Trx } from './database.ts';
import { DueJobs } from './due-jobs.ts';
import {
  isPayload,
  type JobQueue,
  type Payload,
  type PayloadSchema,
  type WakeQueue,
  type WorkQueue,
} from './job-queue.ts';
import { onceCommitted } from './once-committed.ts';
import { MAINTENANCE_MS, withStatementDeadline } from './statement-deadline.ts';
import { whenCommitted } from './unit-of-work.ts';
import { WakeUps } from './wake-ups.ts';

const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** Workers are woken when there is a job for them; pg-boss requires an interval all the same. */
const POLLING = { pollingIntervalSeconds: 60 };
/** Jobs that wake a worker carry nothing it has to read, so one look takes all there are. */
const WAKING_JOBS = 1000;
/** The job that waits may be taken between two statements; then another one is written. */
const ATTEMPTS_TO_JOIN = 5;

export interface EnqueueOptions {
  /** Whose share of the queue's workers it takes. */
  readonly owner: RowId<'account_record'>;
  /** Not before this moment. */
  readonly startAfter?: Date;
}

interface SendOptions {
  readonly startAfter?: Date;
  readonly group?: { readonly id: string };
}

/** The job queue: pg-boss on our own database, so a job and the change that needs it commit together. */
export class Jobs {
  readonly #boss: PgBoss;
  readonly #database: OpenDatabase;
  readonly #queues: readonly JobQueue[];
  readonly #clock: Clock;
  readonly #wakeUps: WakeUps;
  /** Whether a job wakes its workers as soon as it is committed. On a server the next poll finds it (decision 0013). */
  readonly #wakesAtOnce: boolean;
  readonly #dueJobs: DueJobs;
  /** While starting, it makes its tables, or waits for another process to do so. */
  #statementMs: number | null = MAINTENANCE_MS;

  /**
   * @param queues every queue there is, whether or not this process works on it
   * @param onError not called while the database is unreachable: the queue asks again by itself, twice a second
   * @param clock that of those who enqueue. The queue waits by the database's clock, so a job starts as long from now as
   *   its moment lies ahead on theirs.
   */
  constructor(
    database: OpenDatabase,
    queues: readonly JobQueue[],
    onError: (error: unknown) => void,
    clock: Clock = systemClock,
  ) {
    this.#database = database;
    this.#queues = queues;
    this.#clock = clock;
    this.#wakesAtOnce = database.kind === 'embedded';
    const queueDatabase = queueDatabaseOf(database, (statement) =>
      withStatementDeadline(this.#statementMs, statement),
    );
    const report = (error: unknown): void => {
      if (!isStoreUnavailable(error)) onError(error);
    };
    this.#boss = new PgBoss({
      db: queueDatabase,
      ...(database.kind === 'embedded' ? { backend: 'pglite' as const } : {}),
      schedule: false,
    });
    this.#boss.on('error', (error) => {
      if (!('store' in error)) report(error);
    });
    this.#wakeUps = new WakeUps(this.#boss);
    this.#dueJobs = new DueJobs({
      database: queueDatabase,
      onDue: (queue) => this.#wakeUps.wake(queue),
      onError: report,
    });
  }

  /** Makes the queues that are new and brings the others up to date. Raises a TypeError where `onePer` was changed. */
  async start(): Promise<void> {
    const prepare = (): Promise<void> => this.#prepareAll();
    // Of several processes that make the tables of the library at once, it leaves one with a broken transaction.
    await (this.#wakesAtOnce ? prepare() : inTurn(this.#database.db, prepare));
    this.#statementMs = null;
  }

  async #prepareAll(): Promise<void> {
    await this.#boss.start();
    for (const queue of this.#queues) {
      await this.#prepare(queue);
      // Looking for any job makes the library remember the queue. Were it to ask for the queue on its own connection
      // during our transaction, the embedded database, which has one, would wait for itself forever.
      await this.#boss.getJobById(queue.name, NO_JOB);
    }
  }

  /** Stops taking jobs and waits up to `timeoutMs` for those under way. */
  async stop(timeoutMs: number): Promise<void> {
    await this.#dueJobs.stop();
    this.#wakeUps.stop();
    await this.#boss.stop({ graceful: timeoutMs > 0, timeout: timeoutMs, close: false });
  }

  /** Enqueues work inside the caller's transaction: no commit, no job. */
  async enqueue<S extends PayloadSchema>(
    trx: Trx | Db,
    queue: WorkQueue<S>,
    payload: Payload<S>,
    { owner, startAfter }: EnqueueOptions,
  ): Promise<void> {
    await this.#send(trx, queue, payload, {
      ...(startAfter === undefined ? {} : { startAfter: this.#real(startAfter) }),
      group: { id: owner },
    });
  }

  /** Says inside the caller's transaction that there is something to do, now or later: no commit, no signal. */
  async signal<S extends PayloadSchema>(
    trx: Trx | Db,
    queue: WakeQueue<S>,
    payload: Payload<S>,
    { startAfter }: Pick<EnqueueOptions, 'startAfter'> = {},
  ): Promise<void> {
    await this.#send(trx, queue, payload, {
      ...(startAfter === undefined ? {} : { startAfter: this.#real(startAfter) }),
    });
  }

  /** Takes whatever is in a queue as a sign that there is something to do, and calls `wake` once for all of it. */
  async wakeOn<S extends PayloadSchema>(queue: WakeQueue<S>, wake: () => void): Promise<void> {
    await this.#boss.work(queue.name, { ...POLLING, batchSize: WAKING_JOBS }, async () => wake());
    this.#dueJobs.include(queue.name);
  }

  /**
   * Takes the jobs of a queue, as many at once as it says. A handler that throws is retried by the queue's own rule, and
   * so is a payload that cannot be read: a newer version, which may be running beside this one, may know what it means.
   */
  async work<S extends PayloadSchema>(
    queue: WorkQueue<S>,
    handle: (payload: Payload<S>, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const share = { localConcurrency: queue.concurrency, localGroupConcurrency: queue.perOwner };
    await this.#boss.work<unknown>(queue.name, { ...POLLING, ...share, batchSize: 1 }, async (jobs) => {
      for (const { data, signal } of jobs) {
        if (!isPayload(queue.payload, data)) {
          const members = Object.keys(queue.payload).join(', ');
          throw new TypeError(`a job of ${queue.name} does not carry the ids it should: ${members}`);
        }
        await handle(data, signal);
      }
    });
    this.#dueJobs.include(queue.name);
  }

  /** The machine's moment until which as much time passes as until `startAfter` on the clock of the service. */
  #real(startAfter: Date): Date {
    if (this.#clock === systemClock) return startAfter;
    return new Date(systemClock.now() + startAfter.getTime() - this.#clock.now());
  }

  async #prepare({ name, retry, expireSeconds, onePer }: JobQueue): Promise<void> {
    const policy = onePer === undefined ? 'standard' : 'short';
    const settings = {
      retryLimit: retry.limit,
      retryDelay: retry.delaySeconds,
      retryBackoff: true,
      expireInSeconds: expireSeconds,
      notify: false,
    };
    const found = await this.#boss.getQueue(name);
    if (found === null) {
      await this.#boss.createQueue(name, { ...settings, policy });
      return;
    }
    if (found.policy !== policy) throw new TypeError(`${name}: a queue cannot change what it has one of`);
    const current = new Map<string, unknown>(Object.entries(found));
    if (Object.entries(settings).some(([setting, value]) => current.get(setting) !== value)) {
      await this.#boss.updateQueue(name, settings);
    }
  }

  async #send<S extends PayloadSchema>(
    trx: Trx | Db,
    queue: JobQueue<S>,
    payload: Payload<S>,
    options: SendOptions,
  ): Promise<void> {
    if (queue.onePer === undefined) {
      await this.#boss.send(queue.name, payload, { ...options, db: fromKysely(trx) });
    } else {
      await this.#sendOrJoin(trx, queue.name, payload, { ...options, singletonKey: payload[queue.onePer] });
    }
    if (options.startAfter !== undefined || !this.#wakesAtOnce) return;
    const wake = (): void => this.#wakeUps.wake(queue.name);
    if (trx.isTransaction) await onceCommitted(trx, wake);
    else whenCommitted(wake);
  }

  async #sendOrJoin(
    trx: Trx | Db,
    name: string,
    payload: object,
    options: SendOptions & { readonly singletonKey: string },
  ): Promise<void> {
    const db = fromKysely(trx);
    for (let attempt = 0; attempt < ATTEMPTS_TO_JOIN; attempt++) {
      if ((await this.#boss.send(name, payload, { ...options, db })) !== null) return;
      if (await this.#join(name, options.singletonKey, options.startAfter, trx)) return;
    }
    throw new Error(`${name}: neither was a job written nor did one wait`);
  }

  /**
   * Makes the job that waits stand for one more request. It is written to in any case, because that keeps workers from
   * taking it before the caller has committed: one that began earlier would not see what the caller changed. Returns
   * whether there was such a job.
   */
  async #join(
    name: string,
    singletonKey: string,
    startAfter: Date | undefined,
    trx: Trx | Db,
  ): Promise<boolean> {
    const db = fromKysely(trx);
    const waiting = await this.#boss.findJobs(name, { key: singletonKey, queued: true, db });
    const latest = Math.max(...waiting.map((job) => job.startAfter.getTime()));
    const earlier = startAfter === undefined || startAfter.getTime() < latest;
    const { updated } = await this.#boss.update(name, undefined, {
      singletonKey,
      match: 'all',
      db,
      ...(earlier ? { startAfter: startAfter ?? 0 } : {}),
    });
    return updated > 0;
  }
}

type Within = <T>(statement: () => Promise<T>) => Promise<T>;

/** @param within gives each statement its deadline, whatever the deadline of what began the library's timers was */
function queueDatabaseOf(database: OpenDatabase, within: Within): QueueDatabase {
  const { pglite, pool } = database;
  if (pglite !== null) {
    return fromPglite({
      query: (sql, values) => within(() => pglite.query(sql, values)),
      exec: (sql) => within(() => pglite.exec(sql)),
    });
  }
  if (pool === null) throw new TypeError('a database is either embedded or a pool');
  return { executeSql: (text, values) => within(() => pool.query({ text, ...(values && { values }) })) };
}

/** Does the work while no other process of the database does it. */
function inTurn(db: Db, work: () => Promise<void>): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await withStatementDeadline(MAINTENANCE_MS, () =>
      sql`select pg_advisory_xact_lock(hashtextextended('tributary job queues', 0))`.execute(trx),
    );
    await work();
  });
}
