import type { Activity } from './activity.ts';

/** Days of the trade in UTC, inclusive, and types; null is open. A computed history cannot be filtered by type. */
export type Window = {
  readonly from: string | null;
  readonly to: string | null;
  readonly types: ReadonlySet<string> | null;
};

export const EVERYTHING: Window = { from: null, to: null, types: null };

/** An account's activities up to now, newest first. */
export interface History {
  count(window: Window): number;
  page(window: Window, offset: number, limit: number): readonly Activity[];
}

/** Rows in memory. */
export class HeldHistory implements History {
  readonly #rows: readonly Activity[];

  /** @param rows in any order; those with the same time keep their order */
  constructor(rows: readonly Activity[]) {
    this.#rows = rows.toSorted((a, b) => momentOf(b).localeCompare(momentOf(a)));
  }

  count(window: Window): number {
    return this.#within(window).length;
  }

  page(window: Window, offset: number, limit: number): readonly Activity[] {
    return this.#within(window).slice(offset, offset + limit);
  }

  #within({ from, to, types }: Window): readonly Activity[] {
    return this.#rows.filter((row) => {
      const day = momentOf(row).slice(0, 10);
      const wanted = types === null || types.has(row.type);
      return wanted && (from === null || day >= from) && (to === null || day <= to);
    });
  }
}

const DAYS = 150;
const DAY_MS = 86_400_000;

/** A number of rows, spread evenly over the days before today; each is derived from its index, 0 being the newest. */
export class ComputedHistory implements History {
  readonly #rows: number;
  readonly #today: number;
  readonly #rowAt: (index: number, day: string) => Activity;

  /** @param today the start of a day, epoch ms: the newest row is from the day before */
  constructor(rows: number, today: number, rowAt: (index: number, day: string) => Activity) {
    this.#rows = rows;
    this.#today = today;
    this.#rowAt = rowAt;
  }

  count(window: Window): number {
    const [first, end] = this.#bounds(window);
    return Math.max(0, end - first);
  }

  page(window: Window, offset: number, limit: number): readonly Activity[] {
    const [first, end] = this.#bounds(window);
    const from = first + offset;
    const length = Math.max(0, Math.min(limit, end - from));
    return Array.from({ length }, (_, at) => this.#rowAt(from + at, this.#dayOf(from + at)));
  }

  #dayOf(index: number): string {
    const daysAgo = 1 + Math.floor((index * DAYS) / this.#rows);
    return new Date(this.#today - daysAgo * DAY_MS).toISOString().slice(0, 10);
  }

  #bounds({ from, to }: Window): readonly [first: number, end: number] {
    return [to === null ? 0 : this.#indexOf(to, 0), from === null ? this.#rows : this.#indexOf(from, 1)];
  }

  /** The first row of the day, or with `after` the first row of the day before it. */
  #indexOf(day: string, after: 0 | 1): number {
    const daysAgo = Math.round((this.#today - Date.parse(day)) / DAY_MS) - 1 + after;
    return Math.min(this.#rows, Math.max(0, Math.ceil((daysAgo * this.#rows) / DAYS)));
  }
}

/** The time by which the vendor orders: for a day, the midnight at its start. */
function momentOf({ tradeDate }: Activity): string {
  return new Date(tradeDate).toISOString();
}
