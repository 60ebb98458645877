import { createHash } from 'node:crypto';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import { localDateAt, monthsBefore } from '../../../vocabulary/moments.ts';
import type { CategoryMapping } from '../../../vocabulary/syncs.ts';
import type { Refusal } from '../../../vocabulary/verifications.ts';
import type { DeliveryRow } from '../delivery-rows.ts';
import { decodeValues, encodeValues, TRANSACTION_VALUES } from '../row-values.ts';

/** How far back YNAB accepts transactions. */
const OLDEST_MONTHS = 60;
/** The day begins first at 14 hours before UTC: no bank's today is later than that. */
const FIRST_MIDNIGHT_MS = 14 * 3_600_000;

/** Later than any day that a bank gives. */
const LAST_DAY = '9999-12-31';

/** The days that YNAB may accept at a given time. */
export interface TakenDays {
  readonly first: string;
  /** Today in UTC. */
  readonly surelyLast: string;
  /** Today where the day begins first. Whether YNAB accepts a day after `surelyLast` depends on its own clock. */
  readonly last: string;
}

export function takenDays(now: number): TakenDays {
  const today = localDateAt(now, 'UTC');
  return {
    first: monthsBefore(today, OLDEST_MONTHS),
    surelyLast: today,
    last: localDateAt(now + FIRST_MIDNIGHT_MS, 'UTC'),
  };
}

/** A row that YNAB can accept, with its amount in milliunits. */
export type SendableRow = YnabRow & { readonly date: string; readonly milliunits: number };

/**
 * The row as it can be sent; else what YNAB would refuse or not show correctly: no date, a future day or one more than
 * five years ago, another currency than the plan's (transactions in YNAB have no currency), or an amount that is not a
 * whole number of thousandths.
 */
export function sendable(row: YnabRow, currency: string, days: TakenDays): SendableRow | Refusal {
  const amount = milliunits(row.amount);
  if (amount === null) return 'amount';
  if (row.currency !== currency) return 'currency';
  if (row.date === null || row.date < days.first || row.date > days.last) return 'day';
  return { ...row, date: row.date, milliunits: amount };
}

/** What of a row YNAB will never accept; null if it accepts the row, now or once its day has come. */
export function refusalOf(row: YnabRow, currency: string, days: TakenDays): Refusal | null {
  const checked = sendable(row, currency, { ...days, last: LAST_DAY });
  return typeof checked === 'string' ? checked : null;
}

/**
 * Marks transactions that this service imported. Changing the first prefix would import everything again. YNAB never
 * changes an import id, so it may now belong to another row: one that posted under its own id, or one that the bank
 * listed instead of this one. If this one then comes back, it gets the next prefix.
 */
const POSTED = ['s1:', 's2:', 's3:', 's4:'] as const;
/** The same for rows that were pending when they were imported. */
const PENDING = ['p1:', 'p2:'] as const;
const DIGITS = 32;

/**
 * The import ids by which YNAB may recognise a row, 35 of the 36 characters that it allows: as a posted row, and as a
 * pending one. They contain neither amount nor date, since a bank may correct both, nor anything readable.
 */
export function importIds(account: RowId<'account'>, source: string) {
  const hash = createHash('sha256').update(`${publicId('account', account)} ${source}`);
  const digits = hash.digest('hex').slice(0, DIGITS);
  const withPrefix = (prefix: string): string => prefix + digits;
  return { posted: POSTED.map(withPrefix), pending: PENDING.map(withPrefix) };
}

/** Whether this service may have imported the transaction with this id. */
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

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;

/**
 * Thousandths of a decimal text, as YNAB counts money: -10.50 is -10500. Null if that is not a whole number, or not one
 * that JSON numbers can represent: such an amount cannot be sent without changing it.
 */
export function milliunits(decimal: string): number | null {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(decimal) ?? [];
  if (whole === '' || /[1-9]/.test(fraction.slice(3))) return null;
  const amount = Number(`${whole}${fraction.slice(0, 3).padEnd(3, '0')}`);
  if (!Number.isSafeInteger(amount)) return null;
  return sign === '-' && amount !== 0 ? -amount : amount;
}

/** How much of a text YNAB accepts, in characters (code points). */
const PAYEE_CHARACTERS = 200;
const MEMO_CHARACTERS = 500;

/** A row as YNAB should show it. */
interface YnabRow {
  /** Null if the bank gave none, as for some pending rows. */
  readonly date: string | null;
  /** As the bank wrote it, with `-` for money that left the account. */
  readonly amount: string;
  /** Upper-case ISO 4217 code. */
  readonly currency: string;
  readonly payee: string | null;
  readonly memo: string | null;
  /** A category of the plan, if the sync maps the row's category. */
  readonly category: string | null;
  readonly cleared: 'cleared' | 'uncleared';
}

/** @throws TypeError for a trade, which YNAB never gets */
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

/** @throws TypeError for text that is not from `encodeRow` */
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

/** What two texts are compared by, so that neither has to be kept. */
export function textMark(text: string | null | undefined): string {
  if (text === null || text === undefined || text === '') return '';
  return createHash('sha256').update(text).digest('base64').slice(0, 12);
}

/** The first whole characters, as valid Unicode; null for none. */
function shortened(text: string | null, most: number): string | null {
  const spelt = (text ?? '').toWellFormed();
  if (spelt === '') return null;
  return spelt.length <= most
    ? spelt
    : Array.from(spelt.slice(0, 2 * most))
        .slice(0, most)
        .join('');
}
