import { descending, type RowOrder } from './sorted-page.ts';

/**
 * The newest of any number of rows, up to so many, in the memory of twice as many; and how many there were. Rows come in
 * any order.
 */
export class NewestRows<T> {
  readonly #most: number;
  readonly #placeOf: RowOrder<T>['placeOf'];
  #held: T[] = [];
  #seen = 0;

  constructor(most: number, placeOf: RowOrder<T>['placeOf']) {
    this.#most = most;
    this.#placeOf = placeOf;
  }

  /** How many rows were added. */
  get seen(): number {
    return this.#seen;
  }

  add(rows: readonly T[]): void {
    this.#seen += rows.length;
    for (const row of rows) this.#held.push(row);
    if (this.#held.length >= 2 * this.#most) this.#held = this.#newest();
  }

  /** Newest first. */
  part({ limit, offset }: { readonly limit: number; readonly offset: number }): readonly T[] {
    return this.#newest().slice(offset, offset + limit);
  }

  #newest(): T[] {
    const placed = this.#held.map((row) => ({ row, place: this.#placeOf(row) }));
    const sorted = placed.sort((a, b) => descending(a.place, b.place));
    return sorted.slice(0, this.#most).map(({ row }) => row);
  }
}
