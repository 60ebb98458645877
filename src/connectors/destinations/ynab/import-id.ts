import { createHash } from 'node:crypto';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';

/**
 * Marks transactions that this service imported. Another first prefix would import everything anew. YNAB never changes an
 * import id, so another row may be shown under it by now: one that posted under an id of its own, or one that the bank
 * listed in place of this one. Should this one come back then, the next prefix is for it.
 */
const POSTED = ['s1:', 's2:', 's3:', 's4:'] as const;
/** The same of rows that were pending when they were imported. */
const PENDING = ['p1:', 'p2:'] as const;
const DIGITS = 32;

/**
 * What YNAB may recognise a row by, 35 characters of the 36 that it allows: as a posted row, and as a pending one. Amount
 * and date are not in it, since a bank may correct both, and neither is anything that could be read.
 */
export function importIds(account: RowId<'account'>, source: string) {
  const hash = createHash('sha256').update(`${publicId('account', account)} ${source}`);
  const digits = hash.digest('hex').slice(0, DIGITS);
  const withPrefix = (prefix: string): string => prefix + digits;
  return { posted: POSTED.map(withPrefix), pending: PENDING.map(withPrefix) };
}

/** Whether this service may have imported what YNAB knows under the id. */
export function isOwnImportId(id: string | null | undefined): id is string {
  return POSTED.some((prefix) => hasForm(id, prefix)) || isPendingImportId(id);
}

/** Whether the row was pending when it was imported. */
export function isPendingImportId(id: string | null | undefined): id is string {
  return PENDING.some((prefix) => hasForm(id, prefix));
}

function hasForm(id: string | null | undefined, prefix: string): id is string {
  return id?.startsWith(prefix) === true && id.length === prefix.length + DIGITS;
}
