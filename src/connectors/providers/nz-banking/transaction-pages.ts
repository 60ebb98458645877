import { addDays, formatInstant, startOfDay } from '../../../vocabulary/moments.ts';
import type { SetAside, SetAsideRow } from '../../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { inner, malformed, rowsOf, text, type WireObject } from '../kit/json.ts';
import { pagesByCursor, Repeats } from '../kit/paging.ts';
import { mapped, requireOwnRows } from '../kit/set-aside.ts';
import type { TransactionQuery } from '../provider-contract.ts';
import { itemsOf, type NzBankingClient, type Query } from './client.ts';
import { accountOf, faceOf, mapSettled, PendingRows } from './map-transaction.ts';

const DAY_MS = 86_400_000;
/**
 * How far back from the time of its record a row may be dated. The vendor filters only by the row's date; rows dated
 * further back are found by the sweeps of a sync, which read whole windows.
 */
const LATE_DAYS = 60;

/** Reads the rows of one account. */
export class TransactionPages {
  readonly #client: NzBankingClient;
  readonly #token: string;
  readonly #query: TransactionQuery;
  readonly #signal: AbortSignal;
  readonly #path: string;

  constructor(client: NzBankingClient, token: string, query: TransactionQuery, signal: AbortSignal) {
    this.#client = client;
    this.#token = token;
    this.#query = query;
    this.#signal = signal;
    this.#path = `/accounts/${encodeURIComponent(query.account)}/transactions`;
  }

  /** Pending rows, if wanted, come first: one that settles in between is seen as both, and never missed. */
  async *pages(): AsyncGenerator<Transaction[]> {
    if (this.#query.includePending) {
      const pending = await this.#pending();
      if (pending.length > 0) yield pending;
    }
    yield* this.#settledPages();
  }

  /** All that are pending now: the vendor has neither a window nor pages for them. */
  async #pending(): Promise<Transaction[]> {
    const kind = { account: true, answer: 'page' } as const;
    const answer = await this.#client.get(this.#token, `${this.#path}/pending`, this.#signal, { kind });
    const pending = new PendingRows(this.#query);
    const rows = itemsOf(answer, this.#client.options.limits);
    requireOwnRows(rows.map(accountOf), this.#query.account);
    return rows.flatMap((row) => this.#mapped(row, () => pending.map(row), this.#query.setAside) ?? []);
  }

  async *#settledPages(): AsyncGenerator<Transaction[]> {
    const window = this.#window();
    if (window === null) return;
    const repeats = new Repeats();
    for await (const rows of this.#wirePages(window)) {
      const page = this.#fresh(rows, repeats);
      if (page.length > 0) yield page;
    }
  }

  #fresh(rows: readonly WireObject[], repeats: Repeats): Transaction[] {
    requireOwnRows(rows.map(accountOf), this.#query.account);
    const { setAside } = this.#query;
    let fresh = rows.length === 0;
    const page: Transaction[] = [];
    for (const row of rows) {
      const take =
        setAside &&
        ((aside: SetAsideRow): void => {
          const isNew = repeats.isNew(aside.key);
          fresh ||= isNew;
          if (isNew) setAside(aside);
        });
      const read = this.#mapped(row, () => mapSettled(row, this.#query), take);
      const transaction = read === null ? null : repeats.unrepeated(read);
      if (transaction === null) continue;
      fresh = true;
      page.push(transaction);
    }
    repeats.endPage(fresh);
    return page;
  }

  #mapped(row: WireObject, map: () => Transaction, setAside: SetAside | undefined): Transaction | null {
    return mapped(row, map, () => faceOf(row, this.#query), setAside);
  }

  #wirePages(window: Query): AsyncGenerator<readonly WireObject[]> {
    return pagesByCursor(async (cursor) => {
      const query = cursor === null ? window : { ...window, cursor };
      const kind = { account: true, answer: 'page', cursor: cursor !== null } as const;
      const answer = await this.#client.get(this.#token, this.#path, this.#signal, { query, kind });
      return { rows: rowsOf(answer, 'items'), next: nextCursor(answer) };
    }, this.#client.options.limits);
  }

  /** The vendor's first moment is exclusive and its last inclusive. Null for a window without a day. */
  #window(): Query | null {
    const { from, to, since, timezone } = this.#query;
    const first = startOfDay(from, timezone);
    const start = since === null ? first : Math.max(first, since - LATE_DAYS * DAY_MS);
    const end = startOfDay(addDays(to, 1), timezone) - 1;
    return start > end ? null : { start: formatInstant(start - 1), end: formatInstant(end) };
  }
}

/** A page may be empty while its cursor is live: only the cursor says where the rows end. */
function nextCursor(answer: WireObject): string | null {
  const cursor = inner(answer, 'cursor');
  if (cursor === null) throw malformed('its page has no cursor');
  return text(cursor, 'next');
}
