import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { invalid } from './errors.ts';

const strict = { additionalProperties: false };
const index = Type.Integer({ minimum: 0 });
const count = Type.Integer({ minimum: 1 });
const dimension = Type.Union([Type.Literal('ROWS'), Type.Literal('COLUMNS')]);
const sheetId = Type.Optional(index);
const fields = Type.String({ minLength: 1 });
const anything = Type.Unknown();

const GridProperties = Type.Object(
  {
    rowCount: Type.Optional(count),
    columnCount: Type.Optional(count),
    frozenRowCount: Type.Optional(index),
    frozenColumnCount: Type.Optional(index),
    hideGridlines: Type.Optional(Type.Boolean()),
  },
  strict,
);
export const SheetProperties = Type.Object(
  {
    sheetId,
    title: Type.Optional(Type.String({ minLength: 1 })),
    index: Type.Optional(index),
    sheetType: Type.Optional(Type.Literal('GRID')),
    hidden: Type.Optional(Type.Boolean()),
    gridProperties: Type.Optional(GridProperties),
  },
  strict,
);
const DimensionRange = Type.Object(
  { sheetId, dimension, startIndex: Type.Optional(index), endIndex: index },
  strict,
);
const GridRange = Type.Object(
  {
    sheetId,
    startRowIndex: Type.Optional(index),
    endRowIndex: Type.Optional(index),
    startColumnIndex: Type.Optional(index),
    endColumnIndex: Type.Optional(index),
  },
  strict,
);
const GridCoordinate = Type.Object(
  { sheetId, rowIndex: Type.Optional(index), columnIndex: Type.Optional(index) },
  strict,
);
const Row = Type.Object({ values: Type.Optional(Type.Array(anything)) }, strict);
export const NewMetadata = Type.Object(
  {
    metadataId: Type.Optional(count),
    metadataKey: Type.String({ minLength: 1 }),
    metadataValue: Type.Optional(Type.String()),
    visibility: Type.Union([Type.Literal('DOCUMENT'), Type.Literal('PROJECT')]),
    location: anything,
  },
  strict,
);
export const DataFilter = Type.Object(
  { developerMetadataLookup: Type.Optional(anything), gridRange: Type.Optional(GridRange) },
  strict,
);

/** The requests of a batch that the simulator supports. */
export const REQUESTS = {
  addSheet: Type.Object({ properties: Type.Optional(SheetProperties) }, strict),
  deleteSheet: Type.Object({ sheetId: index }, strict),
  updateSheetProperties: Type.Object({ properties: SheetProperties, fields }, strict),
  appendDimension: Type.Object({ sheetId, dimension, length: count }, strict),
  insertDimension: Type.Object(
    { range: DimensionRange, inheritFromBefore: Type.Optional(Type.Boolean()) },
    strict,
  ),
  deleteDimension: Type.Object({ range: DimensionRange }, strict),
  moveDimension: Type.Object({ source: DimensionRange, destinationIndex: index }, strict),
  updateDimensionProperties: Type.Object(
    {
      range: DimensionRange,
      properties: Type.Object(
        { hiddenByUser: Type.Optional(Type.Boolean()), pixelSize: Type.Optional(count) },
        strict,
      ),
      fields,
    },
    strict,
  ),
  updateCells: Type.Object(
    {
      start: Type.Optional(GridCoordinate),
      range: Type.Optional(GridRange),
      rows: Type.Optional(Type.Array(Row)),
      fields,
    },
    strict,
  ),
  repeatCell: Type.Object({ range: GridRange, cell: anything, fields }, strict),
  sortRange: Type.Object(
    {
      range: GridRange,
      sortSpecs: Type.Array(
        Type.Object(
          {
            dimensionIndex: index,
            sortOrder: Type.Optional(Type.Union([Type.Literal('ASCENDING'), Type.Literal('DESCENDING')])),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  createDeveloperMetadata: Type.Object({ developerMetadata: NewMetadata }, strict),
  updateDeveloperMetadata: Type.Object(
    {
      dataFilters: Type.Array(DataFilter),
      developerMetadata: Type.Object({ metadataValue: Type.Optional(Type.String()) }, strict),
      fields: Type.Literal('metadataValue'),
    },
    strict,
  ),
  deleteDeveloperMetadata: Type.Object({ dataFilter: DataFilter }, strict),
} as const;
export type RequestName = keyof typeof REQUESTS;
export type RequestOf<Name extends RequestName> = Static<(typeof REQUESTS)[Name]>;

/** Parses a part of a request as Google does: unknown members are refused by name. */
export function shaped<S extends TSchema>(schema: S, value: unknown, at: string): Static<S> {
  if (Value.Check(schema, value)) return value;
  const [problem] = Value.Errors(schema, value);
  const place = `${at}${(problem?.instancePath ?? '').replaceAll('/', '.')}`;
  throw invalid(`Invalid JSON payload received. ${problem?.message ?? 'Invalid value'} at '${place}'.`);
}
