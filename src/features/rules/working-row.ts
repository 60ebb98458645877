import type { Transaction } from '../../vocabulary/transactions.ts';

/** A row on its way through a ruleset. Rules see the changes of earlier rules. Ids are public ones. */
export interface WorkingRow {
  readonly transaction: Transaction;
  readonly account: string;
  /** The owner's category, as claims resolve it or as a rule set it. */
  readonly category: string | null;
  readonly memo: string | null;
  /** Without repeats, in the order they were added. */
  readonly tags: readonly string[];
}

/** The owner's categories by public id, with the public id of each one's group; without deleted ones. */
export type RuleCategories = ReadonlyMap<string, { readonly group: string | null }>;

export const NO_TAGS: readonly string[] = [];

/** A row as it is read, before the first rule. */
export function workingRow(transaction: Transaction, account: string, category: string | null): WorkingRow {
  return { transaction, account, category, memo: null, tags: NO_TAGS };
}
