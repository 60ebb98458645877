import { Worker } from 'node:worker_threads';
import { afterDeadline } from '../../platform/with-timeout.ts';
import { StoreUnavailableError } from '../../vocabulary/store-unavailable.ts';
import { saysUnavailable } from '../sql-states.ts';
import type { Answer, Asked, Fault, Request, ThreadSettings } from './messages.ts';

/** The caller knows the type of the answer: the two sides of the thread are one module in two files. */
interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export interface ThreadEvents {
  onNotification(channel: string, payload: string): void;
  /** Called once, when a thread that was opened has ended or no longer works. Pending calls have failed by then. */
  onLost(reason: Error): void;
}

/** One instance of the thread that runs the embedded database (thread.ts). */
export class DatabaseThread {
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #lost: Error | null = null;
  #opened = false;

  private constructor(worker: Worker, events: ThreadEvents) {
    this.#worker = worker;
    this.#events = events;
  }

  /** Opens the database. Raises what PGlite raises if it cannot, or the signal's reason; the thread has then ended. */
  static async open(
    settings: ThreadSettings,
    events: ThreadEvents,
    signal?: AbortSignal,
  ): Promise<DatabaseThread> {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: settings });
    const thread = new DatabaseThread(worker, events);
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    const aborted = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', aborted);
    worker.on('message', (answer: Answer) => {
      if (answer.kind === 'ready') resolve();
      else thread.#receive(answer);
    });
    worker.on('error', (error) => {
      thread.#lose(error);
      reject(error);
    });
    worker.on('exit', () => {
      const error = new Error('the thread of the embedded database has ended');
      thread.#lose(error);
      reject(error);
    });
    try {
      signal?.throwIfAborted();
      await ready;
      thread.#opened = true;
      return thread;
    } catch (error) {
      await thread.terminate();
      throw error;
    } finally {
      signal?.removeEventListener('abort', aborted);
    }
  }

  /**
   * Sends the thread a request. If it does not answer within `ms`, it never will, and is considered lost. Raises
   * EmbeddedError, and StoreUnavailableError when the thread is lost or the database is in trouble.
   */
  async ask<A>(request: Request, ms: number): Promise<A> {
    if (this.#lost !== null) throw this.#unavailable(this.#lost);
    this.#asked += 1;
    const asked: Asked = { id: this.#asked, request };
    const answered = afterDeadline(ms, () => this.#late(asked.id));
    try {
      return await new Promise<A>((resolve, reject) => {
        this.#waiting.set(asked.id, { resolve, reject });
        this.#worker.postMessage(asked);
      });
    } finally {
      answered();
    }
  }

  /** Gives the thread up if the requests sent so far are not answered within `ms`. */
  hurry(ms: number): void {
    const asked = [...this.#waiting.keys()];
    setTimeout(() => {
      for (const id of asked) this.#late(id);
    }, ms).unref();
  }

  /** Resolves when the thread has ended and no longer touches the files. */
  async terminate(): Promise<void> {
    this.#opened = false;
    this.#lose(new Error('the thread of the embedded database was ended'));
    await this.#worker.terminate();
  }

  #late(id: number): void {
    if (this.#waiting.has(id)) this.#lose(new Error('it did not answer a statement in time'));
  }

  #receive(answer: Exclude<Answer, { kind: 'ready' }>): void {
    if (answer.kind === 'notification') {
      this.#events.onNotification(answer.channel, answer.payload);
      return;
    }
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.kind === 'answer') {
      waiting?.resolve(answer.value);
      return;
    }
    waiting?.reject(raisedFor(answer.fault));
    // After a panic Postgres is not queried again: it would not answer.
    if (answer.fault.fatal) this.#lose(new Error(answer.fault.message));
  }

  #lose(reason: Error): void {
    if (this.#lost !== null) return;
    this.#lost = reason;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#unavailable(reason));
    this.#waiting.clear();
    if (this.#opened) this.#events.onLost(reason);
  }

  #unavailable(reason: Error): StoreUnavailableError {
    return new StoreUnavailableError(reason.message, { cause: reason });
  }
}

/** An error of Postgres, with its members: `code` (SQLSTATE), `constraint` and so on. */
export class EmbeddedError extends Error {
  constructor({ message, members }: Fault) {
    super(message);
    this.name = 'EmbeddedError';
    Object.assign(this, members);
  }
}

/** The error to raise for a failure in the thread: StoreUnavailableError if the database itself has failed. */
export function raisedFor(fault: Fault): Error {
  const error = new EmbeddedError(fault);
  const { code = '' } = fault.members;
  return fault.fatal || saysUnavailable(code)
    ? new StoreUnavailableError(fault.message, { cause: error })
    : error;
}
