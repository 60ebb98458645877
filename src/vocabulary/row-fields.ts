import type { SyncType } from './syncs.ts';

/** How a field's value is written if a destination has column types. */
export const FIELD_FORMS = ['text', 'long_text', 'choice', 'decimal', 'date'] as const;
export type FieldForm = (typeof FIELD_FORMS)[number];

export interface RowField {
  /** The name of the column. */
  readonly header: string;
  readonly form: FieldForm;
  /** Whether a destination shows it by default. */
  readonly standard: boolean;
}

/** The columns of a row of `transactions`, in their order (docs/columns.md). */
export const TRANSACTION_FIELDS = {
  transaction_id: { header: 'Transaction ID', form: 'text', standard: true },
  date: { header: 'Date', form: 'date', standard: true },
  description: { header: 'Description', form: 'long_text', standard: true },
  amount: { header: 'Amount', form: 'decimal', standard: true },
  currency: { header: 'Currency', form: 'choice', standard: true },
  direction: { header: 'Direction', form: 'choice', standard: true },
  category: { header: 'Category', form: 'text', standard: true },
  merchant: { header: 'Merchant', form: 'text', standard: true },
  account: { header: 'Account', form: 'text', standard: true },
  status: { header: 'Status', form: 'choice', standard: true },
  class: { header: 'Class', form: 'choice', standard: true },
  post_date: { header: 'Post Date', form: 'date', standard: true },
  memo: { header: 'Memo', form: 'long_text', standard: true },
  tags: { header: 'Tags', form: 'text', standard: true },
  account_number: { header: 'Account #', form: 'text', standard: false },
  institution: { header: 'Institution', form: 'text', standard: false },
  account_id: { header: 'Account ID', form: 'text', standard: false },
} as const satisfies Record<string, RowField>;
export type TransactionField = keyof typeof TRANSACTION_FIELDS;

/** The columns of a row of `trades`. */
export const TRADE_FIELDS = {
  trade_id: { header: 'Trade ID', form: 'text', standard: true },
  date: { header: 'Date', form: 'date', standard: true },
  symbol: { header: 'Symbol', form: 'text', standard: true },
  type: { header: 'Type', form: 'choice', standard: true },
  quantity: { header: 'Quantity', form: 'decimal', standard: true },
  price: { header: 'Price', form: 'decimal', standard: true },
  total: { header: 'Total', form: 'decimal', standard: true },
  fees: { header: 'Fees', form: 'decimal', standard: true },
  currency: { header: 'Currency', form: 'choice', standard: true },
  account: { header: 'Account', form: 'text', standard: true },
  description: { header: 'Description', form: 'long_text', standard: true },
  settlement_date: { header: 'Settlement Date', form: 'date', standard: true },
} as const satisfies Record<string, RowField>;
export type TradeField = keyof typeof TRADE_FIELDS;

/** The columns of a row of `holdings`. */
export const HOLDING_FIELDS = {
  symbol: { header: 'Symbol', form: 'text', standard: true },
  name: { header: 'Name', form: 'text', standard: true },
  quantity: { header: 'Quantity', form: 'decimal', standard: true },
  average_price: { header: 'Avg Price', form: 'decimal', standard: true },
  current_price: { header: 'Current Price', form: 'decimal', standard: true },
  market_value: { header: 'Market Value', form: 'decimal', standard: true },
  unrealized_pnl: { header: 'P&L', form: 'decimal', standard: true },
  currency: { header: 'Currency', form: 'choice', standard: true },
  exchange: { header: 'Exchange', form: 'text', standard: true },
  account: { header: 'Account', form: 'text', standard: true },
  last_updated: { header: 'Last Updated', form: 'text', standard: true },
} as const satisfies Record<string, RowField>;
export type HoldingField = keyof typeof HOLDING_FIELDS;

/** The columns of the balance of an account. */
export const BALANCE_FIELDS = {
  account: { header: 'Account', form: 'text', standard: true },
  institution: { header: 'Institution', form: 'text', standard: true },
  current: { header: 'Current', form: 'decimal', standard: true },
  available: { header: 'Available', form: 'decimal', standard: true },
  currency: { header: 'Currency', form: 'choice', standard: true },
  last_updated: { header: 'Last Updated', form: 'text', standard: true },
} as const satisfies Record<string, RowField>;
export type BalanceField = keyof typeof BALANCE_FIELDS;

/** The fields from which the owner of a sync can choose, by the type of sync. */
export const SYNC_FIELDS: Readonly<Record<SyncType, Readonly<Record<string, RowField>>>> = {
  transactions: TRANSACTION_FIELDS,
  holdings: HOLDING_FIELDS,
  trades: TRADE_FIELDS,
};

/** The field by which a row is found, which is written even if it was not chosen; positions have none. */
export const SYNC_KEYS = {
  transactions: 'transaction_id',
  holdings: null,
  trades: 'trade_id',
} as const satisfies Record<SyncType, TransactionField | TradeField | null>;
