import type { Operation } from './operation.ts';
import { accountRecordOperations } from './v2/account-record.ts';
import { balanceOperations } from './v2/accounts/balance.ts';
import { accountDetailsOperations } from './v2/accounts/details.ts';
import { accountOperations } from './v2/accounts/operations.ts';
import { apiKeyOperations } from './v2/api-keys/operations.ts';
import { auditEventOperations } from './v2/audit-events.ts';
import { categoryOperations } from './v2/categories/operations.ts';
import { categoryAssignmentOperations } from './v2/category-assignments.ts';
import { changeOperations } from './v2/changes/operations.ts';
import { connectedAppOperations } from './v2/connected-apps.ts';
import { connectionOperations } from './v2/connections/operations.ts';
import { consentOperations } from './v2/consents.ts';
import { destinationLinkOperations } from './v2/destination-links.ts';
import { destinationOperations } from './v2/destinations/operations.ts';
import { webhookDeliveryOperations } from './v2/destinations/webhook-deliveries.ts';
import { documentOperations } from './v2/documents/operations.ts';
import { eventDestinationOperations } from './v2/event-destinations/operations.ts';
import { eventOperations } from './v2/events/operations.ts';
import { exportOperations } from './v2/exports.ts';
import { holdingOperations } from './v2/holdings.ts';
import { institutionOperations } from './v2/institutions.ts';
import { linkSessionOperations } from './v2/link-sessions.ts';
import { providerCategoryOperations } from './v2/provider-categories.ts';
import { rulesetOperations } from './v2/rulesets/operations.ts';
import { rulesetRuleOperations } from './v2/rulesets/rules.ts';
import { savedViewOperations } from './v2/saved-views.ts';
import { simplefinAppOperations } from './v2/simplefin-apps.ts';
import { simplefinSetupTokenOperations } from './v2/simplefin-setup-tokens.ts';
import { connectionRefreshOperations, syncRunOperations } from './v2/sync-runs/operations.ts';
import { categoryMappingOperations } from './v2/syncs/category-mappings.ts';
import { dryRunOperations } from './v2/syncs/dry-runs.ts';
import { syncOperations, syncRulesetOperations } from './v2/syncs/operations.ts';
import { verificationOperations } from './v2/syncs/verifications.ts';
import { tradeOperations } from './v2/trades.ts';
import { transactionOperations } from './v2/transactions/operations.ts';

/** Every operation of v2: routes, description, security tests and agents' tools all derive from this table. */
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
  ...changeOperations,
  ...holdingOperations,
  ...tradeOperations,
  ...providerCategoryOperations,
  ...categoryOperations,
  ...categoryAssignmentOperations,
  ...documentOperations,
  ...savedViewOperations,
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
