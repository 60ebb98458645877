import Big from 'big.js';
import { momentOnDay } from '../../vocabulary/day-moments.ts';
import { decimalFromMoney, type Money } from '../../vocabulary/money.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';

/** Apps refuse a row without a payee, and a bank may say nothing at all. */
const UNNAMED = 'Unknown';
/** An amount in the form it is sent in, as most banks write it. */
const AS_SENT = /^-?(?:0|[1-9]\d*)\.\d\d$/;
const ZERO = '0.00';

export interface WritingOptions {
  readonly timezone: string;
  /** Epoch ms; it stands in for the day of a pending row that the bank gave none for. */
  readonly observedAt: number;
  /** As for `amountText`. */
  readonly twoDecimals: boolean;
  readonly leaveOutExtra: boolean;
}

interface Written {
  readonly timezone: string;
  readonly amount: string;
  readonly leaveOutExtra: boolean;
  /** Epoch seconds, 0 while pending. */
  readonly posted: number;
  readonly json: string;
}

/**
 * Rows in the gateway's cache are shown many times; each is written once, and forgotten together with its row. The two
 * forms of amounts differ for few rows: these are written again for an app that has the other form. So is a row with an
 * `extra` for an app that is sent none.
 */
const written = new WeakMap<Transaction, Written>();

/** The rows of an account as JSON, ordered by `posted`, which is 0 while a row is pending. */
export function writeRows(rows: readonly Transaction[], options: WritingOptions): string {
  // Reversed first, so that rows of one moment stand oldest first as well.
  const texts = rows
    .toReversed()
    .map((row) => writeRow(row, options))
    .sort((a, b) => a.posted - b.posted);
  return `[${texts.map(({ json }) => json).join(',')}]`;
}

function writeRow(row: Transaction, options: WritingOptions): Written {
  const { timezone, leaveOutExtra } = options;
  const amount = amountText(row.amount, row.amount_decimal, options.twoDecimals);
  const known = written.get(row);
  const asIs = known?.timezone === timezone && known.amount === amount;
  if (known !== undefined && asIs && known.leaveOutExtra === leaveOutExtra) return known;
  const shown = presentRow(row, amount, options);
  const text = { timezone, amount, leaveOutExtra, posted: shown.posted, json: JSON.stringify(shown) };
  written.set(row, text);
  return text;
}

/** A transaction of the protocol. `posted` and `transacted_at` fall on the bank's days (`momentOnDay`). */
function presentRow(
  row: Transaction,
  amount: string,
  { timezone, observedAt, leaveOutExtra }: WritingOptions,
) {
  const pending = row.status === 'pending';
  const { date, datetime } = row;
  const transacted = date === null ? observedAt : momentOnDay(date, datetime, timezone);
  const posted =
    row.post_date === null ? transacted : momentOnDay(row.post_date, row.post_datetime, timezone);
  return {
    id: row.id,
    posted: pending ? 0 : seconds(posted),
    transacted_at: seconds(transacted),
    amount,
    description: row.description,
    payee: row.merchant_name || row.description || UNNAMED,
    memo: row.reference ?? '',
    ...(pending && { pending }),
    ...(row.merchant_category_code !== null && { mcc: row.merchant_category_code }),
    ...(row.provider_category !== null && !leaveOutExtra && { extra: { category: row.provider_category } }),
  };
}

/**
 * An amount as an app is sent it: what it is, with two decimals or more; or, with `twoDecimals`, rounded half away from
 * zero to two, for apps that take the last two digits for cents, whatever the currency. `decimal` is the bank's own text.
 */
export function amountText(money: Money, decimal: string | null, twoDecimals: boolean): string {
  const text = decimal ?? decimalFromMoney(money);
  if (AS_SENT.test(text) && text !== `-${ZERO}`) return text;
  const exact = new Big(text.replace(/^\+/, ''));
  const sent = twoDecimals ? exact.round(2, Big.roundHalfUp) : exact;
  return sent.eq(0) ? ZERO : sent.toFixed(Math.max(2, decimalsOf(sent)));
}

/** How many decimals it has; negative for round numbers. */
const decimalsOf = ({ c: digits, e: exponent }: Big): number => digits.length - exponent - 1;
const seconds = (epochMs: number): number => Math.floor(epochMs / 1000);
