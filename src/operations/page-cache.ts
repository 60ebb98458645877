/** Pages cached for one set of rows; a caller that polls asks for the first one or two. */
const MAX_PAGES = 4;

interface Pages {
  readonly shownBy: object;
  readonly texts: Map<string, string>;
}

/**
 * Written pages of rows that live in a cache. A page is forgotten with its rows, and is good only for the same way of
 * showing them (`shownBy`, compared by identity) and the same `key`, which names everything else that shapes it.
 */
export class PageCache {
  readonly #pages = new WeakMap<object, Pages>();

  text(rows: object, shownBy: object, key: string, write: () => string): string {
    const known = this.#pages.get(rows);
    const pages = known?.shownBy === shownBy ? known : { shownBy, texts: new Map<string, string>() };
    const text = pages.texts.get(key) ?? write();
    if (pages.texts.size >= MAX_PAGES && !pages.texts.has(key)) pages.texts.clear();
    pages.texts.set(key, text);
    if (pages !== known) this.#pages.set(rows, pages);
    return text;
  }
}
