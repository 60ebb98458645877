import type { SyncMessage } from './sync-messages.ts';

const DATASET = 'transactions';

/** The statements of a budget in memory. */
export interface BudgetStatements {
  first(sql: string, ...values: readonly string[]): Readonly<Record<string, unknown>> | null;
  run(sql: string, ...values: readonly string[]): void;
}

/**
 * The transactions that this client created in the budget, and when: one entry for all their cells. A first sync sets ten
 * cells of each of its rows, and noted one by one as those of other clients are, they would take three kilobytes a row.
 */
export class CreatedRows {
  readonly #statements: BudgetStatements;

  constructor(statements: BudgetStatements) {
    this.#statements = statements;
    statements.run(
      'CREATE TABLE tributary_created (id TEXT PRIMARY KEY, first TEXT, last TEXT) WITHOUT ROWID',
    );
  }

  /**
   * Notes the message where it is about a transaction that did not exist before `batch`.
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
