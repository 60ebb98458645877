import type { Metadata } from './metadata.ts';
import { SheetTab, type TabState } from './sheet-tab.ts';

export interface BookState {
  readonly id: string;
  readonly title: string;
  readonly created: number;
  readonly modified: number;
  readonly trashed: boolean;
  /** Whether the application may see it: it created it, or the person picked it. */
  readonly granted: boolean;
  readonly isProtected: boolean;
  /** Whether the person may only view it, because it belongs to someone else. */
  readonly isReadOnly: boolean;
  readonly metadata: readonly Metadata[];
  readonly tabs: readonly TabState[];
}

/** How many cells a spreadsheet may have, counted by its grids and not their contents. */
export const CELLS = 10_000_000;

/** One spreadsheet. */
export class Book {
  readonly id: string;
  readonly created: number;
  title: string;
  modified: number;
  trashed: boolean;
  granted: boolean;
  /** Whether its cells may not be edited. */
  isProtected: boolean;
  isReadOnly: boolean;
  metadata: readonly Metadata[];
  tabs: SheetTab[];

  constructor(state: BookState) {
    this.id = state.id;
    this.created = state.created;
    this.title = state.title;
    this.modified = state.modified;
    this.trashed = state.trashed;
    this.granted = state.granted;
    this.isProtected = state.isProtected;
    this.isReadOnly = state.isReadOnly;
    this.metadata = state.metadata;
    this.tabs = state.tabs.map((tab) => new SheetTab(tab));
  }

  get state(): BookState {
    const { id, title, created, modified, trashed, granted, isProtected, isReadOnly, metadata } = this;
    const tabs = this.tabs.map((tab) => tab.state);
    return { id, title, created, modified, trashed, granted, isProtected, isReadOnly, metadata, tabs };
  }

  /** A copy to change: a batch that fails halfway changes nothing. */
  copy(): Book {
    return new Book(this.state);
  }

  tab(sheetId: number): SheetTab | null {
    return this.tabs.find((one) => one.sheetId === sheetId) ?? null;
  }

  get cells(): number {
    return this.tabs.reduce((sum, { rowCount, columnCount }) => sum + rowCount * columnCount, 0);
  }
}

/** A tab with Google's defaults. */
export function plainTab(sheetId: number, title: string, more: Partial<TabState> = {}): TabState {
  return {
    sheetId,
    title,
    rowCount: 1000,
    columnCount: 26,
    frozenRowCount: 0,
    frozenColumnCount: 0,
    hidden: false,
    hiddenColumns: [],
    rows: [],
    ...more,
  };
}
