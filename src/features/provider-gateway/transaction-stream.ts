import { localDateAt } from '../../vocabulary/moments.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { ProviderGatewayOptions } from './gateway-options.ts';
import type { GatewayAccount, StreamWindow } from './gateway-types.ts';
import type { PageCap } from './page-cap.ts';
import { countedPages, explainedPages } from './paged-calls.ts';
import { ReadBudget } from './read-budget.ts';
import { partyOf, type UpstreamCalls } from './upstream-calls.ts';

/** Rows of one account as they come, in the memory of one page. */
export class TransactionStream {
  readonly #options: Pick<ProviderGatewayOptions, 'clock' | 'limits'>;
  readonly #calls: UpstreamCalls;

  constructor(options: Pick<ProviderGatewayOptions, 'clock' | 'limits'>, calls: UpstreamCalls) {
    this.#options = options;
    this.#calls = calls;
  }

  /** For syncs: any number of rows, the deadline of a read for each page. Raises ServiceError. */
  async *pages(
    account: GatewayAccount,
    window: StreamWindow,
    signal: AbortSignal,
  ): AsyncGenerator<Transaction[]> {
    const open = (within: AbortSignal) => this.rawPages(account, window, within);
    yield* explainedPages(this.#calls, partyOf(account.connection), open, signal);
  }

  /**
   * The wanted rows of each page of the provider, which may be none; raises what the adapter raises. It ends with the
   * page that `cap` ends it with, and `onCapped` is called then.
   */
  async *rawPages(
    account: GatewayAccount,
    window: StreamWindow,
    signal: AbortSignal,
    capped: { readonly cap: PageCap; readonly onCapped: () => void } | null = null,
  ): AsyncGenerator<Transaction[]> {
    const { connection, upstreamId, timezone, currency } = account;
    const rationed = { account: account.id, what: 'transactions' } as const;
    const party = { ...partyOf(connection), rationed };
    const adapter = this.#calls.adapter(connection.provider, 'transactions');
    const includePending = window.includePending && adapter.capabilities.has('pending_transactions');
    const query = { account: upstreamId, timezone, currency, ...window, includePending };
    const wanted = this.#filter(account, { ...window, includePending });
    const budget = new ReadBudget(this.#options.limits);
    const pages = adapter.transactionPages(connection.grant, query, signal);
    for await (const page of countedPages(this.#calls, party, pages, signal)) {
      const rows = page.filter(wanted);
      const pending = page.filter(({ status }) => status === 'pending').length;
      budget.spend({ rows: page.length, wanted: rows.length, pending });
      yield rows;
      if (capped?.cap.endsWith(page.length) === true) {
        capped.onCapped();
        return;
      }
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
