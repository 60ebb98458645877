import { Type } from 'typebox';
import { isRecord, type Json, type JsonObject } from '../shared/json.ts';
import { json, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { type Book, plainTab } from './book.ts';
import type { Books } from './books.ts';
import { columnLetters, shownCell } from './cell.ts';
import { GoogleError, invalid, sheetNotFound } from './errors.ts';
import { fieldMask, masked, selects } from './field-mask.ts';
import { isSelected, metadataJson } from './metadata.ts';
import { DataFilter, NewMetadata, SheetProperties, shaped } from './request-shapes.ts';
import type { SheetTab } from './sheet-tab.ts';
import { spreadsheetJson } from './spreadsheet-json.ts';

const strict = { additionalProperties: false };
const anything = Type.Unknown();
const Creation = Type.Object(
  {
    properties: Type.Object({ title: Type.Optional(Type.String()) }, strict),
    developerMetadata: Type.Optional(Type.Array(NewMetadata)),
    sheets: Type.Optional(
      Type.Array(
        Type.Object(
          {
            properties: SheetProperties,
            data: Type.Optional(
              Type.Array(
                Type.Object(
                  {
                    rowData: Type.Optional(Type.Array(Type.Object({ values: Type.Array(anything) }, strict))),
                  },
                  strict,
                ),
              ),
            ),
            developerMetadata: Type.Optional(Type.Array(NewMetadata)),
          },
          strict,
        ),
      ),
    ),
  },
  strict,
);
const Batch = Type.Object({ requests: Type.Array(anything, { minItems: 1 }) }, strict);
const FilteredRead = Type.Object(
  {
    dataFilters: Type.Array(DataFilter, { minItems: 1 }),
    majorDimension: Type.Optional(Type.Union([Type.Literal('ROWS'), Type.Literal('COLUMNS')])),
    valueRenderOption: Type.Optional(
      Type.Union([
        Type.Literal('FORMATTED_VALUE'),
        Type.Literal('UNFORMATTED_VALUE'),
        Type.Literal('FORMULA'),
      ]),
    ),
    dateTimeRenderOption: Type.Optional(
      Type.Union([Type.Literal('SERIAL_NUMBER'), Type.Literal('FORMATTED_STRING')]),
    ),
  },
  strict,
);
const Search = Type.Object({ dataFilters: Type.Array(DataFilter, { minItems: 1 }) }, strict);

/** The calls of the Sheets API v4 that the simulator supports. */
export class SheetsRoutes {
  readonly #books: Books;
  readonly #pagesUrl: () => string;

  constructor(books: Books, pagesUrl: () => string) {
    this.#books = books;
    this.#pagesUrl = pagesUrl;
  }

  /** `POST /v4/spreadsheets` */
  create(request: SimulatedRequest): Reply {
    const {
      properties,
      developerMetadata = [],
      sheets = [],
    } = shaped(Creation, bodyOf(request), 'spreadsheet');
    const book = this.#books.add({
      title: properties.title ?? 'Untitled spreadsheet',
      tabs: sheets.length === 0 ? [plainTab(0, 'Sheet1')] : [],
      granted: true,
    });
    try {
      const requests = sheets.flatMap(({ properties: of, data = [], developerMetadata: entries = [] }) => [
        { addSheet: { properties: of } },
        ...data.flatMap(({ rowData = [] }) =>
          rowData.map(({ values }, rowIndex) => ({
            updateCells: { start: { sheetId: of.sheetId, rowIndex }, rows: [{ values }], fields: '*' },
          })),
        ),
        ...entries.map((entry) => ({ createDeveloperMetadata: { developerMetadata: entry } })),
      ]);
      const all = [
        ...requests,
        ...developerMetadata.map((entry) => ({ createDeveloperMetadata: { developerMetadata: entry } })),
      ];
      const made = all.length === 0 ? book : this.#books.apply(book, all).book;
      return this.#answer(request, made);
    } catch (error) {
      this.#books.delete(book.id);
      throw error;
    }
  }

  /** `GET /v4/spreadsheets/{id}` */
  get(request: SimulatedRequest): Reply {
    checkNames(request.query, ['fields', 'includeGridData']);
    return this.#answer(request, this.#book(request));
  }

  /** `POST /v4/spreadsheets/{id}:batchUpdate` */
  batchUpdate(request: SimulatedRequest): Reply {
    const book = this.#book(request);
    if (book.isReadOnly) throw new GoogleError(403, 'forbidden', 'The caller does not have permission');
    const { requests } = shaped(Batch, bodyOf(request), 'request');
    const { replies } = this.#books.apply(book, requests);
    return json(200, masked({ spreadsheetId: book.id, replies }, maskOf(request)));
  }

  /** `POST /v4/spreadsheets/{id}/values:batchGetByDataFilter` */
  values(request: SimulatedRequest): Reply {
    const book = this.#book(request);
    const {
      dataFilters,
      majorDimension = 'ROWS',
      ...render
    } = shaped(FilteredRead, bodyOf(request), 'request');
    const valueRanges = dataFilters.map(({ gridRange = {} }, index): JsonObject => {
      const tab = book.tab(gridRange.sheetId ?? 0);
      if (tab === null)
        throw invalid(`Invalid dataFilter[${index}].gridRange: No grid with id: ${gridRange.sheetId ?? 0}`);
      const filter: JsonObject = { gridRange: { ...gridRange } };
      return { valueRange: valueRange(tab, gridRange, majorDimension, render, index), dataFilters: [filter] };
    });
    return json(200, { spreadsheetId: book.id, valueRanges });
  }

  /** `POST /v4/spreadsheets/{id}/developerMetadata:search` */
  search(request: SimulatedRequest): Reply {
    const book = this.#book(request);
    const { dataFilters } = shaped(Search, bodyOf(request), 'request');
    const found = book.metadata.filter((one) =>
      dataFilters.some(({ developerMetadataLookup }) => isSelected(developerMetadataLookup, one)),
    );
    return json(200, {
      matchedDeveloperMetadata: found.map((one) => ({ developerMetadata: metadataJson(one) })),
    });
  }

  #book({ params }: SimulatedRequest): Book {
    const book = this.#books.find(decodeURIComponent(params.id ?? ''));
    if (book === null) throw sheetNotFound();
    return book;
  }

  #answer(request: SimulatedRequest, book: Book): Reply {
    const mask = maskOf(request);
    const whole = request.query.get('includeGridData') === 'true';
    const data = mask === null ? whole : selects(mask, 'sheets', 'data');
    const cells = mask === null ? whole : selects(mask, 'sheets', 'data', 'rowData');
    const url = `${this.#pagesUrl()}/spreadsheets/d/${book.id}/edit`;
    return json(200, masked(spreadsheetJson(book, url, { data, cells }), mask));
  }
}

function maskOf({ query }: SimulatedRequest) {
  const fields = query.get('fields');
  return fields === null ? null : fieldMask(fields);
}

function checkNames(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys()) {
    if (!known.includes(name)) {
      throw invalid(`Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter.`);
    }
  }
}

function bodyOf({ headers, body }: SimulatedRequest): Record<string, unknown> {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) throw invalid('The body is not JSON.');
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(body);
  } catch {
    // Refused below.
  }
  if (!isRecord(parsed)) throw invalid('Invalid JSON payload received. Unexpected token.');
  return parsed;
}

type Range = {
  readonly startRowIndex?: number;
  readonly endRowIndex?: number;
  readonly startColumnIndex?: number;
  readonly endColumnIndex?: number;
};

/** Trailing blank cells are left out, as are empty rows. */
function valueRange(
  tab: SheetTab,
  range: Range,
  majorDimension: 'ROWS' | 'COLUMNS',
  render: { readonly valueRenderOption?: string; readonly dateTimeRenderOption?: string },
  at: number,
): JsonObject {
  const { startRowIndex = 0, startColumnIndex = 0 } = range;
  const { endRowIndex = tab.rowCount, endColumnIndex = tab.columnCount } = range;
  if (startRowIndex >= tab.rowCount || startColumnIndex >= tab.columnCount) {
    throw invalid(
      `Invalid dataFilter[${at}].gridRange: Range exceeds grid limits. Max rows: ${tab.rowCount}, max columns: ${tab.columnCount}`,
    );
  }
  const lastRow = Math.min(endRowIndex, tab.rowCount, tab.lastRow + 1);
  const lastColumn = Math.min(endColumnIndex, tab.columnCount);
  const isRaw = render.valueRenderOption === 'UNFORMATTED_VALUE';
  const valueAt = (row: number, column: number): Json => {
    const cell = tab.cell(row, column);
    const isShown =
      !isRaw || (cell.format?.type === 'DATE' && render.dateTimeRenderOption === 'FORMATTED_STRING');
    return isShown ? shownCell(cell) : (cell.value ?? '');
  };
  const lines: Json[][] = [];
  if (majorDimension === 'ROWS') {
    for (let row = startRowIndex; row < lastRow; row++) {
      lines.push(line(startColumnIndex, lastColumn, (column) => valueAt(row, column)));
    }
  } else {
    for (let column = startColumnIndex; column < lastColumn; column++) {
      lines.push(line(startRowIndex, lastRow, (row) => valueAt(row, column)));
    }
  }
  while (lines.at(-1)?.length === 0) lines.pop();
  const title = `'${tab.title.replaceAll("'", "''")}'`;
  const corner = (row: number, column: number): string => `${columnLetters(column)}${row + 1}`;
  return {
    range: `${title}!${corner(startRowIndex, startColumnIndex)}:${corner(Math.min(endRowIndex, tab.rowCount) - 1, lastColumn - 1)}`,
    majorDimension,
    ...(lines.length === 0 ? {} : { values: lines }),
  };
}

function line(from: number, to: number, valueAt: (index: number) => Json): Json[] {
  const values: Json[] = [];
  for (let index = from; index < to; index++) values.push(valueAt(index));
  while (values.at(-1) === '') values.pop();
  return values;
}
