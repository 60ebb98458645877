export const DESTINATION_TYPES = [
  'sheets',
  'notion',
  'airtable',
  'ynab',
  'webhook',
  'postgres',
  'actual',
] as const;
export type DestinationType = (typeof DESTINATION_TYPES)[number];

/** Target keys by type (docs/resources.md#destination). */
export const TARGET_KEYS = {
  sheets: ['spreadsheet_id', 'sheet_id', 'spreadsheet_name', 'sheet_name'],
  notion: ['database_id'],
  airtable: ['base_id', 'table_id'],
  ynab: ['budget_id'],
  webhook: ['url'],
  postgres: ['schema', 'table'],
  actual: ['budget_id'],
} as const satisfies Record<DestinationType, readonly string[]>;

/** What `GET /v2/destinations/{id}/resources` can be asked for (docs/resources.md#destination). */
export const DESTINATION_RESOURCE_TYPES = [
  'spreadsheet',
  'sheet',
  'database',
  'base',
  'table',
  'budget',
  'account',
  'category',
  'schema',
] as const;
export type DestinationResourceType = (typeof DESTINATION_RESOURCE_TYPES)[number];

/** A kind of thing that lies inside another: which kind, and where the current target names that one. */
interface ChildResource {
  readonly parent: DestinationResourceType;
  readonly targetKey: string;
}

/** Which resources each type has; null for one that lies inside nothing. */
export const DESTINATION_RESOURCES: Readonly<
  Record<DestinationType, Readonly<Partial<Record<DestinationResourceType, ChildResource | null>>>>
> = {
  sheets: { spreadsheet: null, sheet: { parent: 'spreadsheet', targetKey: 'spreadsheet_id' } },
  notion: { database: null },
  airtable: { base: null, table: { parent: 'base', targetKey: 'base_id' } },
  ynab: {
    budget: null,
    account: { parent: 'budget', targetKey: 'budget_id' },
    category: { parent: 'budget', targetKey: 'budget_id' },
  },
  webhook: {},
  postgres: { schema: null, table: { parent: 'schema', targetKey: 'schema' } },
  actual: {
    budget: null,
    account: { parent: 'budget', targetKey: 'budget_id' },
    category: { parent: 'budget', targetKey: 'budget_id' },
  },
};

/** Types whose rows carry a category of the destination's own (`GET /v2/syncs/{id}/category_mappings`). */
export const CATEGORY_MAPPED_TYPES: readonly DestinationType[] = ['ynab', 'actual'];

/** Why a destination link ended without a destination. The first two are a connector's to report. */
export const DESTINATION_LINK_FAILURE_REASONS = [
  'access_denied',
  'unknown',
  'cancelled',
  'destination_deleted',
] as const;
export type DestinationLinkFailureReason = (typeof DESTINATION_LINK_FAILURE_REASONS)[number];
