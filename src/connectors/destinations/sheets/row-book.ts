import type { RowId } from '../../../vocabulary/ids.ts';
import type { OpenedSync } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { GoogleApi } from './client.ts';
import { RowText } from './rows.ts';
import { tableFor, tagOf } from './sheet-tables.ts';
import { columnsRead, ownColumns, type TabColumns, type WantedColumn } from './tab-columns.ts';
import { type SheetTarget, type Tab, tabOfRows, type Workbook, workbookOf } from './workbook.ts';

/** The position of a row: its index, with the header at 0. */
export interface Place {
  readonly sheetId: number;
  readonly row: number;
}

const NO_PLACES: readonly Place[] = [];

/** A tab that rows of the sync are in or go to. */
interface BookTab {
  readonly tab: Tab;
  readonly columns: TabColumns;
  /** Whether `columns.setup` is still to be applied. */
  isNew: boolean;
  rowCount: number;
  /** Index of the last row that has an id; 0 for none. */
  lastRow: number;
}

/**
 * What one run knows about its spreadsheet: tabs, columns, and the row of each id. Of the rows, only the ids, read
 * again whenever rows have to be addressed by number.
 */
export class RowBook {
  readonly workbook: Workbook;
  readonly text: RowText;
  readonly #api: GoogleApi;
  readonly #sync: OpenedSync;
  readonly #target: SheetTarget;
  readonly #tabs: ReadonlyMap<number, BookTab>;
  #places = new Map<string, Place>();
  /** Additional rows of an id that is in several. */
  #further = new Map<string, Place[]>();
  /** Whether the ids were read for the current chunk, and nothing has been written since. */
  isFresh = false;

  private constructor(
    from: Pick<RowBookParts, 'api' | 'sync' | 'target'>,
    workbook: Workbook,
    tabs: ReadonlyMap<number, BookTab>,
  ) {
    this.#api = from.api;
    this.#sync = from.sync;
    this.#target = from.target;
    this.workbook = workbook;
    this.text = new RowText(from.sync);
    this.#tabs = tabs;
  }

  /** Raises `destination_resource_missing` if the spreadsheet is gone or in the bin. */
  static async open(parts: RowBookParts, signal: AbortSignal): Promise<RowBook> {
    const { api, sync, target } = parts;
    const workbook = await liveWorkbook(api, target.spreadsheet, signal);
    const mark = tabOfRows(sync);
    const wanted = new Set([target.sheet, ...sync.account_mappings.map(mappedSheet)]);
    const near = workbook.tabs.filter(({ sheetId, marks }) => wanted.has(sheetId) || marks.has(mark));
    const tagged = near.flatMap((tab): WantedColumn[] => {
      const at = tab.tags.get(keyTag(sync, tab));
      return at === undefined ? [] : [{ sheetId: tab.sheetId, at, rowCount: tab.rowCount }];
    });
    const read = await columnsRead(api, workbook.id, { headersOf: near, columns: tagged }, signal);
    const tabs: BookTab[] = [];
    for (const tab of near) {
      const headers = read.headers.get(tab.sheetId) ?? [];
      const of = { tab, table: tableFor(sync, headers, tab.tags), headers, mark };
      const columns = await ownColumns(api, workbook.id, of, signal);
      tabs.push({ tab, columns, isNew: columns.setup.length > 0, rowCount: tab.rowCount, lastRow: 0 });
    }
    const book = new RowBook(parts, workbook, new Map(tabs.map((one) => [one.tab.sheetId, one])));
    const known = tabs.every(
      ({ tab, columns: { hasKey, key } }) =>
        !hasKey || tagged.some(({ sheetId, at }) => sheetId === tab.sheetId && at === key),
    );
    if (known) book.#take(read.columns);
    else await book.readIds(signal);
    return book;
  }

  /** Reads the row of each id again. */
  async readIds(signal: AbortSignal): Promise<void> {
    const columns = [...this.#tabs.values()].flatMap(({ tab, columns: { key, hasKey }, isNew, rowCount }) =>
      isNew && !hasKey ? [] : [{ sheetId: tab.sheetId, at: key, rowCount }],
    );
    const read = await columnsRead(this.#api, this.workbook.id, { headersOf: [], columns }, signal);
    this.#take(read.columns);
  }

  place(id: string): Place | null {
    return this.#places.get(id) ?? null;
  }

  /** Every row with an id, in the order of the tabs. */
  places(id: string): readonly Place[] {
    const first = this.#places.get(id);
    return first === undefined ? NO_PLACES : [first, ...(this.#further.get(id) ?? NO_PLACES)];
  }

  /** How many rows have each id. */
  existing(): ReadonlyMap<string, number> {
    return new Map([...this.#places.keys()].map((id) => [id, this.copies(id)]));
  }

  /** How many rows have an id. */
  copies(id: string): number {
    return this.#places.has(id) ? 1 + (this.#further.get(id)?.length ?? 0) : 0;
  }

  /** The id of the tab that rows of an account go to. */
  sheetFor(account: RowId<'account'>): number {
    const mapping = this.#sync.account_mappings.find((one) => one.account === account);
    return mapping === undefined ? this.#target.sheet : mappedSheet(mapping);
  }

  /** The tab that rows of an account go to. Raises `destination_resource_missing` if it is gone. */
  tabFor(account: RowId<'account'>): BookTab {
    const tab = this.#tabs.get(this.sheetFor(account));
    if (tab === undefined) throw goneTab();
    return tab;
  }

  tab(sheetId: number): BookTab {
    const tab = this.#tabs.get(sheetId);
    if (tab === undefined) throw new TypeError('a row is in a tab that was read');
    return tab;
  }

  /**
   * Records what a batch did. Row numbers are those that were read, so they are read again before they are used again.
   */
  applied({ overwritten, inserted, removed }: AppliedRows): void {
    for (const [id, { sheetId }] of removed) {
      this.#places.delete(id);
      const tab = this.tab(sheetId);
      tab.lastRow -= 1;
      tab.rowCount -= 1;
    }
    for (const { text, place, was } of overwritten) {
      this.#places.delete(was);
      this.#places.set(text, place);
    }
    for (const [sheetId, rows] of inserted) {
      const tab = this.tab(sheetId);
      for (const { text } of rows) this.#places.set(text, { sheetId, row: ++tab.lastRow });
      tab.rowCount = Math.max(tab.rowCount, tab.columns.rowCount) + rows.length;
      tab.isNew = false;
    }
    this.isFresh = false;
  }

  /** Duplicates that people make are left to them: the first row with an id is ours. */
  #take(columns: ReadonlyMap<number, readonly unknown[]>): void {
    this.#places = new Map();
    this.#further = new Map();
    for (const tab of this.#tabs.values()) {
      const { sheetId } = tab.tab;
      tab.lastRow = 0;
      for (const [index, id] of (columns.get(sheetId) ?? []).entries()) {
        if (id === '' || id === null) continue;
        tab.lastRow = index + 1;
        if (typeof id !== 'string') continue;
        const place = { sheetId, row: index + 1 };
        if (this.#places.has(id)) this.#further.set(id, [...(this.#further.get(id) ?? NO_PLACES), place]);
        else this.#places.set(id, place);
      }
    }
    this.isFresh = true;
  }
}

/** What a batch did, by the ids in the rows. */
interface AppliedRows {
  /** `was`: the id that the row had before. */
  readonly overwritten: readonly { readonly text: string; readonly was: string; readonly place: Place }[];
  readonly inserted: ReadonlyMap<number, readonly { readonly text: string }[]>;
  readonly removed: ReadonlyMap<string, Place>;
}

interface RowBookParts {
  readonly api: GoogleApi;
  readonly sync: OpenedSync;
  readonly target: SheetTarget;
}

const mappedSheet = ({ sheet_id: id }: { readonly sheet_id?: string }): number => Number(id);

function keyTag(sync: OpenedSync, tab: Tab): string {
  const table = tableFor(sync, [], tab.tags);
  return tagOf(table, table.key);
}

/** The spreadsheet's structure. Raises `destination_resource_missing` where it is gone or in the bin. */
export async function liveWorkbook(api: GoogleApi, id: string, signal: AbortSignal): Promise<Workbook> {
  if (await api.isTrashed(id, signal)) throw gone('the spreadsheet is in the bin');
  return workbookOf(await api.spreadsheet(id, signal));
}

export const goneTab = (): DestinationFailure =>
  gone('the tab that rows are written to is not there any more');

export function gone(what: string): DestinationFailure {
  const known = { outcome: 'refused', retryable: false } as const;
  return new DestinationFailure('destination_resource_missing', `Google Sheets: ${what}.`, known);
}
