import { hash } from 'node:crypto';
import { folded } from '../vocabulary/text-folding.ts';
import type { Transaction } from '../vocabulary/transactions.ts';

/**
 * Never in a vendor's id: characters of one that a path cannot show are written as a single `~` and two digits
 * (docs/compatibility.md).
 */
const MARK = '~~';
const DIGITS = 10;

/** What distinguishes two rows with the same id. */
export type RowFace = Pick<Transaction, 'status' | 'date' | 'post_date' | 'amount' | 'description'>;

export function faceOf({ status, date, post_date, amount, description }: Transaction): RowFace {
  return { status, date, post_date, amount, description };
}

/**
 * Gives a row an id of its own, for a bank that lists several rows under one id. The id is made from the row's content,
 * so that it is the same in every read, whichever rows are in the window.
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

/** The row, with an id of its own if the bank uses its id for several rows. */
export function withSharedId(row: Transaction, shared: ReadonlySet<string>): Transaction {
  return shared.has(row.id) ? withOwnId(row) : row;
}

/** Whether two posted rows with the same id are two rows, rather than one that the bank repeats. */
export function isOtherRow(one: RowFace, other: RowFace): boolean {
  return one.status === 'posted' && other.status === 'posted' && contentOf(one) !== contentOf(other);
}

/** The members of a posted row that a bank does not change. */
function contentOf(row: RowFace): string {
  const { amount, currency } = row.amount;
  return JSON.stringify([row.date ?? row.post_date, amount, currency, plainText(row.description)]);
}

const SEPARATORS = /[^\p{L}\p{N}]+/gu;

/** The letters and digits of a text, ignoring case and separators. */
export function plainText(text: string): string {
  return folded(text).replace(SEPARATORS, ' ').trim();
}
