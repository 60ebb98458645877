import { join } from 'node:path';
import { Mutex, MutexTimeout } from '../../platform/mutex.ts';
import { DEFAULT_LIMITS } from '../../vocabulary/limits.ts';
import { StoreUnavailableError } from '../../vocabulary/store-unavailable.ts';
import { Availability, type OnAvailability } from '../availability.ts';
import { statementDeadline } from '../statement-deadline.ts';
import { DatabaseThread } from './database-thread.ts';
import type { EmbeddedRows, EmbeddedTransaction } from './messages.ts';
import { ensureDatabase } from './new-database.ts';

/** Recovery from the write-ahead log can take long on a slow disk. */
const OPENING_MS = 120_000;
const CLOSING_MS = 10_000;
const MEMORY = 'memory://';

export interface EmbeddedOptions {
  /** How long an ordinary statement may take, in milliseconds. */
  readonly statementMs?: number;
  readonly onAvailability?: OnAvailability;
  /** Whether it is for a few statements only; default false. */
  readonly brief?: boolean;
}

/**
 * The embedded database as the rest of the service sees it: PGlite's own methods, answered by a thread (thread.ts).
 * Rows have the shape of their query; Kysely makes sure that the caller's type matches. A thread that does not answer
 * in time or has crashed is terminated, and another one opens the database again: committed data is kept, open
 * transactions are lost, and until then everything raises StoreUnavailableError.
 */
export class EmbeddedPostgres {
  readonly ready: boolean = true;
  readonly waitReady: Promise<void> = Promise.resolve();
  readonly #location: string;
  readonly #brief: boolean;
  readonly #statementMs: number;
  readonly #availability: Availability;
  readonly #listeners = new Listeners();
  /**
   * One statement outside of transactions, or one transaction, at a time, so that the deadline covers only work in the
   * thread.
   */
  readonly #mutex = new Mutex();
  readonly #reopened = new Set<() => void>();
  #thread: DatabaseThread | null = null;
  #mostMs = Number.POSITIVE_INFINITY;
  #transactions = 0;
  #closed = false;

  private constructor(location: string, { statementMs, onAvailability, brief = false }: EmbeddedOptions) {
    this.#location = location;
    this.#brief = brief;
    this.#statementMs = statementMs ?? DEFAULT_LIMITS.statement_deadline_ms;
    this.#availability = new Availability((signal) => this.#reopen(signal), onAvailability);
  }

  /**
   * Opens the database of a data directory, and makes it first if there is none; without a directory, one in memory.
   * The caller has the lock of the data directory. Raises what PGlite raises if it cannot.
   */
  static async openIn(dataDir: string | null, options: EmbeddedOptions = {}): Promise<EmbeddedPostgres> {
    if (dataDir === null) return EmbeddedPostgres.open(MEMORY, options);
    const location = join(dataDir, 'database');
    await ensureDatabase(location);
    return EmbeddedPostgres.open(location, options);
  }

  /** Opens the database at `location`, a directory or `memory://`. Raises what PGlite raises if it cannot. */
  static async open(location: string, options: EmbeddedOptions = {}): Promise<EmbeddedPostgres> {
    const embedded = new EmbeddedPostgres(location, options);
    embedded.#thread = await embedded.#openThread();
    return embedded;
  }

  get closed(): boolean {
    return this.#closed;
  }

  async query<T>(sql: string, params: unknown[] = []): Promise<EmbeddedRows<T>> {
    return this.#inTurn((thread) =>
      thread.ask({ kind: 'query', sql, params, transaction: null }, this.#deadline()),
    );
  }

  async exec(sql: string): Promise<{ rows: unknown[] }[]> {
    return this.#inTurn((thread) => thread.ask({ kind: 'exec', sql }, this.#deadline()));
  }

  /** Others wait until the callback settles. Commits when it resolves; rolls back when it rejects. */
  async transaction<T>(callback: (trx: EmbeddedTransaction) => Promise<T>): Promise<T> {
    return this.#inTurn(async (thread) => {
      this.#transactions += 1;
      const transaction = this.#transactions;
      let over = false;
      const end = async (kind: 'commit' | 'rollback'): Promise<void> => {
        if (over) return;
        over = true;
        await thread.ask({ kind, transaction }, this.#deadline());
      };
      await thread.ask({ kind: 'begin', transaction }, this.#deadline());
      try {
        const result = await callback({
          query: (sql, params = []) =>
            thread.ask({ kind: 'query', sql, params, transaction }, this.#deadline()),
          rollback: () => end('rollback'),
        });
        await end('commit');
        return result;
      } catch (error) {
        await end('rollback').catch(() => undefined);
        throw error;
      }
    });
  }

  /**
   * Calls back with the payload of every notification of the channel, also after the database was reopened. Resolves to
   * a function that stops that.
   */
  async listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>> {
    if (this.#listeners.add(channel, callback))
      await this.#inTurn((thread) => thread.ask({ kind: 'listen', channel }, this.#deadline()));
    return async () => {
      if (this.#listeners.remove(channel, callback))
        await this.#inTurn((thread) => thread.ask({ kind: 'unlisten', channel }, this.#deadline()));
    };
  }

  /** Called each time the database has been reopened: earlier notifications may be lost. */
  onReopened(callback: () => void): void {
    this.#reopened.add(callback);
  }

  /** For a service that is stopping: no statement, including those running, may take longer than `ms` from now on. */
  hurry(ms: number): void {
    this.#mostMs = Math.min(this.#mostMs, ms);
    this.#thread?.hurry(ms);
  }

  /** Never waits for a thread that does not answer. */
  async close(): Promise<void> {
    if (this.#closed) return;
    try {
      await this.#inTurn((thread) => thread.ask({ kind: 'close' }, Math.min(CLOSING_MS, this.#mostMs)));
    } catch (error) {
      // Committed data is in the write-ahead log; the next start recovers from it.
      if (!(error instanceof StoreUnavailableError)) throw error;
    } finally {
      this.#closed = true;
      await this.#availability.close();
      await this.#thread?.terminate();
    }
  }

  #deadline(): number {
    return Math.min(statementDeadline(this.#statementMs), this.#mostMs);
  }

  async #inTurn<T>(work: (thread: DatabaseThread) => Promise<T>): Promise<T> {
    try {
      await this.#mutex.acquire(this.#deadline());
    } catch (error) {
      throw error instanceof MutexTimeout
        ? new StoreUnavailableError('it is busy with other statements', { cause: error })
        : error;
    }
    try {
      if (this.#closed) throw new Error('The embedded database is closed.');
      if (this.#availability.away) await this.#availability.usable();
      if (this.#thread === null) throw new StoreUnavailableError('it is being opened again');
      return await work(this.#thread);
    } finally {
      this.#mutex.release();
    }
  }

  #openThread(signal?: AbortSignal): Promise<DatabaseThread> {
    const events = {
      onNotification: (channel: string, payload: string) => this.#listeners.notify(channel, payload),
      onLost: (reason: Error) => this.#availability.lose(reason),
    };
    return DatabaseThread.open({ location: this.#location, brief: this.#brief }, events, signal);
  }

  async #reopen(closing: AbortSignal): Promise<void> {
    // Two threads on one directory would corrupt it: the old one has ended before the new one starts.
    await this.#thread?.terminate();
    this.#thread = null;
    closing.throwIfAborted();
    if (this.#location === MEMORY) throw new Error('a database in memory is gone with its thread');
    const thread = await this.#openThread(AbortSignal.any([closing, AbortSignal.timeout(OPENING_MS)]));
    try {
      for (const channel of this.#listeners.channels)
        await thread.ask({ kind: 'listen', channel }, this.#statementMs);
    } catch (error) {
      await thread.terminate();
      throw error;
    }
    this.#thread = thread;
    for (const callback of this.#reopened) callback();
  }
}

type Listener = (payload: string) => void;

/** Listeners of the channels of the embedded database. */
class Listeners {
  readonly #byChannel = new Map<string, Set<Listener>>();

  get channels(): readonly string[] {
    return [...this.#byChannel.keys()];
  }

  /** Whether it is the first of the channel. */
  add(channel: string, listener: Listener): boolean {
    const listeners = this.#byChannel.get(channel) ?? new Set();
    this.#byChannel.set(channel, listeners.add(listener));
    return listeners.size === 1;
  }

  /** Whether it was the last of the channel. */
  remove(channel: string, listener: Listener): boolean {
    const listeners = this.#byChannel.get(channel);
    if (listeners === undefined || !listeners.delete(listener) || listeners.size > 0) return false;
    this.#byChannel.delete(channel);
    return true;
  }

  notify(channel: string, payload: string): void {
    for (const listener of this.#byChannel.get(channel) ?? []) listener(payload);
  }
}
