import type { Transaction } from '../../vocabulary/transactions.ts';

/** A row as a sync's ruleset leaves it. */
export interface RuledRow {
  readonly transaction: Transaction;
  readonly customCategory: string | null;
}

/** What a sync does to each row between reading and comparing. Null skips the row (`counts.skipped_by_rules`). */
export type RowRules = (transaction: Transaction) => RuledRow | null;

/** For a sync without a ruleset. */
export const passEveryRow: RowRules = (transaction) => ({ transaction, customCategory: null });
