import type { LinkedGrant, LinkOutcome } from '../../connectors/providers/provider-contract.ts';
import { lockAccountRecord } from '../../storage/account-records.ts';
import { storedActor } from '../../storage/actor-columns.ts';
import {
  type Connection,
  findConnections,
  lockConnection,
  settleChosenInstitutions,
  updateConnection,
} from '../../storage/connections.ts';
import {
  type Consent,
  currentConsents,
  insertConsent,
  nameConsentGiver,
  updateConsent,
} from '../../storage/consents.ts';
import type { Trx } from '../../storage/database.ts';
import {
  endUsersOfConnections,
  findEndUser,
  releaseEndUser,
  releaseIdleEndUser,
} from '../../storage/end-users.ts';
import { CONNECTION_CLEANUP } from '../../storage/job-queues.ts';
import { type LinkSession, lockLinkSession, updateLinkSession } from '../../storage/link-sessions.ts';
import type { Actor } from '../../vocabulary/actors.ts';
import { publicId, type RowId } from '../../vocabulary/ids.ts';
import { PROVIDERS, type ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import { missing } from '../../vocabulary/service-error.ts';
import { CONSENT_MOVES, moveBy } from '../../vocabulary/states.ts';
import { folded } from '../../vocabulary/text-folding.ts';
import { GrantedConnections } from './granted-connections.ts';
import { linkSessionStatus, type SessionFailureReason } from './link-session-status.ts';
import { type LinkingDependencies, recordConsentEvent } from './linking-dependencies.ts';
import { consentHash } from './linking-secrets.ts';
import { SignedInCustomers } from './signed-in-customers.ts';

export type LinkedOutcome = Extract<LinkOutcome, { kind: 'linked' }>;
/** The connections that a sign-in resulted in: possibly none. */
type Brought = Pick<LinkedOutcome, 'customer'> & {
  readonly grants: readonly LinkedGrant[];
  readonly calledBackAt: number;
};
type Dependencies = Pick<
  LinkingDependencies,
  'db' | 'clock' | 'limits' | 'jobs' | 'secrets' | 'events' | 'personal' | 'auditLog' | 'publicUrl'
>;

/**
 * Turns the outcome of a sign-in into connections, consents, audit trail and events, all in the transaction that ends
 * the session. The session's row is locked meanwhile, so a second callback finds it ended and changes nothing.
 */
export class LinkCompletion {
  readonly #deps: Dependencies;
  readonly #granted: GrantedConnections;
  readonly #customers: SignedInCustomers;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#granted = new GrantedConnections(deps);
    this.#customers = new SignedInCustomers(deps);
  }

  /**
   * Returns the session as it is afterwards. `calledBackAt`, epoch ms, decides whether it was in time. Grants of the
   * sign-in that belong to no connection are withdrawn, even if the session has ended meanwhile.
   */
  async complete(session: LinkSession, signIn: LinkedOutcome, calledBackAt: number): Promise<LinkSession> {
    const grants = signIn.grants.filter(({ consent }) => consent.state !== 'ended');
    const outcome = { customer: signIn.customer, grants, calledBackAt };
    const back = (trx: Trx, reason: string) => this.#giveBack(trx, session, outcome, reason);
    return this.#end(
      session,
      async (trx, open) => {
        if (linkSessionStatus(open, calledBackAt) !== 'pending') {
          await back(trx, 'session_expired');
          return this.#fail(trx, open, 'session_expired');
        }
        // A later page has its own end user, and the consents given on this one are being withdrawn.
        if (open.end_user !== session.end_user) return back(trx, 'session_replaced');
        return open.renews === null
          ? this.#link(trx, open, outcome)
          : this.#renew(trx, open, open.renews, outcome);
      },
      (trx, ended) => back(trx, ended.failure_reason ?? 'session_replaced'),
    );
  }

  /** Ends the session without a connection. Its end user is deleted at the vendor, with its consents. */
  async fail(session: LinkSession, reason: SessionFailureReason): Promise<LinkSession> {
    return this.#end(session, (trx, open) => this.#fail(trx, open, reason));
  }

  async #end(
    session: LinkSession,
    work: (trx: Trx, open: LinkSession) => Promise<void>,
    ended: (trx: Trx, found: LinkSession) => Promise<void> = async () => undefined,
  ): Promise<LinkSession> {
    const { account_record: owner, id } = session;
    return this.#deps.db.transaction().execute(async (trx) => {
      const open = await lockLinkSession(trx, owner, id);
      if (open === null) throw missing('link session');
      if (open.completed_at !== null || open.failed_at !== null) {
        await ended(trx, open);
        return open;
      }
      await work(trx, open);
      return (await lockLinkSession(trx, owner, id)) ?? open;
    });
  }

  async #link(trx: Trx, session: LinkSession, outcome: Brought): Promise<void> {
    const { account_record: owner, provider, end_user: own } = session;
    const record = await lockAccountRecord(trx, owner);
    if (record === null) throw missing('account record');
    const eligible = await this.#deps.personal.mayLink(provider, owner, trx);
    if (!eligible || outcome.grants.length === 0) {
      await this.#giveBack(trx, session, outcome, 'not_eligible');
      return this.#fail(trx, session, 'not_eligible');
    }
    const ownRow = own === null ? null : await findEndUser(trx, owner, own);
    if (ownRow !== null && ownRow.released_at !== null) {
      // This callback took too long.
      await this.#giveBack(trx, session, outcome, 'session_expired');
      return this.#fail(trx, session, 'session_expired');
    }
    const endUser = await this.#place(trx, session, own, outcome);
    if (endUser === null) return this.#fail(trx, session, 'session_expired');
    const actor = storedActor(session);
    const { metadata } = session;
    const holder = { record, provider, endUser, shared: endUser !== own, actor, metadata };
    // The plan may have room for only some of them.
    const grants = chosenFirst(session, outcome.grants);
    const { connections, reason, made } = await this.#granted.connect(trx, holder, grants);
    const [first] = connections;
    if (first === undefined) return this.#fail(trx, session, reason);
    if (!made || endUser !== own) await this.#release(trx, session);
    await this.#settleChoice(trx, session, endUser, first, connections);
    await this.#granted.listAccounts(trx, owner, connections);
    await this.#completed(trx, session, first);
  }

  /**
   * Compares what was linked with what the person had chosen: the vendor's page may have brought another bank, which the
   * connection then says.
   */
  async #settleChoice(
    trx: Trx,
    session: LinkSession,
    endUser: string,
    first: RowId<'connection'>,
    connections: readonly RowId<'connection'>[],
  ): Promise<void> {
    const { account_record: owner, institution_id: id, institution_name: name } = session;
    const linked = await findConnections(trx, owner, connections);
    const banks = linked.map((row) => ({ id: row.institution_id, name: row.institution_name }));
    const settled = banks.map((bank) => bank.id);
    const brought =
      !PROVIDERS[session.provider].listsInstitutions || banks.some((bank) => isChosen(session, bank));
    if (brought && id !== null) settled.push(id);
    await settleChosenInstitutions(trx, owner, endUser, settled);
    if (brought || id === null) return;
    await updateConnection(trx, owner, first, { chosen_institution_id: id, chosen_institution_name: name });
  }

  async #renew(trx: Trx, session: LinkSession, id: RowId<'connection'>, outcome: Brought): Promise<void> {
    const { clock, events } = this.#deps;
    const { account_record: owner, provider } = session;
    const record = await lockAccountRecord(trx, owner);
    if (record === null) throw missing('account record');
    const connection = await lockConnection(trx, owner, id);
    if (connection === null || connection.revoked_at !== null) {
      await this.#giveBack(trx, session, outcome, 'connection_deleted');
      return this.#fail(trx, session, 'connection_deleted');
    }
    if (!(await this.#deps.personal.mayLink(provider, owner, trx))) {
      await this.#giveBack(trx, session, outcome, 'not_eligible');
      return this.#fail(trx, session, 'not_eligible');
    }
    const current = (await currentConsents(trx, owner, [id])).get(id) ?? null;
    const actor = storedActor(session);
    const granted = await this.#renewing(trx, connection, current, outcome);
    if (granted === null) {
      await this.#giveBack(trx, session, outcome, 'institution_mismatch');
      return this.#fail(trx, session, 'institution_mismatch');
    }

    const before = (await endUsersOfConnections(trx, owner, [id])).get(id)?.id ?? null;
    const endUser = await this.#place(trx, session, before, outcome);
    if (endUser === null) return this.#fail(trx, session, 'connection_deleted');
    if (current !== null && isOf(current, provider, granted)) {
      await this.#granted.renewConsent(trx, current, connection, granted, actor);
    } else {
      if (current !== null) await this.#replaceConsent(trx, current, actor);
      if (before !== null && before !== endUser) await nameConsentGiver(trx, owner, id, before);
      await this.#granted.takeOver(trx, { record, provider, endUser }, granted);
      const fresh = this.#granted.consentOf(connection, granted);
      await insertConsent(trx, fresh);
      await recordConsentEvent(trx, clock, fresh, 'granted', fresh.recorded_status, null, actor);
    }
    const now = new Date(clock.now());
    await updateConnection(trx, owner, id, { end_user: endUser, updated: now });
    const event = await this.#granted.recordLogin(trx, connection, granted);
    if (before !== null && before !== endUser) await releaseIdleEndUser(trx, owner, before, now);
    const others = outcome.grants.filter((other) => other !== granted);
    const more =
      others.length === 0
        ? []
        : (
            await this.#granted.connect(
              trx,
              { record, provider, endUser, shared: true, actor, metadata: session.metadata },
              others,
            )
          ).connections;
    await this.#granted.listAccounts(trx, owner, [id, ...more]);
    await this.#completed(trx, session, id);
    if (event !== null) await events(trx, owner, event, id);
  }

  /**
   * Has the grants of a sign-in withdrawn that belong to no connection, under the customer as it is after that sign-in.
   * A customer that was created only for this link is deleted with its session instead.
   */
  async #giveBack(trx: Trx, session: LinkSession, outcome: Brought, reason: string): Promise<void> {
    const { account_record: owner, provider, end_user: own, renews } = session;
    if (renews === null && outcome.customer === null) return;
    const record = await lockAccountRecord(trx, owner);
    if (record === null) throw missing('account record');
    const renewed =
      renews === null ? null : ((await endUsersOfConnections(trx, owner, [renews])).get(renews) ?? null);
    const current = renews === null ? own : (renewed?.id ?? null);
    const endUser = await this.#place(trx, session, current, outcome);
    if (endUser === null || endUser === own) return;
    await this.#granted.giveBack(trx, { record, provider, endUser }, outcome.grants, reason);
    await releaseIdleEndUser(trx, owner, endUser, new Date(this.#deps.clock.now()));
  }

  #place(
    trx: Trx,
    { account_record: owner, provider }: LinkSession,
    current: string | null,
    { customer, calledBackAt }: Brought,
  ): Promise<string | null> {
    return this.#customers.place(trx, { owner, provider, current, calledBackAt }, customer);
  }

  /**
   * Which of the grants renews the connection: its own consent, or else one at its bank that no other connection has.
   */
  async #renewing(
    trx: Trx,
    connection: Connection,
    current: Consent | null,
    { grants }: Brought,
  ): Promise<LinkedGrant | null> {
    const { account_record: owner, provider, id } = connection;
    const own = grants.find((granted) => current !== null && isOf(current, provider, granted));
    const atBank = grants.filter(({ institution }) => institution.id === connection.institution_id);
    if (own !== undefined) return atBank.includes(own) ? own : null;
    for (const granted of atBank) {
      const held = await this.#granted.consentInUse(trx, owner, provider, granted);
      if (held === null || held.connection === id) return granted;
    }
    return null;
  }

  /** The vendor renewed under a new consent, so the old one must be withdrawn. */
  async #replaceConsent(trx: Trx, current: Consent, actor: Actor): Promise<void> {
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
    await recordConsentEvent(trx, clock, current, 'replaced', 'withdrawn', 'replaced_by_renewal', actor);
    if (stood)
      await events(
        trx,
        current.account_record,
        moveBy(CONSENT_MOVES, 'withdrawn here or at the bank').emits,
        current.id,
      );
    const { connection, account_record: owner } = current;
    await jobs.enqueue(trx, CONNECTION_CLEANUP, { connection }, { owner });
  }

  async #completed(trx: Trx, session: LinkSession, connection: RowId<'connection'>): Promise<void> {
    const { auditLog, clock } = this.#deps;
    const now = new Date(clock.now());
    await auditLog.record(trx, session.account_record, {
      kind: session.renews === null ? 'consent.granted' : 'consent.renewed',
      by: { ...storedActor(session), user: null },
      from: null,
      target: publicId('connection', connection),
    });
    await updateLinkSession(trx, session.account_record, session.id, {
      connection,
      completed_at: now,
      vendor_state: null,
      vendor_until: null,
      settle_at: null,
      updated: now,
    });
  }

  async #fail(trx: Trx, session: LinkSession, reason: SessionFailureReason): Promise<void> {
    const now = new Date(this.#deps.clock.now());
    await this.#release(trx, session);
    await updateLinkSession(trx, session.account_record, session.id, {
      failure_reason: reason,
      failed_at: now,
      vendor_state: null,
      vendor_until: null,
      settle_at: null,
      updated: now,
    });
  }

  async #release(trx: Trx, { account_record, end_user, opening_until }: LinkSession): Promise<void> {
    const now = new Date(this.#deps.clock.now());
    if (end_user !== null) await releaseEndUser(trx, account_record, end_user, now, opening_until);
  }
}

/** By id, or by name: a vendor may have several connections to one bank, and moves people from one to the other. */
function isChosen(
  { institution_id: id, institution_name: name }: LinkSession,
  bank: { readonly id: string; readonly name: string },
): boolean {
  return id !== null && (bank.id === id || (name !== null && folded(bank.name) === folded(name)));
}

function chosenFirst(session: LinkSession, grants: readonly LinkedGrant[]): readonly LinkedGrant[] {
  const rank = ({ institution }: LinkedGrant) => (isChosen(session, institution) ? 0 : 1);
  return grants.toSorted((one, other) => rank(one) - rank(other));
}

function isOf(consent: Consent, provider: ProviderIdentifier, { grant }: LinkedGrant): boolean {
  return Buffer.from(consent.consent_hash).equals(consentHash(provider, grant.consent));
}
