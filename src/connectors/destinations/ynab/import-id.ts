import { createHash } from 'node:crypto';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';

/** Marks transactions that this service imported. Another prefix would import everything anew. */
const POSTED = 's1:';
/**
 * The same of rows that were pending when they were imported. The second is for a row whose first id shows another row
 * by now: YNAB never changes an import id, so a posted row that took its place stands under it.
 */
const PENDING = ['p1:', 'p2:'] as const;
const DIGITS = 32;

/**
 * What YNAB may recognise a row by, 35 characters of the 36 that it allows: as a posted row, and as a pending one. Amount
 * and date are not in it, since a bank may correct both, and neither is anything that could be read.
 */
export function importIds(account: RowId<'account'>, source: string) {
  const hash = createHash('sha256').update(`${publicId('account', account)} ${source}`);
  const digits = hash.digest('hex').slice(0, DIGITS);
  return { posted: POSTED + digits, pending: PENDING.map((prefix) => prefix + digits) };
}

/** Whether this service may have imported what YNAB knows under the id. */
export function isOwnImportId(id: string | null | undefined): id is string {
  return hasForm(id, POSTED) || isPendingImportId(id);
}

/** Whether the row was pending when it was imported. */
export function isPendingImportId(id: string | null | undefined): id is string {
  return PENDING.some((prefix) => hasForm(id, prefix));
}

function hasForm(id: string | null | undefined, prefix: string): id is string {
  return id?.startsWith(prefix) === true && id.length === prefix.length + DIGITS;
}
