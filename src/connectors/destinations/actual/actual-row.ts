import type { CategoryMapping } from '../../../vocabulary/syncs.ts';
import type { DeliveryRow } from '../delivery-rows.ts';
import { decodeValues, encodeValues } from '../kit/encoded-row.ts';
import { TRANSACTION_VALUES } from '../row-values.ts';

/** Actual has no limit; a payee is a name in a list. In characters (code points). */
const PAYEE_CHARACTERS = 200;

/** A row as Actual is to show it. */
export interface ActualRow {
  /** `YYYY-MM-DD`; null where the bank gave none, as of some pending rows. */
  readonly date: string | null;
  /** As the bank wrote it, `-` before what left the account. */
  readonly amount: string;
  /** Upper-case ISO 4217 code. */
  readonly currency: string;
  readonly payee: string | null;
  readonly notes: string | null;
  /** Of the budget, where the sync maps the row's category. */
  readonly category: string | null;
  readonly cleared: boolean;
}

/** @throws TypeError for a trade: Actual is not offered any */
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

/** Actual takes a word after # for a tag and shows ## as #: tags of rules become tags there, and nothing else does. */
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

/** The first characters, whole ones, as text that UTF-8 can spell; null for none. */
function payeeName(text: string | null): string | null {
  const spelt = (text ?? '').toWellFormed().trim();
  if (spelt === '') return null;
  return Array.from(spelt.slice(0, 2 * PAYEE_CHARACTERS))
    .slice(0, PAYEE_CHARACTERS)
    .join('')
    .trimEnd();
}
