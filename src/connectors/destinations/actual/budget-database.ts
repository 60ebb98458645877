import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { EventLoopBudget } from '../../../platform/event-loop-budget.ts';
import {
  MESSAGES,
  openBudgetFile,
  type SqlRow,
  type SqlValue,
  TABLES,
  textOf,
  textOrNull,
} from './budget-file.ts';
import { asUnusable, unreadable } from './failures.ts';
import { type Cell, readValue, type SyncMessage, writeValue } from './sync-messages.ts';

const DATASET = 'transactions';

/** The statements of an in-memory budget. */
interface BudgetStatements {
  first(sql: string, ...values: readonly string[]): Readonly<Record<string, unknown>> | null;
  run(sql: string, ...values: readonly string[]): void;
}

/**
 * The transactions that this client created in the budget, and when: one entry for all their cells. A first sync sets
 * ten cells of each row; recorded individually, like those of other clients, they would take three kilobytes per row.
 */
class CreatedRows {
  readonly #statements: BudgetStatements;

  constructor(statements: BudgetStatements) {
    this.#statements = statements;
    statements.run(
      'CREATE TABLE tributary_created (id TEXT PRIMARY KEY, first TEXT, last TEXT) WITHOUT ROWID',
    );
  }

  /**
   * Records the message if it is about a transaction that did not exist before `batch`.
   *
   * @param batch the time of the first message that is sent with it
   */
  takes({ dataset, row, timestamp }: SyncMessage, batch: string): boolean {
    if (dataset !== DATASET) return false;
    const { first } = this.#statements;
    const created = this.#entry(row);
    if (created === null && first(`SELECT 1 FROM ${DATASET} WHERE id = ?`, row) !== null) return false;
    if (created !== null && created.first < batch) return false;
    this.#statements.run(
      `INSERT INTO tributary_created (id, first, last) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET last = excluded.last`,
      row,
      timestamp,
      timestamp,
    );
    return true;
  }

  /** When the cells of the row were set; null for a row that was not created here. */
  times(dataset: string, row: string): { readonly first: string; readonly last: string } | null {
    return dataset === DATASET ? this.#entry(row) : null;
  }

  #entry(row: string): { readonly first: string; readonly last: string } | null {
    const found = this.#statements.first('SELECT first, last FROM tributary_created WHERE id = ?', row);
    return found === null ? null : { first: String(found.first), last: String(found.last) };
  }
}

/**
 * A budget file in memory, and the changes of clients: each message sets a cell unless a later one already has, and all
 * are recorded in `messages_crdt`. Raises DestinationFailure `run_failed` for a file that cannot be used.
 */
export class BudgetDatabase implements Disposable {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #created: CreatedRows;
  /** The time of the last message that this client made. */
  #lastOwn: string | null = null;

  /** @param most bytes of a file; messages may double them */
  constructor(file: Uint8Array, most: number) {
    this.#db = openBudgetFile(file, most);
    try {
      this.#created = new CreatedRows({
        first: (sql, ...values) => this.first(sql, ...values),
        run: (sql, ...values) => void this.#prepared(sql).run(...values),
      });
    } catch (error) {
      this.#db.close();
      throw unreadable('it has a table of this service', error);
    }
  }

  all(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[] {
    return asUnusable(() => this.#prepared(sql).all(...values));
  }

  first(sql: string, ...values: readonly SqlValue[]): SqlRow | null {
    return asUnusable(() => this.#prepared(sql).get(...values) ?? null);
  }

  /** Applies messages in the order of their timestamps; those that are new, in that order. Yields in between. */
  async apply(messages: readonly SyncMessage[]): Promise<readonly string[]> {
    const inOrder = messages.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
    const budget = new EventLoopBudget();
    const fresh: string[] = [];
    for (const message of inOrder) {
      if (budget.spent) await budget.yieldToEventLoop();
      if (asUnusable(() => this.#apply(message))) fresh.push(message.timestamp);
    }
    return fresh;
  }

  /**
   * Applies messages that this client has just made and the server has accepted. Yields in between.
   *
   * @returns their timestamps
   */
  async applyOwn(messages: readonly SyncMessage[]): Promise<readonly string[]> {
    const [first] = messages;
    if (first === undefined) return [];
    const budget = new EventLoopBudget();
    for (const message of messages) {
      if (budget.spent) await budget.yieldToEventLoop();
      asUnusable(() => {
        if (this.#created.takes(message, first.timestamp)) this.#set(message);
        else this.#apply(message);
      });
      this.#lastOwn = message.timestamp;
    }
    return messages.map(({ timestamp }) => timestamp);
  }

  /** The first messages after that time, at most that many. */
  messagesAfter(since: string, most: number): readonly SyncMessage[] {
    const sql = `SELECT ${MESSAGES.map((name) => `"${name}"`).join()} FROM messages_crdt
      WHERE timestamp > ? ORDER BY timestamp LIMIT ?`;
    const rows = this.all(sql, since, most);
    return asUnusable(() =>
      rows.map((row) => ({
        timestamp: textOf(row.timestamp),
        dataset: textOf(row.dataset),
        row: textOf(row.row),
        column: textOf(row.column),
        value: readValue(textOf(row.value)),
      })),
    );
  }

  /** When a cell was last set; null if no message does. */
  setAt({ dataset, row, column }: Omit<Cell, 'value'>): string | null {
    const sql =
      'SELECT max(timestamp) AS stamp FROM messages_crdt WHERE dataset = ? AND "row" = ? AND "column" = ?';
    const noted = textOrNull(this.first(sql, dataset, row, column)?.stamp);
    return later(noted, this.#created.times(dataset, row)?.last ?? null);
  }

  /** When anything was first set in a row; null if no message does. */
  firstSetAt(dataset: string, row: string): string | null {
    const sql = 'SELECT min(timestamp) AS stamp FROM messages_crdt WHERE dataset = ? AND "row" = ?';
    return this.#created.times(dataset, row)?.first ?? textOrNull(this.first(sql, dataset, row)?.stamp);
  }

  /** The time of the last message; null for none. */
  lastMessage(): string | null {
    const noted = textOrNull(this.first('SELECT max(timestamp) AS stamp FROM messages_crdt')?.stamp);
    return later(noted, this.#lastOwn);
  }

  /** JSON of the clock of the client that uploaded the file. */
  storedClock(): string | null {
    return textOrNull(this.first('SELECT clock FROM messages_clock ORDER BY id LIMIT 1')?.clock);
  }

  [Symbol.dispose](): void {
    this.#statements.clear();
    this.#db.close();
  }

  #apply({ timestamp, dataset, row, column, value }: SyncMessage): boolean {
    if (this.first('SELECT 1 FROM messages_crdt WHERE timestamp = ?', timestamp) !== null) return false;
    const last = this.setAt({ dataset, row, column });
    if (last === null || last < timestamp) this.#set({ dataset, row, column, value });
    const names = MESSAGES.map((name) => `"${name}"`).join();
    this.#prepared(`INSERT INTO messages_crdt (${names}) VALUES (?, ?, ?, ?, ?)`).run(
      timestamp,
      dataset,
      row,
      column,
      writeValue(value),
    );
    return true;
  }

  #set({ dataset, row, column, value }: Cell): void {
    if (TABLES[dataset]?.includes(column) !== true) return;
    this.#prepared(`INSERT OR IGNORE INTO ${dataset} (id) VALUES (?)`).run(row);
    this.#prepared(`UPDATE ${dataset} SET "${column}" = ? WHERE id = ?`).run(value, row);
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#db.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }
}

/** The later of two stamps. */
function later(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b > a) ? b : a;
}
