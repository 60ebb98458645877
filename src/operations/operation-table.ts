import type { Operation } from './operation.ts';
import { accountDetailsOperations } from './table/account-details.ts';
import { accountRecordOperations } from './table/account-record.ts';
import { accountOperations } from './table/accounts.ts';
import { apiKeyOperations } from './table/api-keys.ts';
import { auditEventOperations } from './table/audit-events.ts';
import { balanceOperations } from './table/balance.ts';
import { categoryOperations } from './table/categories.ts';
import { categoryMappingOperations } from './table/category-mappings.ts';
import { connectedAppOperations } from './table/connected-apps.ts';
import { connectionOperations } from './table/connections.ts';
import { consentOperations } from './table/consents.ts';
import { destinationLinkOperations } from './table/destination-links.ts';
import { destinationOperations } from './table/destinations.ts';
import { dryRunOperations } from './table/dry-runs.ts';
import { eventDestinationOperations } from './table/event-destinations.ts';
import { eventOperations } from './table/events.ts';
import { exportOperations } from './table/exports.ts';
import { holdingOperations } from './table/holdings.ts';
import { institutionOperations } from './table/institutions.ts';
import { linkSessionOperations } from './table/link-sessions.ts';
import { providerCategoryOperations } from './table/provider-categories.ts';
import { rulesetRuleOperations } from './table/ruleset-rules.ts';
import { rulesetOperations } from './table/rulesets.ts';
import { simplefinAppOperations } from './table/simplefin-apps.ts';
import { simplefinSetupTokenOperations } from './table/simplefin-setup-tokens.ts';
import { syncRulesetOperations } from './table/sync-rulesets.ts';
import { connectionRefreshOperations, syncRunOperations } from './table/sync-runs.ts';
import { syncOperations } from './table/syncs.ts';
import { tradeOperations } from './table/trades.ts';
import { transactionOperations } from './table/transactions.ts';
import { verificationOperations } from './table/verifications.ts';
import { webhookDeliveryOperations } from './table/webhook-deliveries.ts';

/** Every operation of v2: routes, description, security tests and agents' tools all walk this table. */
export const OPERATIONS: readonly Operation[] = [
  ...accountRecordOperations,
  ...apiKeyOperations,
  ...connectedAppOperations,
  ...simplefinSetupTokenOperations,
  ...simplefinAppOperations,
  ...auditEventOperations,
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
  ...dryRunOperations,
  ...verificationOperations,
  ...webhookDeliveryOperations,
  ...exportOperations,
  ...rulesetOperations,
  ...rulesetRuleOperations,
  ...eventDestinationOperations,
  ...eventOperations,
];
