import type { Transaction } from '../../vocabulary/transactions.ts';

/** A row on its way through a ruleset. Rules see what earlier rules made of it. Ids are public ones. */
export interface WorkingRow {
  readonly transaction: Transaction;
  readonly account: string;
  /** The owner's category, as claims resolve it or as a rule set it. */
  readonly category: string | null;
  readonly memo: string | null;
  /** Without repeats, in the order they were added. */
  readonly tags: readonly string[];
}

/** The owner's categories by public id, with the public id of each one's group; one that was deleted is not there. */
export type RuleCategories = ReadonlyMap<string, { readonly group: string | null }>;

export const NO_TAGS: readonly string[] = [];

/** A row as it is read, before the first rule. */
export function workingRow(transaction: Transaction, account: string, category: string | null): WorkingRow {
  return { transaction, account, category, memo: null, tags: NO_TAGS };
}
