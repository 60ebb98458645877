import { formatInstant, startOfDay } from '../../../vocabulary/moments.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { parseRowsOfTexts, type WireObject } from '../kit/json.ts';
import { isStale, Repeats } from '../kit/paging.ts';
import { mapped, requireAccount, requireOwnRows } from '../kit/set-aside.ts';
import type { TransactionQuery } from '../provider-contract.ts';
import { type AuBankingClient, type EndUserConsent, isOfConsent, wirePages } from './client.ts';
import {
  accountOf,
  effectiveInstant,
  effectiveText,
  faceOf,
  mapTransaction,
  widened,
  wireStatus,
} from './map-transaction.ts';

const PATH = '/v1/banking/transactions';
const PLURAL = 'transactions';

/** Reads all rows of a query, page by page. */
export class TransactionPages {
  readonly #client: AuBankingClient;
  readonly #grant: EndUserConsent;
  readonly #query: TransactionQuery;
  readonly #signal: AbortSignal;
  readonly #repeats = new Repeats();
  /** Rows that the vendor sent, wanted or not: none at all may mean that the consent has ended. */
  received = 0;
  /** Pages of posted rows: if a consent ends between two of them, the second is empty. */
  answers = 0;

  constructor(client: AuBankingClient, grant: EndUserConsent, query: TransactionQuery, signal: AbortSignal) {
    this.#client = client;
    this.#grant = grant;
    this.#query = query;
    this.#signal = signal;
  }

  /**
   * Pending rows, if wanted, come first, in a separate call without dates: the vendor's date filter leaves out rows
   * without a time. Reading them before the posted ones means that a row which posts in between is seen as pending or
   * as both, but never missed.
   */
  async *pages(): AsyncGenerator<Transaction[]> {
    if (this.#query.includePending) yield* this.#pendingPages();
    yield* this.#postedPages();
  }

  async *#pendingPages(): AsyncGenerator<Transaction[]> {
    let restarted = false;
    for (;;) {
      try {
        for await (const rows of this.#wirePages({ status: 'PENDING' })) yield* this.#page(rows, 'pending');
        return;
      } catch (error) {
        if (restarted || !isStale(error)) throw error;
        restarted = true;
      }
    }
  }

  async *#postedPages(): AsyncGenerator<Transaction[]> {
    const { from, to } = this.#bounds();
    if (from > to) return;
    const place = new Place();
    let until = to;
    for (;;) {
      try {
        const window = { from: formatInstant(from), to: formatInstant(until) };
        for await (const rows of this.#wirePages(window)) {
          this.answers += 1;
          place.pass(rows);
          yield* this.#page(rows, 'posted');
        }
        return;
      } catch (error) {
        const resumeAt = isStale(error) ? place.resumeAt(this.#repeats.certain) : null;
        if (resumeAt === null) throw error;
        until = resumeAt;
      }
    }
  }

  #wirePages(filter: Readonly<Record<string, string>>): AsyncGenerator<readonly WireObject[]> {
    const query = { end_user_id: this.#grant.customer, account_id: this.#query.account, ...filter };
    const parse = (body: string): unknown => parseRowsOfTexts(body, PLURAL, 'amount');
    return wirePages(
      this.#client,
      { path: PATH, query, plural: PLURAL, kind: { account: true, answer: 'page' }, parse },
      this.#signal,
    );
  }

  *#page(rows: readonly WireObject[], wanted: Transaction['status']): Generator<Transaction[]> {
    this.received += rows.length;
    const page: Transaction[] = [];
    let fresh = rows.length === 0;
    requireOwnRows(rows.map(accountOf), this.#query.account);
    const { setAside } = this.#query;
    for (const row of rows) {
      // Two banks may use the same account id; the rows of the other one came through another consent.
      if (!isOfConsent(row, this.#grant)) continue;
      const read = mapped(
        row,
        () => {
          requireAccount(accountOf(row), this.#query.account);
          return mapTransaction(row, this.#query);
        },
        () => faceOf(row, this.#query),
        setAside &&
          ((aside) => {
            const isNew = this.#repeats.isNew(aside.key);
            fresh ||= isNew;
            // One without a status belongs to either list.
            const status = wireStatus(row, this.#query);
            if (isNew && (status === null || status === wanted)) setAside(aside);
          }),
      );
      const transaction = read === null ? null : this.#repeats.unrepeated(read);
      if (transaction === null) continue;
      fresh = true;
      if (transaction.status === wanted) page.push(transaction);
    }
    this.#repeats.endPage(fresh);
    if (page.length > 0) yield page;
  }

  /** Epoch milliseconds, both inclusive, as the vendor expects. */
  #bounds(): { from: number; to: number } {
    const { from, to } = widened(this.#query.from, this.#query.to);
    const start = startOfDay(from, this.#query.timezone);
    return {
      from: Math.max(start, this.#query.since ?? start),
      to: startOfDay(to, this.#query.timezone) - 1,
    };
  }
}

/**
 * The position of a read in the vendor's order (latest first), so that it can continue with a new query instead of
 * starting over if its cursor is no longer accepted.
 */
class Place {
  #last: string | null = null;
  #lastAt: number | null = null;
  #sameMoment = 0;
  #ordered = true;
  #resumedAfter = -1;
  #rows = 0;

  pass(rows: readonly WireObject[]): void {
    const first = rows[0];
    if (first === undefined) return;
    const firstAt = effectiveInstant(first);
    if (firstAt === null || (this.#lastAt !== null && firstAt > this.#lastAt)) this.#ordered = false;
    for (const row of rows) {
      const sent = effectiveText(row);
      this.#sameMoment = sent === this.#last ? this.#sameMoment + 1 : 1;
      this.#last = sent;
    }
    const last = rows.at(-1);
    this.#lastAt = last === undefined ? null : effectiveInstant(last);
    this.#rows += rows.length;
  }

  /**
   * The time to continue from, or null if that could skip or repeat rows: the vendor's order was violated, more rows
   * share the time than are remembered, or the last restart brought nothing.
   */
  resumeAt(remembered: number): number | null {
    if (!this.#ordered || this.#sameMoment > remembered || this.#rows === this.#resumedAfter) return null;
    this.#resumedAfter = this.#rows;
    return this.#lastAt;
  }
}
