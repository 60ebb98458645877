import { createHash } from 'node:crypto';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';

/** Marks transactions that this service imported. Another prefix would import everything anew. */
const PREFIX = 's1:';
const DIGITS = 32;

/**
 * What YNAB recognises a row by: 35 characters of the 36 that it allows. Amount and date are not in it, since a bank may
 * correct both, and neither is anything that could be read.
 */
export function importId(account: RowId<'account'>, source: string): string {
  const hash = createHash('sha256').update(`${publicId('account', account)} ${source}`);
  return PREFIX + hash.digest('hex').slice(0, DIGITS);
}

/** Whether this service may have imported what YNAB knows under the id. */
export function isOwnImportId(id: string | null | undefined): id is string {
  return id?.startsWith(PREFIX) === true && id.length === PREFIX.length + DIGITS;
}
