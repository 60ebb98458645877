import Big from 'big.js';
import { momentOnDay } from '../../vocabulary/day-moments.ts';
import { currencyExponent, decimalFromMoney, type Money } from '../../vocabulary/money.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';

/** Apps refuse a row without a payee, and a bank may say nothing at all. */
const UNNAMED = 'Unknown';

interface Written {
  readonly timezone: string;
  /** Epoch seconds, 0 while pending. */
  readonly posted: number;
  readonly json: string;
}

/** Rows in the gateway's cache are shown many times; each is written once, and forgotten together with its row. */
const written = new WeakMap<Transaction, Written>();

/**
 * The rows of an account as JSON, ordered by `posted`, which is 0 while a row is pending. `observedAt`, epoch ms, stands
 * in for the day of a pending row that the bank gave none for.
 */
export function writeRows(rows: readonly Transaction[], timezone: string, observedAt: number): string {
  // Reversed first, so that rows of one moment stand oldest first as well.
  const texts = rows
    .toReversed()
    .map((row) => writeRow(row, timezone, observedAt))
    .sort((a, b) => a.posted - b.posted);
  return `[${texts.map(({ json }) => json).join(',')}]`;
}

function writeRow(row: Transaction, timezone: string, observedAt: number): Written {
  const known = written.get(row);
  if (known !== undefined && known.timezone === timezone) return known;
  const shown = presentRow(row, timezone, observedAt);
  const text = { timezone, posted: shown.posted, json: JSON.stringify(shown) };
  written.set(row, text);
  return text;
}

/** A transaction of the protocol. `posted` and `transacted_at` fall on the bank's days (`momentOnDay`). */
function presentRow(row: Transaction, timezone: string, observedAt: number) {
  const pending = row.status === 'pending';
  const { date, datetime } = row;
  const transacted = date === null ? observedAt : momentOnDay(date, datetime, timezone);
  const posted =
    row.post_date === null ? transacted : momentOnDay(row.post_date, row.post_datetime, timezone);
  return {
    id: row.id,
    posted: pending ? 0 : seconds(posted),
    transacted_at: seconds(transacted),
    amount: hundredths(row.amount, row.amount_decimal),
    description: row.description,
    payee: row.merchant_name || row.description || UNNAMED,
    memo: row.reference ?? '',
    ...(pending && { pending }),
    ...(row.merchant_category_code !== null && { mcc: row.merchant_category_code }),
    ...(row.provider_category !== null && { extra: { category: row.provider_category } }),
  };
}

/**
 * An amount with exactly two decimals, rounded half away from zero: apps delete the point and read cents, whatever the
 * currency. `decimal` is the bank's own text.
 */
export function hundredths(money: Money, decimal: string | null): string {
  const text = decimalFromMoney(money);
  if (currencyExponent(money.currency) === 2) return text;
  const rounded = new Big(decimal ?? text).round(2, Big.roundHalfUp).toFixed(2);
  return rounded === '-0.00' ? '0.00' : rounded;
}

const seconds = (epochMs: number): number => Math.floor(epochMs / 1000);
