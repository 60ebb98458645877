import type { RowId } from '../../../vocabulary/ids.ts';
import type { Budget } from './budget.ts';
import { integerOf, type SqlRow, textOf, textOrNull } from './budget-file.ts';
import { isOwnStamp, readStamp } from './message-clock.ts';
import { dayNumber } from './open-budget.ts';
import { idFor, importId, OWN_IMPORT_IDS, type SendableRow } from './rows.ts';
import type { Cell, CellValue } from './sync-messages.ts';

/** The payees of a budget: found by name, ignoring case, or created. */
export class Payees {
  readonly #budget: Budget;
  /** Ids by lower-case name: SQLite's own lower() only handles ASCII. Loaded on first use. */
  #byName: Map<string, string> | null = null;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** The name that people see for a payee's id; null if it is deleted or there is none. */
  nameOf(id: string | null): string | null {
    if (id === null) return null;
    const sql = `SELECT COALESCE(a.name, p.name) AS name FROM payee_mapping m JOIN payees p ON p.id = m.targetId
      LEFT JOIN accounts a ON a.id = p.transfer_acct WHERE m.id = ? AND p.tombstone = 0`;
    return textOrNull(this.#budget.database.first(sql, id)?.name);
  }

  /** The id for a payee of that name; what has to be sent to create it is added to `cells`. */
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

  /** One that this service created under the name and that a person has since merged into another. */
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

/** A transaction that this service created, as it is in the budget. */
export interface ExistingTransaction {
  readonly id: string;
  readonly importId: string;
  readonly account: string;
  /** As Actual stores days: 20261122. */
  readonly day: number;
  readonly units: number;
  readonly payee: string | null;
  /** The name under which the payee was imported. */
  readonly importedPayee: string | null;
  readonly notes: string | null;
  readonly category: string | null;
  readonly cleared: boolean;
  readonly reconciled: boolean;
  readonly split: boolean;
  /** Whether a person turned it into one side of a transfer. */
  readonly transfer: boolean;
  readonly deleted: boolean;
}

const COLUMNS = `id, financial_id, acct, date, amount, description, imported_description, notes, category, cleared,
  reconciled, isParent, transferred_id, tombstone`;

/** Finds transactions of this service in a budget. What a person entered is not among them. */
export class ExistingTransactions {
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** By the id of the transaction, including deleted ones. */
  byId(id: string): ExistingTransaction | null {
    const row = this.#budget.database.first(`SELECT ${COLUMNS} FROM transactions WHERE id = ?`, id);
    return row === null ? null : own(row);
  }

  /** The one that shows the row; preferably one that is not deleted. */
  showing(account: RowId<'account'>, source: string): ExistingTransaction | null {
    const sql = `SELECT ${COLUMNS} FROM transactions WHERE financial_id = ? AND isChild = 0 ORDER BY tombstone LIMIT 1`;
    const row = this.#budget.database.first(sql, importId(account, source));
    return row === null ? null : own(row);
  }

  /** The id for a row that no transaction shows: the first that no transaction has. */
  freeId(account: RowId<'account'>, source: string): string {
    const of = importId(account, source);
    for (let attempt = 1; ; attempt++) {
      const id = idFor('transaction', of, attempt);
      if (this.#budget.database.first('SELECT 1 FROM transactions WHERE id = ?', id) === null) return id;
    }
  }

  /** The next of those that exist, in the order of their ids after that one. */
  after(id: string, count: number): readonly ExistingTransaction[] {
    const { from, before } = OWN_IMPORT_IDS;
    const sql = `SELECT ${COLUMNS} FROM transactions
      WHERE id > ? AND financial_id >= ? AND financial_id < ? AND tombstone = 0 AND isChild = 0 ORDER BY id LIMIT ?`;
    return this.#budget.database.all(sql, id, from, before, count).flatMap((row) => own(row) ?? []);
  }

  /** When it was first written, in epoch milliseconds; 0 if unknown, as after a reset of the sync. */
  writtenAt({ id }: ExistingTransaction): number {
    return millisOf(this.#budget.database.firstSetAt('transactions', id));
  }

  /** When a person deleted it, in epoch milliseconds; null if this service did, or if unknown. */
  deletedByPersonAt({ id, deleted }: ExistingTransaction): number | null {
    const stamp = this.#stamp(id, 'tombstone');
    return deleted && stamp !== null && !isOwnStamp(stamp) ? millisOf(stamp) : null;
  }

  /** Whether someone other than this service set the column last; true if unknown. */
  isForeign({ id }: ExistingTransaction, column: 'category' | 'notes' | 'description'): boolean {
    const stamp = this.#stamp(id, column);
    return stamp === null || !isOwnStamp(stamp);
  }

  /** Whether anything was ever set in the column, according to messages. */
  wasSet({ id }: ExistingTransaction, column: 'category'): boolean {
    return this.#stamp(id, column) !== null;
  }

  #stamp(row: string, column: string): string | null {
    return this.#budget.database.setAt({ dataset: 'transactions', row, column });
  }
}

function own(row: SqlRow): ExistingTransaction | null {
  const imported = textOf(row.financial_id);
  if (imported < OWN_IMPORT_IDS.from || imported >= OWN_IMPORT_IDS.before || row.acct === null) return null;
  return {
    id: textOf(row.id),
    importId: imported,
    account: textOf(row.acct),
    day: integerOf(row.date),
    units: integerOf(row.amount),
    payee: textOrNull(row.description),
    importedPayee: textOrNull(row.imported_description),
    notes: textOrNull(row.notes),
    category: textOrNull(row.category),
    cleared: integerOf(row.cleared) === 1,
    reconciled: integerOf(row.reconciled) === 1,
    split: integerOf(row.isParent) === 1,
    transfer: row.transferred_id !== null,
    deleted: integerOf(row.tombstone) === 1,
  };
}

function millisOf(stamp: string | null): number {
  return stamp === null ? 0 : (readStamp(stamp)?.millis ?? 0);
}

/** A row and its account in the budget. */
export interface WantedRow {
  readonly row: SendableRow;
  /** The account of the budget. */
  readonly account: string;
  readonly importId: string;
  /** The category to set; null for none. */
  readonly category: string | null;
}

interface Budgeted {
  readonly existing: ExistingTransactions;
  readonly payees: Payees;
}

/**
 * Cells of a new transaction, with those of its payee.
 * @param order its position among those of its day: larger ones first
 */
export function newTransaction(
  id: string,
  wanted: WantedRow,
  order: number,
  payees: Payees,
): readonly Cell[] {
  const { row, account, importId, category } = wanted;
  const cells: Cell[] = [];
  const payee = row.payee === null ? null : payees.idOf(row.payee, cells);
  return [
    ...cells,
    ...cellsOf(id, {
      acct: account,
      date: dayNumber(row.date),
      amount: row.units,
      description: payee,
      imported_description: row.payee,
      notes: row.notes,
      category,
      cleared: row.cleared ? 1 : 0,
      financial_id: importId,
      sort_order: order,
    }),
  ];
}

/**
 * What to set so that a transaction shows the row; empty if it does. A person's changes are kept: everything of a
 * reconciled or split transaction, the account, day and amount of a transfer, and otherwise the payee, the category and
 * the notes that a person set. A deleted one is restored.
 */
export function changesOf(one: ExistingTransaction, wanted: WantedRow, at: Budgeted): readonly Cell[] {
  const { row, account, importId, category } = wanted;
  const { existing, payees } = at;
  const cells: Cell[] = [];
  const always = {
    ...(one.deleted ? { tombstone: 0 } : {}),
    ...(one.importId === importId ? {} : { financial_id: importId }),
  };
  if (one.reconciled || one.split) return cellsOf(one.id, always);
  const day = dayNumber(row.date);
  const payeeChanged = one.importedPayee !== row.payee && !isRenamed(one, payees);
  const notesChanged = one.notes !== row.notes && !existing.isForeign(one, 'notes');
  const categoryChanged = category !== null && category !== one.category && mayCategorise(one, existing);
  const fields: Record<string, CellValue> = {
    ...always,
    ...(one.transfer || one.account === account ? {} : { acct: account }),
    ...(one.transfer || one.day === day ? {} : { date: day }),
    ...(one.transfer || one.units === row.units ? {} : { amount: row.units }),
    ...(payeeChanged
      ? {
          description: row.payee === null ? null : payees.idOf(row.payee, cells),
          imported_description: row.payee,
        }
      : {}),
    ...(notesChanged ? { notes: row.notes } : {}),
    ...(categoryChanged ? { category } : {}),
    ...(one.cleared === row.cleared ? {} : { cleared: row.cleared ? 1 : 0 }),
  };
  return [...cells, ...cellsOf(one.id, fields)];
}

/** Whether to delete a transaction whose row is gone from the bank: not if a person has worked on it. */
export function isRemovable(one: ExistingTransaction, { existing, payees }: Budgeted): boolean {
  if (one.deleted || one.reconciled || one.split || one.transfer) return false;
  const categorised = one.category !== null && existing.isForeign(one, 'category');
  return !categorised && !isRenamed(one, payees) && !(one.notes !== null && existing.isForeign(one, 'notes'));
}

export function removal({ id }: ExistingTransaction): readonly Cell[] {
  return cellsOf(id, { tombstone: 1 });
}

/** Whether a person, or one of their rules, gave it another payee than the imported one. */
function isRenamed(one: ExistingTransaction, payees: Payees): boolean {
  const name = payees.nameOf(one.payee);
  return (name ?? '').toLowerCase() !== (one.importedPayee ?? '').toLowerCase();
}

/** A category that this service set, or that was never set: one that a person removed stays removed. */
function mayCategorise(one: ExistingTransaction, existing: ExistingTransactions): boolean {
  if (one.category === null) return !existing.wasSet(one, 'category') || !existing.isForeign(one, 'category');
  return !existing.isForeign(one, 'category');
}

function cellsOf(row: string, fields: Readonly<Record<string, CellValue>>): readonly Cell[] {
  return Object.entries(fields).map(([column, value]) => ({ dataset: 'transactions', row, column, value }));
}
