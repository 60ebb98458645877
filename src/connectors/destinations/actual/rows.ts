import { createHash } from 'node:crypto';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import type { CategoryMapping } from '../../../vocabulary/syncs.ts';
import type { Refusal } from '../../../vocabulary/verifications.ts';
import type { DeliveryRow } from '../delivery-rows.ts';
import { decodeValues, encodeValues, TRANSACTION_VALUES } from '../row-values.ts';
import { type BudgetCurrency, unitsOf } from './open-budget.ts';

/** The prefix of the import ids of this service's transactions. */
const PREFIX = 't1:';
const MARK_DIGITS = 12;

/**
 * What identifies a transaction, in its column `financial_id` (`imported_id` in Actual's interface): a mark of the bank
 * account, and the row's own id. A posted row that replaces a pending one sets its own.
 */
export function importId(account: RowId<'account'>, source: string): string {
  return `${PREFIX}${digest(publicId('account', account)).slice(0, MARK_DIGITS)}:${source}`;
}

/** The row's id in one of our import ids; null for any other text. */
export function sourceOf(id: string): string | null {
  return id.startsWith(PREFIX) && id[PREFIX.length + MARK_DIGITS] === ':'
    ? id.slice(PREFIX.length + MARK_DIGITS + 1)
    : null;
}

/** The smallest of our import ids, and the smallest text after all of them. */
export const OWN_IMPORT_IDS = { from: PREFIX, before: 't1;' } as const;

/**
 * An id for something that is created, derived from what it is for, so that creating it twice creates one.
 * @param attempt 1, or more if the earlier ids are now used for something else
 */
export function idFor(kind: 'transaction' | 'payee' | 'account' | 'transfer payee', of: string, attempt = 1) {
  const hex = digest(`${kind} ${attempt} ${of}`);
  // The form of a version 8 UUID (RFC 9562), which leaves the other digits to its creator.
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

const DAY = /^[1-9]\d{3}-\d{2}-\d{2}$/;

/** A row that Actual can show, with its amount in units of the budget. */
export type SendableRow = ActualRow & { readonly date: string; readonly units: number };

/**
 * The row as it can be sent; else what Actual would not show correctly: no day, another currency than the budget's, or
 * an amount that is not a whole number of its units. A budget without a currency accepts any.
 */
export function sendable(row: ActualRow, { code, decimals }: BudgetCurrency): SendableRow | Refusal {
  const units = unitsOf(row.amount, decimals);
  if (units === null) return 'amount';
  if (row.date === null || !DAY.test(row.date)) return 'day';
  if (code !== null && row.currency !== code) return 'currency';
  return { ...row, date: row.date, units };
}

/** What of a row Actual cannot show correctly; null if it can show all. */
export function refusalOf(row: ActualRow, currency: BudgetCurrency): Refusal | null {
  const checked = sendable(row, currency);
  return typeof checked === 'string' ? checked : null;
}

/** Actual has no limit; a payee is a name in a list. In characters (code points). */
const PAYEE_CHARACTERS = 200;

/** A row as Actual should show it. */
export interface ActualRow {
  /** `YYYY-MM-DD`; null if the bank gave none, as for some pending rows. */
  readonly date: string | null;
  /** As the bank wrote it, with `-` for money that left the account. */
  readonly amount: string;
  /** Upper-case ISO 4217 code. */
  readonly currency: string;
  readonly payee: string | null;
  readonly notes: string | null;
  /** A category of the budget, if the sync maps the row's category. */
  readonly category: string | null;
  readonly cleared: boolean;
}

/** @throws TypeError for a trade, which Actual never gets */
export function encodeRow(row: DeliveryRow, mappings: ReadonlyMap<string, string>): string {
  if (row.kind !== 'transaction') throw new TypeError('Actual takes transactions alone');
  const { transaction } = row;
  const value = TRANSACTION_VALUES;
  const description = value.description(row);
  return encodeValues([
    value.date(row),
    value.amount(row),
    value.currency(row),
    payeeName(transaction.merchant_name ?? description),
    notesOf([row.memo, description], row.tags),
    mappings.get(transaction.provider_category ?? '') ??
      mappings.get(transaction.primary_category ?? '') ??
      null,
    value.status(row),
  ]);
}

/** @throws TypeError for text that `encodeRow` has not made */
export function decodeRow(text: string): ActualRow {
  const [date = null, amount, currency, payee = null, notes = null, category = null, status] =
    decodeValues(text);
  if (typeof amount !== 'string' || typeof currency !== 'string') {
    throw new TypeError('an encoded row has no amount');
  }
  return { date, amount, currency, payee, notes, category, cleared: status === 'posted' };
}

export function categoriesBySource(mappings: readonly CategoryMapping[]): ReadonlyMap<string, string> {
  return new Map(mappings.map((one) => [one.provider_category, one.destination_category]));
}

/** Actual treats a word after # as a tag and shows ## as #: only tags of rules become tags there. */
function notesOf(texts: readonly (string | null)[], tags: readonly string[]): string | null {
  const words = texts
    .filter((text) => text !== null && text !== '')
    .join(' | ')
    .replaceAll('#', '##');
  const tagged = tags.map((tag) => `#${tag.trim().replace(/[\s#]+/gu, '-')}`).filter((tag) => tag !== '#');
  const all = [words, ...tagged]
    .filter((text) => text !== '')
    .join(' ')
    .toWellFormed();
  return all === '' ? null : all;
}

/** The first whole characters, as valid Unicode; null for none. */
function payeeName(text: string | null): string | null {
  const spelt = (text ?? '').toWellFormed().trim();
  if (spelt === '') return null;
  return Array.from(spelt.slice(0, 2 * PAYEE_CHARACTERS))
    .slice(0, PAYEE_CHARACTERS)
    .join('')
    .trimEnd();
}
