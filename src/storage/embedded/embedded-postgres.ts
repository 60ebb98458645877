import { Worker } from 'node:worker_threads';
import type { Answer, Asked, Fault, Request, ThreadSettings } from './messages.ts';

/** Whoever asked knows what is answered: the two sides of the thread are one module in two files. */
interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** An error Postgres raised, with the members it gave it: `code` (SQLSTATE), `constraint` and so on. */
export class EmbeddedError extends Error {
  constructor({ message, members }: Fault) {
    super(message);
    this.name = 'EmbeddedError';
    Object.assign(this, members);
  }
}

/** A transaction of the embedded database, as Kysely uses one. */
export interface EmbeddedTransaction {
  query<T>(sql: string, params?: unknown[]): Promise<EmbeddedRows<T>>;
  rollback(): Promise<void>;
}

export interface EmbeddedRows<T> {
  rows: T[];
  affectedRows?: number;
  fields: { name: string; dataTypeID: number }[];
}

/**
 * The embedded database as the rest of the service sees it: PGlite's own methods, answered by a thread (thread.ts). Rows
 * have the shape their query gives them; that the caller's type says so is Kysely's part.
 */
export class EmbeddedPostgres {
  readonly ready: boolean = true;
  readonly waitReady: Promise<void> = Promise.resolve();
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  #asked = 0;
  #transactions = 0;
  #closed = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Opens the database at `location`, a directory or `memory://`. Raises what PGlite raises when it cannot. */
  static async open(location: string): Promise<EmbeddedPostgres> {
    const settings: ThreadSettings = { location };
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: settings });
    const embedded = new EmbeddedPostgres(worker);
    await new Promise<void>((resolve, reject) => {
      worker.on('message', (answer: Answer) => {
        if (answer.kind === 'ready') resolve();
        else embedded.#receive(answer);
      });
      worker.on('error', (error) => {
        embedded.#lose(error);
        reject(error);
      });
      worker.on('exit', () => {
        const lost = new Error('The thread of the embedded database has ended.');
        embedded.#lose(lost);
        reject(lost);
      });
    });
    return embedded;
  }

  get closed(): boolean {
    return this.#closed;
  }

  async query<T>(sql: string, params: unknown[] = []): Promise<EmbeddedRows<T>> {
    return this.#query(sql, params, null);
  }

  async exec(sql: string): Promise<{ rows: unknown[] }[]> {
    return this.#ask({ kind: 'exec', sql });
  }

  /** Others wait until the callback has settled. Commits when it resolves; rolls back when it rejects. */
  async transaction<T>(callback: (trx: EmbeddedTransaction) => Promise<T>): Promise<T> {
    this.#transactions += 1;
    const transaction = this.#transactions;
    let over = false;
    const end = async (kind: 'commit' | 'rollback'): Promise<void> => {
      if (over) return;
      over = true;
      await this.#ask({ kind, transaction });
    };
    await this.#ask({ kind: 'begin', transaction });
    try {
      const result = await callback({
        query: (sql, params = []) => this.#query(sql, params, transaction),
        rollback: () => end('rollback'),
      });
      await end('commit');
      return result;
    } catch (error) {
      await end('rollback').catch(() => undefined);
      throw error;
    }
  }

  /** Calls back with the payload of every notification of the channel. Resolves to what ends that. */
  async listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(callback));
    if (listeners.size === 1) await this.#ask({ kind: 'listen', channel });
    return async () => {
      listeners.delete(callback);
      if (listeners.size === 0) await this.#ask({ kind: 'unlisten', channel });
    };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#ask({ kind: 'close' });
    this.#closed = true;
    await this.#worker.terminate();
  }

  async #query<T>(sql: string, params: unknown[], transaction: number | null): Promise<EmbeddedRows<T>> {
    return this.#ask({ kind: 'query', sql, params, transaction });
  }

  #ask<A>(request: Request): Promise<A> {
    if (this.#closed) return Promise.reject(new Error('The embedded database is closed.'));
    this.#asked += 1;
    const asked: Asked = { id: this.#asked, request };
    return new Promise<A>((resolve, reject) => {
      this.#waiting.set(asked.id, { resolve, reject });
      this.#worker.postMessage(asked);
    });
  }

  #receive(answer: Exclude<Answer, { kind: 'ready' }>): void {
    if (answer.kind === 'notification') {
      for (const listener of this.#listeners.get(answer.channel) ?? []) listener(answer.payload);
      return;
    }
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.kind === 'answer') waiting?.resolve(answer.value);
    else waiting?.reject(new EmbeddedError(answer.fault));
  }

  /** The thread is gone, and with it every answer that was still to come. */
  #lose(error: Error): void {
    this.#closed = true;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}
