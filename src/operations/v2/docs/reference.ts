import { accountRecordDocs } from '../account-record.ts';
import { balancesDocs } from '../accounts/balance.ts';
import { accountDetailsDocs } from '../accounts/details.ts';
import { accountsDocs } from '../accounts/resource.ts';
import { apiKeysDocs } from '../api-keys/resource.ts';
import { auditEventsDocs } from '../audit-events.ts';
import { categoriesDocs } from '../categories/resource.ts';
import { categoryAssignmentsDocs } from '../category-assignments.ts';
import { changesDocs } from '../changes/resource.ts';
import { connectedAppsDocs } from '../connected-apps.ts';
import { connectionsDocs } from '../connections/resource.ts';
import { consentsDocs } from '../consents.ts';
import { destinationLinksDocs } from '../destination-links.ts';
import { destinationsDocs } from '../destinations/resource.ts';
import { webhookDeliveriesDocs } from '../destinations/webhook-deliveries.ts';
import { documentsDocs } from '../documents/resource.ts';
import { eventDestinationsDocs } from '../event-destinations/resource.ts';
import { eventsDocs } from '../events/resource.ts';
import { holdingsDocs } from '../holdings.ts';
import { institutionsDocs } from '../institutions.ts';
import { linkSessionsDocs } from '../link-sessions.ts';
import { providerCategoriesDocs } from '../provider-categories.ts';
import { rulesetsDocs } from '../rulesets/resource.ts';
import { rulesDocs } from '../rulesets/rules.ts';
import { savedViewsDocs } from '../saved-views.ts';
import { simplefinAppsDocs } from '../simplefin-apps.ts';
import { simplefinSetupTokensDocs } from '../simplefin-setup-tokens.ts';
import { syncRunsDocs } from '../sync-runs/resource.ts';
import { categoryMappingsDocs } from '../syncs/category-mappings.ts';
import { dryRunsDocs } from '../syncs/dry-runs.ts';
import { syncsDocs } from '../syncs/resource.ts';
import { verificationsDocs } from '../syncs/verifications.ts';
import { tradesDocs } from '../trades.ts';
import { transactionsDocs } from '../transactions/resource.ts';
import type { ResourceDocs } from './docs.ts';

/** What each group of operations is about: the first part of their paths after `/v2`. */
export const GROUP_DOCS: Readonly<Record<string, string>> = {
  me: 'Who the key belongs to, and what the plan allows.',
  api_keys: 'Keys that hold scopes. A key can never be given a scope its creator lacks.',
  connected_apps: 'Apps and agents that a person has let in by OAuth.',
  simplefin_setup_tokens:
    'What a person pastes into a program to connect it over the SimpleFIN-compatible bridge.',
  simplefin_apps: 'Programs that read banking data over the SimpleFIN-compatible bridge.',
  audit_events: 'Who did what to the access to the account record, and from where.',
  institutions: 'Banks that can be linked, with their availability now.',
  link_sessions:
    'Linking a bank: create a session, send the person to its url, read it until it leaves pending.',
  connections: 'Linked banks and brokerages.',
  consents: 'What people allowed, when it ends and how it ended.',
  accounts: 'Linked bank and brokerage accounts, their balances and their terms.',
  balances: 'Balances of many accounts at once.',
  transactions: 'Transactions of banking accounts, read live and never stored.',
  changes:
    'What changed in the transactions of an account since the last time: for programs that keep a copy of their own.',
  holdings: 'What brokerage accounts hold, read live and never stored. Needs a Professional plan.',
  trades: 'What brokerage accounts bought, sold and were paid. Needs a Professional plan.',
  provider_categories: 'The codes banks and their enrichment give transactions.',
  categories: 'Your own categories: groups, and categories in them that claim the codes of providers.',
  category_assignments: 'Categories of single transactions, whatever their codes lead to.',
  documents:
    'Statement files: upload one, look at what is in it, take its rows. They are then accounts of a connection of category documents.',
  saved_views: 'Filters of transactions that people keep under a name in the web application.',
  destination_links:
    'Connecting a spreadsheet, a database or a budgeting app: create a link, send the person to its url, read it until it leaves pending.',
  destinations: 'Where syncs write: a spreadsheet, a database, a budgeting app or a signed webhook.',
  syncs: 'Copies of account data into destinations, on a schedule or on demand.',
  sync_runs: 'Executions of syncs.',
  rulesets: 'Rules that change or skip transactions on their way to a destination.',
  event_destinations: 'Addresses that are notified of what happens, by signed events.',
  events: 'What happened in the last 30 days, and what was sent of it.',
};

/** What the reference says of each resource, by the name that its schema has. */
export const RESOURCE_DOCS: Readonly<Record<string, ResourceDocs>> = {
  ...accountRecordDocs,
  ...apiKeysDocs,
  ...connectedAppsDocs,
  ...simplefinSetupTokensDocs,
  ...simplefinAppsDocs,
  ...auditEventsDocs,
  ...institutionsDocs,
  ...linkSessionsDocs,
  ...connectionsDocs,
  ...consentsDocs,
  ...accountsDocs,
  ...accountDetailsDocs,
  ...balancesDocs,
  ...transactionsDocs,
  ...changesDocs,
  ...holdingsDocs,
  ...tradesDocs,
  ...providerCategoriesDocs,
  ...categoriesDocs,
  ...categoryAssignmentsDocs,
  ...savedViewsDocs,
  ...documentsDocs,
  ...destinationLinksDocs,
  ...destinationsDocs,
  ...webhookDeliveriesDocs,
  ...syncsDocs,
  ...categoryMappingsDocs,
  ...dryRunsDocs,
  ...verificationsDocs,
  ...syncRunsDocs,
  ...rulesetsDocs,
  ...rulesDocs,
  ...eventDestinationsDocs,
  ...eventsDocs,
};
