// Generated from the operation table by `npm run client`. Changes here are lost.

export type {
  AccountDetails,
  AccountsGetBalanceInput,
  AccountsGetDetailsInput,
  AccountsGetInput,
  AccountsListInput,
  AccountsUpdateInput,
  DepositRate,
  Feature,
  Fee,
  LendingRate,
  LoanDetails,
  Money,
  Tier,
} from './accounts.ts';
export type {
  ApiKey,
  ApiKeysCreateInput,
  ApiKeysGetInput,
  ApiKeysListInput,
  ApiKeysRevokeInput,
  ApiKeysRotateInput,
  ApiKeysUpdateInput,
  DeletedApiKey,
} from './api-keys.ts';
export type {
  AuditEvent,
  AuditEventsListInput,
} from './audit-events.ts';
export type {
  Balance,
  BalancesListInput,
} from './balances.ts';
export type {
  CategoriesClaimSourcesInput,
  CategoriesCreateInput,
  CategoriesDeleteInput,
  CategoriesGetInput,
  CategoriesListInput,
  CategoriesResetInput,
  CategoriesUpdateInput,
  Category,
  DeletedCategory,
} from './categories.ts';
export type {
  CategoryAssignment,
  CategoryAssignmentsAssignCategoryInput,
  CategoryAssignmentsListInput,
  CategoryChange,
} from './category-assignments.ts';
export type {
  ChangesListInput,
  RemovedTransaction,
  TransactionChanges,
} from './changes.ts';
export type {
  ConnectedApp,
  ConnectedAppsGetInput,
  ConnectedAppsListInput,
  ConnectedAppsRevokeInput,
  DeletedConnectedApp,
} from './connected-apps.ts';
export type {
  Account,
  Connection,
  ConnectionsDeleteInput,
  ConnectionsGetInput,
  ConnectionsListInput,
  ConnectionsReauthorizeInput,
  ConnectionsRefreshInput,
  ConnectionsUpdateInput,
  DeletedConnection,
  InstitutionSummary,
} from './connections.ts';
export type {
  Consent,
  ConsentsGetInput,
  ConsentsListInput,
} from './consents.ts';
export type {
  DestinationLink,
  DestinationLinksCreateInput,
  DestinationLinksGetInput,
} from './destination-links.ts';
export type {
  DeletedDestination,
  Destination,
  DestinationResource,
  DestinationsCreateInput,
  DestinationsCreateTargetInput,
  DestinationsDeleteInput,
  DestinationsEnableInput,
  DestinationsGetInput,
  DestinationsListInput,
  DestinationsListResourcesInput,
  DestinationsListWebhookDeliveriesInput,
  DestinationsReplayWebhookDeliveryInput,
  DestinationsRotateSecretInput,
  DestinationsUpdateInput,
  WebhookDelivery,
  WebhookReplay,
} from './destinations.ts';
export type {
  DeletedDocument,
  Document,
  DocumentFile,
  DocumentPreview,
  DocumentsCreateInput,
  DocumentsDeleteInput,
  DocumentsGetFileInput,
  DocumentsGetInput,
  DocumentsListInput,
  DocumentsPreviewInput,
  DocumentsTakeInput,
  DocumentsUndoInput,
  DocumentsUpdateInput,
} from './documents.ts';
export type {
  DeletedEventDestination,
  EventDestination,
  EventDestinationsCreateInput,
  EventDestinationsDeleteInput,
  EventDestinationsDisableInput,
  EventDestinationsEnableInput,
  EventDestinationsGetInput,
  EventDestinationsListInput,
  EventDestinationsPingInput,
  EventDestinationsRotateSecretInput,
  EventDestinationsUpdateInput,
} from './event-destinations.ts';
export type {
  EventDelivery,
  EventsGetInput,
  EventsListDeliveriesInput,
  EventsListInput,
  EventsRedeliverInput,
  EventsStreamInput,
  ServiceEvent,
} from './events.ts';
export type {
  Holding,
  HoldingsListInput,
} from './holdings.ts';
export type {
  Institution,
  InstitutionsListInput,
} from './institutions.ts';
export type {
  LinkSession,
  LinkSessionsCreateInput,
  LinkSessionsGetInput,
} from './link-sessions.ts';
export type {
  AccountRecord,
  MeUpdateInput,
} from './me.ts';
export type {
  ProviderCategoriesListInput,
  ProviderCategory,
} from './provider-categories.ts';
export type {
  DeletedRule,
  DeletedRuleset,
  Rule,
  RuleAction,
  RuleCondition,
  Ruleset,
  RulesetPreview,
  RulesetPreviewRow,
  RulesetsCreateInput,
  RulesetsCreateRuleInput,
  RulesetsDeleteInput,
  RulesetsDeleteRuleInput,
  RulesetsDuplicateInput,
  RulesetsGetInput,
  RulesetsGetRuleInput,
  RulesetsListInput,
  RulesetsListRulesInput,
  RulesetsPreviewInput,
  RulesetsReorderInput,
  RulesetsUpdateInput,
  RulesetsUpdateRuleInput,
} from './rulesets.ts';
export type {
  DeletedSavedView,
  SavedView,
  SavedViewsCreateInput,
  SavedViewsDeleteInput,
  SavedViewsGetInput,
  SavedViewsListInput,
  SavedViewsUpdateInput,
} from './saved-views.ts';
export type {
  DeletedSimplefinApp,
  SimplefinApp,
  SimplefinAppsGetInput,
  SimplefinAppsListInput,
  SimplefinAppsRevokeInput,
  SimplefinAppsUpdateInput,
} from './simplefin-apps.ts';
export type {
  DeletedSimplefinSetupToken,
  SimplefinSetupToken,
  SimplefinSetupTokensCreateInput,
  SimplefinSetupTokensGetInput,
  SimplefinSetupTokensListInput,
  SimplefinSetupTokensRevokeInput,
} from './simplefin-setup-tokens.ts';
export type {
  SyncRun,
  SyncRunsCancelInput,
  SyncRunsGetInput,
} from './sync-runs.ts';
export type {
  CategoryMapping,
  DeletedSync,
  DryRun,
  DryRunRow,
  RejectedRow,
  Sync,
  SyncsAttachRulesetsInput,
  SyncsBackfillInput,
  SyncsCreateInput,
  SyncsDeleteInput,
  SyncsDryRunInput,
  SyncsExportInput,
  SyncsGetInput,
  SyncsListCategoryMappingsInput,
  SyncsListInput,
  SyncsListRejectedRowsInput,
  SyncsListRunsInput,
  SyncsReplayInput,
  SyncsResyncInput,
  SyncsRunInput,
  SyncsSetCategoryMappingsInput,
  SyncsUpdateInput,
  SyncsVerifyInput,
  Verification,
  VerificationProblem,
} from './syncs.ts';
export type {
  Trade,
  TradesListInput,
} from './trades.ts';
export type {
  Transaction,
  TransactionsExportInput,
  TransactionsGetInput,
  TransactionsListInput,
} from './transactions.ts';
export type { EventPayload } from './event-kinds.ts';
