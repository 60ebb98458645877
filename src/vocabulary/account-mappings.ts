import type { DestinationType } from './destinations.ts';
import type { RowId } from './ids.ts';
import type { MappingMode } from './syncs.ts';

/**
 * What an entry of `account_mappings` says besides `account`, by type of destination
 * (docs/resources.md#sync, rule 2). A type without `entry` has nowhere to map an account to.
 */
interface MappingRow {
  readonly modes: readonly MappingMode[];
  /** The modes in which entries are taken, and their members. */
  readonly entry: {
    readonly modes: readonly MappingMode[];
    readonly required: readonly MappingMember[];
    readonly optional: readonly MappingMember[];
    /** Which banking accounts must have an entry: each, or those added after the sync was created. */
    readonly needed: 'always' | 'when_added';
  } | null;
}

/** Every member an entry of any type may have besides `account`. */
export const MAPPING_MEMBERS = [
  'destination_account',
  'destination_account_name',
  'sheet_id',
  'sheet_name',
] as const;
export type MappingMember = (typeof MAPPING_MEMBERS)[number];

/** Where an account's rows go inside the destination. */
export type AccountMapping = Readonly<{ account: RowId<'account'> } & Partial<Record<MappingMember, string>>>;

const TOGETHER: MappingRow = { modes: ['bulk'], entry: null };
/** Rows of a budgeting app stand in accounts of its own. */
const BUDGET: MappingRow = {
  modes: ['bulk', 'per_account'],
  entry: {
    modes: ['bulk', 'per_account'],
    required: ['destination_account'],
    optional: ['destination_account_name'],
    needed: 'always',
  },
};

export const ACCOUNT_MAPPINGS: Readonly<Record<DestinationType, MappingRow>> = {
  sheets: {
    modes: ['bulk', 'per_account'],
    entry: {
      modes: ['per_account'],
      required: ['sheet_id', 'sheet_name'],
      optional: [],
      needed: 'when_added',
    },
  },
  notion: TOGETHER,
  airtable: TOGETHER,
  ynab: BUDGET,
  webhook: TOGETHER,
  postgres: TOGETHER,
  actual: BUDGET,
};
