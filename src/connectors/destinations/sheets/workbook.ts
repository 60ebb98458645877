import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { OpenedSync } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';

const MetadataEntry = Type.Object({
  metadataId: Type.Integer(),
  metadataKey: Type.String(),
  metadataValue: Type.Optional(Type.String()),
  location: Type.Optional(
    Type.Object({
      dimensionRange: Type.Optional(Type.Object({ startIndex: Type.Optional(Type.Integer()) })),
    }),
  ),
});
const Listed = Type.Optional(Type.Array(MetadataEntry));

const Sheet = Type.Object({
  properties: Type.Object({
    sheetId: Type.Optional(Type.Integer()),
    title: Type.String(),
    /** Absent if a sheet is a chart. */
    gridProperties: Type.Optional(
      Type.Object({
        rowCount: Type.Optional(Type.Integer()),
        columnCount: Type.Optional(Type.Integer()),
        frozenRowCount: Type.Optional(Type.Integer()),
      }),
    ),
  }),
  developerMetadata: Listed,
  data: Type.Optional(
    Type.Array(
      Type.Object({
        columnMetadata: Type.Optional(Type.Array(Type.Object({ developerMetadata: Listed }))),
      }),
    ),
  ),
});

/** What SPREADSHEET_FIELDS selects. Google omits what is 0, empty or false. */
export const SpreadsheetAnswer = Type.Object({
  spreadsheetId: Type.String(),
  spreadsheetUrl: Type.Optional(Type.String()),
  properties: Type.Object({ title: Type.String() }),
  sheets: Type.Array(Sheet),
  developerMetadata: Listed,
});
export type SpreadsheetAnswer = Static<typeof SpreadsheetAnswer>;
type SheetAnswer = Static<typeof Sheet>;

const METADATA = 'metadataId,metadataKey,metadataValue,location';
/** Only structure, never cells. Metadata of columns is with the columns. */
export const SPREADSHEET_FIELDS = [
  'spreadsheetId',
  'spreadsheetUrl',
  'properties(title)',
  `developerMetadata(${METADATA})`,
  `sheets(properties(sheetId,title,gridProperties),developerMetadata(${METADATA}),data(columnMetadata(developerMetadata(${METADATA}))))`,
].join(',');

/** Keys of the developer metadata by which we find what we wrote (visible only to this project). */
const COLUMN_KEY = 'tributary_column';
const TAB_KEY = 'tributary_tab';
export const CHUNK_KEY = 'tributary_chunk';
export const CREATION_KEY = 'tributary_creation';

const VISIBLE = { visibility: 'PROJECT' } as const;

/** One entry to create. */
export interface NewMetadata {
  readonly metadataId?: number;
  readonly metadataKey: string;
  readonly metadataValue: string;
  readonly location: Readonly<Record<string, unknown>>;
  readonly visibility: 'PROJECT';
}

export function spreadsheetEntry(key: string, value: string): NewMetadata {
  return { metadataKey: key, metadataValue: value, location: { spreadsheet: true }, ...VISIBLE };
}

export function tabEntry(sheetId: number, value: string): NewMetadata {
  return { metadataKey: TAB_KEY, metadataValue: value, location: { sheetId }, ...VISIBLE };
}

/** @param name `table.column` */
export function columnEntry(sheetId: number, at: number, name: string): NewMetadata {
  const dimensionRange = { sheetId, dimension: 'COLUMNS', startIndex: at, endIndex: at + 1 };
  return { metadataKey: COLUMN_KEY, metadataValue: name, location: { dimensionRange }, ...VISIBLE };
}

/** What a tab is for: the rows of a sync, its balances, or the rows of one account. */
export const tabOfRows = ({ id }: Pick<OpenedSync, 'id'>): string => `rows ${id}`;
export const tabOfBalances = ({ id }: Pick<OpenedSync, 'id'>): string => `balances ${id}`;
export const tabOfAccount = (account: string): string => `account ${account}`;

/** A positive 31-bit number derived from a text that is not yet taken, for ids of tabs and metadata. */
export function derivedId(text: string, isTaken: (id: number) => boolean): number {
  for (let probe = 0; ; probe++) {
    const id = createHash('sha256').update(`${text} ${probe}`).digest().readUInt32BE() >>> 1;
    if (id > 0 && !isTaken(id)) return id;
  }
}

/** A destination's target. */
export interface SheetTarget {
  readonly spreadsheet: string;
  readonly sheet: number;
}

/** Raises DestinationFailure for a target without a tab. */
export function sheetTarget(target: Readonly<Record<string, string>>): SheetTarget {
  const { spreadsheet_id: spreadsheet = '', sheet_id: sheet = '' } = target;
  if (spreadsheet !== '' && /^\d{1,10}$/.test(sheet)) return { spreadsheet, sheet: Number(sheet) };
  throw new DestinationFailure(
    'destination_resource_missing',
    'Google Sheets: the destination names no spreadsheet, or no tab of one by the number that Google gives it.',
    { outcome: 'refused', retryable: false },
  );
}

/** A tab of a spreadsheet, as last read. */
export interface Tab {
  readonly sheetId: number;
  readonly title: string;
  readonly rowCount: number;
  readonly columnCount: number;
  readonly frozenRows: number;
  /** Columns that we marked: index by `table.column`. */
  readonly tags: ReadonlyMap<string, number>;
  /** What we marked the tab as. */
  readonly marks: ReadonlySet<string>;
}

/** The mark that a chunk, or a part of one, was written: the entry was created in the same batch as its rows. */
export interface ChunkMark {
  readonly metadataId: number;
  /** The sync it belongs to. */
  readonly sync: string;
  readonly sequence: number;
  /** The event id, a slash, and the part. */
  readonly chunk: string;
}

/** A spreadsheet without its cells. */
export interface Workbook {
  readonly id: string;
  readonly title: string;
  readonly url: string | null;
  /** Tabs with cells, in their order. */
  readonly tabs: readonly Tab[];
  readonly titles: ReadonlySet<string>;
  readonly sheetIds: ReadonlySet<number>;
  readonly metadataIds: ReadonlySet<number>;
  readonly chunkMarks: readonly ChunkMark[];
  /** Keys of the requests that created it. */
  readonly creations: ReadonlySet<string>;
}

type Metadata = NonNullable<SpreadsheetAnswer['developerMetadata']>;

export function workbookOf(answer: SpreadsheetAnswer): Workbook {
  const { developerMetadata = [], sheets } = answer;
  const all = [
    ...developerMetadata,
    ...sheets.flatMap((sheet) => [...(sheet.developerMetadata ?? []), ...columnMetadata(sheet)]),
  ];
  return {
    id: answer.spreadsheetId,
    title: answer.properties.title,
    url: answer.spreadsheetUrl ?? null,
    tabs: sheets.flatMap((sheet) => tabOf(sheet)),
    titles: new Set(sheets.map(({ properties }) => properties.title)),
    sheetIds: new Set(sheets.map(({ properties }) => properties.sheetId ?? 0)),
    metadataIds: new Set(all.map(({ metadataId }) => metadataId)),
    chunkMarks: developerMetadata.flatMap(chunkMarkOf),
    creations: new Set(valuesOf(developerMetadata, CREATION_KEY)),
  };
}

function tabOf(sheet: SheetAnswer): readonly Tab[] {
  const { sheetId = 0, title, gridProperties } = sheet.properties;
  if (gridProperties === undefined) return [];
  const { rowCount = 0, columnCount = 0, frozenRowCount: frozenRows = 0 } = gridProperties;
  const tags = new Map<string, number>();
  for (const { metadataKey, metadataValue = '', location } of columnMetadata(sheet)) {
    const at = location?.dimensionRange?.startIndex ?? 0;
    // If a person copied a column, our mark is there twice; the first is ours.
    if (metadataKey === COLUMN_KEY) tags.set(metadataValue, Math.min(at, tags.get(metadataValue) ?? at));
  }
  const marks = new Set(valuesOf(sheet.developerMetadata ?? [], TAB_KEY));
  return [{ sheetId, title, rowCount, columnCount, frozenRows, tags, marks }];
}

function columnMetadata({ data = [] }: SheetAnswer): Metadata {
  return data.flatMap(({ columnMetadata: columns = [] }) =>
    columns.flatMap(({ developerMetadata = [] }) => developerMetadata),
  );
}

function valuesOf(entries: Metadata, key: string): readonly string[] {
  return entries.flatMap(({ metadataKey, metadataValue = '' }) =>
    metadataKey === key ? [metadataValue] : [],
  );
}

const MARK = /^(\S+) (\d+) (\S+)$/;

function chunkMarkOf({
  metadataId,
  metadataKey,
  metadataValue = '',
}: Metadata[number]): readonly ChunkMark[] {
  if (metadataKey !== CHUNK_KEY) return [];
  const [, sync, sequence, chunk] = MARK.exec(metadataValue) ?? [];
  if (sync === undefined || sequence === undefined || chunk === undefined) return [];
  return [{ metadataId, sync, sequence: Number(sequence), chunk }];
}

export function markText({ sync, sequence, chunk }: Omit<ChunkMark, 'metadataId'>): string {
  return `${sync} ${sequence} ${chunk}`;
}

/** The sync that a mark belongs to, in few characters: Google limits the total metadata of a spreadsheet. */
export const markOwner = ({ id }: Pick<OpenedSync, 'id'>): string => id.slice(-12);

/** A title that no other tab has, of at most 100 characters. */
export function freeTitle(wanted: string, isTaken: (title: string) => boolean): string {
  const base = wanted.trim() === '' ? 'Account' : wanted.trim();
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` ${number}`;
    const title = `${[...base]
      .slice(0, 90 - suffix.length)
      .join('')
      .trim()}${suffix}`;
    if (!isTaken(title)) return title;
  }
}
