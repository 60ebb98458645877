import type { ExistingTransaction } from './existing-transactions.ts';
import { textMark } from './rows.ts';
import type { SendableRow } from './sendable.ts';
import type { ChangedTransaction, NewTransaction, SentFields } from './wire.ts';

/** A transaction to import. */
export function newTransaction(row: SendableRow, account: string, importId: string): NewTransaction {
  return {
    account_id: account,
    date: row.date,
    amount: row.milliunits,
    payee_name: row.payee,
    memo: row.memo,
    cleared: row.cleared,
    import_id: importId,
    ...(row.category === null ? {} : { category_id: row.category }),
  };
}

/**
 * What to change so that a transaction shows the row in that account; null where nothing is. A person's own work stays: a
 * reconciled or split transaction altogether, a payee they renamed, and the category of one they approved.
 */
export function changeOf(
  existing: ExistingTransaction,
  row: SendableRow,
  account: string,
): ChangedTransaction | null {
  if (existing.cleared === 'reconciled' || existing.split) return null;
  const { category } = row;
  const payeeDiffers = !existing.renamed && existing.payeeMark !== textMark(row.payee);
  const categoryDiffers =
    category !== null && category !== existing.category && (!existing.approved || existing.category === null);
  const fields: SentFields = {
    ...(existing.account === account ? {} : { account_id: account }),
    ...(existing.date === row.date ? {} : { date: row.date }),
    ...(existing.amount === row.milliunits ? {} : { amount: row.milliunits }),
    ...(payeeDiffers ? { payee_name: row.payee } : {}),
    ...(existing.memoMark === textMark(row.memo) ? {} : { memo: row.memo }),
    ...(categoryDiffers ? { category_id: category } : {}),
    ...(existing.cleared === row.cleared ? {} : { cleared: row.cleared }),
  };
  return Object.keys(fields).length === 0 ? null : { id: existing.id, ...fields };
}

/**
 * Whether a transaction whose row is gone at the bank goes too. It stays where a person has approved, split or reconciled
 * it. A category proves nothing: YNAB gives one to every import whose payee it knows, and does not say so.
 */
export function isRemovable({ approved, split, cleared }: ExistingTransaction): boolean {
  return !approved && !split && cleared !== 'reconciled';
}
