import type { ErrorCode } from '../../vocabulary/error-codes.ts';

/** One list of the data export, and what is read for each of its items. */
export interface ExportedList {
  readonly operation: string;
  /** Lists of each item, added to it under these names. */
  readonly within?: Readonly<Record<string, string>>;
  /** Operations about each item, whose answers are added to it under these names. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** What the data export contains, by name. A test compares this table with the operations. */
export const EXPORTED_LISTS: Readonly<Record<string, ExportedList>> = {
  connections: { operation: 'list_connections' },
  consents: { operation: 'list_consents' },
  accounts: { operation: 'list_accounts' },
  documents: { operation: 'list_documents', beside: { file: 'get_document_file' } },
  destinations: { operation: 'list_destinations', within: { deliveries: 'list_webhook_deliveries' } },
  syncs: {
    operation: 'list_syncs',
    within: {
      runs: 'list_sync_runs',
      rejected_rows: 'list_rejected_rows',
      category_mappings: 'list_category_mappings',
    },
  },
  categories: { operation: 'list_categories' },
  category_assignments: { operation: 'list_category_assignments' },
  saved_views: { operation: 'list_saved_views' },
  rulesets: { operation: 'list_rulesets', within: { rules: 'list_rules' } },
  api_keys: { operation: 'list_api_keys' },
  connected_apps: { operation: 'list_connected_apps' },
  simplefin_setup_tokens: { operation: 'list_simplefin_setup_tokens' },
  simplefin_apps: { operation: 'list_simplefin_apps' },
  event_destinations: { operation: 'list_event_destinations' },
  events: { operation: 'list_events' },
  audit_events: { operation: 'list_audit_events' },
};

/** Lists that are not exported, and why. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  list_institutions: 'They belong to the providers and are the same for everyone.',
  list_provider_categories: 'They belong to the providers and are the same for everyone.',
  list_balances: 'They are read from the bank and stored nowhere here.',
  list_transactions:
    'They are read from the bank and stored nowhere here; transactions have an export of their own.',
  list_changes: 'They are read from the bank and compared with ids and checksums, which say nothing alone.',
  list_holdings: 'They are read from the broker and stored nowhere here.',
  list_trades: 'They are read from the broker and stored nowhere here.',
  list_destination_resources: 'They are read from the destination and stored nowhere here.',
  list_event_deliveries: 'Attempts to send an event are deleted with it; what was sent is the event.',
};

/**
 * How an operation says that its list is not one of this item: only webhooks have deliveries, and only some
 * destinations have category mappings. There, and of an item that was deleted while the document was written, the list
 * is empty.
 */
export const WITHOUT_LIST: readonly ErrorCode[] = [
  'not_a_webhook',
  'not_supported',
  'sync_has_no_destination',
  'resource_missing',
];
