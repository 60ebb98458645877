import type { Transaction } from '#client';
import { now } from '../format/clock.ts';
import { dayAway } from '../format/days.ts';

/** Local days of accounts, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Rows of consecutive days of one account. */
interface Span extends Days {
  readonly readAt: number;
  readonly rows: readonly Transaction[];
}

/** What a page has read, for the next one: in memory, for minutes, and up to a number of rows. */
export class HeldRows {
  readonly #now: () => number;
  readonly #mostRows: number;
  /** By account, the least recently used first. */
  readonly #spans = new Map<string, Span>();

  constructor(clock: () => number, mostRows: number) {
    this.#now = clock;
    this.#mostRows = mostRows;
  }

  /** The rows of these days, where all of them are held. */
  find(account: string, days: Days): readonly Transaction[] | null {
    const span = this.#current(account);
    if (span === null || span.from > days.from || span.to < days.to) return null;
    this.#spans.delete(account);
    this.#spans.set(account, span);
    return span.rows.filter((row) => isWithin(row, days, days.to >= span.to));
  }

  /** The days that are not held: those before what is held, if that reaches the last day. */
  missing(account: string, days: Days): Days | null {
    const span = this.#current(account);
    if (span === null || span.to < days.to || span.from > days.to) return days;
    return span.from <= days.from ? null : { from: days.from, to: dayAway(span.from, -1) };
  }

  /** Rows that were just read, of all these days. Returns them with those that were held beside them. */
  add(
    account: string,
    days: Days,
    rows: readonly Transaction[],
  ): Days & { readonly rows: readonly Transaction[] } {
    const held = this.#current(account);
    const touches = held !== null && held.from <= dayAway(days.to, 1) && held.to >= dayAway(days.from, -1);
    const read: Span = { ...days, readAt: this.#now(), rows };
    const span = touches ? joined(held, read) : read;
    this.#spans.delete(account);
    this.#spans.set(account, span);
    this.#makeRoom();
    return span;
  }

  #makeRoom(): void {
    let count = 0;
    for (const { rows: all } of this.#spans.values()) count += all.length;
    for (const [name, { rows: all }] of this.#spans) {
      if (count <= this.#mostRows) return;
      this.#spans.delete(name);
      count -= all.length;
    }
  }

  change(changed: (row: Transaction) => Transaction): void {
    for (const [account, span] of this.#spans)
      this.#spans.set(account, { ...span, rows: span.rows.map(changed) });
  }

  forget(): void {
    this.#spans.clear();
  }

  #current(account: string): Span | null {
    const span = this.#spans.get(account);
    if (span === undefined) return null;
    const age = this.#now() - span.readAt;
    if (age >= 0 && age < HELD_MS) return span;
    this.#spans.delete(account);
    return null;
  }
}

/** The service caches rows for longer: after this time it is asked, and as a rule no bank. */
const HELD_MS = 300_000;

/** What is read now goes before what was held of the same days: a pending row may be gone. */
function joined(held: Span, read: Span): Span {
  const before = held.rows.filter((row) => (dayOf(row) ?? read.to) < read.from);
  const after = held.rows.filter((row) => {
    const day = dayOf(row);
    return day === null ? held.to > read.to : day > read.to;
  });
  const known = new Set(read.rows.map(({ id }) => id));
  const others = (rows: readonly Transaction[]) => rows.filter(({ id }) => !known.has(id));
  return {
    from: held.from < read.from ? held.from : read.from,
    to: held.to > read.to ? held.to : read.to,
    readAt: Math.min(held.readAt, read.readAt),
    rows: [...others(after), ...read.rows, ...others(before)],
  };
}

/** The day by which a row is in a period; null for a row without one, which is pending and of today. */
export function dayOf({ date, post_date: posted }: Transaction): string | null {
  return date ?? posted;
}

export function isWithin(row: Transaction, { from, to }: Days, reachesEnd: boolean): boolean {
  const day = dayOf(row);
  return day === null ? reachesEnd : day >= from && day <= to;
}

const MOST_HELD_ROWS = 40_000;

/** What the pages of this tab have read. */
export const heldRows = new HeldRows(now, MOST_HELD_ROWS);
