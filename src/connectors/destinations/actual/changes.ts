import type { ExistingTransaction, ExistingTransactions, Payees } from './existing-transactions.ts';
import { dayNumber } from './open-budget.ts';
import type { SendableRow } from './rows.ts';
import type { Cell, CellValue } from './sync-messages.ts';

/** A row and where it goes. */
export interface WantedRow {
  readonly row: SendableRow;
  /** The account of the budget. */
  readonly account: string;
  readonly importId: string;
  /** To set; null for none. */
  readonly category: string | null;
}

interface Budgeted {
  readonly existing: ExistingTransactions;
  readonly payees: Payees;
}

/**
 * Cells of a new transaction, with those of its payee.
 * @param order places it among those of its day: larger ones first
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
 * What to set so that a transaction shows the row; empty where it does. A person's own work stays: of a reconciled or split
 * transaction everything, of a transfer its account, day and amount, and else the payee, the category and the notes that a
 * person gave it. One that was deleted comes back.
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

/** Whether a transaction whose row is gone at the bank goes too: not where a person has worked on it. */
export function isRemovable(one: ExistingTransaction, { existing, payees }: Budgeted): boolean {
  if (one.deleted || one.reconciled || one.split || one.transfer) return false;
  const categorised = one.category !== null && existing.isForeign(one, 'category');
  return !categorised && !isRenamed(one, payees) && !(one.notes !== null && existing.isForeign(one, 'notes'));
}

export function removal({ id }: ExistingTransaction): readonly Cell[] {
  return cellsOf(id, { tombstone: 1 });
}

/** Whether a person, or a rule of theirs, gave it another payee than the imported one. */
function isRenamed(one: ExistingTransaction, payees: Payees): boolean {
  const name = payees.nameOf(one.payee);
  return (name ?? '').toLowerCase() !== (one.importedPayee ?? '').toLowerCase();
}

/** A category that this service set, or none that was never any: one that a person took away stays away. */
function mayCategorise(one: ExistingTransaction, existing: ExistingTransactions): boolean {
  if (one.category === null) return !existing.wasSet(one, 'category') || !existing.isForeign(one, 'category');
  return !existing.isForeign(one, 'category');
}

function cellsOf(row: string, fields: Readonly<Record<string, CellValue>>): readonly Cell[] {
  return Object.entries(fields).map(([column, value]) => ({ dataset: 'transactions', row, column, value }));
}
