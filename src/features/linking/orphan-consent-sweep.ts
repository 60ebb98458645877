import { newRowId } from '../../platform/row-id.ts';
import { deleteReleasedAccountsBefore } from '../../storage/accounts.ts';
import { deleteConnectionsCleanedBefore } from '../../storage/connections.ts';
import { findHeldConsent } from '../../storage/consents.ts';
import { releaseEndUser } from '../../storage/end-users.ts';
import {
  deleteLinkSessionsBefore,
  hasOpenSharedSession,
  type LinkSession,
  linkSessionsToSweep,
  lockLinkSession,
  updateLinkSession,
} from '../../storage/link-sessions.ts';
import { deleteNotificationsBefore } from '../../storage/provider-notifications.ts';
import { findProviderCustomer } from '../../storage/vendor-customers.ts';
import { rowId } from '../../vocabulary/ids.ts';
import type { EndUsers } from './end-users.ts';
import { linkSessionStatus } from './link-session-status.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';
import { consentHash } from './linking-secrets.ts';

type Dependencies = Pick<LinkingDependencies, 'db' | 'clock' | 'gateway' | 'secrets' | 'customerSecrets'> & {
  readonly endUsers: EndUsers;
};

const DAY_MS = 86_400_000;
/** A vendor's consent page can outlive our session by days; after this, no one can consent on it any more. */
const VENDOR_SESSION_MS = 6 * DAY_MS;
const SHORTEST_WAIT_MS = 600_000;
const BATCH = 50;
const KEEP_SESSIONS_MS = 30 * DAY_MS;
const KEEP_TOMBSTONES_MS = 30 * DAY_MS;
const KEEP_RELEASED_MS = 90 * DAY_MS;
/** Longer than any vendor repeats a notification, or considers one recent. */
const KEEP_NOTIFICATIONS_MS = 7 * DAY_MS;

/**
 * Cleans up links that people did not finish: the end user of an expired session is deleted at the vendor, and its
 * consents are withdrawn, so that no one is left with a consent that they cannot see.
 */
export class OrphanConsentSweep {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Checks every session that is due, then deletes end users that are due. A vendor that fails is tried again later.
   */
  async sweep(signal: AbortSignal): Promise<void> {
    const now = new Date(this.#deps.clock.now());
    for (const session of await linkSessionsToSweep(this.#deps.db, now, BATCH)) {
      signal.throwIfAborted();
      if (isShared(session)) await this.#settleShared(session, signal);
      else await this.#release(session);
    }
    await this.#deps.endUsers.sweep(signal);
  }

  /**
   * Deletes what is past its retention: ended sessions, tombstones of connections, released account ids, notifications.
   */
  async prune(): Promise<void> {
    const { db, clock, endUsers } = this.#deps;
    const now = clock.now();
    await deleteLinkSessionsBefore(db, new Date(now - KEEP_SESSIONS_MS));
    await deleteConnectionsCleanedBefore(db, new Date(now - KEEP_TOMBSTONES_MS));
    await deleteReleasedAccountsBefore(db, new Date(now - KEEP_RELEASED_MS));
    await deleteNotificationsBefore(db, new Date(now - KEEP_NOTIFICATIONS_MS));
    await endUsers.retireIdle();
    await endUsers.forgetOrphans();
  }

  /**
   * Releases the end user of an expired session. The row is locked meanwhile, so that no callback links what is being
   * deleted.
   */
  async #release({ account_record: owner, id }: LinkSession): Promise<void> {
    const { db, clock } = this.#deps;
    const now = new Date(clock.now());
    await db.transaction().execute(async (trx) => {
      const session = await lockLinkSession(trx, owner, id);
      if (session === null) return;
      // A callback began since the sweep looked, or the session continues.
      if (session.landing_until !== null && session.landing_until > now) return;
      if (linkSessionStatus(session, now.getTime()) === 'pending') return;
      const { end_user: endUser, opening_until: busyUntil } = session;
      if (endUser !== null) await releaseEndUser(trx, owner, endUser, now, busyUntil);
      await updateLinkSession(trx, owner, id, { vendor_state: null, vendor_until: null, settle_at: null });
    });
  }

  /**
   * A session started by an earlier version, under an end user shared with others: consents without a connection are
   * withdrawn. Checks again after a sixth of the time since it began, until the vendor's own page has expired.
   */
  async #settleShared(session: LinkSession, signal: AbortSignal): Promise<void> {
    await this.#withdrawStray(session, signal).catch(() => undefined);
    const now = this.#deps.clock.now();
    const age = now - (session.begun_at?.getTime() ?? now);
    const over = age > VENDOR_SESSION_MS;
    await updateLinkSession(this.#deps.db, session.account_record, session.id, {
      settle_at: over ? null : new Date(now + Math.max(SHORTEST_WAIT_MS, age / 6)),
      ...(over ? { vendor_state: null } : {}),
    });
  }

  async #withdrawStray(session: LinkSession, signal: AbortSignal): Promise<void> {
    const { db, clock, gateway, secrets, customerSecrets } = this.#deps;
    const { account_record: owner, provider } = session;
    if (await hasOpenSharedSession(db, owner, provider, new Date(clock.now()))) return;
    const shared = await findProviderCustomer(db, owner, provider);
    if (shared === null || shared.customer === null) return;
    const customer = customerSecrets.shared(secrets.openCustomer(shared.id, shared.customer));
    for (const grant of await gateway.activeGrants({ provider, owner }, customer, signal)) {
      if ((await findHeldConsent(db, owner, consentHash(provider, grant.consent))) !== null) continue;
      const id = rowId('connection', newRowId(clock));
      await gateway.withdraw(
        {
          id,
          owner,
          provider,
          institution: grant.institution,
          grant: { ...customer, ...grant },
          caching: false,
        },
        signal,
      );
    }
  }
}

/** Whether an earlier version sent the person to the vendor. */
function isShared(session: LinkSession): boolean {
  const { end_user, renews, begun_at, vendor_state } = session;
  return end_user === null && renews === null && begun_at !== null && vendor_state !== null;
}
