import { isRecord, type JsonObject } from '../shared/json.ts';
import { invalid } from './errors.ts';
import { type Dimension, moveOrder } from './sheet-tab.ts';

/** Where developer metadata is: it moves with its row or column and is deleted with it. */
export type Location =
  | { readonly type: 'SPREADSHEET' }
  | { readonly type: 'SHEET'; readonly sheetId: number }
  | { readonly type: 'ROW' | 'COLUMN'; readonly sheetId: number; readonly index: number };

export interface Metadata {
  readonly id: number;
  readonly key: string;
  readonly value: string;
  readonly visibility: string;
  readonly location: Location;
}

/** How many characters of keys and values one sheet, or the spreadsheet itself, may have. */
const CHARACTERS = 30_000;

export function locationOf(given: unknown, at: string): Location {
  if (!isRecord(given)) throw invalid(`Invalid ${at}: The metadata location must be specified.`);
  const { spreadsheet, sheetId, dimensionRange } = given;
  if (spreadsheet === true) return { type: 'SPREADSHEET' };
  if (typeof sheetId === 'number') return { type: 'SHEET', sheetId };
  if (!isRecord(dimensionRange)) throw invalid(`Invalid ${at}: The metadata location must be specified.`);
  const { sheetId: of = 0, dimension, startIndex = 0, endIndex } = dimensionRange;
  if (typeof of !== 'number' || typeof startIndex !== 'number' || endIndex !== startIndex + 1) {
    throw invalid(`Invalid ${at}: The dimension range must represent a single row or column.`);
  }
  return { type: dimension === 'COLUMNS' ? 'COLUMN' : 'ROW', sheetId: of, index: startIndex };
}

export function checkStorage(all: readonly Metadata[], { location }: Metadata, at: string): void {
  const place = placeOf(location);
  const used = all
    .filter((one) => placeOf(one.location) === place)
    .reduce((sum, { key, value }) => sum + key.length + value.length, 0);
  if (used > CHARACTERS) {
    throw invalid(`Invalid ${at}: Developer metadata may not take more than ${CHARACTERS} characters.`);
  }
}

const placeOf = (location: Location): string =>
  location.type === 'SPREADSHEET' ? 'spreadsheet' : String(location.sheetId);

export function metadataJson({ id, key, value, visibility, location }: Metadata): JsonObject {
  return {
    metadataId: id,
    metadataKey: key,
    metadataValue: value,
    visibility,
    location: { locationType: location.type, ...placeJson(location) },
  };
}

function placeJson(location: Location): JsonObject {
  if (location.type === 'SPREADSHEET') return { spreadsheet: true };
  if (location.type === 'SHEET') return { sheetId: location.sheetId };
  const { type, sheetId, index } = location;
  const dimension = type === 'COLUMN' ? 'COLUMNS' : 'ROWS';
  return { dimensionRange: { sheetId, dimension, startIndex: index, endIndex: index + 1 } };
}

/** A change of rows or columns: the new index for an old one, null if it is gone. */
type IndexChange = (index: number) => number | null;

export const insertion =
  (start: number, count: number): IndexChange =>
  (at) =>
    at >= start ? at + count : at;
export const deletion =
  (start: number, end: number): IndexChange =>
  (at) =>
    at < start ? at : at < end ? null : at - (end - start);
export function movement(count: number, start: number, end: number, to: number): IndexChange {
  const order = moveOrder(count, start, end, to);
  return (at) => order.indexOf(at);
}

export function shifted(
  all: readonly Metadata[],
  sheetId: number,
  dimension: Dimension,
  change: IndexChange,
): readonly Metadata[] {
  const type = dimension === 'COLUMNS' ? 'COLUMN' : 'ROW';
  return all.flatMap((one) => {
    const { location } = one;
    if (location.type !== type || location.sheetId !== sheetId) return [one];
    const index = change(location.index);
    return index === null ? [] : [{ ...one, location: { ...location, index } }];
  });
}

/** Whether a `DeveloperMetadataLookup` selects it. */
export function isSelected(lookup: unknown, one: Metadata): boolean {
  if (!isRecord(lookup)) throw invalid('The lookup selects nothing.');
  const { metadataId, metadataKey, metadataValue, locationType, visibility, ...more } = lookup;
  const [stray] = Object.keys(more);
  if (stray !== undefined) throw invalid(`The sandbox does not look metadata up by ${stray}.`);
  return (
    (metadataId === undefined || metadataId === one.id) &&
    (metadataKey === undefined || metadataKey === one.key) &&
    (metadataValue === undefined || metadataValue === one.value) &&
    (locationType === undefined || locationType === one.location.type) &&
    (visibility === undefined || visibility === one.visibility)
  );
}
