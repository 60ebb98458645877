import { accountRecordNoun } from './account-record.ts';
import { accountsNoun } from './accounts.ts';
import { apiKeysNoun } from './api-keys.ts';
import { auditEventsNoun } from './audit-events.ts';
import { balancesNoun } from './balances.ts';
import { categoriesNoun } from './categories.ts';
import { connectedAppsNoun } from './connected-apps.ts';
import { connectionsNoun } from './connections.ts';
import { consentsNoun } from './consents.ts';
import { destinationLinksNoun } from './destination-links.ts';
import { destinationsNoun } from './destinations.ts';
import { eventDestinationsNoun } from './event-destinations.ts';
import { eventsNoun } from './events.ts';
import { holdingsNoun } from './holdings.ts';
import { institutionsNoun } from './institutions.ts';
import { linkSessionsNoun } from './link-sessions.ts';
import type { Noun } from './noun.ts';
import { providerCategoriesNoun } from './provider-categories.ts';
import { rulesetsNoun } from './rulesets.ts';
import { simplefinAppsNoun } from './simplefin-apps.ts';
import { simplefinSetupTokensNoun } from './simplefin-setup-tokens.ts';
import { syncRunsNoun } from './sync-runs.ts';
import { syncsNoun } from './syncs.ts';
import { tradesNoun } from './trades.ts';
import { transactionsNoun } from './transactions.ts';

/** The words of the description, in the order a reader meets the groups. */
export const NOUNS: readonly Noun[] = [
  accountRecordNoun,
  apiKeysNoun,
  connectedAppsNoun,
  simplefinSetupTokensNoun,
  simplefinAppsNoun,
  auditEventsNoun,
  institutionsNoun,
  linkSessionsNoun,
  connectionsNoun,
  consentsNoun,
  accountsNoun,
  balancesNoun,
  transactionsNoun,
  holdingsNoun,
  tradesNoun,
  providerCategoriesNoun,
  categoriesNoun,
  destinationLinksNoun,
  destinationsNoun,
  syncsNoun,
  syncRunsNoun,
  rulesetsNoun,
  eventDestinationsNoun,
  eventsNoun,
];
