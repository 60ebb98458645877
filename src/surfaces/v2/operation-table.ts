import type { Operation } from './operation.ts';
import { accountDetailsOperations } from './operations/account-details.ts';
import { accountRecordOperations } from './operations/account-record.ts';
import { accountOperations } from './operations/accounts.ts';
import { apiKeyOperations } from './operations/api-keys.ts';
import { balanceOperations } from './operations/balance.ts';
import { categoryOperations } from './operations/categories.ts';
import { categoryMappingOperations } from './operations/category-mappings.ts';
import { connectionOperations } from './operations/connections.ts';
import { consentOperations } from './operations/consents.ts';
import { destinationLinkOperations } from './operations/destination-links.ts';
import { destinationOperations } from './operations/destinations.ts';
import { holdingOperations } from './operations/holdings.ts';
import { institutionOperations } from './operations/institutions.ts';
import { linkSessionOperations } from './operations/link-sessions.ts';
import { providerCategoryOperations } from './operations/provider-categories.ts';
import { rulesetRuleOperations } from './operations/ruleset-rules.ts';
import { rulesetOperations } from './operations/rulesets.ts';
import { syncRulesetOperations } from './operations/sync-rulesets.ts';
import { connectionRefreshOperations, syncRunOperations } from './operations/sync-runs.ts';
import { syncOperations } from './operations/syncs.ts';
import { tradeOperations } from './operations/trades.ts';
import { transactionOperations } from './operations/transactions.ts';

/** Every operation of v2: routes, description, security tests and agents' tools all walk this table. */
export const OPERATIONS: readonly Operation[] = [
  ...accountRecordOperations,
  ...apiKeyOperations,
  ...institutionOperations,
  ...linkSessionOperations,
  ...connectionOperations,
  ...connectionRefreshOperations,
  ...consentOperations,
  ...accountOperations,
  ...balanceOperations,
  ...accountDetailsOperations,
  ...transactionOperations,
  ...holdingOperations,
  ...tradeOperations,
  ...providerCategoryOperations,
  ...categoryOperations,
  ...destinationLinkOperations,
  ...destinationOperations,
  ...syncOperations,
  ...categoryMappingOperations,
  ...syncRulesetOperations,
  ...syncRunOperations,
  ...rulesetOperations,
  ...rulesetRuleOperations,
];
