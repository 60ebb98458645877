import { addDays, isLocalDate, type LocalDate, localDateAt } from '../../../vocabulary/moments.ts';
import type { SetAsideRow } from '../../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { rowsOf, text, type WireObject } from '../kit/json.ts';
import { pagesByCursor, Repeats } from '../kit/paging.ts';
import { mapped } from '../kit/set-aside.ts';
import type { TransactionQuery } from '../provider-contract.ts';
import type { EnableBankingClient } from './client.ts';
import { isUnexplained, PeriodRefused } from './failures.ts';
import { faceOf, isReal, RowMap } from './map-transaction.ts';

/**
 * How far the day of a row and that of its booking may be apart: banks filter by the latter, and rows dated further back
 * are found by the sweeps of a sync, which read whole windows.
 */
const LATE_DAYS = 30;
/** The first days that banks accept which refuse older ones, inclusive of today: two years, and ninety days. */
const REACHES = [729, 89] as const;
/** What every bank answers. */
const CERTAIN = 89;
/** How long a reach is remembered that the bank did not name: it may have failed for another reason. */
const GUESS_MS = 86_400_000;
/**
 * A failure without a reason may be an outage. It is taken for a refusal of the period only if the same account fails
 * like that again, between a quarter of an hour and a week later: rows left out by mistake would not be missed.
 */
const SAME_AGAIN_MS = { after: 15 * 60_000, until: 7 * 86_400_000 } as const;
/** How many sessions are remembered with the reach of their bank. */
const MOST_KNOWN = 5_000;

/**
 * How many days back the bank of a session answers, once it has refused more: asking in vain would use up one of the few
 * reads that it allows in a day. Forgotten with the process.
 */
export class Reaches {
  readonly #known = new Map<string, { readonly days: number; readonly until: number }>();
  readonly #failed = new Map<string, number>();

  /** @param now epoch ms */
  of(session: string, now: number): number | null {
    const known = this.#known.get(session);
    return known === undefined || known.until <= now ? null : known.days;
  }

  /** Notes a failure without a reason; whether there was one before that is long enough ago. */
  failedBefore(account: string, now: number): boolean {
    const at = this.#failed.get(account);
    const age = at === undefined ? Number.POSITIVE_INFINITY : now - at;
    if (age >= SAME_AGAIN_MS.after && age <= SAME_AGAIN_MS.until) return true;
    if (age > SAME_AGAIN_MS.until) this.#failed.set(account, now);
    const [oldest] = this.#failed.keys();
    if (this.#failed.size > MOST_KNOWN && oldest !== undefined) this.#failed.delete(oldest);
    return false;
  }

  /** An account that answers was not refused. */
  answered(account: string): void {
    this.#failed.delete(account);
  }

  /** @param until epoch ms; by default for as long as the process runs */
  note(session: string, days: number, until = Number.POSITIVE_INFINITY): void {
    this.#known.delete(session);
    this.#known.set(session, { days, until });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Where rows are read from. */
export interface RowsPlace {
  readonly session: string;
  readonly uid: string;
  readonly reaches: Reaches;
}

/** Reads the rows of one account, booked and pending ones in one list, page by page as the bank pages them. */
export class TransactionPages {
  readonly #client: EnableBankingClient;
  readonly #place: RowsPlace;
  readonly #query: TransactionQuery;
  readonly #signal: AbortSignal;
  readonly #repeats = new Repeats();
  readonly #rows: RowMap;

  constructor(client: EnableBankingClient, place: RowsPlace, query: TransactionQuery, signal: AbortSignal) {
    this.#client = client;
    this.#place = place;
    this.#query = query;
    this.#signal = signal;
    this.#rows = new RowMap(query);
  }

  /** Begins at a later day if the bank refuses the first one, as it may outside the minutes after a sign-in. */
  async *pages(): AsyncGenerator<Transaction[]> {
    const { session, uid, reaches } = this.#place;
    const { clock } = this.#client.options;
    const account = `${session} ${uid}`;
    const known = reaches.of(account, clock.now()) ?? reaches.of(session, clock.now());
    let guessed = false;
    let first = later(this.#first(), known === null ? null : this.#daysAgo(known));
    for (const reach of [...REACHES, null]) {
      if (first > this.#today) return;
      let begun = false;
      try {
        for await (const rows of this.#wirePages(first)) {
          if (guessed && !begun) reaches.note(account, CERTAIN, clock.now() + GUESS_MS);
          else if (!begun && first < this.#daysAgo(CERTAIN)) reaches.answered(account);
          begun = true;
          const page = this.#fresh(rows);
          if (page.length > 0) yield page;
        }
        return;
      } catch (error) {
        if (begun || reach === null) throw error;
        if (!guessed && isUnexplained(error) && first < this.#daysAgo(CERTAIN)) {
          if (!reaches.failedBefore(account, clock.now())) throw error;
          guessed = true;
          first = this.#daysAgo(CERTAIN);
          continue;
        }
        if (!(error instanceof PeriodRefused)) throw error;
        const said = error.firstDay ?? '';
        const next = isLocalDate(said) && said > first ? said : later(first, this.#daysAgo(reach));
        if (next > first) reaches.note(session, reachOf(next, this.#today));
        first = next;
      }
    }
  }

  get #today(): LocalDate {
    // The vendor's days of a window are those of UTC.
    return localDateAt(this.#client.options.clock.now(), 'UTC');
  }

  #daysAgo(days: number): LocalDate {
    return addDays(this.#today, -days);
  }

  #first(): LocalDate {
    const { from, since, timezone } = this.#query;
    const first = addDays(from, -1);
    return since === null ? first : later(first, addDays(localDateAt(since, timezone), -LATE_DAYS));
  }

  /** Whole pages, so that an adapter that restarts them maps equal rows to the same ids. */
  #wirePages(first: LocalDate): AsyncGenerator<readonly WireObject[]> {
    const last = addDays(this.#query.to, LATE_DAYS);
    const window = { date_from: first, ...(last < this.#today ? { date_to: last } : {}) };
    const path = `/accounts/${encodeURIComponent(this.#place.uid)}/transactions`;
    return pagesByCursor(async (cursor) => {
      const query = cursor === null ? window : { ...window, continuation_key: cursor };
      const kind = { account: true, answer: 'page', cursor: cursor !== null } as const;
      const answer = await this.#client.get(path, this.#signal, { query, kind });
      return { rows: rowsOf(answer, 'transactions'), next: text(answer, 'continuation_key') };
    }, this.#client.options.limits);
  }

  #fresh(rows: readonly WireObject[]): Transaction[] {
    const { setAside, includePending } = this.#query;
    let fresh = rows.length === 0;
    const take =
      setAside &&
      ((aside: SetAsideRow): void => {
        const isNew = this.#repeats.isNew(aside.key);
        fresh ||= isNew;
        if (isNew) setAside(aside);
      });
    const page = rows.filter(isReal).flatMap((row) => {
      const one = mapped(
        row,
        () => this.#rows.map(row),
        () => faceOf(row),
        take,
      );
      const unrepeated = one === null ? null : this.#repeats.unrepeated(one);
      if (unrepeated === null) return [];
      fresh = true;
      return includePending || unrepeated.status === 'posted' ? [unrepeated] : [];
    });
    this.#repeats.endPage(fresh || rows.every((row) => !isReal(row)));
    return page;
  }
}

function later(a: LocalDate, b: LocalDate | null): LocalDate {
  return b !== null && b > a ? b : a;
}

function reachOf(first: LocalDate, today: LocalDate): number {
  return Math.round((Date.parse(today) - Date.parse(first)) / 86_400_000);
}
