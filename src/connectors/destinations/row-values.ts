import { publicId } from '../../vocabulary/ids.ts';
import { decimalFromMoney } from '../../vocabulary/money.ts';
import type {
  BalanceField,
  HoldingField,
  TradeField,
  TransactionField,
} from '../../vocabulary/row-fields.ts';
import type { BalanceSnapshot, HoldingsSnapshot, TradeRow, TransactionRow } from './delivery-rows.ts';

/**
 * The value of a field as text: decimals with the vendor's own digits and `-` for money that left the account, dates as
 * `YYYY-MM-DD`. Null if the row has none.
 */
export type FieldValue = string | null;

/** Values of one transaction by field (docs/columns.md). */
export const TRANSACTION_VALUES: Readonly<Record<TransactionField, (row: TransactionRow) => FieldValue>> = {
  transaction_id: ({ transaction }) => transaction.id,
  date: ({ transaction }) => transaction.date ?? transaction.post_date,
  description: ({ transaction }) => transaction.description,
  amount: ({ transaction }) => plainDecimal(transaction.amount_decimal),
  currency: ({ transaction }) => transaction.amount.currency.toUpperCase(),
  direction: ({ transaction }) => transaction.direction,
  category: ({ transaction, customCategory }) =>
    customCategory ?? transaction.primary_category ?? transaction.provider_category,
  merchant: ({ transaction }) => transaction.merchant_name,
  account: ({ account }) => account.name,
  status: ({ transaction }) => transaction.status,
  class: ({ transaction }) => transaction.class,
  post_date: ({ transaction }) => transaction.post_date,
  memo: ({ memo }) => memo,
  tags: ({ tags }) => (tags.length === 0 ? null : tags.join(', ')),
  account_number: ({ account }) => account.maskedNumber,
  institution: ({ account }) => account.institution,
  account_id: ({ account }) => publicId('account', account.id),
};

/** Values of one trade by field. */
export const TRADE_VALUES: Readonly<Record<TradeField, (row: TradeRow) => FieldValue>> = {
  trade_id: ({ trade }) => trade.id,
  date: ({ trade }) => trade.trade_date,
  symbol: ({ trade }) => trade.symbol,
  type: ({ trade }) => trade.type,
  quantity: ({ trade }) => trade.quantity,
  price: ({ trade }) => trade.price?.decimal ?? null,
  total: ({ trade }) => trade.total_amount?.decimal ?? null,
  fees: ({ trade }) => trade.fees?.decimal ?? null,
  currency: ({ trade }) => trade.currency.toUpperCase(),
  account: ({ account }) => account.name,
  description: ({ trade }) => trade.description,
  settlement_date: ({ trade }) => trade.settlement_date,
};

/** Values of each holding of a snapshot by field. */
export const HOLDING_VALUES: Readonly<
  Record<HoldingField, (holding: HoldingsSnapshot['holdings'][number], of: HoldingsSnapshot) => FieldValue>
> = {
  symbol: ({ symbol }) => symbol,
  name: ({ name }) => name,
  quantity: ({ quantity }) => quantity,
  average_price: (holding) => holding.average_price?.decimal ?? null,
  current_price: (holding) => holding.current_price?.decimal ?? null,
  market_value: (holding) => holding.market_value?.decimal ?? null,
  unrealized_pnl: (holding) => holding.unrealized_pnl?.decimal ?? null,
  currency: ({ currency }) => currency.toUpperCase(),
  exchange: ({ exchange }) => exchange,
  account: (_holding, { account }) => account.name,
  last_updated: (_holding, { readAt }) => moment(readAt),
};

/** When a position was read: updated by each snapshot, so it says nothing about the position. */
export const READ_MOMENT = 'last_updated' satisfies HoldingField;

/** The values of a holding by field. */
export function holdingValues(
  holding: HoldingsSnapshot['holdings'][number],
  of: HoldingsSnapshot,
): Readonly<Record<string, FieldValue>> {
  return Object.fromEntries(
    Object.entries(HOLDING_VALUES).map(([name, value]) => [name, value(holding, of)]),
  );
}

/** Values of the balance of an account by field. */
export const BALANCE_VALUES: Readonly<Record<BalanceField, (balance: BalanceSnapshot) => FieldValue>> = {
  account: ({ account }) => account.name,
  institution: ({ account }) => account.institution,
  current: ({ current }) => (current === null ? null : decimalFromMoney(current)),
  available: ({ available }) => (available === null ? null : decimalFromMoney(available)),
  currency: ({ currency }) => currency.toUpperCase(),
  last_updated: ({ readAt }) => moment(readAt),
};

/** Without the plus sign that some banks send. */
function plainDecimal(text: string): string {
  return text.replace(/^\+/, '');
}

/** To the second, in UTC. */
function moment(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/**
 * The number of a decimal text, or null if a JavaScript number would change it: written to JSON, it has exactly the
 * value of the text. Zero has no sign.
 */
export function exactNumber(text: string): number | null {
  const [, sign = '', digits = '', fraction = ''] = /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  const size = fraction === '' ? digits : `${digits}.${fraction}`;
  const value = Number(text);
  return digits !== '' && String(value) === (size === '0' ? size : `${sign}${size}`) ? value + 0 : null;
}

/** The number of decimals, without trailing zeros. */
export function decimalsOf(text: string): number {
  return (/\.(\d*?)0*$/.exec(text)?.[1] ?? '').length;
}

/**
 * The fields that rows of a sync are written with if its owner chose them (OpenedSync.columns), in order. The `key`, by
 * which rows are found again, is always written: last, unless it was chosen. Null if nothing was chosen, so that each
 * destination shows its standard columns.
 *
 * @param fields the table of the sync's fields, by name
 * @param key null for rows that are not found by a field
 */
export function chosenFields<F extends string>(
  columns: readonly string[] | null,
  fields: Readonly<Record<F, unknown>>,
  key: NoInfer<F> | null,
): readonly F[] | null {
  if (columns === null) return null;
  const chosen = columns.map((name) => {
    if (isFieldOf(fields, name)) return name;
    // Names are checked when they are chosen; an unknown one is from another version of this service.
    throw new TypeError('a sync shows a field that its rows do not have');
  });
  return key === null || chosen.includes(key) ? chosen : [...chosen, key];
}

function isFieldOf<F extends string>(fields: Readonly<Record<F, unknown>>, name: string): name is F {
  return Object.hasOwn(fields, name);
}

/** Text of a row as DestinationWriter.encode returns it: its values, in the order of the fields. */
export function encodeValues(values: readonly FieldValue[]): string {
  return JSON.stringify(values);
}

/** @throws TypeError for text that is not from `encodeValues`; it does not repeat the text */
export function decodeValues(text: string): readonly FieldValue[] {
  const values = parsed(text);
  if (!Array.isArray(values)) throw new TypeError('an encoded row is not a list of values');
  if (!values.every(isFieldValue)) throw new TypeError('an encoded row holds what is no text');
  return values;
}

const isFieldValue = (value: unknown): value is FieldValue => value === null || typeof value === 'string';

/** Errors of JSON.parse repeat the beginning of the text, which is a row. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
