import { OwnerBoundedMap } from '../../platform/owner-bounded-map.ts';
import { sharedIdOf, withSharedId } from '../../platform/shared-row-ids.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { type LocalDate, localDateAt } from '../../vocabulary/moments.ts';
import type { SetAsideRow } from '../../vocabulary/set-aside-rows.ts';
import { newestFirst, type Transaction } from '../../vocabulary/transactions.ts';
import type { CachedReads } from './cached-reads.ts';
import type { ProviderGatewayOptions } from './gateway-options.ts';
import {
  type AccountReference,
  type CachedRead,
  type GatewayAccount,
  isInWindow,
  type MostPages,
  type RowSearch,
  SetAsideList,
  type StreamWindow,
  type TransactionRows,
  type TransactionWindow,
} from './gateway-types.ts';
import type { CacheEntry } from './memory-cache.ts';
import { PageBudget, readOf, type UpstreamCalls } from './upstream-calls.ts';

/** The transactions of an account: the list of a window, cached for minutes; all rows as a stream; one row by its id. */
export class TransactionReader {
  readonly #options: Pick<ProviderGatewayOptions, 'clock' | 'limits' | 'sharedIds'>;
  readonly #calls: UpstreamCalls;
  readonly #reads: CachedReads;
  /** Of each account, the widest window that was read whole: it may answer narrower ones. */
  readonly #widest = new OwnerBoundedMap<RowId<'account'>, TransactionWindow>({
    ofOwner: 500,
    total: 10_000,
  });

  constructor(options: ProviderGatewayOptions, calls: UpstreamCalls, reads: CachedReads) {
    this.#options = options;
    this.#calls = calls;
    this.#reads = reads;
  }

  /**
   * The window up to LIMIT_TRANSACTION_ROWS and to the last page to read, newest first. A read that was not ended by a
   * cap covers the whole window, and is cached as such. `freshness`: the maximum age of a cached answer, and whether the
   * read continues for the next caller when this one leaves.
   */
  async list(
    account: GatewayAccount,
    window: TransactionWindow,
    signal: AbortSignal,
    pages: MostPages = null,
    freshness: ReadFreshness = {},
  ): Promise<CachedRead<TransactionRows>> {
    const whole = windowKey(account, window);
    const { maxAgeMs } = freshness;
    const wider = maxAgeMs === undefined ? null : this.#partOfWider(account, window, maxAgeMs);
    const known = wider ?? (pages === null ? null : this.cachedList(account, window));
    if (known !== null) return known;
    const fetch = async (within: AbortSignal): Promise<CacheEntry> => {
      const value = await this.#calls.within(readOf(account, 'transactions'), within, (s) =>
        this.#collect(account, window, pages, s),
      );
      return { kind: 'transactions', value, observedAt: this.#options.clock.now(), live: false };
    };
    const key = pages === null ? whole : cappedKey(whole, pages);
    const keep = (entry: CacheEntry): string => (rowsIn(entry)?.capped === true ? key : whole);
    const ttl = 'transactions_cache_minutes';
    const asked = { account, key, keep, ttl, live: false, open: rowsIn, fetch, ...freshness } as const;
    const read = await this.#reads.read(asked, signal);
    if (read.cache === 'MISS') this.#noteWindow(account, window, read.value);
    return read;
  }

  #noteWindow(account: AccountReference, window: TransactionWindow, { truncated, capped }: TransactionRows) {
    if (truncated || capped === true) return;
    const widest = this.#widest.get(account.connection.owner, account.id);
    const isWider = widest !== undefined && contains(widest, window);
    if (isWider && this.#reads.find(account, windowKey(account, widest), rowsIn) !== null) return;
    this.#widest.set(account.connection.owner, account.id, window);
  }

  /**
   * What `list` would answer from the cache, or null if it would have to ask the provider: what is cached of the whole
   * window or else, if `pages` is given, of that many. `maxAgeMs`: as in ReadFreshness; then also of a wider window.
   */
  cachedList(
    account: AccountReference,
    window: TransactionWindow,
    pages: MostPages = null,
    { maxAgeMs }: Pick<ReadFreshness, 'maxAgeMs'> = {},
  ): CachedRead<TransactionRows> | null {
    const whole = windowKey(account, window);
    const wider = maxAgeMs === undefined ? null : this.#partOfWider(account, window, maxAgeMs);
    const known = wider ?? this.#reads.find(account, whole, rowsIn, maxAgeMs);
    return known !== null || pages === null
      ? known
      : this.#reads.find(account, cappedKey(whole, pages), rowsIn);
  }

  /**
   * The rows of the window within what is cached of a wider one that was read whole. Only for callers that state a
   * maximum age: pages of a list must all come from the same read.
   */
  #partOfWider(
    account: AccountReference,
    window: TransactionWindow,
    maxAgeMs: number,
  ): CachedRead<TransactionRows> | null {
    const widest = this.#widest.get(account.connection.owner, account.id);
    if (widest === undefined || !contains(widest, window)) return null;
    const read = this.#reads.find(account, windowKey(account, widest), rowsIn, maxAgeMs);
    // If only some of the rows set aside are listed, it is unknown how many of them are in the window.
    if (read === null || read.value.setAside.count > read.value.setAside.rows.length) return null;
    const { rows, setAside } = read.value;
    const aside = setAside.rows.filter(({ day }) => isInWindow(window, day));
    const value = {
      rows: rows.filter(this.#filter(account, { ...window, since: null })),
      truncated: false,
      setAside: { count: aside.length, rows: aside },
    };
    return { ...read, value };
  }

  /**
   * Every row of the window, for a sync: the deadline of a read applies to each page. Never cached. Raises
   * ServiceError.
   */
  stream(account: GatewayAccount, window: StreamWindow, signal: AbortSignal): AsyncGenerator<Transaction[]> {
    const open = (within: AbortSignal) => this.#pages(account, window, within);
    return this.#calls.pagesWithin(readOf(account, 'transactions'), signal, open);
  }

  /**
   * Looks for the row of a v2 id in the window, without reading more than it must and within the budget of one search
   * (docs/errors.md#transaction_search_incomplete). A cached read of the same window is searched first, but only the
   * bank can say that a row does not exist.
   */
  async find(
    account: GatewayAccount,
    window: TransactionWindow,
    id: string,
    signal: AbortSignal,
  ): Promise<RowSearch> {
    const cached = this.cachedList(account, window);
    const row = cached?.value.rows.find((candidate) => candidate.id === id);
    if (row !== undefined) return { outcome: 'found', row };
    const known = cached?.value.setAside.rows.find((candidate) => candidate.id === id);
    if (known !== undefined) return { outcome: 'set_aside', row: known };
    return this.#calls.within(readOf(account, 'transactions'), signal, (within) =>
      this.#search(account, window, id, within),
    );
  }

  async #collect(
    account: GatewayAccount,
    window: TransactionWindow,
    pages: MostPages,
    signal: AbortSignal,
  ): Promise<TransactionRows> {
    const ceiling = this.#options.limits.transaction_rows;
    const rows: Transaction[] = [];
    let isCapped = false;
    const onCapped = (): void => {
      isCapped = true;
    };
    const aside = new SetAsideList();
    const { from, to, includePending } = window;
    const asked = { from, to, includePending, since: null, setAside: aside.add };
    for await (const page of this.#pages(account, asked, signal, { most: pages, onCapped })) {
      for (const row of page) rows.push(row);
      if (rows.length > ceiling) break;
    }
    const truncated = rows.length > ceiling;
    // The first of several rows under one id was read before the others showed that the id is shared.
    const shared = new Set(rows.flatMap(({ id }) => sharedIdOf(id) ?? []));
    const ordered = newestFirst(shared.size === 0 ? rows : rows.map((row) => withSharedId(row, shared)));
    const kept = truncated ? ordered.slice(0, ceiling) : ordered;
    const value = { rows: kept, truncated, setAside: aside.value };
    return isCapped ? { ...value, capped: true } : value;
  }

  async #search(
    account: GatewayAccount,
    window: TransactionWindow,
    id: string,
    signal: AbortSignal,
  ): Promise<RowSearch> {
    const { transaction_rows: mostRows, transaction_search_pages: mostPages } = this.#options.limits;
    let rows = 0;
    let pages = 0;
    const found: SetAsideRow[] = [];
    const setAside = (row: SetAsideRow): void => {
      if (row.id === id) found.push(row);
    };
    for await (const page of this.#pages(account, { ...window, since: null, setAside }, signal)) {
      const row = page.find((candidate) => candidate.id === id);
      if (row !== undefined) return { outcome: 'found', row };
      if (found[0] !== undefined) return { outcome: 'set_aside', row: found[0] };
      rows += page.length;
      pages += 1;
      // One row too many, as when a list is cut: a window of exactly the budget has been read completely.
      if (rows > mostRows || pages >= mostPages) return { outcome: 'incomplete' };
    }
    return found[0] === undefined ? { outcome: 'exhausted' } : { outcome: 'set_aside', row: found[0] };
  }

  /**
   * The wanted rows of each page of the provider, which may be none; raises what the adapter raises. If it ends because
   * of `most`, `onCapped` is called.
   */
  async *#pages(
    account: GatewayAccount,
    window: StreamWindow,
    signal: AbortSignal,
    { most, onCapped }: PageCap = UNCAPPED,
  ): AsyncGenerator<Transaction[]> {
    const { connection, upstreamId, timezone, currency } = account;
    const adapter = this.#calls.adapter(connection.provider, 'transactions');
    const includePending = window.includePending && adapter.capabilities.has('pending_transactions');
    const { from, to, since } = window;
    const isWanted = ({ day }: { readonly day: LocalDate | null }) => isInWindow(window, day);
    const setAside = this.#calls.setAside(account, 'transactions', isWanted, window.setAside);
    const query = { account: upstreamId, timezone, currency, from, to, since, includePending, setAside };
    const wanted = this.#filter(account, { ...window, includePending });
    const budget = new PageBudget(this.#options.limits, most);
    const pages = adapter.transactionPages(connection.grant, query, signal);
    const shared = new Set(await this.#options.sharedIds?.of(connection.owner, account.id));
    for await (const page of this.#calls.guardedPages(readOf(account, 'transactions'), pages, signal)) {
      await this.#noteShared(account, page, shared);
      const rows = page.filter(wanted).map((row) => withSharedId(row, shared));
      const pending = page.filter(({ status }) => status === 'pending').length;
      const isLast = budget.endsWith({ rows: page.length, wanted: rows.length, pending });
      yield rows;
      if (isLast) {
        onCapped();
        return;
      }
    }
  }

  /** Stores ids under which the adapter found several rows, so that later reads give the rows the same ids. */
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
   * By the row's day in the account's zone, else its posting day. A pending row without any time counts as today's: it
   * is known only to be pending now.
   */
  #filter(account: Pick<AccountReference, 'timezone'>, window: StreamWindow): (row: Transaction) => boolean {
    const today = localDateAt(this.#options.clock.now(), account.timezone);
    return (row) => {
      if (row.status === 'pending' && !window.includePending) return false;
      return isInWindow(window, row.date ?? row.post_date ?? today);
    };
  }
}

/** How fresh a list has to be. */
export interface ReadFreshness {
  /** The maximum age of a cached answer, in milliseconds; by default as long as it is cached. */
  readonly maxAgeMs?: number;
  /** Whether the read continues for the next caller after the last one has left. */
  readonly lingers?: boolean;
}

function contains(wide: TransactionWindow, { from, to, includePending }: TransactionWindow): boolean {
  return wide.from <= from && wide.to >= to && (wide.includePending || !includePending);
}

interface PageCap {
  readonly most: MostPages;
  readonly onCapped: () => void;
}

const UNCAPPED: PageCap = { most: null, onCapped: () => undefined };

function windowKey(account: AccountReference, { from, to, includePending }: TransactionWindow): string {
  return `transactions ${account.timezone} ${from} ${to} ${includePending}`;
}

/** What is cached of a read that was ended by its cap. */
function cappedKey(whole: string, pages: number): string {
  return `${whole} ${pages} pages`;
}

function rowsIn(entry: CacheEntry): TransactionRows | null {
  return entry.kind === 'transactions' ? entry.value : null;
}
