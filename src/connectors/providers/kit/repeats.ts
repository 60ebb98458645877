import { faceOf, isOtherRow, type RowFace, withOwnId } from '../../../platform/shared-row-ids.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { malformed } from './json.ts';
import { RecentIds } from './recent-ids.ts';

/** Pages in a row without one new row: a pagination loop. */
const MAX_REPEATED_PAGES = 20;

/** Drops rows that a vendor sends again, in constant memory, and ends a read that brings nothing else. */
export class Repeats {
  readonly #ids = new RecentIds<RowFace | null>();
  #pages = 0;

  /** How many of the latest rows are recognised for certain. */
  get certain(): number {
    return this.#ids.certain;
  }

  /** Whether the row is new; it is remembered either way. */
  isNew(id: string): boolean {
    return this.#ids.add(id, null);
  }

  /**
   * The row where it is new, and remembers it; null for a repeat. Another posted row under the same id is given an id of its
   * own, made from its content (docs/sync-engine.md#several-rows-under-one-id).
   */
  unrepeated(row: Transaction): Transaction | null {
    const before = this.#ids.get(row.id);
    if (before === undefined) {
      this.#ids.add(row.id, faceOf(row));
      return row;
    }
    if (before === null || !isOtherRow(before, row)) return null;
    const own = withOwnId(row);
    return this.#ids.add(own.id, faceOf(own)) ? own : null;
  }

  /** Raises UpstreamFailure after too many pages that repeat themselves. `fresh`: the page had a new row, or no row. */
  endPage(fresh: boolean): void {
    this.#pages = fresh ? 0 : this.#pages + 1;
    if (this.#pages >= MAX_REPEATED_PAGES) throw malformed('its pages repeat themselves');
  }
}
