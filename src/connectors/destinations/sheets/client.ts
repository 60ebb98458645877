import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { QuotaUse } from '../../../platform/quotas.ts';
import type { DestinationAccess } from '../destination-contract.ts';
import { PERSON_WAIT_MS, RUN_WAIT_MS, type VendorClient } from '../kit/vendor-client.ts';
import { type SheetRequest, WrittenCells } from './sheet-requests.ts';
import { SPREADSHEET_FIELDS, SpreadsheetAnswer } from './workbook.ts';

/**
 * What Google allows in a minute: 300 reads and 300 writes for a project, 60 and 60 for each of its users
 * (docs/destination-services.md#google-sheets). A batch is one call, whatever is in it.
 */
const WINDOW_MS = 60_000;
const PROJECT = 300;
const USER = 60;
/** An account record's share of the project's quota, so that no one uses it all. */
const OWNER = 150;

const quotasOf = (kind: 'reads' | 'writes') => ({
  project: { name: `google-sheets-${kind}`, amount: PROJECT, windowMs: WINDOW_MS, shared: true },
  owner: { name: `google-sheets-${kind}-owner`, amount: OWNER, windowMs: WINDOW_MS },
  user: { name: `google-sheets-${kind}-user`, amount: USER, windowMs: WINDOW_MS },
});
const QUOTAS = { read: quotasOf('reads'), write: quotasOf('writes') };

/** What a call of the Sheets API counts against. */
function sheetsQuotas(kind: 'read' | 'write', owner: string): (holder: string) => readonly QuotaUse[] {
  const { user, owner: share, project } = QUOTAS[kind];
  return (holder) => [
    { quota: user, key: holder },
    { quota: share, key: owner },
    { quota: project, key: 'project' },
  ];
}

/** Drive's quota is so large that only its own refusals matter. */
const NO_QUOTAS = (): readonly QuotaUse[] => [];

/** How many characters of text are collected before they are encoded. */
const PIECE = 64 * 1024;

/** The body of a batch of requests: JSON in UTF-8, built without holding all of it as objects or as one text. */
export function batchBody(requests: readonly SheetRequest[]): Buffer {
  const pieces: Buffer[] = [];
  let text = '';
  for (const next of textsOf(requests)) {
    text += next;
    if (text.length < PIECE) continue;
    pieces.push(Buffer.from(text));
    text = '';
  }
  return Buffer.concat([...pieces, Buffer.from(text)]);
}

function* textsOf(requests: readonly SheetRequest[]): Generator<string> {
  yield '{"requests":[';
  for (const [at, request] of requests.entries()) {
    if (at > 0) yield ',';
    if (request instanceof WrittenCells) yield* request.texts();
    else yield JSON.stringify(request);
  }
  yield ']}';
}

const Values = Type.Object({
  valueRanges: Type.Optional(
    Type.Array(
      Type.Object({
        valueRange: Type.Object({
          values: Type.Optional(Type.Array(Type.Array(Type.Unknown()))),
        }),
        dataFilters: Type.Array(Type.Unknown()),
      }),
    ),
  ),
});
const Applied = Type.Object({ spreadsheetId: Type.String() });
const DriveFile = Type.Object({
  id: Type.String(),
  name: Type.String(),
  trashed: Type.Optional(Type.Boolean()),
  mimeType: Type.Optional(Type.String()),
  capabilities: Type.Optional(Type.Object({ canEdit: Type.Optional(Type.Boolean()) })),
  webViewLink: Type.Optional(Type.String()),
});
const DriveFiles = Type.Object({
  files: Type.Array(DriveFile),
  nextPageToken: Type.Optional(Type.String()),
});
const About = Type.Object({ user: Type.Object({ permissionId: Type.String({ minLength: 1 }) }) });

/** Drive's media type of a spreadsheet. */
export const SPREADSHEET_TYPE = 'application/vnd.google-apps.spreadsheet';
const SHEET_TYPE = `mimeType = '${SPREADSHEET_TYPE}' and trashed = false`;
const ALL_DRIVES = [
  ['supportsAllDrives', 'true'],
  ['includeItemsFromAllDrives', 'true'],
] as const;
/** The most that Drive lists at once. */
const PAGE = 1000;

/** The cells to read: rows and columns from 0, ends excluded. */
export interface CellRange {
  readonly sheetId: number;
  readonly startRowIndex: number;
  readonly endRowIndex: number;
  readonly startColumnIndex: number;
  readonly endColumnIndex: number;
}

/** The calls of Sheets v4 and Drive v3 that we need, with one grant. Raises DestinationFailure. */
export class GoogleApi {
  readonly #sheets: VendorClient;
  readonly #drive: VendorClient;
  readonly #access: DestinationAccess;
  readonly #longestWaitMs: number;

  /** @param waiting who waits for the answer: a run waits longer than a person */
  constructor(
    clients: { readonly sheets: VendorClient; readonly drive: VendorClient },
    access: DestinationAccess,
    waiting: 'run' | 'person',
  ) {
    this.#sheets = clients.sheets;
    this.#drive = clients.drive;
    this.#access = access;
    this.#longestWaitMs = waiting === 'run' ? RUN_WAIT_MS : PERSON_WAIT_MS;
  }

  /** The structure of a spreadsheet: tabs and our marks, no cells. */
  spreadsheet(id: string, signal: AbortSignal) {
    return this.#sheets.call(this.#access, {
      ...this.#read(signal),
      method: 'GET',
      path: `/v4/spreadsheets/${encodeURIComponent(id)}`,
      query: [['fields', SPREADSHEET_FIELDS]],
      expect: SpreadsheetAnswer,
    });
  }

  /** Values of ranges, column by column, in the order of the ranges: numbers as numbers and days as their numbers. */
  async values(
    id: string,
    ranges: readonly CellRange[],
    signal: AbortSignal,
  ): Promise<readonly (readonly (readonly unknown[])[])[]> {
    const { valueRanges = [] } = await this.#sheets.call(this.#access, {
      ...this.#read(signal),
      method: 'POST',
      path: `/v4/spreadsheets/${encodeURIComponent(id)}/values:batchGetByDataFilter`,
      body: {
        dataFilters: ranges.map((gridRange) => ({ gridRange })),
        majorDimension: 'COLUMNS',
        valueRenderOption: 'UNFORMATTED_VALUE',
        dateTimeRenderOption: 'SERIAL_NUMBER',
      },
      expect: Values,
    });
    // An answer contains the filters it is for, and need not keep their order.
    const found = new Map(
      valueRanges.flatMap(({ valueRange, dataFilters }) =>
        dataFilters.map((filter) => [filterKey(filter), valueRange.values ?? []] as const),
      ),
    );
    return ranges.map((gridRange) => found.get(filterKey({ gridRange })) ?? []);
  }

  /** All of the requests or none. Not safe to repeat: after an unknown outcome, look for the chunk's mark first. */
  async update(id: string, requests: readonly SheetRequest[], signal: AbortSignal): Promise<void> {
    await this.#sheets.call(this.#access, {
      ...this.#write(signal),
      method: 'POST',
      path: `/v4/spreadsheets/${encodeURIComponent(id)}:batchUpdate`,
      query: [['fields', 'spreadsheetId']],
      json: batchBody(requests),
      expect: Applied,
    });
  }

  createSpreadsheet(body: unknown, signal: AbortSignal) {
    return this.#sheets.call(this.#access, {
      ...this.#write(signal),
      method: 'POST',
      path: '/v4/spreadsheets',
      query: [['fields', SPREADSHEET_FIELDS]],
      body,
      expect: SpreadsheetAnswer,
    });
  }

  /** Whether the spreadsheet is in the bin, from which Sheets still serves it. */
  async isTrashed(id: string, signal: AbortSignal): Promise<boolean> {
    return (await this.file(id, signal)).trashed === true;
  }

  /** What Drive says about a file: whether it is in the bin, its type, and what the person may do with it. */
  file(id: string, signal: AbortSignal) {
    return this.#drive.call(this.#access, {
      ...this.#plain(signal),
      method: 'GET',
      path: `/drive/v3/files/${encodeURIComponent(id)}`,
      query: [
        ['fields', 'id,name,trashed,mimeType,capabilities(canEdit)'],
        ['supportsAllDrives', 'true'],
      ],
      expect: DriveFile,
    });
  }

  /** Spreadsheets that this application may see, up to the limit. */
  async spreadsheets(limit: number, orderBy: string, signal: AbortSignal) {
    const files: { id: string; name: string; webViewLink?: string }[] = [];
    let pageToken: string | undefined;
    do {
      const answer = await this.#drive.call(this.#access, {
        ...this.#plain(signal),
        method: 'GET',
        path: '/drive/v3/files',
        query: [
          ['q', SHEET_TYPE],
          ['fields', 'nextPageToken,files(id,name,webViewLink)'],
          ['pageSize', String(Math.min(PAGE, limit - files.length))],
          ['orderBy', orderBy],
          ...ALL_DRIVES,
          ...(pageToken === undefined ? [] : [['pageToken', pageToken] as const]),
        ],
        expect: DriveFiles,
      });
      files.push(...answer.files);
      pageToken = answer.nextPageToken;
    } while (pageToken !== undefined && files.length < limit);
    return files.slice(0, limit);
  }

  /** Drive's id of the person whose grant it is: Google counts calls per person. */
  async person(signal: AbortSignal): Promise<string> {
    const { user } = await this.#drive.call(this.#access, {
      ...this.#plain(signal),
      method: 'GET',
      path: '/drive/v3/about',
      query: [['fields', 'user(permissionId)']],
      expect: About,
    });
    return user.permissionId;
  }

  #read(signal: AbortSignal) {
    const quotas = sheetsQuotas('read', this.#access.owner);
    return { quotas, repeatable: true, writes: false, longestWaitMs: this.#longestWaitMs, signal } as const;
  }

  #write(signal: AbortSignal) {
    const quotas = sheetsQuotas('write', this.#access.owner);
    return { quotas, repeatable: false, writes: true, longestWaitMs: this.#longestWaitMs, signal } as const;
  }

  #plain(signal: AbortSignal) {
    const longestWaitMs = this.#longestWaitMs;
    return { quotas: NO_QUOTAS, repeatable: true, writes: false, longestWaitMs, signal } as const;
  }
}

const Grid = Type.Object({
  gridRange: Type.Object({
    sheetId: Type.Optional(Type.Integer()),
    startRowIndex: Type.Optional(Type.Integer()),
    startColumnIndex: Type.Optional(Type.Integer()),
    endRowIndex: Type.Optional(Type.Integer()),
  }),
});

/** Google omits members that are 0. */
function filterKey(filter: unknown): string {
  if (!Value.Check(Grid, filter)) return '';
  const { sheetId = 0, startRowIndex = 0, startColumnIndex = 0, endRowIndex = 0 } = filter.gridRange;
  return [sheetId, startRowIndex, startColumnIndex, endRowIndex].join(' ');
}
