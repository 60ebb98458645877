import { hash } from 'node:crypto';
import type { Trade } from '../../../vocabulary/holdings.ts';
import { addDays, isLocalDate, type LocalDate } from '../../../vocabulary/moments.ts';
import { currencyCode } from '../../../vocabulary/money.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { inner, isWireObject, malformed, parseExact, rowsOf, text, type WireObject } from '../kit/json.ts';
import { RecentIds, Repeats } from '../kit/paging.ts';
import { mapped } from '../kit/set-aside.ts';
import type { TradeQuery } from '../provider-contract.ts';
import type { BrokerageClient } from './client.ts';
import type { UserConnection } from './connections.ts';
import { activityDay, activityId, faceOf, mapTrade, namedCurrency } from './map-trade.ts';
import { PassedOn, TradeDay } from './trade-day.ts';

/** The vendor's maximum. */
const PAGE_ROWS = 1000;
/** The vendor's day of a trade is in UTC, ours in the account's zone. */
const EARLIER_DAYS = 1;
/** How often one read may continue after the vendor's list changed during it. */
const MOST_RESUMES = 3;

/** What is needed to read activities, and what an account's own row says. */
export interface TradesRead {
  readonly client: BrokerageClient;
  readonly connection: UserConnection;
  readonly query: TradeQuery;
  readonly accountCurrency: () => Promise<string>;
}

interface Asked {
  /** Instead of the first day of the window. */
  readonly from?: LocalDate;
  readonly until: LocalDate | null;
  readonly offset: number;
  readonly limit?: number;
}

interface ActivityPage {
  readonly rows: readonly WireObject[];
  /** How many rows the whole list has now; null if the vendor does not say. */
  readonly total: number | null;
}

/** A page no longer follows the previous one: earlier rows have gone, moved or got new ids. */
class ListChanged extends Error {}

/**
 * Reads the trades of a window. The vendor pages by offset over a list that grows at its front, and may order the rows
 * of one day differently for each page. So each page is requested from the first row of the day in which the previous
 * page ended: all rows of that day come again, and if one is missing, the read continues from that day. Trades of a day
 * are not passed on before the next day begins, so reading a day again duplicates no trade.
 */
export class TradeReader {
  readonly #read: TradesRead;
  readonly #signal: AbortSignal;
  /** Rows of the vendor, identified by ids that are stable during one read, unless it reads a statement again. */
  #seen = new RecentIds();
  #kept = new TradeDay();
  readonly #repeats = new Repeats();
  #currency: string | null = null;
  /** The day that is being read, and its trades that were passed on. */
  #day: string | null = null;
  #passedOn = new PassedOn();
  readonly #aside = new RecentIds();
  #ordered = true;
  /** How many distinct rows of the day, and of the list, were read. */
  #ofDay = 0;
  #ofList = 0;
  /** Rows that the vendor sent: none at all may mean that the copy is in progress. */
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
          throw keptChanging(error);
        if (!this.#passedOn.isComplete) throw keptChanging(error);
        until = day;
        this.#seen = new RecentIds();
        this.#kept = new TradeDay();
        this.#ofDay = 0;
        this.#ofList = 0;
      }
    }
  }

  async *#from(until: LocalDate | null): AsyncGenerator<Trade[]> {
    let least = Number.POSITIVE_INFINITY;
    /** Whether the day that is being read is longer than a page, so that no page shows all of it. */
    let wide = false;
    for (let offset = 0; ; ) {
      const { rows, total } = await this.#page({ until, offset });
      const ids = idsOf(rows);
      if (offset > 0) this.#requireOverlap(ids, wide);
      const before = this.#day;
      const fresh = this.#ofList;
      for (const [at, row] of rows.entries()) {
        // One without a readable day belongs to the day that is being read.
        const day = activityDay(row) ?? this.#day;
        this.received += 1;
        if (!this.#seen.add(ids[at] ?? '', true)) continue;
        if (day !== null && day !== this.#day) {
          if (wide) await this.#requireWhole();
          wide = false;
          yield* this.#endDay();
          this.#begin(day);
        }
        await this.#hold(ids[at] ?? '', row);
        if (this.#kept.isFull) yield* this.#endDay();
      }
      this.#repeats.endPage(rows.length === 0 || this.#ofList > fresh);
      least = Math.min(least, total ?? 0);
      const end = offset + rows.length;
      if (total === null ? rows.length < PAGE_ROWS : end >= total) break;
      if (rows.length < 2) throw malformed('its pages do not advance');
      const start = rows.findIndex((row) => activityDay(row) === this.#day);
      if (start <= 0 || before === this.#day) wide = true;
      offset = wide ? end - 1 : offset + start;
    }
    if (wide) await this.#requireWhole();
    if (this.#ofList < least) throw keptChanging(new ListChanged());
    yield* this.#endDay();
  }

  /** A page after the first repeats the rows kept of its first day or, for a longer day, its first row. */
  #requireOverlap(ids: readonly string[], wide: boolean): void {
    const [first] = ids;
    if (first === undefined || !this.#seen.has(first)) throw new ListChanged();
    if (wide) return;
    const came = new Set(ids);
    if (!this.#kept.ids.every((id) => came.has(id))) throw new ListChanged();
  }

  /** For a day read in several pages, as many rows as the vendor says it has. */
  async #requireWhole(): Promise<void> {
    const day = this.#day;
    if (day === null || !isLocalDate(day)) return;
    const { total } = await this.#page({ from: day, until: day, offset: 0, limit: 1 });
    if (total !== null && total > this.#ofDay) throw new ListChanged();
  }

  *#endDay(): Generator<Trade[]> {
    const trades = this.#kept.take().filter(({ id }) => this.#passedOn.add(id));
    if (trades.length > 0) yield trades;
  }

  #begin(day: string): void {
    if (this.#day !== null && day > this.#day) this.#ordered = false;
    this.#day = day;
    this.#ofDay = 0;
    this.#passedOn = new PassedOn();
  }

  async #hold(id: string, row: WireObject): Promise<void> {
    this.#ofDay += 1;
    this.#ofList += 1;
    const named = namedCurrency(row);
    const currency = currencyCode(named ?? '') === null ? await this.#accountCurrency() : '';
    const { timezone, setAside } = this.#read.query;
    const trade = mapped(
      row,
      () => mapTrade(row, { timezone, currency }),
      () => faceOf(row),
      setAside &&
        ((aside) => {
          // A day that is read again sets the same rows aside.
          if (this.#aside.add(aside.key, true)) setAside(aside);
        }),
    );
    if (trade !== null) this.#kept.add(id, trade);
  }

  async #page(asked: Asked): Promise<ActivityPage> {
    const { client, connection, query } = this.#read;
    const { until, offset, limit = PAGE_ROWS } = asked;
    const from = asked.from ?? widened(query.from, -EARLIER_DAYS);
    const path = `/accounts/${encodeURIComponent(query.account)}/activities`;
    const sent = {
      ...(from === null ? {} : { startDate: from }),
      ...(until === null ? {} : { endDate: until }),
      offset: String(offset),
      limit: String(limit),
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

  async #accountCurrency(): Promise<string> {
    this.#currency ??= await this.#read.accountCurrency();
    return this.#currency;
  }
}

/** A key for each row of a page. Rows without an id are identified by their content, equal ones by their order. */
function idsOf(rows: readonly WireObject[]): string[] {
  const equal = new Map<string, number>();
  return rows.map((row) => {
    const id = activityId(row);
    if (id !== null) return id;
    const content = hash('sha256', JSON.stringify(row), 'hex');
    const ordinal = (equal.get(content) ?? 0) + 1;
    equal.set(content, ordinal);
    return `${content}-${ordinal}`;
  });
}

function keptChanging(cause: unknown): UpstreamFailure {
  return new UpstreamFailure('stale_cursor', 'Its list of activities kept changing.', { cause });
}

/** The day that many days later; null if there is none, or no such day. */
function widened(day: LocalDate | null, days: number): LocalDate | null {
  if (day === null) return null;
  try {
    return addDays(day, days);
  } catch {
    return day;
  }
}
