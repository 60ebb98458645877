import type { AuditTables } from './audit-tables.ts';
import type { CategoryTables } from './category-tables.ts';
import type { DestinationLinkTables } from './destination-link-tables.ts';
import type { EncryptionTables } from './encryption-tables.ts';
import type { EventTables } from './event-tables.ts';
import type { GrantRevocationTables } from './grant-revocation-tables.ts';
import type { IdempotencyTables } from './idempotency-tables.ts';
import type { IdentityTables } from './identity-tables.ts';
import type { JobTables } from './job-queues.ts';
import type { LinkingTables } from './linking-tables.ts';
import type { OAuthTables } from './oauth-tables.ts';
import type { PeopleTables } from './people-tables.ts';
import type { RateLimitTables } from './rate-limit-tables.ts';
import type { RejectedRowTables } from './rejected-row-tables.ts';
import type { RulesetTables } from './ruleset-tables.ts';
import type { SimplefinTables } from './simplefin-tables.ts';
import type { StreamReadingTables } from './stream-reading-tables.ts';
import type { SyncingTables } from './syncing-tables.ts';
import type { WebhookDeliveryTables } from './webhook-delivery-tables.ts';

/** Every table, by group. A group's shapes live beside its migration's noun. */
export interface Tables
  extends AuditTables,
    CategoryTables,
    DestinationLinkTables,
    EncryptionTables,
    EventTables,
    GrantRevocationTables,
    IdempotencyTables,
    IdentityTables,
    JobTables,
    LinkingTables,
    OAuthTables,
    PeopleTables,
    RateLimitTables,
    RejectedRowTables,
    RulesetTables,
    SimplefinTables,
    StreamReadingTables,
    SyncingTables,
    WebhookDeliveryTables {}
