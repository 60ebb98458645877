import { localDateAt } from '../../vocabulary/moments.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { ProviderGatewayOptions } from './gateway-options.ts';
import type { GatewayAccount, StreamWindow } from './gateway-types.ts';
import type { UpstreamCalls } from './upstream-calls.ts';

/** Rows of one account as they come, in the memory of one page. */
export class TransactionStream {
  readonly #options: Pick<ProviderGatewayOptions, 'clock'>;
  readonly #calls: UpstreamCalls;

  constructor(options: Pick<ProviderGatewayOptions, 'clock'>, calls: UpstreamCalls) {
    this.#options = options;
    this.#calls = calls;
  }

  /** For syncs: any number of rows, the deadline of a read for each page. Raises ServiceError. */
  async *pages(
    account: GatewayAccount,
    window: StreamWindow,
    signal: AbortSignal,
  ): AsyncGenerator<Transaction[]> {
    const party = { provider: account.connection.provider, connection: account.connection };
    const ended = new AbortController();
    const pages = this.rawPages(account, window, AbortSignal.any([signal, ended.signal]));
    try {
      for (;;) {
        const next = await this.#calls.explained(party, signal, () =>
          this.#calls
            .within(signal, () => pages.next())
            .catch((error: unknown) => {
              // The adapter learns of a missed deadline by its signal, and the breaker by the adapter.
              ended.abort(error);
              throw error;
            }),
        );
        if (next.done === true) return;
        if (next.value.length > 0) yield next.value;
      }
    } finally {
      ended.abort();
      // Not waited for: an adapter that does not heed its signal must not hold the caller.
      pages.return(undefined).catch(() => undefined);
    }
  }

  /** The wanted rows of each page of the provider, which may be none; raises what the adapter raises. */
  async *rawPages(
    account: GatewayAccount,
    window: StreamWindow,
    signal: AbortSignal,
  ): AsyncGenerator<Transaction[]> {
    const { connection, upstreamId, timezone, currency } = account;
    const rationed = { account: account.id, what: 'transactions' } as const;
    const party = { provider: connection.provider, connection, rationed };
    const adapter = this.#calls.adapter(connection.provider, 'transactions');
    const includePending = window.includePending && adapter.capabilities.has('pending_transactions');
    const query = { account: upstreamId, timezone, currency, ...window, includePending };
    const wanted = this.#filter(account, { ...window, includePending });
    const iterator = adapter.transactionPages(connection.grant, query, signal)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.#calls.counted(party, () => iterator.next());
        if (next.done === true) return;
        yield next.value.filter(wanted);
      }
    } finally {
      iterator.return?.()?.catch(() => undefined);
    }
  }

  /**
   * By the row's day in the account's zone, else its posting day. A pending row without any moment is of today: that
   * is all its being pending says.
   */
  #filter(account: GatewayAccount, window: StreamWindow): (row: Transaction) => boolean {
    const today = localDateAt(this.#options.clock.now(), account.timezone);
    return (row) => {
      if (row.status === 'pending' && !window.includePending) return false;
      const day = row.date ?? row.post_date ?? today;
      return day >= window.from && day <= window.to;
    };
  }
}
