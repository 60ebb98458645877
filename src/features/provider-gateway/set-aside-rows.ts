import type { SetAside, SetAsideRow } from '../../vocabulary/set-aside-rows.ts';

/** Rows that are listed of one read; the rest are counted (docs/rows-set-aside.md#reads). */
export const SET_ASIDE_LISTED = 100;

/** Rows of a read that could not be read: how many, and the first of them. */
export interface SetAsideRows {
  readonly count: number;
  readonly rows: readonly SetAsideRow[];
}

export const NONE_SET_ASIDE: SetAsideRows = { count: 0, rows: [] };

/** Collects rows that are set aside during one read, in bounded memory. */
export class SetAsideList {
  #count = 0;
  readonly #rows: SetAsideRow[] = [];

  readonly add: SetAside = (row) => {
    this.#count += 1;
    if (this.#rows.length < SET_ASIDE_LISTED) this.#rows.push(row);
  };

  get value(): SetAsideRows {
    return this.#count === 0 ? NONE_SET_ASIDE : { count: this.#count, rows: [...this.#rows] };
  }
}
