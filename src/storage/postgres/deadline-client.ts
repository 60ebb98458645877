import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { afterDeadline } from '../../platform/with-timeout.ts';
import { StoreUnavailableError } from '../../vocabulary/store-unavailable.ts';
import type { DestroyableClient } from './destroyable-client.ts';
import { asStoreFailure, isReadOnly } from './failures.ts';
import { forgetStatementTimeout, ONLY_READS, setStatementTimeout } from './session.ts';

/**
 * The server cancels a statement that takes too long; no answer within this time after that means a dead connection.
 */
const GRACE_MS = 1_000;

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly name?: string;
}

/** What a connection on loan uses of its pool. */
export interface Lender {
  /** How long a statement that starts now may take, in milliseconds. */
  deadline(): number;
  /**
   * A statement was not answered in time, or the server takes only reads: the connection is of no use, and others of
   * the same age may not be either.
   */
  onLost(reason: Error): void;
  onRelease(client: DeadlineClient): void;
}

/** A connection on loan to one piece of work. A statement that is not answered in time destroys the connection. */
export class DeadlineClient implements PostgresPoolClient {
  readonly #client: DestroyableClient;
  readonly #giveBack: (destroy: boolean) => void;
  readonly #lender: Lender;
  /** Gives up the running statement. */
  #fail: (() => void) | null = null;

  constructor(client: DestroyableClient, giveBack: (destroy: boolean) => void, lender: Lender) {
    this.#client = client;
    this.#giveBack = giveBack;
    this.#lender = lender;
  }

  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(sql: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query(asked: string | PostgresCursor<unknown>, values: readonly unknown[] = []): unknown {
    if (typeof asked !== 'string') throw new TypeError('results are not read by cursor');
    return this.ask({ text: asked, values });
  }

  /** Raises StoreUnavailableError if the server or the connection is at fault, else the server's error. */
  async ask({ text, values = [], name }: Statement): Promise<pg.QueryResult> {
    const ms = this.#lender.deadline();
    const lose = (why: string): void => {
      const reason = new StoreUnavailableError(why);
      this.#client.destroy(reason);
      this.#lender.onLost(reason);
    };
    const fail = (): void => lose('it did not answer a statement in time');
    this.#fail = fail;
    const answered = afterDeadline(ms + GRACE_MS, fail);
    try {
      if (this.#client.broken) throw new StoreUnavailableError('the connection has been lost');
      await setStatementTimeout(this.#client, ms);
      return await this.#client.query({ text, values: [...values], ...(name === undefined ? {} : { name }) });
    } catch (error) {
      if (isReadOnly(error)) lose(ONLY_READS);
      throw asStoreFailure(error, this.#client.broken);
    } finally {
      answered();
      this.#fail = null;
      forgetStatementTimeout(this.#client, text);
    }
  }

  release(destroy = false): void {
    this.#lender.onRelease(this);
    this.#giveBack(destroy || this.#client.broken);
  }

  /** Gives up the running statement if it has no answer after `ms`. */
  hurry(ms: number): void {
    const fail = this.#fail;
    setTimeout(() => {
      if (fail !== null && this.#fail === fail) fail();
    }, ms).unref();
  }
}
