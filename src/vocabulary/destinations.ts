export const DESTINATION_TYPES = ['sheets', 'notion', 'airtable', 'ynab', 'webhook'] as const;
export type DestinationType = (typeof DESTINATION_TYPES)[number];

/** Target keys by type (SPEC, destination). */
export const TARGET_KEYS = {
  sheets: ['spreadsheet_id', 'sheet_id', 'spreadsheet_name', 'sheet_name'],
  notion: ['database_id'],
  airtable: ['base_id', 'table_id'],
  ynab: ['budget_id'],
  webhook: ['url'],
} as const satisfies Record<DestinationType, readonly string[]>;

/** Types a person links by signing in there; a webhook is created directly with its URL. */
export const LINKED_TYPES: readonly DestinationType[] = ['sheets', 'notion', 'airtable', 'ynab'];
/** Types that can take brokerage accounts (SPEC, Create rules 3). */
export const BROKERAGE_TYPES: readonly DestinationType[] = ['sheets'];

/** What `GET /v2/destinations/{id}/resources` can be asked for (SPEC, Destination links and destinations). */
export const DESTINATION_RESOURCE_TYPES = [
  'spreadsheet',
  'sheet',
  'database',
  'base',
  'table',
  'budget',
  'account',
  'category',
] as const;
