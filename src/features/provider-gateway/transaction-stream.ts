import { sharedIdOf, withSharedId } from '../../platform/shared-row-ids.ts';
import { type LocalDate, localDateAt } from '../../vocabulary/moments.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { ProviderGatewayOptions } from './gateway-options.ts';
import type { GatewayAccount, StreamWindow } from './gateway-types.ts';
import { countedPages, explainedPages, type PageCap, ReadBudget } from './paged-calls.ts';
import { integrationOf, type UpstreamCalls } from './upstream-calls.ts';

type StreamOptions = Pick<ProviderGatewayOptions, 'clock' | 'limits' | 'sharedIds'>;

/** Rows of one account as they come, in the memory of one page. */
export class TransactionStream {
  readonly #options: StreamOptions;
  readonly #calls: UpstreamCalls;

  constructor(options: StreamOptions, calls: UpstreamCalls) {
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
    yield* explainedPages(this.#calls, integrationOf(account.connection), open, signal);
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
    const rationed = { owner: connection.owner, account: account.id, what: 'transactions' } as const;
    const integration = { ...integrationOf(connection), rationed };
    const adapter = this.#calls.adapter(connection.provider, 'transactions');
    const includePending = window.includePending && adapter.capabilities.has('pending_transactions');
    const { from, to, since } = window;
    const isWanted = ({ day }: { readonly day: LocalDate | null }) => isIn(window, day);
    const setAside = this.#calls.setAside(account, 'transactions', isWanted, window.setAside);
    const query = { account: upstreamId, timezone, currency, from, to, since, includePending, setAside };
    const wanted = this.#filter(account, { ...window, includePending });
    const budget = new ReadBudget(this.#options.limits);
    const pages = adapter.transactionPages(connection.grant, query, signal);
    const shared = new Set(await this.#options.sharedIds?.of(connection.owner, account.id));
    for await (const page of countedPages(this.#calls, integration, pages, signal)) {
      await this.#noteShared(account, page, shared);
      const rows = page.filter(wanted).map((row) => withSharedId(row, shared));
      const pending = page.filter(({ status }) => status === 'pending').length;
      budget.spend({ rows: page.length, wanted: rows.length, pending });
      yield rows;
      if (capped?.cap.endsWith(page.length) === true) {
        capped.onCapped();
        return;
      }
    }
  }

  /** Remembers ids under which the adapter found several rows, so that later reads name the rows alike. */
  async #noteShared(
    { id, connection }: GatewayAccount,
    page: readonly Transaction[],
    shared: Set<string>,
  ): Promise<void> {
    for (const row of page) {
      const sharedId = sharedIdOf(row.id);
      if (sharedId === null || shared.has(sharedId)) continue;
      shared.add(sharedId);
      await this.#options.sharedIds?.note(connection.owner, id, sharedId);
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
      return isIn(window, row.date ?? row.post_date ?? today);
    };
  }
}

/** A row without a day may be of any. */
function isIn({ from, to }: Pick<StreamWindow, 'from' | 'to'>, day: LocalDate | null): boolean {
  return day === null || (day >= from && day <= to);
}
