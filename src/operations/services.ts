import type { Access } from '../features/access/create-access.ts';
import type { AuditLog } from '../features/audit/audit-log.ts';
import type { Categories } from '../features/categories/categories.ts';
import type { CategoryAssignments } from '../features/categories/category-assignments.ts';
import type { Changes } from '../features/changes/changes.ts';
import type { DestinationFeatures } from '../features/destinations/create-destinations.ts';
import type { DocumentFeatures } from '../features/documents/create-documents.ts';
import type { EventFeatures } from '../features/event-destinations/create-event-destinations.ts';
import type { Exports } from '../features/exports/exports.ts';
import type { Idempotency } from '../features/idempotency/idempotency.ts';
import type { Linking } from '../features/linking/linking.ts';
import type { OAuthFeatures } from '../features/oauth/create-oauth.ts';
import type { CategoryResolver } from '../features/reads/account-reads.ts';
import type { Reads } from '../features/reads/create-reads.ts';
import type { RulesetFeatures } from '../features/rulesets/create-rulesets.ts';
import type { SavedViews } from '../features/saved-views/saved-views.ts';
import type { Replays } from '../features/sync-engine/replay/replays.ts';
import type { DryRuns } from '../features/sync-engine/verify/dry-runs.ts';
import type { Verifications } from '../features/sync-engine/verify/verifications.ts';
import type { SyncFeatures } from '../features/syncs/create-syncs.ts';
import type { Clock } from '../platform/clock.ts';
import type { Sealer } from '../platform/sealing.ts';
import type { Limits } from '../vocabulary/limits.ts';
import type { CategoryTexts } from './category-texts.ts';
import type { ListSlots } from './list-slots.ts';

/** Everything an operation may use, built once in build.ts and passed on explicitly. */
export interface Services
  extends Pick<Access, 'accountRecords' | 'apiKeys' | 'setupTokens' | 'simplefinApps'>,
    Pick<
      Linking,
      'accounts' | 'connectionRevocation' | 'connections' | 'consents' | 'institutions' | 'linkSessions'
    >,
    Reads,
    Pick<
      DestinationFeatures,
      | 'destinationCreations'
      | 'destinationLinks'
      | 'destinationResources'
      | 'destinations'
      | 'destinationSignIns'
    >,
    Pick<DocumentFeatures, 'documents' | 'documentTaking'>,
    Pick<EventFeatures, 'eventDestinations' | 'eventFeed' | 'events'>,
    Pick<OAuthFeatures, 'connectedApps'>,
    SyncFeatures,
    RulesetFeatures {
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  readonly limits: Limits;
  /** The public address of the API, without a trailing slash; addresses of pages are built from it. */
  readonly publicUrl: string;
  /** The address of the web application, without a trailing slash. */
  readonly appUrl: string;
  /** Seals page tokens (paging.ts). */
  readonly pageSealer: Sealer;
  readonly listSlots: ListSlots;
  readonly categories: Categories;
  readonly categoryTexts: CategoryTexts;
  readonly categoryOf: CategoryResolver;
  readonly changes: Changes;
  readonly dryRuns: DryRuns;
  readonly exports: Exports;
  readonly idempotency: Idempotency;
  readonly replays: Replays;
  readonly savedViews: SavedViews;
  readonly categoryAssignments: CategoryAssignments;
  readonly verifications: Verifications;
}
