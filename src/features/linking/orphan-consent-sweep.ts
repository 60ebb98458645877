import { deleteReleasedAccountsBefore } from '../../storage/accounts.ts';
import { deleteConnectionsCleanedBefore } from '../../storage/connections.ts';
import { releaseEndUser } from '../../storage/end-users.ts';
import {
  deleteLinkSessionsBefore,
  type LinkSession,
  linkSessionsToSweep,
  lockLinkSession,
  updateLinkSession,
} from '../../storage/link-sessions.ts';
import { deleteNotificationsBefore } from '../../storage/provider-notifications.ts';
import type { EndUsers } from './end-users.ts';
import { linkSessionStatus } from './link-session-status.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';

type Dependencies = Pick<LinkingDependencies, 'db' | 'clock'> & {
  readonly endUsers: EndUsers;
};

const DAY_MS = 86_400_000;
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
      await this.#release(session);
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
}
