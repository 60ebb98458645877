import type { RowId } from './ids.ts';
import type { MappingMode } from './syncs.ts';

/**
 * The members of an entry of `account_mappings` besides `account`, by type of destination (docs/resources.md#sync, rule
 * 2). A type without `entry` has no places to which accounts can be mapped.
 */
export interface MappingRule {
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

/** Every member that an entry of any type may have besides `account`. */
export const MAPPING_MEMBERS = [
  'destination_account',
  'destination_account_name',
  'sheet_id',
  'sheet_name',
] as const;
export type MappingMember = (typeof MAPPING_MEMBERS)[number];

/** Where an account's rows go inside the destination. */
export type AccountMapping = Readonly<{ account: RowId<'account'> } & Partial<Record<MappingMember, string>>>;

export const NOT_MAPPED: MappingRule = { modes: ['bulk'], entry: null };
/** A budgeting app has its own accounts, which rows belong to. */
export const MAPPED_TO_BUDGET: MappingRule = {
  modes: ['bulk', 'per_account'],
  entry: {
    modes: ['bulk', 'per_account'],
    required: ['destination_account'],
    optional: ['destination_account_name'],
    needed: 'always',
  },
};
