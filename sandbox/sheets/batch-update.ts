import { isRecord, type JsonObject } from '../shared/json.ts';
import { type Book, CELLS, plainTab } from './book.ts';
import { type Cell, cellMask, unknownName, writtenCell } from './cell.ts';
import { invalid, noGrid } from './errors.ts';
import { deletion, insertion, movement, shifted } from './metadata.ts';
import {
  type BatchContext,
  changedMetadata,
  createdMetadata,
  refusal,
  removedMetadata,
  type Where,
} from './metadata-requests.ts';
import { REQUESTS, type RequestName, type RequestOf, shaped } from './request-shapes.ts';
import { SheetTab } from './sheet-tab.ts';

type Handlers = {
  readonly [Name in RequestName]: (
    book: Book,
    request: RequestOf<Name>,
    at: Where,
    context: BatchContext,
  ) => JsonObject;
};

/** Applies requests in order to a copy, because an error leaves it half changed. */
export function applyBatch(
  book: Book,
  requests: readonly unknown[],
  context: BatchContext,
): readonly JsonObject[] {
  return requests.map((request, index) => {
    const entries = isRecord(request) ? Object.entries(request) : [];
    const [[name, body] = ['', null], ...more] = entries;
    if (entries.length === 0 || more.length > 0)
      throw invalid(`Invalid requests[${index}]: exactly one request must be set.`);
    if (!isName(name)) throw unknownName(name, `requests[${index}]`);
    return handled(name, book, body, { index, name }, context);
  });
}

function handled<Name extends RequestName>(
  name: Name,
  book: Book,
  body: unknown,
  at: Where,
  context: BatchContext,
): JsonObject {
  const handler: (book: Book, request: RequestOf<Name>, at: Where, context: BatchContext) => JsonObject =
    HANDLERS[name];
  const request: RequestOf<Name> = shaped(REQUESTS[name], body, `requests[${at.index}].${name}`);
  const reply = handler(book, request, at, context);
  if (book.cells > CELLS) {
    throw refusal(
      at,
      `This action would increase the number of cells in the workbook above the limit of ${CELLS} cells.`,
    );
  }
  return reply;
}

const isName = (name: string): name is RequestName => Object.hasOwn(REQUESTS, name);

function tabOf(book: Book, sheetId: number | undefined, at: Where): SheetTab {
  const tab = book.tab(sheetId ?? 0);
  if (tab === null) throw noGrid(at.index, at.name, sheetId ?? 0);
  return tab;
}

function editable(book: Book): void {
  if (book.isProtected) {
    throw invalid(
      'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.',
    );
  }
}

const HANDLERS: Handlers = {
  addSheet(book, { properties = {} }, at, { newId }) {
    const { sheetId = newId((id) => book.tab(id) !== null), title = `Sheet${book.tabs.length + 1}` } =
      properties;
    if (book.tab(sheetId) !== null) {
      throw refusal(at, `A sheet with the ID ${sheetId} already exists. Please enter another ID.`);
    }
    if (book.tabs.some((tab) => tab.title.toLowerCase() === title.toLowerCase())) {
      throw refusal(at, `A sheet with the name "${title}" already exists. Please enter another name.`);
    }
    const { hidden = false, gridProperties = {} } = properties;
    const { rowCount = 1000, columnCount = 26, frozenRowCount = 0, frozenColumnCount = 0 } = gridProperties;
    const tab = new SheetTab(
      plainTab(sheetId, title, { rowCount, columnCount, frozenRowCount, frozenColumnCount, hidden }),
    );
    checkFrozen(tab, at);
    book.tabs.splice(properties.index ?? book.tabs.length, 0, tab);
    return { addSheet: { properties: { sheetId, title } } };
  },
  deleteSheet(book, { sheetId }, at) {
    tabOf(book, sheetId, at);
    if (book.tabs.length === 1) throw refusal(at, 'You can’t remove all the sheets in a document.');
    book.tabs = book.tabs.filter((tab) => tab.sheetId !== sheetId);
    book.metadata = book.metadata.filter(
      ({ location }) => location.type === 'SPREADSHEET' || location.sheetId !== sheetId,
    );
    return {};
  },
  updateSheetProperties(book, { properties, fields }, at) {
    const tab = tabOf(book, properties.sheetId, at);
    const { title = '', hidden = false, gridProperties = {} } = properties;
    for (const field of fields.split(',')) {
      if (field === 'title') tab.title = title;
      else if (field === 'hidden') tab.hidden = hidden;
      else if (field === 'gridProperties.frozenRowCount')
        tab.frozenRowCount = gridProperties.frozenRowCount ?? 0;
      else if (field === 'gridProperties.rowCount') tab.rowCount = gridProperties.rowCount ?? 0;
      else throw refusal(at, `Invalid field: ${field}`);
    }
    checkFrozen(tab, at);
    return {};
  },
  appendDimension(book, { sheetId, dimension, length }, at) {
    const tab = tabOf(book, sheetId, at);
    if (dimension === 'ROWS') tab.rowCount += length;
    else tab.columnCount += length;
    return {};
  },
  insertDimension(book, { range, inheritFromBefore = false }, at) {
    const { sheetId = 0, dimension, startIndex = 0, endIndex } = range;
    const tab = tabOf(book, sheetId, at);
    const size = dimension === 'ROWS' ? tab.rowCount : tab.columnCount;
    if (endIndex <= startIndex) throw refusal(at, 'The range is empty.');
    if (inheritFromBefore ? startIndex > size : startIndex >= size) {
      throw refusal(
        at,
        `range.startIndex[${startIndex}] must be less than the grid size (${size}) if inheritFromBefore is false.`,
      );
    }
    if (inheritFromBefore && startIndex === 0)
      throw refusal(at, 'inheritFromBefore cannot be true at index 0.');
    const count = endIndex - startIndex;
    tab.insert(dimension, startIndex, count, inheritFromBefore ? startIndex - 1 : startIndex);
    book.metadata = shifted(book.metadata, sheetId, dimension, insertion(startIndex, count));
    return {};
  },
  deleteDimension(book, { range }, at) {
    const { sheetId = 0, dimension, startIndex = 0, endIndex } = range;
    const tab = tabOf(book, sheetId, at);
    const size = dimension === 'ROWS' ? tab.rowCount : tab.columnCount;
    if (startIndex >= size || endIndex > size || endIndex <= startIndex) throw refusal(at, outside(tab));
    editable(book);
    tab.remove(dimension, startIndex, endIndex);
    checkFrozen(tab, at);
    book.metadata = shifted(book.metadata, sheetId, dimension, deletion(startIndex, endIndex));
    return {};
  },
  moveDimension(book, { source, destinationIndex }, at) {
    const { sheetId = 0, dimension, startIndex = 0, endIndex } = source;
    const tab = tabOf(book, sheetId, at);
    const size = dimension === 'ROWS' ? tab.rowCount : tab.columnCount;
    if (endIndex > size || destinationIndex > size) throw refusal(at, outside(tab));
    tab.move(dimension, startIndex, endIndex, destinationIndex);
    const change = movement(size, startIndex, endIndex, destinationIndex);
    book.metadata = shifted(book.metadata, sheetId, dimension, change);
    return {};
  },
  updateDimensionProperties(book, { range, properties, fields }, at) {
    const tab = tabOf(book, range.sheetId, at);
    if (fields !== 'hiddenByUser' || range.dimension !== 'COLUMNS')
      throw refusal(at, `Invalid field: ${fields}`);
    for (let index = range.startIndex ?? 0; index < range.endIndex; index++) {
      if (properties.hiddenByUser === true) tab.hiddenColumns.add(index);
      else tab.hiddenColumns.delete(index);
    }
    return {};
  },
  updateCells(book, request, at, { refusedText }) {
    const { start, range, rows = [], fields } = request;
    const where = `requests[${at.index}].updateCells`;
    const mask = cellMask(fields, where);
    const tab = tabOf(book, start?.sheetId ?? range?.sheetId, at);
    const top = start?.rowIndex ?? range?.startRowIndex ?? 0;
    const left = start?.columnIndex ?? range?.startColumnIndex ?? 0;
    editable(book);
    const bottom = range === undefined ? top + rows.length : (range.endRowIndex ?? tab.rowCount);
    for (let row = top; row < bottom; row++) {
      const values = rows[row - top]?.values ?? [];
      const width = range === undefined ? values.length : (range.endColumnIndex ?? tab.columnCount) - left;
      if (row >= tab.rowCount || left + Math.max(width, values.length) > tab.columnCount)
        throw refusal(at, outside(tab));
      const cells = Array.from({ length: width }, (_, index): Cell => {
        const data = values[index] ?? {};
        return writtenCell(
          tab.cell(row, left + index),
          data,
          mask,
          `${where}.rows[${row - top}].values[${index}]`,
        );
      });
      if (refusedText !== null && cells.some(({ value }) => String(value ?? '').includes(refusedText))) {
        throw refusal(at, 'The value of a cell is not accepted.');
      }
      tab.write(row, left, cells);
    }
    return {};
  },
  repeatCell(book, { range, cell, fields }, at) {
    const where = `requests[${at.index}].repeatCell`;
    const mask = cellMask(fields, where);
    const tab = tabOf(book, range.sheetId, at);
    const { startRowIndex = 0, endRowIndex = tab.rowCount } = range;
    const { startColumnIndex = 0, endColumnIndex = tab.columnCount } = range;
    if (endRowIndex > tab.rowCount || endColumnIndex > tab.columnCount) throw refusal(at, outside(tab));
    for (let row = startRowIndex; row < endRowIndex; row++) {
      const cells = Array.from({ length: endColumnIndex - startColumnIndex }, (_, index) =>
        writtenCell(tab.cell(row, startColumnIndex + index), cell, mask, `${where}.cell`),
      );
      tab.write(row, startColumnIndex, cells);
    }
    return {};
  },
  sortRange(book, { range, sortSpecs }, at) {
    const tab = tabOf(book, range.sheetId, at);
    for (const { dimensionIndex, sortOrder } of sortSpecs.toReversed()) {
      const { startRowIndex = 0, endRowIndex = tab.rowCount } = range;
      tab.sort(startRowIndex, endRowIndex, dimensionIndex, sortOrder === 'DESCENDING');
    }
    return {};
  },
  createDeveloperMetadata: createdMetadata,
  updateDeveloperMetadata: changedMetadata,
  deleteDeveloperMetadata: removedMetadata,
};

function outside({ title, rowCount, columnCount }: SheetTab): string {
  return `Range (${title}) exceeds grid limits. Max rows: ${rowCount}, max columns: ${columnCount}`;
}

function checkFrozen({ frozenRowCount, rowCount }: SheetTab, at: Where): void {
  if (frozenRowCount >= rowCount) throw refusal(at, 'You can’t freeze all rows on the sheet.');
}
