import { newRowId } from '../../platform/row-id.ts';
import { findOpenAccountRecord, lockAccountRecord } from '../../storage/account-records.ts';
import { actorColumns } from '../../storage/actor-columns.ts';
import { countConnections, findConnection } from '../../storage/connections.ts';
import type { Trx } from '../../storage/database.ts';
import {
  findLinkSession,
  insertLinkSession,
  type LinkSession,
  openLinkSessions,
} from '../../storage/link-sessions.ts';
import { inRetryableTransaction } from '../../storage/retryable-transaction.ts';
import type { Actor } from '../../vocabulary/actors.ts';
import { providerNotSetUp } from '../../vocabulary/consoles.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { type Metadata, requireFittingMetadata } from '../../vocabulary/metadata.ts';
import { hasPlainHost } from '../../vocabulary/plain-hosts.ts';
import { isProviderIdentifier, PROVIDERS, type ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { LinkSessionStatus } from '../../vocabulary/states.ts';
import { requireMetadataRoom } from '../access/metadata-room.ts';
import { requireGate, requireRoom } from '../access/plan-gates.ts';
import type { Institutions } from './institutions.ts';
import { linkSessionStatus } from './link-session-status.ts';
import type { LinkSecrets } from './link-tokens.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';

const MINUTE_MS = 60_000;

export interface NewLinkSession {
  readonly provider: string;
  /** An `inst_` id, for providers whose links name a bank (`linksInstitution`); refused elsewhere. */
  readonly institution: string | null;
  /** An `inst_` id, for the other providers: the bank at which the vendor's page begins, if the person has chosen. */
  readonly chosenInstitution?: string | null;
  readonly returnUrl: string;
  readonly metadata: Metadata | null;
  /** Who creates it, named in the audit trail of the consent. */
  readonly actor: Actor;
}

export interface Reauthorization {
  /** Optional; a provider other than the connection's is refused. */
  readonly provider: string | null;
  readonly returnUrl: string | null;
  readonly metadata: Metadata | null;
  readonly actor: Actor;
}

/** A session with its computed fields. */
export interface OpenedLinkSession {
  readonly id: RowId<'link_session'>;
  readonly session: LinkSession;
  readonly status: LinkSessionStatus;
  /** The hosted page. Anyone who has it can continue the session. */
  readonly url: string;
}

type Dependencies = Pick<
  LinkingDependencies,
  'db' | 'clock' | 'limits' | 'gateway' | 'publicUrl' | 'personal'
> & {
  readonly links: LinkSecrets<'link_session'>;
  readonly institutions: Institutions;
  /** Where a renewal returns to by default: the web application. */
  readonly appUrl: string;
};

/** One attempt of a person to link a bank, or to renew a link. */
export class LinkSessions {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Raises `parameter_missing`, `parameter_invalid` and `resource_missing` naming the field, `subscription_required`,
   * `professional_required`, `connection_limit`, and the gateway's errors while the bank is looked up.
   */
  async create(owner: OwnerId, input: NewLinkSession, signal: AbortSignal): Promise<OpenedLinkSession> {
    const provider = await this.#provider(owner, input.provider);
    const returnUrl = checkReturnUrl(input.returnUrl);
    requireFittingMetadata(input.metadata, this.#deps.limits.metadata_pairs);
    if (PROVIDERS[provider].linksInstitution && input.institution === null) {
      throw new ServiceError('parameter_missing', {
        param: 'institution',
        message: `institution is required for ${provider}.`,
      });
    }
    const institution = await this.#institution(provider, input, signal);
    const session = this.#draft(owner, provider, returnUrl, input, {
      institution_id: institution?.id ?? null,
      institution_name: institution?.name ?? null,
      renews: null,
    });
    await inRetryableTransaction(this.#deps.db, 'link_session_create_failed', async (trx) => {
      const record = await lockAccountRecord(trx, owner);
      if (record === null || record.removal_asked_at !== null) throw missing('account record');
      requireRoom('connection_slot', record, this.#deps.clock.now(), await countConnections(trx, owner));
      await this.#insert(trx, session);
    });
    return this.#open(session);
  }

  /** Whether a session that was completed then may still lead to another: for as long as a session is open. */
  leadsToAnother(completedAt: Date): boolean {
    const { clock, limits } = this.#deps;
    return clock.now() < completedAt.getTime() + limits.link_session_minutes * MINUTE_MS;
  }

  /**
   * For a person who linked another bank than the one that was chosen: a session like the first one, which begins at
   * the chosen bank. There is one of each session, so that no one can open any number of them with the address of one.
   * Raises what `create` raises.
   */
  async another(session: LinkSession, completedAt: Date): Promise<OpenedLinkSession> {
    const { db, clock, links } = this.#deps;
    const { account_record: owner, provider } = session;
    if (!this.leadsToAnother(completedAt)) throw missing('link session');
    await this.#provider(owner, provider);
    const id = rowId('link_session', links.successorOf(session.id, completedAt));
    const made = await inRetryableTransaction(db, 'link_session_create_failed', async (trx) => {
      const record = await lockAccountRecord(trx, owner);
      if (record === null || record.removal_asked_at !== null) throw missing('account record');
      const earlier = await findLinkSession(trx, owner, id);
      if (earlier !== null) return earlier;
      requireRoom('connection_slot', record, clock.now(), await countConnections(trx, owner));
      const fresh = { ...session, ...this.#initialState(), id };
      await this.#insert(trx, fresh);
      return fresh;
    });
    return this.#open(made);
  }

  /**
   * A session that renews the connection in place; it takes no slot. Raises `resource_missing`, `provider_mismatch`,
   * `not_supported`, `subscription_required`, `professional_required`, `parameter_invalid`.
   */
  async reauthorize(
    owner: OwnerId,
    id: RowId<'connection'>,
    input: Reauthorization,
  ): Promise<OpenedLinkSession> {
    const { db, gateway, personal, appUrl } = this.#deps;
    const connection = await findConnection(db, owner, id);
    if (connection === null || connection.revoked_at !== null) throw missing('connection');
    const { provider } = connection;
    if (input.provider !== null && input.provider !== provider) {
      throw new ServiceError('provider_mismatch', {
        param: 'provider',
        message: `This connection belongs to ${provider}.`,
      });
    }
    await this.#requireGates(owner, provider);
    if (!gateway.providers.capabilities(provider).has('reauthorize')) throw new ServiceError('not_supported');
    if (!(await personal.mayLink(provider, owner)))
      throw new ServiceError('not_supported', { message: personal.explain(provider) });
    const returnUrl = checkReturnUrl(input.returnUrl ?? appUrl);
    requireFittingMetadata(input.metadata, this.#deps.limits.metadata_pairs);
    const session = this.#draft(owner, provider, returnUrl, input, {
      institution_id: PROVIDERS[provider].linksInstitution ? connection.institution_id : null,
      institution_name: connection.institution_name,
      renews: id,
    });
    await inRetryableTransaction(db, 'link_session_create_failed', async (trx) => {
      await lockAccountRecord(trx, owner);
      await this.#insert(trx, session);
    });
    return this.#open(session);
  }

  /** Raises `resource_missing`. */
  async read(owner: OwnerId, id: RowId<'link_session'>): Promise<OpenedLinkSession> {
    const session = await findLinkSession(this.#deps.db, owner, id);
    if (session === null) throw missing('link session');
    return this.#open(session);
  }

  /** Raises `rate_limit_exceeded` and `parameter_invalid` (`metadata`). The caller has locked the account record. */
  async #insert(trx: Trx, session: LinkSession): Promise<void> {
    const { clock, limits } = this.#deps;
    const { account_record: owner, metadata } = session;
    await requireSessionRoom(trx, owner, limits.open_link_sessions, clock.now());
    await insertLinkSession(trx, session);
    await requireMetadataRoom(
      trx,
      limits,
      { table: 'link_sessions', owner, now: clock.now() },
      { before: null, after: metadata },
    );
  }

  /** The plan is checked before the response reveals what this installation offers. */
  async #provider(owner: OwnerId, text: string): Promise<ProviderIdentifier> {
    if (!isProviderIdentifier(text)) throw invalidParameter('provider', 'There is no such provider.');
    await this.#requireGates(owner, text);
    if (PROVIDERS[text].category === 'documents') {
      throw invalidParameter(
        'provider',
        `${text} is not linked: upload a statement with POST /v2/documents.`,
      );
    }
    if (!this.#deps.gateway.providers.capabilities(text).has('link')) {
      throw invalidParameter('provider', providerNotSetUp(text));
    }
    const { personal } = this.#deps;
    if (!(await personal.mayLink(text, owner))) throw invalidParameter('provider', personal.explain(text));
    return text;
  }

  async #institution(
    provider: ProviderIdentifier,
    { institution, chosenInstitution: chosen = null }: NewLinkSession,
    signal: AbortSignal,
  ) {
    const { gateway, institutions } = this.#deps;
    if (PROVIDERS[provider].linksInstitution) {
      if (chosen !== null)
        throw invalidParameter('chosen_institution', `The bank of ${provider} is named as institution.`);
      return institution === null ? null : institutions.require(provider, institution, 'institution', signal);
    }
    if (institution !== null)
      throw invalidParameter('institution', `${provider} asks for the bank on its own page.`);
    if (chosen === null) return null;
    if (!gateway.providers.capabilities(provider).has('institutions'))
      throw invalidParameter('chosen_institution', `${provider} lists no banks here, so none can be chosen.`);
    return institutions.require(provider, chosen, 'chosen_institution', signal);
  }

  async #requireGates(owner: OwnerId, provider: ProviderIdentifier): Promise<void> {
    const record = await findOpenAccountRecord(this.#deps.db, owner);
    if (record === null) throw missing('account record');
    const now = this.#deps.clock.now();
    requireGate('link_session', record, now);
    if (PROVIDERS[provider].category === 'brokerage') requireGate('brokerage_link', record, now);
  }

  #draft(
    owner: OwnerId,
    provider: ProviderIdentifier,
    returnUrl: string,
    { metadata, actor }: Pick<NewLinkSession, 'metadata' | 'actor'>,
    bank: Pick<LinkSession, 'institution_id' | 'institution_name' | 'renews'>,
  ): LinkSession {
    return {
      id: rowId('link_session', newRowId(this.#deps.clock)),
      account_record: owner,
      provider,
      ...bank,
      return_url: returnUrl,
      metadata,
      ...actorColumns(actor),
      ...this.#initialState(),
    };
  }

  /** What a session has before its person has opened it. */
  #initialState() {
    const now = this.#deps.clock.now();
    return {
      connection: null,
      failure_reason: null,
      end_user: null,
      attempts: 0,
      vendor_state: null,
      vendor_until: null,
      opening_until: null,
      landing_until: null,
      begun_at: null,
      settle_at: null,
      expires_at: new Date(now + this.#deps.limits.link_session_minutes * MINUTE_MS),
      completed_at: null,
      failed_at: null,
      created: new Date(now),
      updated: new Date(now),
    };
  }

  #open(session: LinkSession): OpenedLinkSession {
    return {
      id: session.id,
      session,
      status: linkSessionStatus(session, this.#deps.clock.now()),
      url: `${this.#deps.publicUrl}/link/${this.#deps.links.page.tokenOf(session.id)}`,
    };
  }
}

/**
 * For a transaction that has locked the account record and is about to open a session. Raises `rate_limit_exceeded`
 * while `most` are open, until the first of them expires.
 */
async function requireSessionRoom(trx: Trx, owner: OwnerId, most: number, now: number): Promise<void> {
  const { count, nextEnd } = await openLinkSessions(trx, owner, new Date(now));
  if (count < most) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(((nextEnd?.getTime() ?? now) - now) / 1000));
  throw new ServiceError('rate_limit_exceeded', {
    message: `${most} link sessions are open, which is the maximum; complete one, or wait until the first expires.`,
    retryAfterSeconds,
  });
}

/**
 * Checks where a person is sent after linking: absolute, http or https, no credentials, a plain host, at most 2048
 * characters. The service never requests it, so any such host will do; an app on the person's own machine is a normal
 * case. Raises `parameter_invalid`. Returns the text as the caller wrote it.
 */
export function checkReturnUrl(text: string): string {
  if (text.length > FIXED_LIMITS.url_characters) {
    throw invalidParameter(
      'return_url',
      `return_url is longer than ${FIXED_LIMITS.url_characters} characters.`,
    );
  }
  const url = /[\s\p{Cc}\\]/u.test(text) ? null : URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text)) {
    throw invalidParameter('return_url', 'return_url must be an absolute http or https URL.');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidParameter('return_url', 'return_url must not contain a user name or password.');
  }
  if (!hasPlainHost(url)) {
    throw invalidParameter('return_url', 'return_url must have a DNS name or an IP address as its host.');
  }
  return text;
}

/**
 * The return URL with the outcome in its query (docs/resources.md#link-session); the rest of its query stays as it was
 * written. `name` says of what: a destination link speaks of itself in the same way.
 */
export function withOutcome(
  returnUrl: string,
  outcome: 'completed' | { readonly failed: string },
  name: 'link_session' | 'destination_link' = 'link_session',
): string {
  const url = new URL(returnUrl);
  const others = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && ![name, 'reason'].includes(pair.split('=', 1)[0] ?? ''));
  const added =
    outcome === 'completed'
      ? [`${name}=completed`]
      : [`${name}=failed`, `reason=${encodeURIComponent(outcome.failed)}`];
  url.search = [...others, ...added].join('&');
  return url.href;
}
