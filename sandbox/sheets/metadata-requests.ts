import type { JsonObject } from '../shared/json.ts';
import type { Book } from './book.ts';
import { type GoogleError, invalid, noGrid } from './errors.ts';
import { checkStorage, isSelected, locationOf, type Metadata, metadataJson } from './metadata.ts';
import type { RequestOf } from './request-shapes.ts';

/** A chosen id can be used once; entries may share a key. */
export function createdMetadata(
  book: Book,
  { developerMetadata }: RequestOf<'createDeveloperMetadata'>,
  at: Where,
  { newId }: BatchContext,
): JsonObject {
  const where = `requests[${at.index}].createDeveloperMetadata`;
  const isTaken = (id: number): boolean => book.metadata.some((one) => one.id === id);
  const {
    metadataId = newId(isTaken),
    metadataKey: key,
    metadataValue: value = '',
    visibility,
  } = developerMetadata;
  if (isTaken(metadataId)) {
    throw invalid(`Invalid ${where}: The metadata ID ${metadataId} is in use already.`);
  }
  const location = locationOf(developerMetadata.location, where);
  if (location.type !== 'SPREADSHEET' && book.tab(location.sheetId) === null) {
    throw noGrid(at.index, at.name, location.sheetId);
  }
  const made: Metadata = { id: metadataId, key, value, visibility, location };
  book.metadata = [...book.metadata, made];
  checkStorage(book.metadata, made, where);
  return { createDeveloperMetadata: { developerMetadata: metadataJson(made) } };
}

export function changedMetadata(
  book: Book,
  { dataFilters, developerMetadata }: RequestOf<'updateDeveloperMetadata'>,
  at: Where,
): JsonObject {
  const { metadataValue: value = '' } = developerMetadata;
  const isMeant = (one: Metadata): boolean =>
    dataFilters.some(({ developerMetadataLookup }) => isSelected(developerMetadataLookup, one));
  book.metadata = book.metadata.map((one) => (isMeant(one) ? { ...one, value } : one));
  for (const one of book.metadata.filter(isMeant)) checkStorage(book.metadata, one, at.name);
  return {};
}

export function removedMetadata(
  book: Book,
  { dataFilter }: RequestOf<'deleteDeveloperMetadata'>,
): JsonObject {
  const gone = book.metadata.filter((one) => isSelected(dataFilter.developerMetadataLookup, one));
  book.metadata = book.metadata.filter((one) => !gone.includes(one));
  return { deleteDeveloperMetadata: { deletedDeveloperMetadata: gone.map(metadataJson) } };
}

/** What a batch is applied with. */
export interface BatchContext {
  /** An unused number. */
  readonly newId: (taken: (id: number) => boolean) => number;
  /** A text that no cell may contain; null for none. */
  readonly refusedText: string | null;
}

/** Which request of a batch. */
export interface Where {
  readonly index: number;
  readonly name: string;
}

export const refusal = ({ index, name }: Where, why: string): GoogleError =>
  invalid(`Invalid requests[${index}].${name}: ${why}`);
