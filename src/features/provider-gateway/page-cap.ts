/** Rows of a page as the cap counts them. */
const PAGE_ROWS = 1000;

/**
 * Ends a read after so many pages of the provider. A page is one of up to 1,000 rows: vendors with smaller pages give as
 * many of them as it takes to begin the last, or their accounts would end after a few hundred rows.
 */
export class PageCap {
  readonly #most: number;
  #pages = 0;
  #rows = 0;

  /** @param most pages; Infinity for no cap */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether the read ends with this page, which holds so many rows. */
  endsWith(rows: number): boolean {
    this.#pages += 1;
    this.#rows += rows;
    return this.#pages >= this.#most && this.#rows > (this.#most - 1) * PAGE_ROWS;
  }
}
