import { NO_SECRET } from '../../connectors/providers/customer-secret.ts';
import type {
  CustomerAccess,
  LinkOutcome,
  ProviderGrant,
} from '../../connectors/providers/provider-contract.ts';
import { type AccountRecord, findOpenAccountRecord } from '../../storage/account-records.ts';
import { findConnection } from '../../storage/connections.ts';
import {
  claimSessionCallback,
  findLinkSessionOfToken,
  type LinkSession,
  spendAttempt,
  spendLateAttempt,
  updateLinkSession,
} from '../../storage/link-sessions.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { LinkTerms } from '../../vocabulary/link-terms.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import { missing } from '../../vocabulary/service-error.ts';
import type { LinkSessionStatus } from '../../vocabulary/states.ts';
import type { AccountImport } from './account-import.ts';
import type { EndUsers } from './end-users.ts';
import { renewalOf } from './granted-access.ts';
import type { LinkCompletion } from './link-completion.ts';
import { authorizationOf, type EntryNotice, LinkFlow, type LinkKind } from './link-flow.ts';
import { linkSessionStatus } from './link-session-status.ts';
import type { LinkSessions } from './link-sessions.ts';
import type { LinkSecrets } from './link-tokens.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';
import type { VendorPages } from './vendor-pages.ts';

type Dependencies = Pick<
  LinkingDependencies,
  'db' | 'clock' | 'limits' | 'gateway' | 'secrets' | 'customerSecrets' | 'publicUrl'
> & {
  readonly links: LinkSecrets<'link_session'>;
  readonly pages: VendorPages;
  readonly completion: LinkCompletion;
  readonly endUsers: EndUsers;
  readonly accountImport: AccountImport;
  readonly linkSessions: Pick<LinkSessions, 'another' | 'leadsToAnother'>;
};

/** How long the person waits for the first listing of accounts; a job continues after that. */
const IMPORT_BUDGET_MS = 3_000;
const IMPORT_PAUSES_MS = [0, 300, 600, 1_200] as const;

/** How long the page waits for what is said of the institution, which is usually known already. */
const TERMS_BUDGET_MS = 3_000;

/** The account record that receives what is linked. */
export interface Requester {
  readonly record: OwnerId;
  /** Chosen by its owner and checked by no one; null if it has none. */
  readonly name: string | null;
  /** Whole only for people who share the account record. */
  readonly email: string;
}

export function requesterOf({ id, name, email }: AccountRecord): Requester {
  return { record: id, name, email };
}

/** What the hosted page shows before the person goes to the bank. */
export interface LinkInvitation {
  readonly status: LinkSessionStatus;
  readonly provider: ProviderIdentifier;
  /** The name of the one that was chosen before, or is renewed. */
  readonly institution: string | null;
  /** Whether no page of the vendor follows. */
  readonly direct: boolean;
  /** The page that gives the person what they enter here; null if nothing is asked for. */
  readonly entryFrom: string | null;
  /** What is said of the institution, and may be chosen; null for nothing, and if its provider does not answer now. */
  readonly terms: LinkTerms | null;
  readonly renewal: boolean;
  readonly requester: Requester;
  readonly expiresAt: number;
  /** The account record's. */
  readonly timezone: string;
  /** The number of the attempt whose page at the vendor is open; null if none is. */
  readonly openAttempt: number | null;
  /** Where to send the person once the session has ended; null while it has not. */
  readonly returnTo: string | null;
  /**
   * The names of the bank that was linked and of the one that was chosen; null if they are the same, or if it is too
   * late to link the chosen one as well.
   */
  readonly other: { readonly linked: string; readonly chosen: string } | null;
}

/** The person's side of a link session: everything here needs only one of the session's tokens. */
export class HostedLinks implements LinkKind<'link_session', LinkSession> {
  readonly resource = 'link_session';
  readonly path = 'link';
  readonly name = 'link session';
  readonly flow: LinkFlow<'link_session', LinkSession>;
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    const { clock, limits, publicUrl, links: secrets } = deps;
    this.flow = new LinkFlow({ kind: this, secrets, clock, limits, publicUrl });
  }

  /** Raises `resource_missing` for a token that opens nothing. */
  async invitation(token: string): Promise<LinkInvitation> {
    const { db, clock } = this.#deps;
    const session = await this.flow.read(token);
    const record = await findOpenAccountRecord(db, session.account_record);
    if (record === null) throw missing(this.name);
    const now = clock.now();
    return {
      status: linkSessionStatus(session, now),
      provider: session.provider,
      institution: session.institution_name,
      direct: this.#deps.gateway.providers.linksDirectly(session.provider),
      entryFrom: this.#deps.gateway.providers.asks(session.provider)?.page ?? null,
      terms: await this.#termsOf(session),
      renewal: session.renews !== null,
      requester: requesterOf(record),
      expiresAt: session.expires_at.getTime(),
      timezone: record.timezone,
      openAttempt: (session.vendor_until?.getTime() ?? 0) > now ? session.attempts : null,
      returnTo: this.flow.leave(session),
      other: await this.#otherBank(session),
    };
  }

  /** The page of another session, for a person who linked another bank than the chosen one. Raises as `create` does. */
  async another(token: string): Promise<string> {
    const session = await this.flow.read(token);
    if (session.completed_at === null || (await this.#otherBank(session)) === null) throw missing(this.name);
    return (await this.#deps.linkSessions.another(session, session.completed_at)).url;
  }

  /** Best effort: the page says less without it, and the institution's usual way works as well. */
  async #termsOf(session: LinkSession): Promise<LinkTerms | null> {
    const { gateway } = this.#deps;
    const { provider, account_record: owner, institution_id: institution } = session;
    if (institution === null || !gateway.providers.hasTerms(provider)) return null;
    if (linkSessionStatus(session, this.#deps.clock.now()) !== 'pending') return null;
    try {
      return await gateway.readTerms({ provider, owner }, institution, AbortSignal.timeout(TERMS_BUDGET_MS));
    } catch {
      return null;
    }
  }

  async staysAfter(session: LinkSession): Promise<boolean> {
    return (await this.#otherBank(session)) !== null;
  }

  async #otherBank(session: LinkSession): Promise<LinkInvitation['other']> {
    const { account_record: owner, connection: id, completed_at: completed, renews } = session;
    if (id === null || completed === null || renews !== null) return null;
    if (!this.#deps.linkSessions.leadsToAnother(completed)) return null;
    const connection = await findConnection(this.#deps.db, owner, id);
    const chosen = connection?.chosen_institution_name ?? null;
    if (connection === null || chosen === null || connection.revoked_at !== null) return null;
    return { linked: connection.institution_name, chosen };
  }

  find(id: RowId<'link_session'>): Promise<LinkSession | null> {
    return findLinkSessionOfToken(this.#deps.db, id);
  }

  attemptOf(session: LinkSession): number {
    return session.attempts;
  }

  redeemsOnce(session: LinkSession): boolean {
    return this.#deps.gateway.redeemsOnce(session.provider);
  }

  problemWith({ provider }: LinkSession, entered: string | null): EntryNotice | null {
    const asks = this.#deps.gateway.providers.asks(provider);
    if (asks === null) return null;
    return entered === null || entered === '' ? 'nothing' : asks.problemWith(entered);
  }

  open(session: LinkSession, entered: string | null): Promise<string | null> {
    const { providers } = this.#deps.gateway;
    const used = providers.asks(session.provider) !== null || providers.hasTerms(session.provider);
    return this.#deps.pages.open(session, used ? entered : null);
  }

  isOpenWith(session: LinkSession, entered: string): boolean {
    return this.#deps.pages.pageOf(session)?.way === entered;
  }

  forget({ account_record, id }: LinkSession, attempt: number): Promise<void> {
    return spendAttempt(this.#deps.db, account_record, id, attempt);
  }

  claimCallback({ account_record, id }: LinkSession, now: Date, until: Date): Promise<boolean> {
    return claimSessionCallback(this.#deps.db, account_record, id, now, until);
  }

  releaseCallback({ account_record, id }: LinkSession): Promise<void> {
    return updateLinkSession(this.#deps.db, account_record, id, { landing_until: null });
  }

  async redeem(
    session: LinkSession,
    query: Readonly<Record<string, string>>,
    calledBackAt: number,
  ): Promise<LinkSession> {
    const { completion, endUsers, pages } = this.#deps;
    const page = pages.pageOf(session);
    const renewal = await renewalOf(this.#deps, session);
    if (renewal.kind === 'gone') return this.#redeemOfDeleted(session, query, calledBackAt);
    const renew = renewal.kind === 'renews' ? renewal.access : null;
    const customer = renew ?? (await pages.customerOf(session));
    if (page === null || customer === null) return completion.fail(session, 'session_expired');
    const kept: string[] = [];
    const outcome = await this.#outcomeOf(session, query, { customer, memo: page.memo, renew, kept });
    if (outcome.kind === 'pending') return session;
    if (outcome.kind === 'failed') return this.#spent(await completion.fail(session, outcome.reason));
    const done = await completion.complete(session, outcome, calledBackAt);
    // If this fails, the sweep finds that the customer is needed.
    for (const id of kept) await endUsers.drop(session, id).catch(() => undefined);
    await this.#importAccounts(done);
    return this.#spent(done);
  }

  async redeemLate(
    session: LinkSession,
    query: Readonly<Record<string, string>>,
    calledBackAt: number,
  ): Promise<void> {
    const { db, completion, endUsers, pages } = this.#deps;
    if (!(await spendLateAttempt(db, session.account_record, session.id, session.attempts))) return;
    // The page was discarded when the session ended, and its customer may be gone.
    const customer = (await pages.customerOf(session)) ?? { customer: session.id, secret: NO_SECRET };
    const memo = pages.pageOf(session)?.memo ?? '';
    const kept: string[] = [];
    const outcome = await this.#outcomeOf(session, query, { customer, memo, renew: null, kept });
    if (outcome.kind !== 'linked') return;
    await completion.complete(session, outcome, calledBackAt);
    for (const id of kept) await endUsers.drop(session, id);
  }

  async tooLate(session: LinkSession): Promise<LinkSession> {
    return session.begun_at === null ? session : this.#deps.completion.fail(session, 'session_expired');
  }

  cancel(session: LinkSession): Promise<LinkSession> {
    return this.#deps.completion.fail(session, 'cancelled');
  }

  /** The connection to be renewed is gone: the consent is withdrawn, if it can be redeemed only once. */
  async #redeemOfDeleted(
    session: LinkSession,
    query: Readonly<Record<string, string>>,
    calledBackAt: number,
  ): Promise<LinkSession> {
    // The link fails either way; the sweep ends grants that could not be read.
    if (this.redeemsOnce(session)) await this.redeemLate(session, query, calledBackAt).catch(() => undefined);
    return this.#deps.completion.fail(session, 'connection_deleted');
  }

  /** The session. If it failed, its callback is not redeemed again, because this outcome is final. */
  async #spent(session: LinkSession): Promise<LinkSession> {
    const { account_record: owner, id, attempts } = session;
    if (session.failed_at === null || !this.redeemsOnce(session)) return session;
    // If this fails, the next callback asks the vendor again and withdraws what it finds.
    await spendLateAttempt(this.#deps.db, owner, id, attempts).catch(() => undefined);
    return session;
  }

  /**
   * What the vendor returns for the callback. `of.kept` receives the rows of secrets that are to be deleted unless
   * stored.
   */
  async #outcomeOf(
    session: LinkSession,
    query: Readonly<Record<string, string>>,
    of: {
      readonly customer: CustomerAccess;
      readonly memo: string;
      readonly renew: ProviderGrant | null;
      readonly kept: string[];
    },
  ): Promise<LinkOutcome> {
    const { gateway, links, endUsers, publicUrl } = this.#deps;
    const { redirectUri, verifier } = authorizationOf(links, publicUrl, session.id, session.attempts);
    const { customer, memo, renew, kept } = of;
    // Not aborted when the person leaves: the callback may be redeemable only once.
    const { signal } = new AbortController();
    return gateway.completeLink(
      { provider: session.provider, owner: session.account_record },
      {
        redirectUri,
        verifier,
        query,
        customer: customer.customer,
        secret: customer.secret,
        institution: session.institution_id,
        memo,
        renew: renew === null ? null : { consent: renew.consent, institution: renew.institution },
        keep: async (secret) => void kept.push(await endUsers.keep(session, secret)),
      },
      signal,
    );
  }

  /**
   * Best effort, so that the person sees accounts immediately; the job of the completed session lists them in any case.
   */
  async #importAccounts({ account_record, connection }: LinkSession): Promise<void> {
    if (connection === null) return;
    const { accountImport, clock } = this.#deps;
    const budget = AbortSignal.timeout(IMPORT_BUDGET_MS);
    try {
      for (const pause of IMPORT_PAUSES_MS) {
        await clock.sleep(pause, budget);
        if ((await accountImport.importAsked(account_record, connection, budget)) !== 'not_ready') return;
      }
    } catch {
      // The job of the completed session tries again, with its own log.
    }
  }
}
