import type { Generated } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { MetadataColumn, Moment } from './identity-tables.ts';

/** One row for each account record whose categories were planted; also what a change of the tree locks. */
export interface CategoryTreesTable {
  account_record: RowId<'account_record'>;
  seeded_at: Moment;
  /** Goes up with every change of the tree. */
  version: Generated<number>;
}

export interface CategoriesTable {
  id: RowId<'category'>;
  account_record: RowId<'account_record'>;
  /** The group; null for a group. */
  parent: RowId<'category'> | null;
  name: string;
  icon: string;
  /** `#rrggbb`, lower case. */
  color: string;
  /** From 0 without gaps, among the groups or within the group. */
  position: number;
  archived: boolean;
  metadata: MetadataColumn;
  created: Moment;
  updated: Moment;
}

/** A provider category code and the one category that claims it. */
export interface CategoryClaimsTable {
  account_record: RowId<'account_record'>;
  code: string;
  category: RowId<'category'>;
}

export interface CategoryTables {
  category_trees: CategoryTreesTable;
  categories: CategoriesTable;
  category_claims: CategoryClaimsTable;
}
