import { hash } from 'node:crypto';
import { folded } from '../vocabulary/text-folding.ts';
import type { Transaction } from '../vocabulary/transactions.ts';

/** No vendor's id has it: what a path cannot show of one is written as one `~` and two digits (docs/compatibility.md). */
const MARK = '~~';
const DIGITS = 10;

/** What tells two rows under one id apart. */
export type RowFace = Pick<Transaction, 'status' | 'date' | 'post_date' | 'amount' | 'description'>;

export function faceOf({ status, date, post_date, amount, description }: Transaction): RowFace {
  return { status, date, post_date, amount, description };
}

/**
 * The row under an id of its own, for a bank that lists several rows under one. The id is made from the row's content, so
 * that it is the same in every read, whichever of the rows are in the window.
 */
export function withOwnId(row: Transaction): Transaction {
  if (row.id.includes(MARK)) return row;
  const digest = hash('sha256', contentOf(row), 'hex').slice(0, DIGITS);
  return { ...row, id: `${row.id}${MARK}${digest}`, former_ids: [row.id, ...(row.former_ids ?? [])] };
}

/** The bank's id where the row has one of its own; null elsewhere. */
export function sharedIdOf(id: string): string | null {
  const at = id.indexOf(MARK);
  return at === -1 ? null : id.slice(0, at);
}

/** The row, under an id of its own where the bank lists several under the one it has. */
export function withSharedId(row: Transaction, shared: ReadonlySet<string>): Transaction {
  return shared.has(row.id) ? withOwnId(row) : row;
}

/** Whether two posted rows under one id are two rows, rather than one that the bank repeats. */
export function isOtherRow(one: RowFace, other: RowFace): boolean {
  return one.status === 'posted' && other.status === 'posted' && contentOf(one) !== contentOf(other);
}

/** What a bank does not change of a posted row. */
function contentOf(row: RowFace): string {
  const { amount, currency } = row.amount;
  return JSON.stringify([row.date ?? row.post_date, amount, currency, plainText(row.description)]);
}

const SEPARATORS = /[^\p{L}\p{N}]+/gu;

/** The letters and digits of a text, whatever their case and what separates them. */
export function plainText(text: string): string {
  return folded(text).replace(SEPARATORS, ' ').trim();
}
