import { createHash } from 'node:crypto';
import type { OpenedSync } from '../destination-opening.ts';

/** Keys of the developer metadata by which we find again what we wrote (visible to this project alone). */
export const COLUMN_KEY = 'tributary_column';
export const TAB_KEY = 'tributary_tab';
export const CHUNK_KEY = 'tributary_chunk';
export const CREATION_KEY = 'tributary_creation';

const VISIBLE = { visibility: 'PROJECT' } as const;

/** One entry that is to be made. */
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

/** A positive number of 31 bits that follows from a text and is not among those taken: ids of tabs and of metadata. */
export function derivedId(text: string, isTaken: (id: number) => boolean): number {
  for (let probe = 0; ; probe++) {
    const id = createHash('sha256').update(`${text} ${probe}`).digest().readUInt32BE() >>> 1;
    if (id > 0 && !isTaken(id)) return id;
  }
}
