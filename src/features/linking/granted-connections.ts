import type { LinkedGrant } from '../../connectors/providers/provider-contract.ts';
import { newRowId } from '../../platform/row-id.ts';
import type { AccountRecord } from '../../storage/account-records.ts';
import {
  type Connection,
  countConnections,
  findConnection,
  insertConnection,
  lockConnection,
  updateConnection,
} from '../../storage/connections.ts';
import { type Consent, findHeldConsent, insertConsent, updateConsent } from '../../storage/consents.ts';
import type { Trx } from '../../storage/database.ts';
import { findEndUser, handOverEndUser, releaseIdleEndUser } from '../../storage/end-users.ts';
import { CONNECTION_CLEANUP } from '../../storage/job-queues.ts';
import { type Actor, SERVICE } from '../../vocabulary/actors.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import { logoUrl } from '../../vocabulary/logo-url.ts';
import type { Metadata } from '../../vocabulary/metadata.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import { CONNECTION_MOVES, moveBy } from '../../vocabulary/states.ts';
import { hasMetadataRoom } from '../access/metadata-room.ts';
import { hasRoom } from '../access/plan-gates.ts';
import { REFRESH_EVERY_MS } from './account-import.ts';
import { consentStatus } from './connection-status.ts';
import { type LinkingDependencies, recordConsentEvent } from './linking-dependencies.ts';
import { consentHash } from './linking-secrets.ts';
import { askForListing } from './listing-requests.ts';

type Dependencies = Pick<
  LinkingDependencies,
  'clock' | 'limits' | 'jobs' | 'secrets' | 'events' | 'publicUrl'
>;

/**
 * Long enough to list the first connection's accounts while the person waits, so that the job does not duplicate it.
 */
const IMPORT_JOB_DELAY_MS = 5_000;
const NO_ROOM = 'connection_limit';

/** The owner of the grants. */
const LOGIN_LOST = moveBy(CONNECTION_MOVES, 'login at the bank lost');
const RENEWED = moveBy(CONNECTION_MOVES, 'reauthorised');

export interface GrantHolder {
  readonly record: AccountRecord;
  readonly provider: ProviderIdentifier;
  /** The customer's row. */
  readonly endUser: string;
  /**
   * Whether other connections use the customer, so that it cannot be deleted with the grants for which there was no
   * room.
   */
  readonly shared: boolean;
  /** Who asked for the link. */
  readonly actor: Actor;
  /** That of the link session, with which each new connection begins. */
  readonly metadata: Metadata | null;
}

interface Found {
  readonly granted: LinkedGrant;
  /** The consent of a connection that has it already. */
  readonly held: Consent | null;
  /** The connection to be made; null if there is one already, or the plan has no room. */
  readonly fresh: Connection | null;
}

/** The outcome of the grants of one sign-in. */
export interface Connected {
  /**
   * The resulting connections: the new ones, then the existing ones, each in the order of the grants. Empty if none
   * could be made; `reason` says why.
   */
  readonly connections: readonly RowId<'connection'>[];
  readonly reason: 'connection_limit' | 'connection_deleted' | 'session_expired';
  /** Whether a connection was made, which needs the customer from now on. */
  readonly made: boolean;
}

/**
 * Turns grants into connections, each with its consent, audit trail and event. For transactions that have locked the
 * account record.
 */
export class GrantedConnections {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** A connection that needs no customer at a vendor and lists its accounts as they are made. */
  connectHere(
    trx: Trx,
    { record, provider, actor }: Omit<GrantHolder, 'endUser' | 'shared' | 'metadata'>,
    granted: (id: RowId<'connection'>) => LinkedGrant,
  ): Promise<RowId<'connection'>> {
    const now = new Date(this.#deps.clock.now());
    const id = rowId('connection', newRowId(this.#deps.clock));
    const drafted = this.#connectionOf({ record, provider, endUser: null }, granted(id));
    const connection = { ...drafted, id, landed_at: now, last_refreshed_at: now };
    return this.#make(trx, connection, granted(id), actor);
  }

  /**
   * A grant on which a connection already depends is that connection. Of the others, including those being withdrawn,
   * as many as the plan has room for are connected, in order; a job withdraws the rest at the vendor.
   */
  async connect(trx: Trx, holder: GrantHolder, grants: readonly LinkedGrant[]): Promise<Connected> {
    const { clock } = this.#deps;
    const { record, provider, endUser } = holder;
    const owner = record.id;
    // Another secret may give access to the same: the one that was just issued works, and the other may not.
    const replacesSecret = await this.#hasSecret(trx, owner, endUser);
    const found: Found[] = [];
    let slots = await countConnections(trx, owner);
    for (const granted of distinct(grants)) {
      const held = await this.consentInUse(trx, owner, provider, granted);
      const fits = held === null && hasRoom('connection_slot', record, clock.now(), slots);
      if (fits) slots += 1;
      found.push({ granted, held, fresh: fits ? this.#connectionOf(holder, granted) : null });
    }
    const first = found.find(({ fresh }) => fresh !== null)?.fresh ?? null;
    if (first !== null && !(await handOverEndUser(trx, owner, endUser, first.id))) {
      // Released meanwhile, because this callback took too long: its grants are being withdrawn.
      return { connections: [], reason: 'session_expired', made: false };
    }
    const made: RowId<'connection'>[] = [];
    const adopted: RowId<'connection'>[] = [];
    for (const { granted, held, fresh } of found) {
      if (fresh !== null) {
        await this.takeOver(trx, holder, granted);
        const metadata = await this.#carried(trx, owner, holder.metadata);
        made.push(await this.#make(trx, { ...fresh, metadata }, granted, holder.actor));
      }
      const id = held === null ? null : await this.#adopt(trx, held, granted, { ...holder, replacesSecret });
      if (id !== null) adopted.push(id);
    }
    // A vendor that lists everything the person shares cannot say what is new, and a link is only about the new grants.
    const connections = [...made, ...adopted];
    const left = found.filter(({ held, fresh }) => held === null && fresh === null);
    if (connections.length > 0 || holder.shared) {
      await this.giveBack(
        trx,
        holder,
        left.map(({ granted }) => granted),
        NO_ROOM,
      );
    }
    return { connections, reason: left.length > 0 ? NO_ROOM : 'connection_deleted', made: first !== null };
  }

  /** Has every grant withdrawn that no connection has or had, for the given reason. */
  async giveBack(
    trx: Trx,
    holder: Pick<GrantHolder, 'record' | 'provider' | 'endUser'>,
    grants: readonly LinkedGrant[],
    reason: string,
  ): Promise<void> {
    const { record, provider } = holder;
    for (const granted of distinct(grants)) {
      const held = await findHeldConsent(trx, record.id, consentHash(provider, granted.grant.consent));
      if (held === null) await this.#giveBack(trx, holder, granted, reason);
    }
  }

  /** The consent of the grant if a connection depends on it; null if none does, or it is being withdrawn. */
  async consentInUse(
    trx: Trx,
    owner: OwnerId,
    provider: ProviderIdentifier,
    { grant }: LinkedGrant,
  ): Promise<Consent | null> {
    const held = await findHeldConsent(trx, owner, consentHash(provider, grant.consent));
    if (held === null || !held.current) return null;
    const connection = await findConnection(trx, owner, held.connection);
    return connection === null || connection.revoked_at !== null ? null : held;
  }

  /** Cancels the withdrawal of a consent that is given again: the record waiting for it gives up its grant. */
  async takeOver(
    trx: Trx,
    { record, provider, endUser }: Pick<GrantHolder, 'record' | 'provider' | 'endUser'>,
    { grant }: LinkedGrant,
  ): Promise<void> {
    const owner = record.id;
    const held = await findHeldConsent(trx, owner, consentHash(provider, grant.consent));
    if (held === null) return;
    const now = new Date(this.#deps.clock.now());
    await lockConnection(trx, owner, held.connection);
    await updateConsent(trx, owner, held.id, { grant: null, updated: now });
    const giver = held.end_user;
    if (giver !== null && giver !== endUser) await releaseIdleEndUser(trx, owner, giver, now);
  }

  /** Whether the customer has a secret, or has not been named yet. */
  async #hasSecret(trx: Trx, owner: OwnerId, endUser: string): Promise<boolean> {
    const row = await findEndUser(trx, owner, endUser);
    if (row === null || row.customer === null) return true;
    return this.#deps.secrets.openEndUser(row.id, row.customer).secret !== null;
  }

  #sealed(
    consent: RowId<'consent'>,
    { end_user, account_record: owner }: Pick<Connection, 'end_user' | 'account_record'>,
    { grant }: LinkedGrant,
  ): Buffer {
    return this.#deps.secrets.sealGrant(consent, { grant, customer: end_user === null ? owner : null });
  }

  /** Queues jobs that list the accounts of the connections; that of the first runs a little later. */
  async listAccounts(
    trx: Trx,
    owner: OwnerId,
    [first, ...others]: readonly RowId<'connection'>[],
  ): Promise<void> {
    const startAfter = new Date(this.#deps.clock.now() + IMPORT_JOB_DELAY_MS);
    if (first !== undefined)
      await askForListing(this.#deps, trx, { account_record: owner, id: first }, startAfter);
    for (const id of others) await askForListing(this.#deps, trx, { account_record: owner, id });
  }

  /** The vendor renewed the consent under its own id. */
  async renewConsent(
    trx: Trx,
    current: Consent,
    connection: Connection,
    granted: LinkedGrant,
    actor: Actor,
  ): Promise<void> {
    const { clock } = this.#deps;
    const fresh = this.consentOf(connection, granted);
    await updateConsent(trx, current.account_record, current.id, {
      grant: this.#sealed(current.id, connection, granted),
      purpose: fresh.purpose,
      data_categories: fresh.data_categories,
      expires_at: fresh.expires_at,
      withdrawn_at: null,
      termination_reason: null,
      checked_at: fresh.checked_at,
      recorded_status: fresh.recorded_status,
      updated: fresh.updated,
    });
    await recordConsentEvent(trx, clock, current, 'renewed', fresh.recorded_status, null, actor);
  }

  /**
   * Records whether the login works with which the consent was given or renewed. Returns the event that reports it;
   * null if the connection was and still is invalidated.
   */
  async recordLogin(
    trx: Trx,
    connection: Connection,
    granted: LinkedGrant,
  ): Promise<typeof RENEWED.emits | typeof LOGIN_LOST.emits | null> {
    const now = new Date(this.#deps.clock.now());
    const lost = lostLogin(granted, connection, now);
    const change = { ...(lost ?? { login_lost_at: null, invalidated_at: null }), updated: now };
    await updateConnection(trx, connection.account_record, connection.id, change);
    if (lost === null) return RENEWED.emits;
    return connection.invalidated_at === null ? LOGIN_LOST.emits : null;
  }

  /** A consent of the connection as the vendor gave it now; not stored. */
  consentOf(
    connection: Pick<Connection, 'id' | 'account_record' | 'provider' | 'end_user'>,
    granted: LinkedGrant,
  ): Consent {
    const { clock } = this.#deps;
    const { grant, consent } = granted;
    const now = new Date(clock.now());
    const id = rowId('consent', newRowId(clock));
    const moments = {
      expires_at: consent.expiresAt === null ? null : new Date(consent.expiresAt),
      withdrawn_at: null,
    };
    return {
      id,
      account_record: connection.account_record,
      connection: connection.id,
      provider: connection.provider,
      current: true,
      consent_hash: consentHash(connection.provider, grant.consent),
      grant: this.#sealed(id, connection, granted),
      end_user: null,
      purpose: consent.purpose,
      data_categories: [...consent.dataCategories],
      granted_at: new Date(consent.grantedAt),
      ...moments,
      termination_reason: null,
      checked_at: now,
      recorded_status: consentStatus(moments, clock.now()),
      created: now,
      updated: now,
    };
  }

  /** The metadata of the session, unless that of all connections together would then be too much. */
  async #carried(trx: Trx, owner: OwnerId, metadata: Metadata | null): Promise<Metadata | null> {
    if (metadata === null) return null;
    const { clock, limits } = this.#deps;
    const kind = { table: 'connections', owner, now: clock.now() } as const;
    return (await hasMetadataRoom(trx, limits, kind, metadata)) ? metadata : null;
  }

  async #make(
    trx: Trx,
    connection: Connection,
    granted: LinkedGrant,
    actor: Actor,
  ): Promise<RowId<'connection'>> {
    const { clock, events } = this.#deps;
    const { id, account_record: owner } = connection;
    const lost = lostLogin(granted, connection, new Date(clock.now()));
    await insertConnection(trx, { ...connection, ...lost });
    const consent = this.consentOf(connection, granted);
    await insertConsent(trx, consent);
    await recordConsentEvent(trx, clock, consent, 'granted', consent.recorded_status, null, actor);
    await events(trx, owner, 'connection.created', id);
    if (lost !== null) await events(trx, owner, LOGIN_LOST.emits, id);
    return id;
  }

  /** The vendor names a consent that exists already: null if its connection was deleted. */
  async #adopt(
    trx: Trx,
    held: Consent,
    granted: LinkedGrant,
    {
      endUser,
      actor,
      replacesSecret,
    }: Pick<GrantHolder, 'endUser' | 'actor'> & { readonly replacesSecret: boolean },
  ): Promise<RowId<'connection'> | null> {
    const { clock, events } = this.#deps;
    const owner = held.account_record;
    const connection = await lockConnection(trx, owner, held.connection);
    if (connection === null || connection.revoked_at !== null) return null;
    const status = consentStatus(held, clock.now());
    const stands = status === 'active' || status === 'expiring';
    const lost = granted.consent.state === 'login_lost';
    if (replacesSecret) await this.#moved(trx, connection, endUser);
    if (!stands || (connection.invalidated_at !== null && !lost)) {
      await this.renewConsent(trx, held, connection, granted, actor);
    }
    if (lost ? connection.login_lost_at === null : !stands || connection.invalidated_at !== null) {
      const event = await this.recordLogin(trx, connection, granted);
      if (event !== null) await events(trx, owner, event, connection.id);
    }
    return connection.id;
  }

  /** Makes the connection one of that customer, and releases the one it had if nothing else needs it. */
  async #moved(trx: Trx, connection: Connection, endUser: string): Promise<void> {
    const { account_record: owner, id, end_user: before } = connection;
    if (before === endUser) return;
    const now = new Date(this.#deps.clock.now());
    await handOverEndUser(trx, owner, endUser, id);
    await updateConnection(trx, owner, id, { end_user: endUser, updated: now });
    if (before !== null) await releaseIdleEndUser(trx, owner, before, now);
  }

  /**
   * Has a consent without a connection withdrawn like that of a deleted connection: by a job that never gives up, so no
   * one is left with a consent that they cannot see.
   */
  async #giveBack(
    trx: Trx,
    holder: Pick<GrantHolder, 'record' | 'provider' | 'endUser'>,
    granted: LinkedGrant,
    reason: string,
  ): Promise<void> {
    const { clock, jobs } = this.#deps;
    const now = new Date(clock.now());
    const connection = { ...this.#connectionOf(holder, granted), revoked_at: now };
    const { id, account_record: owner } = connection;
    await insertConnection(trx, connection);
    const consent = this.consentOf(connection, granted);
    await insertConsent(trx, {
      ...consent,
      withdrawn_at: now,
      termination_reason: reason,
      recorded_status: 'withdrawn',
    });
    await recordConsentEvent(trx, clock, consent, 'withdrawal_requested', 'withdrawn', reason, SERVICE);
    await jobs.enqueue(trx, CONNECTION_CLEANUP, { connection: id }, { owner });
  }

  #connectionOf(
    {
      record,
      provider,
      endUser,
    }: Pick<GrantHolder, 'record' | 'provider'> & { readonly endUser: string | null },
    { institution }: LinkedGrant,
  ): Connection {
    const now = new Date(this.#deps.clock.now());
    return {
      id: rowId('connection', newRowId(this.#deps.clock)),
      account_record: record.id,
      provider,
      institution_id: institution.id,
      institution_name: institution.name,
      institution_logo: logoUrl(institution.logo, this.#deps.publicUrl),
      chosen_institution_id: null,
      chosen_institution_name: null,
      landed_at: null,
      last_refreshed_at: null,
      refresh_at: new Date(now.getTime() + REFRESH_EVERY_MS),
      end_user: endUser,
      invalidated_at: null,
      login_lost_at: null,
      refresh_asked_at: null,
      signalled_at: null,
      listing_asked: null,
      revoked_at: null,
      cleaned_at: null,
      metadata: null,
      created: now,
      updated: now,
    };
  }
}

/** A consent that the vendor names twice counts once. */
function distinct(grants: readonly LinkedGrant[]): LinkedGrant[] {
  return [...new Map(grants.map((granted) => [granted.grant.consent, granted])).values()];
}

/** The timestamps of a connection with a valid consent and a login at the bank that does not work; null if it works. */
function lostLogin(
  { consent }: LinkedGrant,
  { login_lost_at, invalidated_at }: Connection,
  now: Date,
): Pick<Connection, 'login_lost_at' | 'invalidated_at'> | null {
  if (consent.state !== 'login_lost') return null;
  return { login_lost_at: login_lost_at ?? now, invalidated_at: invalidated_at ?? now };
}
