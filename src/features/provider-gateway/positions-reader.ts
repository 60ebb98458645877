import type { Holding, Trade } from '../../vocabulary/holdings.ts';
import type { SetAside } from '../../vocabulary/set-aside-rows.ts';
import type { ProviderGatewayOptions } from './gateway-options.ts';
import { type GatewayAccount, isInWindow, type MostPages, type TradeRange } from './gateway-types.ts';
import { PageBudget, readOf, type UpstreamCalls } from './upstream-calls.ts';

/** Reads of a brokerage account. Never cached: holdings must be current (docs/resources.md#caching). */
export class PositionsReader {
  readonly #limits: ProviderGatewayOptions['limits'];
  readonly #calls: UpstreamCalls;

  constructor({ limits }: Pick<ProviderGatewayOptions, 'limits'>, calls: UpstreamCalls) {
    this.#limits = limits;
    this.#calls = calls;
  }

  /**
   * Positions held now, except those that cannot be read, which go to `setAside`. Never cached. Raises `not_supported`
   * if the provider lists none.
   */
  holdings(account: GatewayAccount, signal: AbortSignal, setAside?: SetAside): Promise<Holding[]> {
    const { grant } = account.connection;
    return this.#calls.account(account, 'holdings', signal, (adapter, s) =>
      adapter.readHoldings(
        grant,
        account.upstreamId,
        s,
        this.#calls.setAside(account, 'holdings', () => true, setAside),
      ),
    );
  }

  /**
   * Passes on every trade of the range, or those of its first pages, a page at a time and in the memory of a page,
   * within the deadline of one read. Never cached. Raises like `holdings`.
   */
  trades(
    account: GatewayAccount,
    range: TradeRange,
    take: (trades: readonly Trade[]) => void,
    signal: AbortSignal,
    pages: MostPages = null,
  ): Promise<void> {
    return this.#calls.within(readOf(account, 'trades'), signal, async (within) => {
      for await (const page of this.#pages(account, range, within, pages)) take(page);
    });
  }

  /** Like `trades`, for a read that may take hours: the deadline of a read applies to each page. */
  streamTrades(account: GatewayAccount, range: TradeRange, signal: AbortSignal): AsyncGenerator<Trade[]> {
    const open = (within: AbortSignal) => this.#pages(account, range, within);
    return this.#calls.pagesWithin(readOf(account, 'trades'), signal, open);
  }

  /** The trades of the range on each page of the provider, which may be none. Raises what the adapter raises. */
  async *#pages(
    account: GatewayAccount,
    range: TradeRange,
    signal: AbortSignal,
    most: MostPages = null,
  ): AsyncGenerator<Trade[]> {
    const { upstreamId, timezone, connection } = account;
    const adapter = this.#calls.adapter(connection.provider, 'trades');
    const setAside = this.#calls.setAside(
      account,
      'trades',
      ({ day }) => isInWindow(range, day),
      range.setAside,
    );
    const query = { account: upstreamId, timezone, from: range.from, to: range.to, setAside };
    const budget = new PageBudget(this.#limits, most);
    const pages = adapter.tradePages(connection.grant, query, signal);
    for await (const page of this.#calls.guardedPages(readOf(account, 'trades'), pages, signal)) {
      const trades = page.filter(({ trade_date: day }) => isInWindow(range, day));
      const isLast = budget.endsWith({ rows: page.length, wanted: trades.length, pending: 0 });
      yield trades;
      if (isLast) return;
    }
  }
}
