import { ACTUAL } from './destination-kinds/actual.ts';
import { AIRTABLE } from './destination-kinds/airtable.ts';
import { CSV_FOLDER } from './destination-kinds/csv-folder.ts';
import type { DestinationKind } from './destination-kinds/kind.ts';
import { NOTION } from './destination-kinds/notion.ts';
import { POSTGRES } from './destination-kinds/postgres.ts';
import { SHEETS } from './destination-kinds/sheets.ts';
import { WEBHOOK } from './destination-kinds/webhook.ts';
import { YNAB } from './destination-kinds/ynab.ts';
import type { SyncType } from './syncs.ts';

/**
 * How the types of destination differ. All code uses this table instead of comparing with a type, so that a new type is
 * a row here. A test compares it with `docs/destinations.md`.
 */
export const DESTINATION_KINDS = {
  sheets: SHEETS,
  notion: NOTION,
  airtable: AIRTABLE,
  ynab: YNAB,
  webhook: WEBHOOK,
  postgres: POSTGRES,
  actual: ACTUAL,
  csv_folder: CSV_FOLDER,
} as const satisfies Readonly<Record<string, DestinationKind>>;

export type DestinationType = keyof typeof DESTINATION_KINDS;

/** In the order of docs/destinations.md. */
export const DESTINATION_TYPES: readonly DestinationType[] =
  Object.keys(DESTINATION_KINDS).filter(isDestinationType);

export function isDestinationType(name: string): name is DestinationType {
  return Object.hasOwn(DESTINATION_KINDS, name);
}

/** The types that a sync of `type` may write to. */
export function destinationsHolding(type: SyncType): readonly DestinationType[] {
  return DESTINATION_TYPES.filter((destination) => DESTINATION_KINDS[destination].holds.includes(type));
}

/** The types whose rows have one of the destination's own categories. */
export const CATEGORY_MAPPED_TYPES: readonly DestinationType[] = DESTINATION_TYPES.filter(
  (type) => DESTINATION_KINDS[type].mapsCategories,
);

/** The types that can be connected without a page of the vendor. */
export const DIRECTLY_CREATED_TYPES: readonly DestinationType[] = DESTINATION_TYPES.filter(
  (type) => DESTINATION_KINDS[type].connects !== 'link',
);
