import { createHash } from 'node:crypto';
import type { CategoryMapping } from '../../../vocabulary/syncs.ts';
import type { DeliveryRow } from '../delivery-rows.ts';
import { decodeValues, encodeValues } from '../kit/encoded-row.ts';
import { TRANSACTION_VALUES } from '../row-values.ts';

/** What YNAB takes of a text, in characters (code points). */
const PAYEE_CHARACTERS = 200;
const MEMO_CHARACTERS = 500;

/** A row as YNAB is to show it. */
export interface YnabRow {
  /** Null where the bank gave none, as of some pending rows. */
  readonly date: string | null;
  /** As the bank wrote it, `-` before what left the account. */
  readonly amount: string;
  /** Upper-case ISO 4217 code. */
  readonly currency: string;
  readonly payee: string | null;
  readonly memo: string | null;
  /** Of the plan, where the sync maps the row's category. */
  readonly category: string | null;
  readonly cleared: 'cleared' | 'uncleared';
}

/** @throws TypeError for a trade: YNAB is not offered any */
export function encodeRow(row: DeliveryRow, mappings: ReadonlyMap<string, string>): string {
  if (row.kind !== 'transaction') throw new TypeError('YNAB takes transactions alone');
  const { transaction } = row;
  const value = TRANSACTION_VALUES;
  const description = value.description(row);
  const memo = [row.memo, description].filter((part) => part !== null && part !== '').join(' | ');
  return encodeValues([
    value.date(row),
    value.amount(row),
    value.currency(row),
    shortened(transaction.merchant_name ?? description, PAYEE_CHARACTERS),
    shortened(memo, MEMO_CHARACTERS),
    mappings.get(transaction.provider_category ?? '') ??
      mappings.get(transaction.primary_category ?? '') ??
      null,
    value.status(row),
  ]);
}

/** @throws TypeError for text that `encodeRow` has not made */
export function decodeRow(text: string): YnabRow {
  const [date = null, amount, currency, payee = null, memo = null, category = null, status] =
    decodeValues(text);
  if (typeof amount !== 'string' || typeof currency !== 'string') {
    throw new TypeError('an encoded row has no amount');
  }
  return {
    date,
    amount,
    currency,
    payee,
    memo,
    category,
    cleared: status === 'posted' ? 'cleared' : 'uncleared',
  };
}

export function categoriesBySource(mappings: readonly CategoryMapping[]): ReadonlyMap<string, string> {
  return new Map(mappings.map((one) => [one.provider_category, one.destination_category]));
}

/** What two texts are compared by, so that none need be remembered. */
export function textMark(text: string | null | undefined): string {
  if (text === null || text === undefined || text === '') return '';
  return createHash('sha256').update(text).digest('base64').slice(0, 12);
}

/** The first characters, whole ones, as text that UTF-8 can spell; null for none. */
function shortened(text: string | null, most: number): string | null {
  const spelt = (text ?? '').toWellFormed();
  if (spelt === '') return null;
  return spelt.length <= most
    ? spelt
    : Array.from(spelt.slice(0, 2 * most))
        .slice(0, most)
        .join('');
}
