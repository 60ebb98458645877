import type { ProviderGrant } from '../connectors/providers/provider-contract.ts';
import { findAccountRecord } from '../storage/account-records.ts';
import { currentConsents } from '../storage/consents.ts';
import { findLinkSessionOfToken, type LinkSession, updateLinkSession } from '../storage/link-sessions.ts';
import type { ProviderIdentifier } from '../vocabulary/providers.ts';
import { missing } from '../vocabulary/service-error.ts';
import type { LinkSessionStatus } from '../vocabulary/states.ts';
import type { AccountsLanding } from './accounts-landing.ts';
import { claimedConsents } from './claimed-consents.ts';
import type { LinkCompletion } from './link-completion.ts';
import { linkSessionStatus } from './link-session-status.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';
import type { ProviderCustomers } from './provider-customers.ts';
import { withOutcome } from './return-url.ts';

type Dependencies = Pick<
  LinkingDependencies,
  'db' | 'clock' | 'gateway' | 'secrets' | 'tokens' | 'publicUrl'
> & {
  readonly customers: ProviderCustomers;
  readonly completion: LinkCompletion;
  readonly landing: AccountsLanding;
};

/** How long the person is kept waiting for the first listing of accounts; a job goes on after that. */
const LANDING_BUDGET_MS = 3_000;
const LANDING_PAUSES_MS = [0, 300, 600, 1_200] as const;

/** What the hosted page says before the person goes to the bank. */
export interface LinkInvitation {
  readonly status: LinkSessionStatus;
  readonly provider: ProviderIdentifier;
  readonly institution: string | null;
  readonly renewal: boolean;
  /** The account record's address with most of its name covered. */
  readonly maskedEmail: string;
  readonly expiresAt: number;
  /** Where to send the person once the session has ended; null while it has not. */
  readonly returnTo: string | null;
}

/** What to do with the person next. `waiting`: the vendor does not know of a consent yet. */
export type LinkStep = { readonly kind: 'go'; readonly url: string } | { readonly kind: 'waiting' };

/** The person's side of a link session: everything here is reached with the token of the hosted page alone. */
export class HostedLinks {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Raises `resource_missing` for a token that opens nothing, as all methods do. */
  async invitation(token: string): Promise<LinkInvitation> {
    const session = await this.#session(token);
    const record = await findAccountRecord(this.#deps.db, session.account_record);
    if (record === null) throw missing('link session');
    return {
      status: linkSessionStatus(session, this.#deps.clock.now()),
      provider: session.provider,
      institution: session.institution_name,
      renewal: session.renews !== null,
      maskedEmail: maskEmail(record.email),
      expiresAt: session.expires_at.getTime(),
      returnTo: this.#ended(session),
    };
  }

  /** Opens the vendor's page. May be repeated while the session lives. Raises the gateway's errors. */
  async begin(token: string, signal: AbortSignal): Promise<LinkStep> {
    const { clock, gateway, customers, publicUrl } = this.#deps;
    const session = await this.#session(token);
    const ended = this.#ended(session);
    if (ended !== null) return { kind: 'go', url: ended };
    const customer = await customers.ensure(session.account_record, session.provider, signal);
    const startedAt = clock.now();
    const begun = await gateway.beginLink(
      session.provider,
      {
        customer,
        institution: session.institution_id,
        successUrl: `${publicUrl}/link/${token}/return`,
        failureUrl: `${publicUrl}/link/${token}/return/failed`,
        renew: await this.#renewed(session),
      },
      signal,
    );
    await updateLinkSession(this.#deps.db, session.account_record, session.id, {
      vendor_state: this.#deps.secrets.sealVendorState(session.id, begun.state),
      // The first start counts: a consent given on a page opened earlier is still this session's.
      begun_at: session.begun_at ?? new Date(startedAt),
      settle_at: session.expires_at,
      updated: new Date(clock.now()),
    });
    return { kind: 'go', url: begun.url };
  }

  /** The person turned back before the bank, or there. */
  async cancel(token: string): Promise<LinkStep> {
    const session = await this.#session(token);
    const ended = this.#ended(session);
    if (ended !== null) return { kind: 'go', url: ended };
    return this.#leave(await this.#deps.completion.fail(session, 'cancelled'));
  }

  /**
   * The person came back from the vendor. Any number of landings end the same way. Raises the gateway's errors; the
   * session is then as it was and the landing may be repeated while it lives.
   */
  async land(
    token: string,
    outcome: 'success' | 'failure',
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<LinkStep> {
    const { clock, gateway, completion, secrets } = this.#deps;
    const landedAt = clock.now();
    const session = await this.#session(token);
    const ended = this.#ended(session);
    if (ended !== null) {
      // Too late to count: the session says so, and what was consented to is withdrawn at the next sweep.
      if (linkSessionStatus(session, landedAt) !== 'expired' || session.vendor_state === null)
        return { kind: 'go', url: ended };
      return this.#leave(await completion.fail(session, 'session_expired'));
    }
    if (session.vendor_state === null || session.begun_at === null) {
      return { kind: 'go', url: `${this.#deps.publicUrl}/link/${token}` };
    }
    const came = await gateway.completeLink(
      session.provider,
      {
        customer: await this.#deps.customers.ensure(session.account_record, session.provider, signal),
        institution: session.institution_id,
        state: secrets.openVendorState(session.id, session.vendor_state),
        startedAt: session.begun_at.getTime(),
        outcome,
        landing: query,
        renew: await this.#renewed(session),
        claimed: await claimedConsents(this.#deps, session.account_record, session.provider),
      },
      signal,
    );
    if (came.kind === 'pending') {
      // Another landing of this session may have taken the consent while we asked.
      const now = this.#ended(await this.#session(token));
      return now === null ? { kind: 'waiting' } : { kind: 'go', url: now };
    }
    if (came.kind === 'failed') return this.#leave(await completion.fail(session, came.reason));
    const done = await completion.complete(session, came, landedAt);
    await this.#landAccounts(done, signal);
    return this.#leave(done);
  }

  /** Accounts shown at once are a kindness; the job of the completed session is the promise. */
  async #landAccounts({ account_record, connection }: LinkSession, signal: AbortSignal): Promise<void> {
    if (connection === null) return;
    const { landing, clock } = this.#deps;
    const budget = AbortSignal.any([signal, AbortSignal.timeout(LANDING_BUDGET_MS)]);
    try {
      for (const pause of LANDING_PAUSES_MS) {
        await clock.sleep(pause, budget);
        if ((await landing.land(account_record, connection, budget)) !== 'not_ready') return;
      }
    } catch {
      // The job of the completed session tries again, with its own log.
    }
  }

  async #renewed(session: LinkSession): Promise<ProviderGrant | null> {
    if (session.renews === null) return null;
    const consents = await currentConsents(this.#deps.db, session.account_record, [session.renews]);
    const consent = consents.get(session.renews);
    if (consent === undefined || consent.grant === null) throw missing('link session');
    return this.#deps.secrets.openGrant(consent.id, consent.grant);
  }

  async #session(token: string): Promise<LinkSession> {
    const id = this.#deps.tokens.linkOf(token);
    const session = id === null ? null : await findLinkSessionOfToken(this.#deps.db, id);
    if (session === null) throw missing('link session');
    return session;
  }

  #leave(session: LinkSession): LinkStep {
    const url = this.#ended(session);
    return url === null ? { kind: 'waiting' } : { kind: 'go', url };
  }

  #ended(session: LinkSession): string | null {
    switch (linkSessionStatus(session, this.#deps.clock.now())) {
      case 'completed':
        return withOutcome(session.return_url, 'completed');
      case 'failed':
        return withOutcome(session.return_url, { failed: session.failure_reason ?? 'unknown' });
      case 'expired':
        return withOutcome(session.return_url, { failed: 'session_expired' });
      case 'pending':
        return null;
    }
  }
}

/** `jane.doe@example.org` reads `j•••@example.org`: enough to recognise as one's own, not enough to learn. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email].at(0) ?? ''}•••${email.slice(at)}`;
}
