import type { ExportedRow } from '../../features/exports/row-export.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import { presentHolding, presentTrade } from './holdings.ts';
import { presentTransaction } from './transactions.ts';

/**
 * One row of an export as JSON. `account` is a public id; `ruled` adds what the rules of a sync put beside the
 * transaction.
 */
export function presentExportedRow(
  row: ExportedRow,
  account: string,
  {
    categoryOf,
    ruled,
  }: { readonly categoryOf: (row: Transaction) => string | null; readonly ruled: boolean },
) {
  if (row.kind === 'holding') return presentHolding(row.holding, account);
  if (row.kind === 'trade') return presentTrade(row.trade, account);
  const { transaction, source, category = categoryOf(source), customCategory, memo, tags } = row;
  const shown = presentTransaction(transaction, account, category);
  return ruled ? { ...shown, custom_category: customCategory, memo, tags } : shown;
}
