import { isRecord } from '../shared/json.ts';
import { digest, seedOf } from '../shared/random.ts';
import type { ReceivedRow, ReceivedRows } from '../shared/simulator.ts';
import type { KeptState } from '../shared/state-file.ts';
import { applyBatch } from './batch-update.ts';
import { Book, type BookState } from './book.ts';
import { shownCell } from './cell.ts';
import type { SheetTab } from './sheet-tab.ts';

/** Headers of the columns that identify rows; tabs without one have snapshots, or a person's own data. */
const ID_HEADERS = ['transaction id', 'trade id'];

/** All spreadsheets of the only person. */
export class Books implements ReceivedRows, KeptState {
  readonly #now: () => number;
  readonly #books = new Map<string, Book>();
  #made = 0;
  /** A text that no cell may contain; null for none. */
  refusedText: string | null = null;

  constructor(now: () => number) {
    this.#now = now;
  }

  all(): readonly Book[] {
    return [...this.#books.values()];
  }

  /** Null also for one that the application may not see. */
  find(id: string): Book | null {
    const book = this.#books.get(id);
    return book?.granted === true ? book : null;
  }

  any(id: string): Book | null {
    return this.#books.get(id) ?? null;
  }

  add(given: Pick<BookState, 'title' | 'tabs' | 'granted'>): Book {
    this.#made += 1;
    const id = Buffer.from(digest('spreadsheet', this.#made).slice(0, 64), 'hex').toString('base64url');
    const now = this.#now();
    const book = new Book({
      ...given,
      id: `1${id}`.slice(0, 44),
      created: now,
      modified: now,
      trashed: false,
      isProtected: false,
      isReadOnly: false,
      metadata: [],
    });
    this.#books.set(book.id, book);
    return book;
  }

  delete(id: string): void {
    this.#books.delete(id);
  }

  /** Applies a batch, all of it or nothing. */
  apply(book: Book, requests: readonly unknown[]) {
    const next = book.copy();
    const newId = (isTaken: (id: number) => boolean): number => {
      for (let probe = this.#made; ; probe++) {
        this.#made += 1;
        const id = (seedOf('id', probe) >>> 1) + 1;
        if (!isTaken(id)) return id;
      }
    };
    const replies = applyBatch(next, requests, { newId, refusedText: this.refusedText });
    next.modified = this.#now();
    this.#books.set(book.id, next);
    return { replies, book: next };
  }

  rows(): readonly ReceivedRow[] {
    return this.all().flatMap((book) => book.tabs.flatMap((tab) => rowsOf(book, tab)));
  }

  pages(): readonly string[] {
    return ['/spreadsheets', ...this.all().map(({ id }) => `/spreadsheets/d/${id}/edit`)];
  }

  read(): Readonly<Record<string, unknown>> {
    return { made: this.#made, books: this.all().map(({ state }) => state) };
  }

  restore(state: Readonly<Record<string, unknown>>): boolean {
    if (typeof state.made !== 'number' || !Array.isArray(state.books)) return false;
    const books = state.books.filter(isBook);
    if (books.length < state.books.length) return false;
    this.#made = state.made;
    for (const one of books) this.#books.set(one.id, new Book(one));
    return true;
  }
}

function rowsOf(book: Book, tab: SheetTab): readonly ReceivedRow[] {
  const headers = tab.row(0).map(shownCell);
  const key = headers.findIndex((header) => ID_HEADERS.includes(header.toLowerCase()));
  if (key === -1) return [];
  const rows: ReceivedRow[] = [];
  for (let row = 1; row <= tab.lastRow; row++) {
    const id = shownCell(tab.cell(row, key));
    if (id === '') continue;
    const values = headers.map((header, at) => [header, shownCell(tab.cell(row, at))] as const);
    rows.push({ id, place: `${book.title} / ${tab.title}`, values: Object.fromEntries(values) });
  }
  return rows;
}

/** The simulator wrote the file itself: the outline tells whether it was this simulator. */
function isBook(value: unknown): value is BookState {
  return (
    isRecord(value) &&
    typeof value.id === 'string' &&
    typeof value.title === 'string' &&
    [value.created, value.modified].every((one) => typeof one === 'number') &&
    [value.trashed, value.granted, value.isProtected].every((one) => typeof one === 'boolean') &&
    Array.isArray(value.metadata) &&
    Array.isArray(value.tabs) &&
    value.tabs.every(
      (tab: unknown) => isRecord(tab) && typeof tab.sheetId === 'number' && Array.isArray(tab.rows),
    )
  );
}
