import type { HistoryState } from '../../../../src/connectors/providers/provider-contract.ts';
import type {
  SourceAccount,
  SourceBalance,
  SourceDays,
  SourceWindow,
  SyncSource,
} from '../../../../src/features/sync-engine/read/sync-source.ts';
import type { ErrorCode } from '../../../../src/vocabulary/error-codes.ts';
import type { Holding, Trade } from '../../../../src/vocabulary/holdings.ts';
import type { OwnerId, RowId } from '../../../../src/vocabulary/ids.ts';
import { addDays, localDateAt } from '../../../../src/vocabulary/moments.ts';
import type { Transaction } from '../../../../src/vocabulary/transactions.ts';

/** Fifty days ago, so that rows lie where a later run still looks, whenever the tests run. */
export const EPOCH = addDays(localDateAt(Date.now(), 'Australia/Sydney'), -50);

/** A posted row. Days count from EPOCH; ids sort as they are numbered. */
export function posted(
  number: number,
  more: Partial<Transaction> & { day?: number; cents?: number } = {},
): Transaction {
  const { day = 0, cents = -(number + 100), ...rest } = more;
  const date = addDays(EPOCH, day);
  return {
    id: `txn_fk_row_${String(number).padStart(7, '0')}`,
    status: 'posted',
    date,
    datetime: `${date}T10:00:00+10:00`,
    post_date: date,
    post_datetime: `${date}T20:00:00+10:00`,
    value_date: null,
    value_datetime: null,
    description: `row ${number}`,
    reference: null,
    extended_description: null,
    amount: { amount: cents, currency: 'aud' },
    amount_decimal: (cents / 100).toFixed(2),
    direction: cents < 0 ? 'debit' : 'credit',
    class: 'payment',
    provider_category: 'FOOD_AND_DRINK_GROCERIES',
    primary_category: 'FOOD_AND_DRINK',
    merchant_name: null,
    merchant_category_code: null,
    ...rest,
  };
}

/** A pending row: as the bank reports it before it posts under another id. */
export function pending(
  number: number,
  more: Partial<Transaction> & { day?: number; cents?: number } = {},
): Transaction {
  return {
    ...posted(number, more),
    id: `txn_fk_pend_${number}`,
    status: 'pending',
    post_date: null,
    post_datetime: null,
  };
}

/** The outside world's bank: accounts of rows, served newest first in pages. */
export class Bank implements SyncSource {
  readonly accounts = new Map<RowId<'account'>, Transaction[]>();
  /** Of brokerage accounts. */
  readonly trades = new Map<RowId<'account'>, Trade[]>();
  readonly holdings = new Map<RowId<'account'>, Holding[]>();
  balance: (account: RowId<'account'>) => SourceBalance = () => ({
    readAt: 0,
    currency: 'aud',
    current: { amount: 0, currency: 'aud' },
    available: null,
  });
  readonly windows: SourceWindow[] = [];
  pageSize = 200;
  pagesServed = 0;
  /** Epoch milliseconds; long ago, so that no test sweeps every day unless it says so. */
  linkedAt = 0;
  /** Whether the service has the rows itself. */
  stored = false;
  /** What the provider says of an account's history. */
  history: (account: RowId<'account'>) => HistoryState = () => 'complete';
  /** Accounts that went away after they were read. */
  readonly gone = new Map<RowId<'account'>, ErrorCode>();
  /** Raised when an account is opened. */
  refusal: (account: RowId<'account'>) => Error | null = () => null;
  /** Whether the account's consent is over, asked when a read was refused. */
  consentOver: (account: RowId<'account'>) => boolean = () => false;
  /** Called before each page: may wait, raise, or change the rows. */
  beforePage: (account: RowId<'account'>, page: number) => Promise<void> | void = () => undefined;

  async consentEnded(_owner: OwnerId, id: RowId<'account'>): Promise<boolean> {
    return this.consentOver(id);
  }

  async lost() {
    return this.gone;
  }

  async open(_owner: OwnerId, id: RowId<'account'>): Promise<SourceAccount> {
    const refusal = this.refusal(id);
    if (refusal !== null) throw refusal;
    return {
      account: {
        id,
        name: `Account ${id.slice(-4)}`,
        institution: 'Test Bank',
        type: 'transaction',
        maskedNumber: 'xxxx1234',
      },
      timezone: 'Australia/Sydney',
      linkedAt: this.linkedAt,
      stored: this.stored,
      history: async () => this.history(id),
      pages: (window, signal) => this.#pages(id, window, signal),
      trades: (days) => this.#trades(id, days),
      holdings: async () => this.holdings.get(id) ?? [],
      balance: async () => this.balance(id),
    };
  }

  async *#trades(id: RowId<'account'>, days: SourceDays): AsyncGenerator<readonly Trade[]> {
    const rows = (this.trades.get(id) ?? []).filter(
      ({ trade_date: day }) => day >= days.from && day <= days.to,
    );
    for (let at = 0; at < rows.length; at += this.pageSize) yield rows.slice(at, at + this.pageSize);
  }

  async *#pages(
    id: RowId<'account'>,
    window: SourceWindow,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Transaction[]> {
    this.windows.push(window);
    for (let page = 0, at = 0; ; page++, at += this.pageSize) {
      // Like a read from the network, it ends when it is called off.
      await Promise.race([this.beforePage(id, page), calledOff(signal)]);
      // A real page comes over the network: the event loop turns.
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      const rows = (this.accounts.get(id) ?? []).filter((row) => included(row, window));
      if (at >= rows.length && page > 0) return;
      this.pagesServed += 1;
      yield rows.slice(at, at + this.pageSize);
    }
  }
}

function calledOff(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function included(row: Transaction, window: SourceWindow): boolean {
  if (row.status === 'pending') return window.includePending;
  const recorded = Date.parse(row.post_datetime ?? '');
  return (
    (window.since === null || recorded >= window.since) &&
    (row.date === null || (row.date >= window.from && row.date <= window.to))
  );
}
