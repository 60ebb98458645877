import { malformed } from './json.ts';
import { RecentIds } from './recent-ids.ts';

/** Pages in a row without one new row: a pagination loop. */
const MAX_REPEATED_PAGES = 20;

/** Drops rows that a vendor sends again, in constant memory, and ends a read that brings nothing else. */
export class Repeats {
  readonly #ids = new RecentIds();
  #pages = 0;

  /** How many of the latest rows are recognised for certain. */
  get certain(): number {
    return this.#ids.certain;
  }

  /** Whether the row is new; it is remembered either way. */
  isNew(id: string): boolean {
    return this.#ids.add(id);
  }

  /** Raises UpstreamFailure after too many pages that repeat themselves. `fresh`: the page had a new row, or no row. */
  endPage(fresh: boolean): void {
    this.#pages = fresh ? 0 : this.#pages + 1;
    if (this.#pages >= MAX_REPEATED_PAGES) throw malformed('its pages repeat themselves');
  }
}
