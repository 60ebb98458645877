import type { Limits } from '../../vocabulary/limits.ts';
import type { SetAsideRow } from '../../vocabulary/set-aside-rows.ts';
import type { CachedAccountReader } from './cached-account-reader.ts';
import type { ProviderGatewayOptions } from './gateway-options.ts';
import type { GatewayAccount, RowSearch, TransactionWindow } from './gateway-types.ts';
import { TransactionStream } from './transaction-stream.ts';
import { integrationOf, type UpstreamCalls } from './upstream-calls.ts';

type Budget = Pick<Limits, 'transaction_rows' | 'transaction_search_pages'>;

/**
 * Looks for one row without reading more than it must (docs/errors.md#transaction_search_incomplete). What is cached of
 * the same window is asked first, but only the bank can say that a row is not there.
 */
export class TransactionSearch {
  readonly #limits: Budget;
  readonly #calls: UpstreamCalls;
  readonly #reader: CachedAccountReader;
  readonly #stream: TransactionStream;

  constructor(options: ProviderGatewayOptions, calls: UpstreamCalls, reader: CachedAccountReader) {
    this.#limits = options.limits;
    this.#calls = calls;
    this.#reader = reader;
    this.#stream = new TransactionStream(options, calls);
  }

  /** Looks for the row of a v2 id in the window, within the budget of one search, and stops where it is found. */
  async find(
    account: GatewayAccount,
    window: TransactionWindow,
    id: string,
    signal: AbortSignal,
  ): Promise<RowSearch> {
    const cached = await this.#reader.cachedTransactions(account, window);
    const row = cached?.value.rows.find((candidate) => candidate.id === id);
    if (row !== undefined) return { outcome: 'found', row };
    const known = cached?.value.setAside.rows.find((candidate) => candidate.id === id);
    if (known !== undefined) return { outcome: 'set_aside', row: known };
    const integration = integrationOf(account.connection);
    return this.#calls.explained(integration, signal, () =>
      this.#calls.within(signal, (within) => this.#read(account, window, id, within)),
    );
  }

  async #read(
    account: GatewayAccount,
    window: TransactionWindow,
    id: string,
    signal: AbortSignal,
  ): Promise<RowSearch> {
    const { transaction_rows: mostRows, transaction_search_pages: mostPages } = this.#limits;
    let rows = 0;
    let pages = 0;
    const found: SetAsideRow[] = [];
    const setAside = (row: SetAsideRow): void => {
      if (row.id === id) found.push(row);
    };
    for await (const page of this.#stream.rawPages(account, { ...window, since: null, setAside }, signal)) {
      const row = page.find((candidate) => candidate.id === id);
      if (row !== undefined) return { outcome: 'found', row };
      if (found[0] !== undefined) return { outcome: 'set_aside', row: found[0] };
      rows += page.length;
      pages += 1;
      // One row too many, as a list is cut: a window of exactly the budget has been read to its end.
      if (rows > mostRows || pages >= mostPages) return { outcome: 'incomplete' };
    }
    return found[0] === undefined ? { outcome: 'exhausted' } : { outcome: 'set_aside', row: found[0] };
  }
}
