import type { Json, JsonObject } from '../shared/json.ts';
import type { Book } from './book.ts';
import { cellJson } from './cell.ts';
import { type Location, type Metadata, metadataJson } from './metadata.ts';
import type { SheetTab } from './sheet-tab.ts';

export interface SheetParts {
  /** With `data`: columns and rows. */
  readonly data: boolean;
  /** With the cells in it. */
  readonly cells: boolean;
}

/** `Spreadsheet` of a book. */
export function spreadsheetJson(book: Book, url: string, parts: SheetParts): JsonObject {
  return {
    spreadsheetId: book.id,
    properties: { title: book.title, locale: 'en_US', autoRecalc: 'ON_CHANGE', timeZone: 'Etc/GMT' },
    sheets: book.tabs.map((tab, index) => sheetJson(book, tab, index, parts)),
    spreadsheetUrl: url,
    ...listed(book, (location) => location.type === 'SPREADSHEET'),
  };
}

function sheetJson(book: Book, tab: SheetTab, index: number, { data, cells }: SheetParts): JsonObject {
  const { sheetId, title, rowCount, columnCount, frozenRowCount, frozenColumnCount, hidden } = tab;
  return {
    properties: {
      sheetId,
      title,
      index,
      sheetType: 'GRID',
      gridProperties: {
        rowCount,
        columnCount,
        ...(frozenRowCount === 0 ? {} : { frozenRowCount }),
        ...(frozenColumnCount === 0 ? {} : { frozenColumnCount }),
      },
      ...(hidden ? { hidden } : {}),
    },
    ...listed(book, (location) => location.type === 'SHEET' && location.sheetId === sheetId),
    ...(data ? { data: [gridJson(book, tab, cells)] } : {}),
  };
}

function gridJson(book: Book, tab: SheetTab, cells: boolean): JsonObject {
  const inDimension = (type: 'ROW' | 'COLUMN', index: number) =>
    listed(
      book,
      (location) => location.type === type && location.sheetId === tab.sheetId && location.index === index,
    );
  const columnMetadata = Array.from({ length: tab.columnCount }, (_, index) => ({
    pixelSize: 100,
    ...(tab.hiddenColumns.has(index) ? { hiddenByUser: true } : {}),
    ...inDimension('COLUMN', index),
  }));
  if (!cells) return { columnMetadata };
  const rowData = Array.from({ length: tab.lastRow + 1 }, (_, row) => ({
    values: tab.row(row).map(cellJson),
  }));
  return { rowData, columnMetadata };
}

function listed(book: Book, isThere: (location: Location) => boolean): { developerMetadata?: Json[] } {
  const found = book.metadata.filter(({ location }: Metadata) => isThere(location)).map(metadataJson);
  return found.length === 0 ? {} : { developerMetadata: found };
}
