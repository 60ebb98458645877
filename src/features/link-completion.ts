import { createHash } from 'node:crypto';
import type { LinkOutcome } from '../connectors/providers/provider-contract.ts';
import { newRowId } from '../platform/row-id.ts';
import { lockAccountRecord } from '../storage/account-records.ts';
import {
  type Connection,
  countConnections,
  findConnection,
  insertConnection,
  lockConnection,
  updateConnection,
} from '../storage/connections.ts';
import {
  type Consent,
  currentConsents,
  findHeldConsent,
  insertConsent,
  updateConsent,
} from '../storage/consents.ts';
import type { Trx } from '../storage/database.ts';
import { type LinkSession, lockLinkSession, updateLinkSession } from '../storage/link-sessions.ts';
import { type RowId, rowId } from '../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../vocabulary/providers.ts';
import { missing } from '../vocabulary/service-error.ts';
import { REFRESH_EVERY_MS } from './accounts-landing.ts';
import { consentStatus } from './connection-status.ts';
import { linkSessionStatus, type SessionFailureReason } from './link-session-status.ts';
import { type LinkingDependencies, recordConsentEvent } from './linking-dependencies.ts';
import { hasRoom } from './plan-gates.ts';

export type LinkedOutcome = Extract<LinkOutcome, { kind: 'linked' }>;
type Dependencies = Pick<LinkingDependencies, 'db' | 'clock' | 'jobs' | 'secrets' | 'events'>;

/** Long enough for the listing made while the person waits, so that the job does not do the same beside it. */
const LANDING_JOB_DELAY_MS = 5_000;

/** Failures of our making after the person had consented: that consent is withdrawn without waiting. */
const CONSENTED_ANYWAY: ReadonlySet<SessionFailureReason> = new Set([
  'connection_limit',
  'connection_deleted',
  'institution_mismatch',
  'session_expired',
]);

/** The hash under which one consent of a vendor makes one connection, however often it is reported. */
export function consentHash(provider: ProviderIdentifier, consent: string): Buffer {
  return createHash('sha256').update(`${provider}\n${consent}`).digest();
}

/**
 * Turns what came of a consent into connection, consent, audit trail and event, all in the transaction that ends the
 * session. The session's row is held meanwhile: a second landing finds it ended and changes nothing.
 */
export class LinkCompletion {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The session as it stands afterwards. `landedAt`, epoch ms, decides whether it came in time. */
  async complete(session: LinkSession, outcome: LinkedOutcome, landedAt: number): Promise<LinkSession> {
    return this.#end(session, async (trx, open) => {
      if (linkSessionStatus(open, landedAt) !== 'pending') return this.#fail(trx, open, 'session_expired');
      return open.renews === null
        ? this.#link(trx, open, outcome)
        : this.#renew(trx, open, open.renews, outcome);
    });
  }

  /** Ends the session without a connection. A consent given all the same is looked for when the session runs out. */
  async fail(session: LinkSession, reason: SessionFailureReason): Promise<LinkSession> {
    return this.#end(session, (trx, open) => this.#fail(trx, open, reason));
  }

  async #end(
    session: LinkSession,
    work: (trx: Trx, open: LinkSession) => Promise<void>,
  ): Promise<LinkSession> {
    const { account_record: owner, id } = session;
    return this.#deps.db.transaction().execute(async (trx) => {
      const open = await lockLinkSession(trx, owner, id);
      if (open === null) throw missing('link session');
      if (open.completed_at !== null || open.failed_at !== null) return open;
      await work(trx, open);
      return (await lockLinkSession(trx, owner, id)) ?? open;
    });
  }

  async #link(trx: Trx, session: LinkSession, outcome: LinkedOutcome): Promise<void> {
    const { clock, events } = this.#deps;
    const { account_record: owner, provider } = session;
    const record = await lockAccountRecord(trx, owner);
    if (record === null) throw missing('account record');
    const hash = consentHash(provider, outcome.grant.consent);
    const held = await findHeldConsent(trx, owner, hash);
    if (held !== null) return this.#adopt(trx, session, held);
    if (!hasRoom('connection_slot', record, clock.now(), await countConnections(trx, owner))) {
      return this.#fail(trx, session, 'connection_limit');
    }

    const now = new Date(clock.now());
    const connection: Connection = {
      id: rowId('connection', newRowId(clock)),
      account_record: owner,
      provider,
      institution_id: outcome.institution.id,
      institution_name: outcome.institution.name,
      institution_logo: outcome.institution.logo,
      landed_at: null,
      last_refreshed_at: null,
      refresh_at: new Date(now.getTime() + REFRESH_EVERY_MS),
      invalidated_at: null,
      revoked_at: null,
      cleaned_at: null,
      metadata: null,
      created: now,
      updated: now,
    };
    await insertConnection(trx, connection);
    const consent = this.#consentOf(connection, outcome, hash);
    await insertConsent(trx, consent);
    await recordConsentEvent(trx, clock, consent, 'granted', consent.recorded_status, null);
    await this.#completed(trx, session, connection.id);
    await events(trx, owner, 'connection.created', connection.id);
  }

  /** Another session has brought this very consent already: both end with the one connection it made. */
  async #adopt(trx: Trx, session: LinkSession, held: Consent): Promise<void> {
    const connection = await findConnection(trx, session.account_record, held.connection);
    if (connection === null || connection.revoked_at !== null) {
      return this.#fail(trx, session, 'connection_deleted');
    }
    await this.#completed(trx, session, connection.id);
  }

  async #renew(
    trx: Trx,
    session: LinkSession,
    id: RowId<'connection'>,
    outcome: LinkedOutcome,
  ): Promise<void> {
    const { clock, events } = this.#deps;
    const { account_record: owner, provider } = session;
    const connection = await lockConnection(trx, owner, id);
    if (connection === null || connection.revoked_at !== null) {
      return this.#fail(trx, session, 'connection_deleted');
    }
    if (outcome.institution.id !== connection.institution_id) {
      return this.#fail(trx, session, 'institution_mismatch');
    }
    const current = (await currentConsents(trx, owner, [id])).get(id) ?? null;
    const hash = consentHash(provider, outcome.grant.consent);
    const fresh = this.#consentOf(connection, outcome, hash);
    if (current !== null && Buffer.from(current.consent_hash).equals(hash)) {
      await this.#renewConsent(trx, current, fresh, outcome);
    } else {
      if (current !== null) await this.#replaceConsent(trx, current);
      await insertConsent(trx, fresh);
      await recordConsentEvent(trx, clock, fresh, 'granted', fresh.recorded_status, null);
    }
    await updateConnection(trx, owner, id, { invalidated_at: null, updated: new Date(clock.now()) });
    await this.#completed(trx, session, id);
    await events(trx, owner, 'connection.renewed', id);
  }

  async #renewConsent(trx: Trx, current: Consent, fresh: Consent, outcome: LinkedOutcome): Promise<void> {
    const { secrets, clock } = this.#deps;
    await updateConsent(trx, current.account_record, current.id, {
      grant: secrets.sealGrant(current.id, outcome.grant),
      purpose: fresh.purpose,
      data_categories: fresh.data_categories,
      expires_at: fresh.expires_at,
      withdrawn_at: null,
      termination_reason: null,
      checked_at: fresh.checked_at,
      recorded_status: fresh.recorded_status,
      updated: fresh.updated,
    });
    await recordConsentEvent(trx, clock, current, 'renewed', fresh.recorded_status, null);
  }

  /** The vendor renewed under a new consent: the old one must not go on standing beside it. */
  async #replaceConsent(trx: Trx, current: Consent): Promise<void> {
    const { clock, jobs, events } = this.#deps;
    const now = new Date(clock.now());
    const stood = current.recorded_status === 'active' || current.recorded_status === 'expiring';
    await updateConsent(trx, current.account_record, current.id, {
      current: false,
      withdrawn_at: current.withdrawn_at ?? now,
      termination_reason: current.termination_reason ?? 'replaced_by_renewal',
      recorded_status: 'withdrawn',
      updated: now,
    });
    await recordConsentEvent(trx, clock, current, 'replaced', 'withdrawn', 'replaced_by_renewal');
    if (stood) await events(trx, current.account_record, 'consent.withdrawn', current.id);
    await jobs.enqueue(trx, 'connection-cleanup', { connection: current.connection });
  }

  #consentOf(connection: Connection, outcome: LinkedOutcome, hash: Buffer): Consent {
    const { clock, secrets } = this.#deps;
    const now = new Date(clock.now());
    const id = rowId('consent', newRowId(clock));
    const moments = {
      expires_at: outcome.consent.expiresAt === null ? null : new Date(outcome.consent.expiresAt),
      withdrawn_at: null,
    };
    return {
      id,
      account_record: connection.account_record,
      connection: connection.id,
      provider: connection.provider,
      current: true,
      consent_hash: hash,
      grant: secrets.sealGrant(id, outcome.grant),
      purpose: outcome.consent.purpose,
      data_categories: [...outcome.consent.dataCategories],
      granted_at: new Date(outcome.consent.grantedAt),
      ...moments,
      termination_reason: null,
      checked_at: now,
      recorded_status: consentStatus(moments, clock.now()),
      created: now,
      updated: now,
    };
  }

  async #completed(trx: Trx, session: LinkSession, connection: RowId<'connection'>): Promise<void> {
    const { clock, jobs } = this.#deps;
    const now = new Date(clock.now());
    await updateLinkSession(trx, session.account_record, session.id, {
      connection,
      completed_at: now,
      vendor_state: null,
      settle_at: null,
      updated: now,
    });
    const startAfter = new Date(now.getTime() + LANDING_JOB_DELAY_MS);
    await jobs.enqueue(trx, 'accounts-landing', { connection }, { startAfter });
  }

  async #fail(trx: Trx, session: LinkSession, reason: SessionFailureReason): Promise<void> {
    const now = new Date(this.#deps.clock.now());
    await updateLinkSession(trx, session.account_record, session.id, {
      failure_reason: reason,
      failed_at: now,
      ...(CONSENTED_ANYWAY.has(reason) ? { settle_at: now } : {}),
      updated: now,
    });
  }
}
