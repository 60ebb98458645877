import type { AccountType } from '../../vocabulary/account-types.ts';
import type { Holding, Trade } from '../../vocabulary/holdings.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Money } from '../../vocabulary/money.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';

/** The account a row belongs to, as rows name it. */
export interface DeliveryAccount {
  readonly id: RowId<'account'>;
  readonly name: string;
  readonly institution: string;
  readonly type: AccountType;
  /** `xxxx` plus four digits. */
  readonly maskedNumber: string | null;
}

/** One row to write. `kind` follows the sync's type: a sync delivers rows of one kind. */
export type DeliveryRow = TransactionRow | TradeRow;

export interface TransactionRow {
  readonly kind: 'transaction';
  readonly account: DeliveryAccount;
  readonly transaction: Transaction;
  /** The person's own category, where the sync asks for it and a category claims the row. */
  readonly customCategory: string | null;
  /** What a rule noted on the row. */
  readonly memo: string | null;
  /** What rules tagged the row with, without repeats. */
  readonly tags: readonly string[];
  /** Set when this posted row takes the place of a pending one: the pending row's id. */
  readonly replaces: string | null;
}

export interface TradeRow {
  readonly kind: 'trade';
  readonly account: DeliveryAccount;
  readonly trade: Trade;
}

/**
 * Everything an account has of one kind at one moment. It takes the place of what was written of the account before:
 * rows of the account that are not in it are gone. Rows of other accounts stay.
 */
export type Snapshot = HoldingsSnapshot | BalanceSnapshot;

export interface HoldingsSnapshot {
  readonly kind: 'holdings';
  readonly account: DeliveryAccount;
  /** Epoch milliseconds at which the provider was asked. */
  readonly readAt: number;
  readonly holdings: readonly Holding[];
}

export interface BalanceSnapshot {
  readonly kind: 'balance';
  readonly account: DeliveryAccount;
  /** Epoch milliseconds at which the provider answered. */
  readonly readAt: number;
  /** Lower-case ISO 4217 code. */
  readonly currency: string;
  readonly current: Money | null;
  readonly available: Money | null;
}
