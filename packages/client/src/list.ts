/** A row of a bank that could not be read, and so is in no list (docs/rows-set-aside.md). */
export interface SetAsideRow {
  readonly id: string | null;
  readonly day: string | null;
  readonly field: string;
  readonly reason: string;
}

/** One page of a list (docs/api-conventions.md#lists-and-paging). */
export interface Page<T> {
  readonly data: readonly T[];
  /** What to pass as `page` for the page after this one; null on the last. */
  readonly next: string | null;
  /** What to pass as `page` for the page before this one; null on the first. */
  readonly previous: string | null;
  /** Rows were left out, because one request reads no more of them (docs/api-conventions.md#headers). */
  readonly truncated: boolean;
  /** Rows of the whole list that could not be read, at most 100 of them. */
  readonly setAside: readonly SetAsideRow[];
}

/**
 * A list that is read page by page. Nothing is requested before it is iterated or one of its methods is called, and
 * each use starts anew.
 */
export class List<T> implements AsyncIterable<T> {
  readonly #read: (page: string | null) => Promise<Page<T>>;

  /** `read` requests one page; null is the page that the list was made for. */
  constructor(read: (page: string | null) => Promise<Page<T>>) {
    this.#read = read;
  }

  /** The first page, or the one that `page` named. */
  page(): Promise<Page<T>> {
    return this.#read(null);
  }

  /** This page and each one after it. */
  async *pages(): AsyncGenerator<Page<T>, void> {
    let page = await this.#read(null);
    yield page;
    while (page.next !== null) {
      page = await this.#read(page.next);
      yield page;
    }
  }

  /** Every item of this page and those after it, in memory at once. */
  async all(): Promise<readonly T[]> {
    const items: T[] = [];
    for await (const page of this.pages()) items.push(...page.data);
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for await (const { data } of this.pages()) yield* data;
  }
}
