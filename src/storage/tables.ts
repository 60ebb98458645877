import type { OAuthTables, SimplefinTables } from './app-tables.ts';
import type { ChangeTables } from './change-tables.ts';
import type {
  DestinationLinkTables,
  GrantRevocationTables,
  WebhookDeliveryTables,
} from './destination-tables.ts';
import type { DocumentTables } from './document-tables.ts';
import type { EventTables } from './event-tables.ts';
import type { AuditTables, IdentityTables, PeopleTables } from './identity-tables.ts';
import type { JobTables } from './job-queues.ts';
import type { RejectedRowTables, StreamReadingTables } from './ledger-tables.ts';
import type { LinkingTables } from './linking-tables.ts';
import type { NotificationTables } from './notification-tables.ts';
import type { CategoryTables, RulesetTables } from './rule-tables.ts';
import type { SavedViewTables } from './saved-view-tables.ts';
import type { EncryptionTables, IdempotencyTables, RateLimitTables } from './service-tables.ts';
import type { SyncingTables } from './syncing-tables.ts';

/** Every table, by group. A group is named after its subject. */
export interface Tables
  extends AuditTables,
    CategoryTables,
    ChangeTables,
    DestinationLinkTables,
    DocumentTables,
    EncryptionTables,
    EventTables,
    GrantRevocationTables,
    IdempotencyTables,
    IdentityTables,
    JobTables,
    LinkingTables,
    NotificationTables,
    OAuthTables,
    PeopleTables,
    RateLimitTables,
    RejectedRowTables,
    RulesetTables,
    SavedViewTables,
    SimplefinTables,
    StreamReadingTables,
    SyncingTables,
    WebhookDeliveryTables {}
