import type { Noun } from './noun.ts';
import { accountRecordNoun } from './nouns/account-record.ts';
import { accountsNoun } from './nouns/accounts.ts';
import { apiKeysNoun } from './nouns/api-keys.ts';
import { balancesNoun } from './nouns/balances.ts';
import { categoriesNoun } from './nouns/categories.ts';
import { connectionsNoun } from './nouns/connections.ts';
import { consentsNoun } from './nouns/consents.ts';
import { destinationLinksNoun } from './nouns/destination-links.ts';
import { destinationsNoun } from './nouns/destinations.ts';
import { holdingsNoun } from './nouns/holdings.ts';
import { institutionsNoun } from './nouns/institutions.ts';
import { linkSessionsNoun } from './nouns/link-sessions.ts';
import { providerCategoriesNoun } from './nouns/provider-categories.ts';
import { rulesetsNoun } from './nouns/rulesets.ts';
import { syncRunsNoun } from './nouns/sync-runs.ts';
import { syncsNoun } from './nouns/syncs.ts';
import { tradesNoun } from './nouns/trades.ts';
import { transactionsNoun } from './nouns/transactions.ts';

/** The words of the description, in the order a reader meets the groups. */
export const NOUNS: readonly Noun[] = [
  accountRecordNoun,
  apiKeysNoun,
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
];
