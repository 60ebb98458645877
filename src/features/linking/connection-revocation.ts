import { releaseAccounts } from '../../storage/accounts.ts';
import {
  type Connection,
  findConnection,
  findConnectionOwner,
  lockConnection,
  updateConnection,
} from '../../storage/connections.ts';
import {
  type Consent,
  consentsWithGrant,
  currentConsents,
  findHeldConsent,
  isConsentNeededElsewhere,
  updateConsent,
} from '../../storage/consents.ts';
import type { Trx } from '../../storage/database.ts';
import { type EndUser, releaseEndUserOf, releaseIdleEndUser } from '../../storage/end-users.ts';
import { deleteAnswersAbout } from '../../storage/idempotency-keys.ts';
import { CONNECTION_CLEANUP } from '../../storage/job-queues.ts';
import type { Notices } from '../../storage/notices.ts';
import { type Actor, SERVICE } from '../../vocabulary/actors.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import { CONNECTION_MOVES, CONSENT_MOVES, moveBy } from '../../vocabulary/states.ts';
import type { Accounts } from './accounts.ts';
import { consentStatus } from './connection-status.ts';
import type { EndUsers } from './end-users.ts';
import { type LinkingDependencies, recordConsentEvent } from './linking-dependencies.ts';

type Dependencies = Pick<LinkingDependencies, 'db' | 'clock' | 'gateway' | 'jobs' | 'hooks' | 'events'> & {
  readonly accounts: Accounts;
  readonly endUsers: EndUsers;
  readonly notices: Pick<Notices, 'publish'>;
};

/** How long the caller of a delete waits for the provider; a job continues after that. */
const WITHDRAWAL_BUDGET_MS = 5_000;
const CLEANUP_DELAY_MS = 10_000;
const OWN_REASON = 'connection_deleted';

/**
 * Deleting a connection (docs/linking.md#deletion). One transaction ends it here: it becomes `revoked`, everything that
 * reads it stops, and its accounts are deleted. Then the cache is purged and the consent withdrawn at the provider:
 * immediately if it answers, otherwise by a job that retries until the provider confirms.
 */
export class ConnectionRevocation {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Repeating it is harmless. Raises `resource_missing`, and `connection_delete_failed` if not even our own part took
   * effect.
   */
  async revoke(owner: OwnerId, id: RowId<'connection'>, actor: Actor, signal: AbortSignal): Promise<void> {
    const { db } = this.#deps;
    try {
      await db.transaction().execute((trx) => this.#revokeHere(trx, owner, id, actor));
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      throw new ServiceError('connection_delete_failed', { cause: error });
    }
    const budget = AbortSignal.any([signal, AbortSignal.timeout(WITHDRAWAL_BUDGET_MS)]);
    await this.cleanUp(id, budget).catch(() => undefined);
  }

  /**
   * Purges the cache, withdraws every consent the connection no longer needs and deletes what was stored of a revoked
   * one. Raises the gateway's errors and keeps what it has done so far; call it again until it returns.
   */
  async cleanUp(id: RowId<'connection'>, signal: AbortSignal): Promise<void> {
    const { db, gateway, endUsers } = this.#deps;
    const owner = await findConnectionOwner(db, id);
    const connection = owner === null ? null : await findConnection(db, owner, id);
    if (owner === null || connection === null || connection.cleaned_at !== null) return;
    const revoked = connection.revoked_at !== null;
    if (revoked) gateway.purge(id);
    for (const consent of await consentsWithGrant(db, owner, id)) {
      if (!revoked && consent.current) continue;
      const released = await this.#withdraw(owner, connection, consent, signal);
      // Recorded as released, so the sweep continues if this fails.
      if (released !== null) await endUsers.delete(released, signal).catch(() => undefined);
    }
    if (!revoked) return;
    const released = await db.transaction().execute(async (trx) => {
      const now = new Date(this.#deps.clock.now());
      await updateConnection(trx, owner, id, { cleaned_at: now, metadata: null });
      return releaseEndUserOf(trx, owner, id, now);
    });
    if (released !== null) await endUsers.delete(released, signal).catch(() => undefined);
  }

  /** When the connection was revoked, epoch ms; null when nothing is left to clean up. */
  async pendingSince(id: RowId<'connection'>): Promise<number | null> {
    const { db } = this.#deps;
    const owner = await findConnectionOwner(db, id);
    const connection = owner === null ? null : await findConnection(db, owner, id);
    if (owner === null || connection === null || connection.cleaned_at !== null) return null;
    const consents = await consentsWithGrant(db, owner, id);
    const ended = consents.filter((consent) => !consent.current || connection.revoked_at !== null);
    return ended[0]?.updated.getTime() ?? connection.revoked_at?.getTime() ?? null;
  }

  async #revokeHere(trx: Trx, owner: OwnerId, id: RowId<'connection'>, actor: Actor): Promise<void> {
    const { clock, jobs, hooks, events, notices } = this.#deps;
    const connection = await lockConnection(trx, owner, id);
    if (connection === null) throw missing('connection');
    if (connection.revoked_at !== null) return;
    const now = new Date(clock.now());
    await updateConnection(trx, owner, id, { revoked_at: now, updated: now });
    await hooks.onConnectionRevoked(trx, owner, id);
    await releaseAccounts(trx, owner, id, now);
    await deleteAnswersAbout(trx, owner, id);
    const consent = (await currentConsents(trx, owner, [id])).get(id);
    if (consent !== undefined) await this.#endConsent(trx, consent, now, actor);
    await events(trx, owner, moveBy(CONNECTION_MOVES, 'deleted by the caller').emits, id);
    await notices.publish(trx, { kind: 'connection', id });
    const startAfter = new Date(now.getTime() + CLEANUP_DELAY_MS);
    await jobs.enqueue(trx, CONNECTION_CLEANUP, { connection: id }, { startAfter, owner });
  }

  async #endConsent(trx: Trx, consent: Consent, now: Date, actor: Actor): Promise<void> {
    const { clock, events } = this.#deps;
    const over = consentStatus(consent, clock.now());
    if (over === 'expired' || over === 'withdrawn') return;
    const owner = consent.account_record;
    await updateConsent(trx, owner, consent.id, {
      withdrawn_at: now,
      termination_reason: OWN_REASON,
      recorded_status: 'withdrawn',
      updated: now,
    });
    await recordConsentEvent(trx, clock, consent, 'withdrawal_requested', 'withdrawn', OWN_REASON, actor);
    await events(trx, owner, moveBy(CONSENT_MOVES, 'withdrawn here or at the bank').emits, consent.id);
  }

  /** The end user that gave the consent and is no longer needed, if the connection has another by now. */
  async #withdraw(
    owner: OwnerId,
    connection: Connection,
    consent: Consent,
    signal: AbortSignal,
  ): Promise<EndUser | null> {
    const { db, clock, gateway, accounts } = this.#deps;
    const can = gateway.providers.capabilities(connection.provider);
    // The person has signed in again, and another consent record has the grant.
    if ((await findHeldConsent(db, owner, consent.consent_hash))?.id !== consent.id) return null;
    // A provider that is not set up at present is called anyway, and its refusal keeps the job alive.
    const needed = await isConsentNeededElsewhere(db, consent.consent_hash, connection.id);
    if (!needed && (can.size === 0 || can.has('withdraw'))) {
      const opened = await accounts.openGrant(owner, connection, consent);
      await gateway.withdraw(opened, signal).catch(refusalIsTheEnd);
    }
    return db.transaction().execute(async (trx) => {
      const locked = await lockConnection(trx, owner, connection.id);
      const held = await findHeldConsent(trx, owner, consent.consent_hash);
      const now = new Date(clock.now());
      if (locked === null || held?.id !== consent.id) {
        // Taken over while the vendor was asked: listing accounts shows immediately whether the consent is still valid.
        if (held !== null) await updateConnection(trx, owner, held.connection, { refresh_at: now });
        return null;
      }
      await updateConsent(trx, owner, consent.id, { grant: null, checked_at: now, updated: now });
      const { end_user: giver, termination_reason: reason } = consent;
      // If another connection depends on the consent, the vendor was not asked.
      if (!needed) {
        const status = consentStatus(consent, clock.now());
        await recordConsentEvent(trx, clock, consent, 'withdrawal_confirmed', status, reason, SERVICE);
      }
      return giver === null ? null : releaseIdleEndUser(trx, owner, giver, now);
    });
  }
}

/** A grant that the provider refuses has ended and needs no withdrawal. */
function refusalIsTheEnd(error: unknown): void {
  if (!(error instanceof ServiceError) || error.code !== 'upstream_auth_failed') throw error;
}
