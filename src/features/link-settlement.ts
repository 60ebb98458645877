import { newRowId } from '../platform/row-id.ts';
import { deleteReleasedAccountsBefore } from '../storage/accounts.ts';
import { deleteConnectionsCleanedBefore } from '../storage/connections.ts';
import { findHeldConsent } from '../storage/consents.ts';
import {
  deleteLinkSessionsBefore,
  hasOpenLinkSession,
  type LinkSession,
  linkSessionsToSettle,
  updateLinkSession,
} from '../storage/link-sessions.ts';
import { type RowId, rowId } from '../vocabulary/ids.ts';
import { claimedConsents } from './claimed-consents.ts';
import { consentHash, type LinkedOutcome } from './link-completion.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';
import type { ProviderCustomers } from './provider-customers.ts';

type Dependencies = Pick<LinkingDependencies, 'db' | 'clock' | 'gateway' | 'secrets'> & {
  readonly customers: ProviderCustomers;
};

const DAY_MS = 86_400_000;
/** A vendor's consent page can outlive our session by days; after this nobody can consent on it any more. */
const VENDOR_SESSION_MS = 6 * DAY_MS;
const SHORTEST_WAIT_MS = 600_000;
const BATCH = 50;
const KEEP_SESSIONS_MS = 30 * DAY_MS;
const KEEP_TOMBSTONES_MS = 30 * DAY_MS;
const KEEP_RELEASED_MS = 90 * DAY_MS;

/**
 * Ends what people left half done: a consent given at the bank after its session had run out belongs to no connection,
 * so it is withdrawn. Nobody is left with a consent they cannot see.
 */
export class LinkSettlement {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Looks at every session that is due. A vendor that fails is asked again later. Returns how many were looked at. */
  async sweep(signal: AbortSignal): Promise<number> {
    const now = new Date(this.#deps.clock.now());
    const due = await linkSessionsToSettle(this.#deps.db, now, BATCH);
    for (const session of due) {
      signal.throwIfAborted();
      const open = await this.#settle(session, signal).catch(() => true);
      await this.#next(session, open);
    }
    return due.length;
  }

  /** Deletes what has served its time: ended sessions, tombstones of connections, released account ids. */
  async prune(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    await deleteLinkSessionsBefore(db, new Date(now - KEEP_SESSIONS_MS));
    await deleteConnectionsCleanedBefore(db, new Date(now - KEEP_TOMBSTONES_MS));
    await deleteReleasedAccountsBefore(db, new Date(now - KEEP_RELEASED_MS));
  }

  /** Whether something may still come of the session at the vendor. */
  async #settle(session: LinkSession, signal: AbortSignal): Promise<boolean> {
    const { db, gateway, secrets, customers } = this.#deps;
    const { account_record: owner, provider } = session;
    if (session.vendor_state === null || session.begun_at === null || session.renews !== null) return false;
    // A session still under way may own the newest consent; which is whose shows when it has ended.
    if (await hasOpenLinkSession(db, owner, provider, new Date(this.#deps.clock.now()))) return true;
    const came = await gateway.completeLink(
      provider,
      {
        customer: await customers.ensure(owner, provider, signal),
        institution: session.institution_id,
        state: secrets.openVendorState(session.id, session.vendor_state),
        startedAt: session.begun_at.getTime(),
        outcome: 'success',
        landing: {},
        renew: null,
        claimed: await claimedConsents({ db, secrets }, owner, provider),
      },
      signal,
    );
    if (came.kind !== 'linked') return true;
    const held = await findHeldConsent(db, owner, consentHash(provider, came.grant.consent));
    if (held !== null) return true;
    await this.#withdraw(session, came, signal);
    return true;
  }

  async #withdraw(session: LinkSession, came: LinkedOutcome, signal: AbortSignal): Promise<void> {
    const connection: RowId<'connection'> = rowId('connection', newRowId(this.#deps.clock));
    await this.#deps.gateway.withdraw(
      {
        id: connection,
        provider: session.provider,
        institution: came.institution.name,
        grant: came.grant,
        caching: false,
      },
      signal,
    );
  }

  /** Looks again after a sixth of the time since it began, until the vendor's own page has run out. */
  async #next(session: LinkSession, open: boolean): Promise<void> {
    const now = this.#deps.clock.now();
    const age = now - (session.begun_at?.getTime() ?? now);
    const over = !open || age > VENDOR_SESSION_MS;
    await updateLinkSession(this.#deps.db, session.account_record, session.id, {
      settle_at: over ? null : new Date(now + Math.max(SHORTEST_WAIT_MS, age / 6)),
      ...(over ? { vendor_state: null } : {}),
    });
  }
}
