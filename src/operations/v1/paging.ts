/** `limit` of transactions and trades. */
export const MOST_ROWS = 500;
export const USUAL_ROWS = 200;

const PAGE_ROWS = 1000;
const SPARE_PAGES = 2;

/** How many pages of the provider are read of an account for so many of its newest rows. */
export function pagesFor(rows: number): number {
  return Math.ceil(rows / PAGE_ROWS) + SPARE_PAGES;
}
