import type { Transaction } from '#client';
import { now } from '../format/clock.ts';
import { dayAway } from '../format/days.ts';

/** Local days of accounts, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** A row that could not be read, and so is not among the others (docs/rows-set-aside.md). */
export interface RowAside {
  /** Null if the bank gives the row no readable id. */
  readonly id: string | null;
  readonly day: string | null;
  readonly field: string;
  readonly reason: string;
}

/** Rows of an account, by its name, that could not be read. */
export interface AccountAside {
  readonly name: string;
  readonly rows: readonly RowAside[];
}

/** What was read of an account: its rows, newest first, and those that could not be read. */
export interface FoundRows {
  readonly rows: readonly Transaction[];
  readonly aside: readonly RowAside[];
}

/** Rows of consecutive days of one account. */
interface Span extends Days, FoundRows {
  readonly readAt: number;
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
  find(account: string, days: Days): FoundRows | null {
    const span = this.#current(account);
    if (span === null || span.from > days.from || span.to < days.to) return null;
    this.#spans.delete(account);
    this.#spans.set(account, span);
    return within(span, days);
  }

  /** The days that are not held: those before what is held, if that reaches the last day. */
  missing(account: string, days: Days): Days | null {
    const span = this.#current(account);
    if (span === null || span.to < days.to || span.from > days.to) return days;
    return span.from <= days.from ? null : { from: days.from, to: dayAway(span.from, -1) };
  }

  /** Rows that were just read, of all these days. Returns them with those that were held beside them. */
  add(account: string, days: Days, { rows, aside }: FoundRows): Days & FoundRows {
    const held = this.#current(account);
    const touches = held !== null && held.from <= dayAway(days.to, 1) && held.to >= dayAway(days.from, -1);
    const read: Span = { ...days, readAt: this.#now(), rows, aside };
    const span = touches ? joined(held, read) : read;
    this.#spans.delete(account);
    this.#spans.set(account, span);
    this.#makeRoom();
    return span;
  }

  #makeRoom(): void {
    let count = 0;
    for (const span of this.#spans.values()) count += sizeOf(span);
    for (const [name, span] of this.#spans) {
      if (count <= this.#mostRows) return;
      this.#spans.delete(name);
      count -= sizeOf(span);
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

function sizeOf({ rows, aside }: FoundRows): number {
  return rows.length + aside.length;
}

/** The part of what was read that is of these days. */
export function within(span: Days & FoundRows, days: Days): FoundRows {
  return {
    rows: span.rows.filter((row) => isWithin(row, days, days.to >= span.to)),
    // One without a day may be of any.
    aside: span.aside.filter(({ day }) => day === null || (day >= days.from && day <= days.to)),
  };
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
  const aside = asideIn(held, read).filter(({ id }) => id === null || !known.has(id));
  for (const { id } of read.aside) if (id !== null) known.add(id);
  const others = (rows: readonly Transaction[]) => rows.filter(({ id }) => !known.has(id));
  return {
    from: held.from < read.from ? held.from : read.from,
    to: held.to > read.to ? held.to : read.to,
    readAt: Math.min(held.readAt, read.readAt),
    rows: [...others(after), ...read.rows, ...others(before)],
    aside,
  };
}

/**
 * Rows of both reads that could not be read, each once. Those that have neither an id nor a day are the same in both, as
 * far as anyone can tell: the read that has more of them is believed.
 */
function asideIn(held: Span, read: Span): readonly RowAside[] {
  const known = new Set(read.aside.map(({ id }) => id));
  const isNameless = ({ id, day }: RowAside) => id === null && day === null;
  const [nameless] = [held, read]
    .map(({ aside }) => aside.filter(isNameless))
    .toSorted((a, b) => b.length - a.length);
  const before = held.aside.filter(
    ({ id, day }) =>
      (id !== null || day !== null) &&
      (id === null || !known.has(id)) &&
      (day === null || day < read.from || day > read.to),
  );
  return [...read.aside.filter((row) => !isNameless(row)), ...before, ...(nameless ?? [])];
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
