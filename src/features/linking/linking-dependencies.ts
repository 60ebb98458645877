import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import { actorColumns } from '../../storage/actor-columns.ts';
import { type Consent, type ConsentEvent, insertConsentEvent } from '../../storage/consents.ts';
import type { Db, Trx } from '../../storage/database.ts';
import type { Jobs } from '../../storage/jobs.ts';
import type { ConsentEventKind } from '../../storage/linking-tables.ts';
import type { Actor } from '../../vocabulary/actors.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { ConsentStatus } from '../../vocabulary/states.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { EventTrigger } from '../events/event-log.ts';
import type { ProviderGateway } from '../provider-gateway/provider-gateway.ts';
import type { NumberMacs } from './account-matching.ts';
import type { CustomerSecrets } from './customer-secrets.ts';
import type { LinkingSecrets } from './linking-secrets.ts';
import type { PersonalProviders } from './personal-providers.ts';

/** The dependencies of the linking features; each class takes those it uses. */
export interface LinkingDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly gateway: ProviderGateway;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly secrets: LinkingSecrets;
  readonly customerSecrets: CustomerSecrets;
  readonly numberMacs: NumberMacs;
  readonly personal: PersonalProviders;
  readonly hooks: LinkingHooks;
  readonly events: EventTrigger;
  readonly auditLog: Pick<AuditLog, 'record'>;
  /** Absolute, without a trailing slash. */
  readonly publicUrl: string;
}

/** Writes one line of a consent's audit trail. */
export async function recordConsentEvent(
  trx: Trx,
  clock: Clock,
  consent: Pick<Consent, 'id' | 'account_record'>,
  kind: ConsentEventKind,
  status: ConsentStatus,
  reason: string | null,
  actor: Actor,
): Promise<void> {
  const event: ConsentEvent = {
    id: newRowId(clock),
    account_record: consent.account_record,
    consent: consent.id,
    kind,
    status,
    reason,
    ...actorColumns(actor),
    created: new Date(clock.now()),
  };
  await insertConsentEvent(trx, event);
}

export interface LinkingHooks {
  /**
   * The connection is being revoked, so everything that reads it must stop. Called inside the transaction of the
   * revocation, before its accounts are deleted; what it writes is committed with it.
   */
  readonly onConnectionRevoked: (trx: Trx, owner: OwnerId, connection: RowId<'connection'>) => Promise<void>;
  /**
   * The provider reports new data for the connection, so the syncs that copy it are run. Called from a job, which is
   * repeated if this raises.
   */
  readonly onProviderData: (owner: OwnerId, connection: RowId<'connection'>) => Promise<void>;
}
