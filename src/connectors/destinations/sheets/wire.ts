import { type Static, Type } from 'typebox';

const Metadata = Type.Object({
  metadataId: Type.Integer(),
  metadataKey: Type.String(),
  metadataValue: Type.Optional(Type.String()),
  location: Type.Optional(
    Type.Object({
      dimensionRange: Type.Optional(Type.Object({ startIndex: Type.Optional(Type.Integer()) })),
    }),
  ),
});
const Listed = Type.Optional(Type.Array(Metadata));

const Sheet = Type.Object({
  properties: Type.Object({
    sheetId: Type.Optional(Type.Integer()),
    title: Type.String(),
    /** Absent where a sheet is a chart. */
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

/** What SPREADSHEET_FIELDS selects. Google leaves out what is 0, empty or false. */
export const SpreadsheetAnswer = Type.Object({
  spreadsheetId: Type.String(),
  spreadsheetUrl: Type.Optional(Type.String()),
  properties: Type.Object({ title: Type.String() }),
  sheets: Type.Array(Sheet),
  developerMetadata: Listed,
});
export type SpreadsheetAnswer = Static<typeof SpreadsheetAnswer>;
export type SheetAnswer = Static<typeof Sheet>;

const METADATA = 'metadataId,metadataKey,metadataValue,location';
/** Structure alone, and never a cell. Metadata of columns is with the columns. */
export const SPREADSHEET_FIELDS = [
  'spreadsheetId',
  'spreadsheetUrl',
  'properties(title)',
  `developerMetadata(${METADATA})`,
  `sheets(properties(sheetId,title,gridProperties),developerMetadata(${METADATA}),data(columnMetadata(developerMetadata(${METADATA}))))`,
].join(',');
