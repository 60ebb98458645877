import type { Budget } from './budget.ts';
import { idFor } from './cell-ids.ts';
import { textOf, textOrNull } from './sql-values.ts';
import type { Cell } from './sync-messages.ts';

/** The payees of a budget: found by name, whatever the case, or made. */
export class Payees {
  readonly #budget: Budget;
  /** Ids by lower-case name: SQLite's own lower() knows ASCII alone. Filled when first asked for. */
  #byName: Map<string, string> | null = null;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** The name that people see for a payee's id; null where it is deleted or none. */
  nameOf(id: string | null): string | null {
    if (id === null) return null;
    const sql = `SELECT COALESCE(a.name, p.name) AS name FROM payee_mapping m JOIN payees p ON p.id = m.targetId
      LEFT JOIN accounts a ON a.id = p.transfer_acct WHERE m.id = ? AND p.tombstone = 0`;
    return textOrNull(this.#budget.database.first(sql, id)?.name);
  }

  /** The id for a payee of that name; what has to be sent to make it goes into `cells`. */
  idOf(name: string, cells: Cell[]): string {
    this.#byName ??= this.#living();
    const key = name.toLowerCase();
    const known = this.#byName.get(key) ?? this.#merged(key);
    if (known !== null) return known;
    const id = this.#free(key);
    cells.push(
      { dataset: 'payees', row: id, column: 'name', value: name },
      { dataset: 'payee_mapping', row: id, column: 'targetId', value: id },
    );
    this.#byName.set(key, id);
    return id;
  }

  #living(): Map<string, string> {
    const rows = this.#budget.database.all(
      'SELECT id, name FROM payees WHERE tombstone = 0 AND transfer_acct IS NULL ORDER BY id DESC',
    );
    return new Map(rows.map(({ id, name }) => [textOf(name).trim().toLowerCase(), textOf(id)]));
  }

  /** One that was made here under the name and that a person merged into another since. */
  #merged(key: string): string | null {
    const id = idFor('payee', key);
    return this.nameOf(id) === null ? null : id;
  }

  #free(key: string): string {
    for (let attempt = 1; ; attempt++) {
      const id = idFor('payee', key, attempt);
      if (this.#budget.database.first('SELECT 1 FROM payees WHERE id = ?', id) === null) return id;
    }
  }
}
