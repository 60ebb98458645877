import type { CustomerAccess, ProviderAccess } from '../../connectors/providers/provider-contract.ts';
import { SingleFlight } from '../../platform/single-flight.ts';
import type { Trx } from '../../storage/database.ts';
import { type EndUser, extendPages, findEndUser } from '../../storage/end-users.ts';
import {
  claimOpening,
  findLinkSessionOfToken,
  type LinkSession,
  lockLinkSession,
  updateLinkSession,
} from '../../storage/link-sessions.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { EndUsers } from './end-users.ts';
import { renewalOf } from './granted-access.ts';
import type { LinkCompletion } from './link-completion.ts';
import { authorizationOf } from './link-flow.ts';
import { linkSessionStatus, type SessionFailureReason } from './link-session-status.ts';
import type { LinkSecrets } from './link-tokens.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';
import type { VendorPage } from './linking-secrets.ts';

type Dependencies = Pick<
  LinkingDependencies,
  'db' | 'clock' | 'gateway' | 'limits' | 'secrets' | 'customerSecrets' | 'publicUrl'
> & {
  readonly endUsers: EndUsers;
  readonly completion: LinkCompletion;
  readonly links: LinkSecrets<'link_session'>;
};

/** No one is sent to a page that is about to expire. */
const LEAST_LEFT_MS = 10_000;
/** How often a process checks whether another has obtained the page. */
const LOOK_AGAIN_MS = 250;
const CLAIM_MARGIN_MS = 20_000;
/** Used if a vendor does not say how long its page is valid: longer than the longest known. */
const UNKNOWN_PAGE_MS = 6 * 86_400_000;

/**
 * The vendor's pages of link sessions. An open page is reused; of concurrent callers, in this process or others, one
 * asks the vendor and all get its answer. Every new page gets a new end user, so that consents given on an earlier page
 * are never taken for the outcome of this one.
 */
export class VendorPages {
  readonly #deps: Dependencies;
  readonly #flights = new SingleFlight<string | null>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * The address of the vendor's page; null if the session ended instead. Raises the gateway's errors.
   *
   * @param entered what the person entered, for a provider that asks, or the way that they chose
   */
  open({ id }: LinkSession, entered: string | null): Promise<string | null> {
    return this.#flights.run(id, () => this.#joined(id, entered));
  }

  /** What is stored about the last page; null before the first. */
  pageOf(session: LinkSession): VendorPage | null {
    const { id, vendor_state: sealed } = session;
    return sealed === null ? null : this.#deps.secrets.openVendorPage(id, sealed);
  }

  /** Who consents on the last page; null before the first. */
  async customerOf({ account_record, end_user: id }: LinkSession): Promise<CustomerAccess | null> {
    const { db, customerSecrets } = this.#deps;
    const row = id === null ? null : await findEndUser(db, account_record, id);
    return row === null ? null : customerSecrets.open(row);
  }

  async #joined(id: RowId<'link_session'>, entered: string | null): Promise<string | null> {
    const { db, clock, limits } = this.#deps;
    // Longer than both calls to the vendor may take.
    const patience = 2 * limits.read_deadline_ms + CLAIM_MARGIN_MS;
    const end = clock.now() + patience;
    for (;;) {
      const session = await findLinkSessionOfToken(db, id);
      if (session === null) throw missing('link session');
      const now = clock.now();
      if (linkSessionStatus(session, now) !== 'pending') return null;
      const open = (session.vendor_until?.getTime() ?? 0) > now + LEAST_LEFT_MS ? this.pageOf(session) : null;
      if (open !== null) return open.url;
      const claimed = await claimOpening(db, session.account_record, id, {
        now: new Date(now),
        spentBy: new Date(now + LEAST_LEFT_MS),
        until: new Date(now + patience),
      });
      if (claimed !== null) return this.#claimed(claimed, entered);
      if (now >= end) throw new ServiceError('provider_wait', { retryAfterSeconds: 5, status: 503 });
      await clock.sleep(LOOK_AGAIN_MS);
    }
  }

  async #claimed(session: LinkSession, entered: string | null): Promise<string | null> {
    try {
      return await this.#ask(session, entered);
    } catch (error) {
      // If this fails too, the next one waits until the claim has expired.
      await updateLinkSession(this.#deps.db, session.account_record, session.id, {
        opening_until: null,
      }).catch(() => undefined);
      throw error;
    }
  }

  async #ask(session: LinkSession, entered: string | null): Promise<string | null> {
    const { clock, limits, gateway, links, publicUrl } = this.#deps;
    const attempt = session.attempts + 1;
    if (attempt > limits.link_attempts) return this.#end(session, 'too_many_attempts');
    const renewal = await renewalOf(this.#deps, session);
    if (renewal.kind === 'gone') return this.#end(session, 'connection_deleted');
    const renew = renewal.kind === 'renews' ? renewal.access : null;
    // Asked on behalf of all who joined, so none of them can cancel it.
    const { signal } = new AbortController();
    const endUser = renew === null ? await this.#endUserOf(session, signal) : null;
    const consenting = renewal.kind === 'renews' ? renewal.endUser : (endUser?.id ?? null);
    const customer = await this.#customer(endUser, renew, signal);
    const begun = await gateway.beginLink(
      { provider: session.provider, owner: session.account_record },
      {
        ...authorizationOf(links, publicUrl, session.id, attempt),
        ...customer,
        institution: session.institution_id,
        renew: renew === null ? null : { consent: renew.consent, institution: renew.institution },
        entered,
      },
      signal,
    );
    // A value that a provider asked for is a secret that nothing needs again.
    const way = gateway.providers.hasTerms(session.provider) ? entered : null;
    const until = begun.expiresAt ?? clock.now() + UNKNOWN_PAGE_MS;
    return this.#deps.db
      .transaction()
      .execute((trx) =>
        this.#record(trx, session, consenting, attempt, { url: begun.url, memo: begun.memo, way }, until),
      );
  }

  async #customer(
    endUser: EndUser | null,
    renew: ProviderAccess | null,
    signal: AbortSignal,
  ): Promise<CustomerAccess> {
    if (endUser !== null) return this.#deps.endUsers.customerOf(endUser, signal);
    if (renew !== null) return { customer: renew.customer, secret: renew.secret };
    throw missing('link session');
  }

  /** Recorded before the vendor is called, with the time at which it is released if no one returns. */
  async #endUserOf(session: LinkSession, signal: AbortSignal): Promise<EndUser> {
    const { db, endUsers } = this.#deps;
    const unused = await endUsers.unused(session);
    if (unused !== null) return unused;
    const row = await db.transaction().execute(async (trx) => {
      const open = await this.#locked(trx, session);
      if (open === null) throw missing('link session');
      const row = await endUsers.replace(trx, open);
      await updateLinkSession(trx, open.account_record, open.id, {
        end_user: row.id,
        settle_at: open.expires_at,
      });
      return row;
    });
    // Released by now. A link may briefly have two; only one is ever used.
    await endUsers.deleteDoubtful(session, signal);
    return row;
  }

  async #record(
    trx: Trx,
    session: LinkSession,
    endUser: string | null,
    attempt: number,
    page: VendorPage,
    until: number,
  ): Promise<string | null> {
    const { clock, secrets } = this.#deps;
    const { account_record: owner, id } = session;
    // Also for a session that ended meanwhile: its end user is checked again when the page has expired.
    if (endUser !== null) await extendPages(trx, owner, endUser, new Date(until));
    const open = await this.#locked(trx, session);
    if (open === null) return null;
    const now = new Date(clock.now());
    await updateLinkSession(trx, owner, id, {
      attempts: attempt,
      vendor_state: secrets.sealVendorPage(id, page),
      vendor_until: new Date(until),
      opening_until: null,
      begun_at: open.begun_at ?? now,
      settle_at: open.expires_at,
      updated: now,
    });
    return page.url;
  }

  /** The session, locked; null once it has ended. */
  async #locked(trx: Trx, session: LinkSession): Promise<LinkSession | null> {
    const open = await lockLinkSession(trx, session.account_record, session.id);
    return open === null || open.completed_at !== null || open.failed_at !== null ? null : open;
  }

  async #end(session: LinkSession, reason: SessionFailureReason): Promise<null> {
    await this.#deps.completion.fail(session, reason);
    return null;
  }
}
