import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { RuleAction, RuleCondition } from '../vocabulary/rules.ts';
import type { MetadataColumn, Moment, NullableMoment } from './identity-tables.ts';

export interface RulesetsTable {
  id: RowId<'ruleset'>;
  account_record: OwnerId;
  name: string;
  description: string | null;
  enabled: boolean;
  metadata: MetadataColumn;
  created: Moment;
  updated: Moment;
}

export interface RulesTable {
  id: RowId<'rule'>;
  account_record: OwnerId;
  ruleset: RowId<'ruleset'>;
  /** From 0 without gaps within the ruleset. */
  position: number;
  name: string | null;
  enabled: boolean;
  /** As parsed, and so in normal form; null matches every row. */
  conditions: ColumnType<RuleCondition | null, string | null, string | null>;
  actions: JSONColumnType<readonly RuleAction[]>;
  stop: boolean;
  created: Moment;
  updated: Moment;
}

export interface RuleHitsTable {
  rule: RowId<'rule'>;
  hits: Generated<number>;
  last_hit_at: NullableMoment;
}

export interface SyncRulesetsTable {
  sync: RowId<'sync'>;
  ruleset: RowId<'ruleset'>;
  /** In the order in which they are applied. */
  position: number;
}

export interface RulesetTables {
  rulesets: RulesetsTable;
  rules: RulesTable;
  rule_hits: RuleHitsTable;
  sync_rulesets: SyncRulesetsTable;
}

/** One row for each account record whose default categories were created; also locked by changes of the tree. */
export interface CategoryTreesTable {
  account_record: OwnerId;
  seeded_at: Moment;
  /** Incremented with every change of the tree. */
  version: Generated<number>;
}

export interface CategoriesTable {
  id: RowId<'category'>;
  account_record: OwnerId;
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
  account_record: OwnerId;
  code: string;
  category: RowId<'category'>;
}

/** The category of a single transaction, whatever its code leads to. */
export interface CategoryAssignmentsTable {
  id: RowId<'category_assignment'>;
  account_record: OwnerId;
  account: RowId<'account'>;
  category: RowId<'category'>;
  /** The tagged v2 id. */
  row_id: string;
  created: Moment;
}

export interface CategoryTables {
  category_trees: CategoryTreesTable;
  categories: CategoriesTable;
  category_claims: CategoryClaimsTable;
  category_assignments: CategoryAssignmentsTable;
}
