import { type PGlite, parse, protocol, type Transaction } from '@electric-sql/pglite';
import { Mutex } from '../../platform/mutex.ts';
import type { EmbeddedRows, EmbeddedTransaction } from './messages.ts';

const { serialize, messages } = protocol;

/**
 * Options to start Postgres with. A statement is planned with the values of each call, as without preparation: a plan
 * for any values cannot know which partial index an `on conflict` or a condition on a parameter means.
 */
export const PREPARED_START_PARAMS: readonly string[] = ['-c', 'plan_cache_mode=force_custom_plan'];

/** How many statements stay prepared: each keeps its parse tree and its plan in the memory of Postgres. */
const MOST_PREPARED = 200;
/** A longer text is a list of values, and seldom comes again with the same number of them. */
const MOST_CHARACTERS = 4_000;
/** How many texts that came once are remembered. */
const MOST_SEEN = 2_000;
const PREPARABLE = /^\s*(?:select|insert|update|delete|with)\b/i;
const CHANGES_SCHEMA = /^\s*(?:create|alter|drop|do)\b/i;

type Messages = Awaited<ReturnType<PGlite['execProtocol']>>['messages'];

interface Prepared {
  readonly name: string;
  /** Type ids of the parameters. */
  readonly types: readonly number[];
  /** The message that describes the columns; none where no rows are returned. */
  readonly columns: Messages;
}

/** Bytes are sent as they are: a `bytea`, or any other type in its binary form (storage/binary-arrays.ts). */
const isBinary = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

/** Rows as they come: as with PGlite's own methods, the caller knows their type. */
interface Taker {
  take(result: unknown): void;
}

/**
 * PGlite with prepared statements. A text that comes a second time is parsed and analysed once, and from then on is one
 * message. PGlite's own `query` parses each time and sends six messages, which takes twice as long for a short
 * statement (docs/benchmarks.md).
 */
export class PreparedPostgres {
  readonly #pglite: PGlite;
  /** One statement outside of transactions, or one transaction, at a time. */
  readonly #mutex = new Mutex();
  /** By text, the least recently used first. */
  readonly #prepared = new Map<string, Prepared>();
  readonly #seen = new Set<string>();
  #named = 0;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  get closed(): boolean {
    return this.#pglite.closed;
  }

  get ready(): boolean {
    return this.#pglite.ready;
  }

  get waitReady(): Promise<void> {
    return this.#pglite.waitReady;
  }

  /** Waits for an open transaction to end. Raises PGlite's `DatabaseError`. */
  query<T>(sql: string, params: unknown[] = []): Promise<EmbeddedRows<T>> {
    return this.#inTurn(() => this.#run<T>(sql, params, this.#pglite));
  }

  async exec(sql: string): Promise<{ rows: unknown[] }[]> {
    return this.#inTurn(async () => {
      await this.#forget();
      return this.#pglite.exec(sql);
    });
  }

  /** As PGlite's: commits when the callback resolves, rolls back when it rejects. */
  transaction<T>(callback: (trx: EmbeddedTransaction) => Promise<T>): Promise<T> {
    return this.#inTurn(() =>
      this.#pglite.transaction((trx) =>
        callback({
          query: async <R>(sql: string, params: unknown[] = []): Promise<EmbeddedRows<R>> => {
            if (trx.closed) throw new Error('the transaction has ended');
            return this.#run<R>(sql, params, trx);
          },
          rollback: () => trx.rollback(),
        }),
      ),
    );
  }

  listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>> {
    return this.#pglite.listen(channel, callback);
  }

  close(): Promise<void> {
    return this.#pglite.close();
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    await this.#mutex.acquire();
    try {
      return await work();
    } finally {
      this.#mutex.release();
    }
  }

  async #run<T>(
    sql: string,
    params: unknown[],
    otherwise: Pick<Transaction, 'query'>,
  ): Promise<EmbeddedRows<T>> {
    if (CHANGES_SCHEMA.test(sql)) await this.#forget();
    const statement = await this.#statement(sql, params.some(isBinary));
    if (statement === null) return otherwise.query<T>(sql, params);
    const { serializers, parsers } = this.#pglite;
    const values = params.map((value, at) => {
      if (value === null || value === undefined) return null;
      if (isBinary(value)) return value;
      const type = statement.types[at] ?? 0;
      return serializers[type]?.(value) ?? String(value);
    });
    const answer = await this.#send(
      serialize.bind({ statement: statement.name, values }),
      serialize.execute({}),
    );
    const [result] = parse.parseResults([...statement.columns, ...answer], parsers);
    return new Promise((resolve) => {
      const taker: Taker = { take: resolve };
      taker.take(result);
    });
  }

  /** Null for a text that is not prepared, or not yet: most of those that come once never come again. */
  async #statement(sql: string, binary: boolean): Promise<Prepared | null> {
    const known = this.#prepared.get(sql);
    if (known !== undefined) {
      this.#prepared.delete(sql);
      this.#prepared.set(sql, known);
      return known;
    }
    if (!PREPARABLE.test(sql)) return null;
    // PGlite's own `query` sends no parameter in binary form.
    if (binary) return this.#prepare(sql);
    if (sql.length > MOST_CHARACTERS) return null;
    if (!this.#seen.has(sql)) {
      if (this.#seen.size >= MOST_SEEN) this.#seen.clear();
      this.#seen.add(sql);
      return null;
    }
    return this.#prepare(sql);
  }

  async #prepare(sql: string): Promise<Prepared> {
    this.#named += 1;
    const name = `s${this.#named}`;
    const answer = await this.#send(
      serialize.parse({ name, text: sql }),
      serialize.describe({ type: 'S', name }),
    );
    const statement = {
      name,
      types: parse.parseDescribeStatementResults(answer),
      columns: answer.filter((message) => message instanceof messages.RowDescriptionMessage),
    };
    this.#prepared.set(sql, statement);
    const [oldest] = this.#prepared;
    if (this.#prepared.size > MOST_PREPARED && oldest !== undefined) {
      this.#prepared.delete(oldest[0]);
      await this.#send(serialize.close({ type: 'S', name: oldest[1].name }));
    }
    return statement;
  }

  /** Before the schema changes: a prepared statement may not return other columns than it was prepared with. */
  async #forget(): Promise<void> {
    const names = [...this.#prepared.values()].map(({ name }) => serialize.close({ type: 'S', name }));
    this.#prepared.clear();
    this.#seen.clear();
    if (names.length > 0) await this.#send(...names);
  }

  /** Sends messages as one, with the end that makes Postgres answer. */
  #send(...parts: readonly Uint8Array[]): Promise<Messages> {
    return this.#pglite.runExclusive(async () => {
      const sent = Buffer.concat([...parts, serialize.sync()]);
      return (await this.#pglite.execProtocol(sent, { syncToFs: false })).messages;
    });
  }
}
