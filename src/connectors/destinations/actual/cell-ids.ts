import { createHash } from 'node:crypto';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';

/** Begins the import id of every transaction that this service made. */
const PREFIX = 't1:';
const MARK_DIGITS = 12;

/**
 * What a transaction is known by in its column `financial_id` (`imported_id` in Actual's interface): a mark of the bank
 * account, and the row's own id. A posted row that takes the place of a pending one puts its own there.
 */
export function importId(account: RowId<'account'>, source: string): string {
  return `${PREFIX}${digest(publicId('account', account)).slice(0, MARK_DIGITS)}:${source}`;
}

/** The row's id in an import id of ours; null for any other text. */
export function sourceOf(id: string): string | null {
  return id.startsWith(PREFIX) && id[PREFIX.length + MARK_DIGITS] === ':'
    ? id.slice(PREFIX.length + MARK_DIGITS + 1)
    : null;
}

/** The least import id of ours, and the least text after all of them. */
export const OWN_IMPORT_IDS = { from: PREFIX, before: 't1;' } as const;

/**
 * The id of a thing that is made for something, the same each time, so that making it twice is making it once.
 * @param attempt 1, or more where the ids before stand for something else by now
 */
export function idFor(kind: 'transaction' | 'payee' | 'account' | 'transfer payee', of: string, attempt = 1) {
  const hex = digest(`${kind} ${attempt} ${of}`);
  // The form of a UUID of version 8 (RFC 9562), which leaves the other digits to its maker.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

function digest(text: string): string {
  return createHash('sha256').update(`tributary ${text}`).digest('hex');
}
