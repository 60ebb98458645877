import type { ConnectionState, ProviderConsent } from '../../connectors/providers/provider-contract.ts';
import {
  type Connection,
  findConnection,
  findConnectionOwner,
  lockConnection,
  updateConnection,
} from '../../storage/connections.ts';
import { type Consent, consentsPastRecord, currentConsents, updateConsent } from '../../storage/consents.ts';
import type { Trx } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import { SERVICE } from '../../vocabulary/actors.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import {
  CONNECTION_MOVES,
  CONSENT_MOVES,
  type ConsentStatus,
  EXPIRING_DAYS,
  isMove,
  moveBy,
  StatusMove,
} from '../../vocabulary/states.ts';
import type { Accounts } from './accounts.ts';
import { connectionStatus, consentStatus } from './connection-status.ts';
import { type LinkingDependencies, recordConsentEvent } from './linking-dependencies.ts';

type InvalidationTrigger = 'bank rejected the grant' | 'login at the bank lost';
type Dependencies = Pick<LinkingDependencies, 'db' | 'clock' | 'gateway' | 'events' | 'personal'> & {
  readonly accounts: Accounts;
  readonly notices: Pick<Notices, 'publish'>;
};

/** How long the vendor's last word on a consent is relied on. */
const STALE_MS = 3_600_000;
const EXPIRING_MS = EXPIRING_DAYS * 86_400_000;
const SWEEP_BATCH = 200;
/** The states that a consent reaches by the passing of time. */
const PAST_ACTIVE: ReadonlySet<ConsentStatus> = new Set(['expiring', 'expired']);

/** Keeps our record of a consent in step with the vendor's, and its audit trail complete. */
export class ConsentChecks {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The connection's consent, read again when the vendor was last asked an hour ago, or had lost its login. */
  async recheckIfStale(owner: OwnerId, connection: Connection, signal: AbortSignal): Promise<Consent | null> {
    const consent = await this.#current(owner, connection.id);
    if (consent === null) return null;
    const age = this.#deps.clock.now() - consent.checked_at.getTime();
    if (age < STALE_MS && connection.login_lost_at === null) return consent;
    return this.recheck(owner, connection, consent, signal);
  }

  /**
   * Asks the vendor and records what it says. Raises the gateway's errors, and `upstream_auth_failed`, without changing
   * anything, if PERSONAL_ACCOUNT names another account record.
   */
  async recheck(
    owner: OwnerId,
    connection: Connection,
    consent: Consent,
    signal: AbortSignal,
  ): Promise<Consent | null> {
    const { db, gateway, accounts, personal } = this.#deps;
    personal.requireReadable(connection.provider, owner);
    if (!gateway.providers.capabilities(connection.provider).has('consents')) return consent;
    const read = await gateway.readConsent(await accounts.openGrant(owner, connection, consent), signal);
    await db.transaction().execute((trx) => this.#record(trx, owner, consent, read));
    return this.#current(owner, connection.id);
  }

  /**
   * A provider refused the connection's grant: the connection becomes `invalidated` at once, and the vendor is asked
   * why. For `gateway.providers.onGrantRejected`; never raises, because the refused read reports its own error.
   */
  async grantRejected(id: RowId<'connection'>): Promise<void> {
    const { db } = this.#deps;
    const owner = await findConnectionOwner(db, id);
    if (owner === null || !(await this.#invalidate(owner, id))) return;
    const connection = await findConnection(db, owner, id);
    const consent = await this.#current(owner, id);
    if (connection === null || consent === null) return;
    await this.recheck(owner, connection, consent, AbortSignal.timeout(REASON_MS)).catch(() => undefined);
  }

  /** Records what was reported by a provider that cannot be asked about its consents. */
  async recordState(owner: OwnerId, id: RowId<'connection'>, state: ConnectionState): Promise<void> {
    const { db } = this.#deps;
    await db.transaction().execute(async (trx) => {
      const connection = await lockConnection(trx, owner, id);
      const consent = (await currentConsents(trx, owner, [id])).get(id);
      if (connection === null || consent === undefined) return;
      if (state !== 'ended') return this.#recordLogin(trx, connection, consent, state === 'login_lost');
      const status = consentStatus(consent, this.#deps.clock.now());
      if (status !== 'active' && status !== 'expiring') return this.#forgetLogin(trx, connection);
      const now = new Date(this.#deps.clock.now());
      const change = { withdrawn_at: now, recorded_status: 'withdrawn' as const, updated: now };
      await updateConsent(trx, owner, consent.id, change);
      await this.#recordEnd(trx, connection, consent, null);
    });
  }

  /**
   * Writes the audit trail of consents that changed by the passing of time, and emits their events. Returns how many.
   */
  async recordExpiries(): Promise<number> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const due = await consentsPastRecord(db, new Date(now), new Date(now + EXPIRING_MS), SWEEP_BATCH);
    for (const consent of due) {
      await db.transaction().execute((trx) => this.#recordExpiry(trx, consent));
    }
    return due.length;
  }

  async #recordExpiry(trx: Trx, seen: Consent): Promise<void> {
    const { clock, events } = this.#deps;
    const owner = seen.account_record;
    const connection = await lockConnection(trx, owner, seen.connection);
    const consent = (await currentConsents(trx, owner, [seen.connection])).get(seen.connection);
    if (connection === null || consent === undefined || consent.id !== seen.id) return;
    const status = consentStatus(consent, clock.now());
    if (status === consent.recorded_status || (status !== 'expiring' && status !== 'expired')) return;
    await updateConsent(trx, owner, consent.id, { recorded_status: status, updated: new Date(clock.now()) });
    await recordConsentEvent(trx, clock, consent, status, status, null, SERVICE);
    // The end of its consent does not change a connection that was invalidated before.
    const now = connectionStatus(connection, consent, clock.now());
    if (now === 'invalidated' || now === 'revoked') return;
    const by = status === 'expired' ? 'consent ended' : '30 days left';
    await events(trx, owner, moveBy(CONNECTION_MOVES, by).emits, connection.id);
  }

  async #invalidate(owner: OwnerId, id: RowId<'connection'>): Promise<boolean> {
    const { db, clock, events, notices } = this.#deps;
    return db.transaction().execute(async (trx) => {
      const connection = await lockConnection(trx, owner, id);
      if (connection === null) return false;
      const move = await this.#invalidation(trx, connection, 'bank rejected the grant');
      if (move === null) return false;
      const now = new Date(clock.now());
      await updateConnection(trx, owner, id, { invalidated_at: now, updated: now });
      await events(trx, owner, move.row.emits, id);
      await notices.publish(trx, { kind: 'connection', id });
      return true;
    });
  }

  async #record(trx: Trx, owner: OwnerId, seen: Consent, read: ProviderConsent): Promise<void> {
    const { clock } = this.#deps;
    const connection = await lockConnection(trx, owner, seen.connection);
    const consent = (await currentConsents(trx, owner, [seen.connection])).get(seen.connection);
    if (connection === null || consent === undefined || consent.id !== seen.id) return;
    const now = new Date(clock.now());
    const moments = {
      expires_at: read.expiresAt === null ? null : new Date(read.expiresAt),
      withdrawn_at: consent.withdrawn_at,
    };
    const endsNow =
      read.state === 'ended' &&
      consent.withdrawn_at === null &&
      consentStatus(moments, clock.now()) !== 'expired';
    if (endsNow) moments.withdrawn_at = now;
    const status = consentStatus(moments, clock.now());
    // If the bank extends it, it will approach its end, and reach it, again.
    const extended = status === 'active' && PAST_ACTIVE.has(consent.recorded_status);
    await updateConsent(trx, owner, consent.id, {
      ...moments,
      termination_reason:
        consent.termination_reason ?? (read.state === 'ended' ? read.terminationReason : null),
      data_categories: [...read.dataCategories],
      purpose: read.purpose ?? consent.purpose,
      checked_at: now,
      ...(endsNow || extended ? { recorded_status: status, updated: now } : {}),
    });
    if (extended) await recordConsentEvent(trx, clock, consent, 'renewed', status, null, SERVICE);
    if (endsNow) await this.#recordEnd(trx, connection, consent, read.terminationReason);
    else if (read.state === 'ended') await this.#forgetLogin(trx, connection);
    else await this.#recordLogin(trx, connection, { ...consent, ...moments }, read.state === 'login_lost');
  }

  /**
   * A lost login invalidates the connection until the vendor says that it works again. A refusal of the grant in the
   * meantime is cleared with it; one from while the login worked remains. A working login does not revive a consent
   * that has ended.
   */
  async #recordLogin(
    trx: Trx,
    connection: Connection,
    { withdrawn_at }: Pick<Consent, 'withdrawn_at'>,
    lost: boolean,
  ): Promise<void> {
    const { account_record: owner, id, login_lost_at, invalidated_at, revoked_at } = connection;
    if (withdrawn_at !== null || revoked_at !== null || lost === (login_lost_at !== null)) return;
    const now = new Date(this.#deps.clock.now());
    if (!lost) {
      // Due now, to list what happened in the meantime.
      const change = { login_lost_at: null, invalidated_at: null, refresh_at: now, updated: now };
      await updateConnection(trx, owner, id, change);
      return;
    }
    const move = await this.#invalidation(trx, connection, 'login at the bank lost');
    await updateConnection(trx, owner, id, {
      login_lost_at: now,
      invalidated_at: invalidated_at ?? now,
      refresh_at: new Date(now.getTime() + STALE_MS),
      updated: now,
    });
    await this.#deps.notices.publish(trx, { kind: 'connection', id });
    if (move !== null) await this.#deps.events(trx, owner, move.row.emits, id);
  }

  /** null if the table has no such move: a connection whose consent has expired is not invalidated as well. */
  async #invalidation(trx: Trx, connection: Connection, by: InvalidationTrigger) {
    const { account_record: owner, id } = connection;
    const consent = (await currentConsents(trx, owner, [id])).get(id) ?? null;
    const status = connectionStatus(connection, consent, this.#deps.clock.now());
    const isListed = connection.invalidated_at === null && isMove(CONNECTION_MOVES, status, 'invalidated');
    return isListed ? StatusMove.of(CONNECTION_MOVES, by, status) : null;
  }

  /** A login whose consent has ended is no longer checked. */
  async #forgetLogin(trx: Trx, { account_record: owner, id, login_lost_at }: Connection): Promise<void> {
    if (login_lost_at === null) return;
    const change = { login_lost_at: null, updated: new Date(this.#deps.clock.now()) };
    await updateConnection(trx, owner, id, change);
  }

  async #recordEnd(trx: Trx, connection: Connection, consent: Consent, reason: string | null): Promise<void> {
    const { clock, events, notices } = this.#deps;
    const owner = connection.account_record;
    // Everything read under the consent is purged from all caches (docs/resources.md#caching).
    await notices.publish(trx, { kind: 'connection', id: connection.id });
    await recordConsentEvent(trx, clock, consent, 'ended_at_bank', 'withdrawn', reason, SERVICE);
    await events(trx, owner, moveBy(CONSENT_MOVES, 'withdrawn here or at the bank').emits, consent.id);
    await this.#forgetLogin(trx, connection);
    const move = await this.#invalidation(trx, connection, 'bank rejected the grant');
    if (move === null) return;
    const now = new Date(clock.now());
    await updateConnection(trx, owner, connection.id, { invalidated_at: now, updated: now });
    await events(trx, owner, move.row.emits, connection.id);
  }

  async #current(owner: OwnerId, id: RowId<'connection'>): Promise<Consent | null> {
    return (await currentConsents(this.#deps.db, owner, [id])).get(id) ?? null;
  }
}

const REASON_MS = 10_000;
