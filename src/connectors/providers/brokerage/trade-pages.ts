import type { Trade } from '../../../vocabulary/holdings.ts';
import { addDays, isLocalDate, type LocalDate } from '../../../vocabulary/moments.ts';
import { currencyCode } from '../../../vocabulary/money.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { isWireObject, malformed, parseExact, type WireObject } from '../kit/json.ts';
import { inner, text } from '../kit/members.ts';
import { RecentIds } from '../kit/recent-ids.ts';
import { Repeats } from '../kit/repeats.ts';
import { rowsOf } from '../kit/rows.ts';
import type { TradeQuery } from '../provider-contract.ts';
import type { BrokerageClient } from './client.ts';
import type { UserConnection } from './connections.ts';
import { activityDay, activityId, mapTrade, namedCurrency } from './map-trade.ts';
import { Ordinals } from './ordinals.ts';

/** The vendor's maximum. */
const PAGE_ROWS = 1000;
/** The vendor's day of a trade is one of UTC, ours one of the account's zone. */
const EARLIER_DAYS = 1;
/** How often one read may go on after the vendor's list changed under it. */
const MOST_RESUMES = 3;

/** Where activities are read, and what an account's own row says of it. */
export interface TradesRead {
  readonly client: BrokerageClient;
  readonly connection: UserConnection;
  readonly query: TradeQuery;
  readonly accountCurrency: () => Promise<string>;
}

interface ActivityPage {
  readonly rows: readonly WireObject[];
  /** How many rows the whole list has now; null where the vendor does not say. */
  readonly total: number | null;
}

/** A page no longer follows on the one before: rows in front of it have gone, or were given new ids. */
class ListChanged extends Error {}

/**
 * Reads the trades of a window. The vendor pages by offset over a list that grows at its front, so each page is asked
 * for from the last row of the page before: rows that came in front show as rows read already, rows that went as a first
 * row that was not read. The read then goes on from the day where it stood, with the rows of that day it has passed on.
 */
export class TradeReader {
  readonly #read: TradesRead;
  readonly #signal: AbortSignal;
  /** Ids of the vendor, which stay the same while one read is under way, except where it reads a statement anew. */
  #seen = new RecentIds();
  #ordinals = new Ordinals();
  readonly #repeats = new Repeats();
  #currency: string | null = null;
  /** The day that is being read, and the trades of it that were passed on. */
  #day: string | null = null;
  #dayIds = new Set<string>();
  #ordered = true;
  /** Rows the vendor sent: none at all is what a copy that is under way looks like. */
  received = 0;

  constructor(read: TradesRead, signal: AbortSignal) {
    this.#read = read;
    this.#signal = signal;
  }

  async *pages(): AsyncGenerator<Trade[]> {
    let until = widened(this.#read.query.to, EARLIER_DAYS);
    for (let resumes = 0; ; resumes++) {
      try {
        yield* this.#from(until);
        return;
      } catch (error) {
        if (!(error instanceof ListChanged)) throw error;
        const day = this.#day;
        if (resumes >= MOST_RESUMES || !this.#ordered || day === null || !isLocalDate(day))
          throw new UpstreamFailure('stale_cursor', 'Its list of activities kept changing.', {
            cause: error,
          });
        until = day;
        this.#seen = new RecentIds();
        this.#ordinals = new Ordinals();
      }
    }
  }

  async *#from(until: LocalDate | null): AsyncGenerator<Trade[]> {
    for (let offset = 0; ; ) {
      const { rows, total } = await this.#page(until, offset);
      if (offset > 0) this.#requireOverlap(rows);
      yield* this.#trades(rows);
      const end = offset + rows.length;
      if (total === null ? rows.length < PAGE_ROWS : end >= total) return;
      if (rows.length < 2) throw malformed('its pages do not advance');
      offset = end - 1;
    }
  }

  /** The first row of a page after the first is one that was read already. */
  #requireOverlap([first]: readonly WireObject[]): void {
    if (first === undefined || !this.#seen.has(activityId(first))) throw new ListChanged();
  }

  async #page(until: LocalDate | null, offset: number): Promise<ActivityPage> {
    const { client, connection, query } = this.#read;
    const from = widened(query.from, -EARLIER_DAYS);
    const path = `/accounts/${encodeURIComponent(query.account)}/activities`;
    const sent = {
      ...(from === null ? {} : { startDate: from }),
      ...(until === null ? {} : { endDate: until }),
      offset: String(offset),
      limit: String(PAGE_ROWS),
    };
    const kind = { account: true, answer: 'page' } as const;
    const body = await client.user(connection, { method: 'GET', path, query: sent, kind }, this.#signal);
    const answer = parseExact(body);
    const rows = rowsOf(answer, 'data');
    if (rows.length > client.limits.answer_page_rows) throw malformed('a page holds too many rows');
    const pagination = isWireObject(answer) ? inner(answer, 'pagination') : null;
    const total = pagination === null ? Number.NaN : Number(text(pagination, 'total') ?? Number.NaN);
    return { rows, total: Number.isSafeInteger(total) ? total : null };
  }

  async *#trades(rows: readonly WireObject[]): AsyncGenerator<Trade[]> {
    const trades: Trade[] = [];
    let fresh = rows.length === 0;
    for (const row of rows) {
      this.received += 1;
      if (!this.#seen.add(activityId(row))) continue;
      fresh = true;
      this.#reach(activityDay(row));
      const named = namedCurrency(row);
      const currency = currencyCode(named ?? '') === null ? await this.#accountCurrency() : '';
      const mapped = mapTrade(row, { timezone: this.#read.query.timezone, currency });
      const trade = mapped.trade(this.#ordinals.next(mapped.content));
      if (this.#dayIds.has(trade.id)) continue;
      this.#dayIds.add(trade.id);
      trades.push(trade);
    }
    this.#repeats.endPage(fresh);
    if (trades.length > 0) yield trades;
  }

  #reach(day: string): void {
    if (this.#day === day) return;
    if (this.#day !== null && day > this.#day) this.#ordered = false;
    this.#day = day;
    this.#dayIds = new Set();
  }

  async #accountCurrency(): Promise<string> {
    this.#currency ??= await this.#read.accountCurrency();
    return this.#currency;
  }
}

/** The day that many days later; null where there is none, or no such day. */
function widened(day: LocalDate | null, days: number): LocalDate | null {
  if (day === null) return null;
  try {
    return addDays(day, days);
  } catch {
    return day;
  }
}
