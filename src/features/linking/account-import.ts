import type { ProviderAccount } from '../../connectors/providers/provider-contract.ts';
import { newRowId } from '../../platform/row-id.ts';
import { lockAccountRecord } from '../../storage/account-records.ts';
import {
  type Account,
  type AccountChange,
  accountsAtInstitution,
  accountsByUpstreamIds,
  insertAccount,
  reclaimReleasedAccount,
  releasedAccountsAt,
  updateAccount,
} from '../../storage/accounts.ts';
import {
  type Connection,
  claimConnectionsToRefresh,
  findConnection,
  findConnections,
  lockConnection,
  updateConnection,
} from '../../storage/connections.ts';
import { currentConsents } from '../../storage/consents.ts';
import type { Trx } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import { isTimeZone } from '../../vocabulary/moments.ts';
import { currencyCode } from '../../vocabulary/money.ts';
import { PROVIDERS } from '../../vocabulary/provider-kinds.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { GatewayConnection } from '../provider-gateway/gateway-types.ts';
import { type Candidates, type Match, matchAccounts, signBefore } from './account-matching.ts';
import type { Accounts } from './accounts.ts';
import { connectionStatus } from './connection-status.ts';
import type { ConsentChecks } from './consent-checks.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';

type Dependencies = Pick<
  LinkingDependencies,
  'db' | 'clock' | 'gateway' | 'numberMacs' | 'events' | 'personal'
> & {
  readonly accounts: Accounts;
  readonly consentChecks: ConsentChecks;
  readonly notices: Pick<Notices, 'publish'>;
};

/** How often accounts and consent are checked without a request, and how soon again after a failure. */
export const REFRESH_EVERY_MS = 24 * 3_600_000;
const REFRESH_RETRY_MS = 3_600_000;
const REFRESH_BATCH = 20;
/** A vendor may send anything. */
const MOST_FORMER_IDS = 1_000;

/** `not_ready`: the vendor's first sync has brought no account yet. `revoked`: nothing is listed any more. */
export type ImportOutcome = 'imported' | 'not_ready' | 'revoked';

interface Listing {
  readonly items: readonly ProviderAccount[];
  /** How many accounts could not be read: a missing account may be one of them. */
  readonly unread: number;
  /** The consent it was read with. */
  readonly readWith: RowId<'consent'> | null;
  /** The request for a listing that was open when it began. */
  readonly asked: string | null;
  /** Whether the vendor was asked to fetch from the bank first. */
  readonly refreshed: boolean;
}

/** Brings a connection's accounts up to what the provider lists: after linking, after renewal, on every refresh. */
export class AccountImport {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Lists and reconciles. A failed listing changes nothing. Raises `resource_missing`, `upstream_auth_failed` for an
   * ended consent, a lost login or personal credentials of another account record, and the gateway's errors.
   */
  async importAccounts(owner: OwnerId, id: RowId<'connection'>, signal: AbortSignal): Promise<ImportOutcome> {
    const { db, gateway, accounts, consentChecks, personal } = this.#deps;
    const connection = await findConnection(db, owner, id);
    if (connection === null) throw missing('connection');
    if (connection.revoked_at !== null) return 'revoked';
    personal.requireReadable(connection.provider, owner);
    const consent = await consentChecks.recheckIfStale(owner, connection, signal);
    await this.#requireLogin(owner, id);
    const opened = await accounts.openGrant(owner, connection, consent);
    const refreshed = await this.#requestRefresh(owner, connection, opened, signal);
    let unread = 0;
    const items = await gateway.listAccounts(opened, signal, () => {
      unread += 1;
    });
    if (items.length === 0 && connection.landed_at === null) return 'not_ready';
    const listing = {
      items,
      unread,
      readWith: consent?.id ?? null,
      asked: connection.listing_asked,
      refreshed,
    };
    return db.transaction().execute((trx) => this.#reconcile(trx, owner, id, listing));
  }

  /** As importAccounts, unless a listing that began after the last request for one has been stored already. */
  async importAsked(owner: OwnerId, id: RowId<'connection'>, signal: AbortSignal): Promise<ImportOutcome> {
    const connection = await findConnection(this.#deps.db, owner, id);
    if (connection === null) throw missing('connection');
    return connection.listing_asked === null ? 'imported' : this.importAccounts(owner, id, signal);
  }

  /**
   * Lists the accounts of every connection that has not been listed for a day, so that a closed account or a withdrawn
   * consent is noticed even where nothing reads it. A failure is retried after an hour. Returns how many were tried.
   */
  async refreshDue(signal: AbortSignal): Promise<number> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const next = new Date(now + REFRESH_RETRY_MS);
    const due = await claimConnectionsToRefresh(db, new Date(now), next, REFRESH_BATCH);
    for (const { account_record, id } of due) {
      signal.throwIfAborted();
      await this.importAccounts(account_record, id, signal).catch(ignoreRefusal);
    }
    return due.length;
  }

  /** Whether the vendor was asked. If it refuses, the refusal is logged and what it has already is used. */
  async #requestRefresh(
    owner: OwnerId,
    { id, refresh_asked_at: asked }: Connection,
    opened: GatewayConnection,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (asked === null) return false;
    const { db, gateway, notices } = this.#deps;
    await updateConnection(db, owner, id, { refresh_asked_at: null });
    const fetched = await gateway.requestRefresh(opened, signal).catch(ignoreRefusal);
    // What was read since the refresh was asked for may be of before the vendor fetched.
    if (fetched === true) await notices.publish(db, { kind: 'connection', id });
    return true;
  }

  /** A vendor that lost its login lists the accounts it knew before, which must not be taken for the current ones. */
  async #requireLogin(owner: OwnerId, id: RowId<'connection'>): Promise<void> {
    const connection = await findConnection(this.#deps.db, owner, id);
    if (connection === null || connection.login_lost_at === null) return;
    throw new ServiceError('upstream_auth_failed', {
      message: `${connection.institution_name} no longer accepts this connection; reauthorise it.`,
    });
  }

  async #reconcile(
    trx: Trx,
    owner: OwnerId,
    id: RowId<'connection'>,
    { items: listed, unread, readWith, asked, refreshed }: Listing,
  ): Promise<ImportOutcome> {
    const { clock, numberMacs, events } = this.#deps;
    // Accounts move between connections of the owner: of two imports, the later one sees what the earlier one did.
    await lockAccountRecord(trx, owner);
    const connection = await lockConnection(trx, owner, id);
    if (connection === null || connection.revoked_at !== null) return 'revoked';
    // Lost while the list was being read.
    if (connection.login_lost_at !== null) return 'not_ready';
    const consent = (await currentConsents(trx, owner, [id])).get(id) ?? null;
    // Renewed while the list was being read: the list belongs to the previous consent, and the renewal lists again.
    if (consent === null || consent.id !== readWith) return 'not_ready';
    // Another listing that began after the same request was stored first. It did not wait for the vendor's refresh.
    if (asked !== null && connection.listing_asked === null && !refreshed) return 'imported';
    const now = new Date(clock.now());
    const candidates = await this.#candidates(trx, connection, listed);
    const { matches, gone } = matchAccounts(listed, candidates, numberMacs);
    for (const match of matches) await this.#settle(trx, connection, match, candidates, now);
    for (const account of unread > 0 ? [] : gone) {
      if (account.unavailable_since === null) {
        await updateAccount(trx, owner, account.id, { unavailable_since: now, updated: now });
      }
    }
    // A check that a notification requested is still due.
    const awaited = connection.signalled_at !== null && connection.signalled_at > now;
    await updateConnection(trx, owner, id, {
      landed_at: connection.landed_at ?? now,
      last_refreshed_at: new Date(lastRefreshedAt(listed, now.getTime())),
      listing_asked: awaited || connection.listing_asked !== asked ? connection.listing_asked : null,
      refresh_at: awaited ? connection.refresh_at : new Date(now.getTime() + REFRESH_EVERY_MS),
      // The provider has just accepted the grant, so an earlier refusal is over.
      ...(consent.withdrawn_at === null ? { invalidated_at: null } : {}),
      updated: now,
    });
    await events(trx, owner, 'connection.refreshed', id);
    return 'imported';
  }

  async #candidates(
    trx: Trx,
    { account_record, id, provider, institution_id }: Connection,
    listed: readonly ProviderAccount[],
  ): Promise<Candidates> {
    const formerIds = listed.flatMap((item) => item.formerIds).slice(0, MOST_FORMER_IDS);
    const former = await accountsByUpstreamIds(trx, account_record, provider, formerIds);
    const all = await accountsAtInstitution(trx, account_record, provider, institution_id);
    const own = all.filter((account) => account.connection === id);
    const others = all.filter((account) => account.connection !== id);
    const ids = [...new Set(others.map((account) => account.connection))];
    const connections = await findConnections(trx, account_record, ids);
    const consents = await currentConsents(trx, account_record, ids);
    const ended = new Set(
      connections.flatMap((other) => {
        const status = connectionStatus(other, consents.get(other.id) ?? null, this.#deps.clock.now());
        return status === 'expired' || status === 'invalidated' || status === 'revoked' ? [other.id] : [];
      }),
    );
    return {
      provider,
      institution: institution_id,
      own,
      former: former.filter((account) => account.connection !== id),
      ended: others.filter((account) => ended.has(account.connection)),
      released: await releasedAccountsAt(trx, account_record, provider, institution_id),
    };
  }

  async #settle(
    trx: Trx,
    connection: Connection,
    match: Match,
    candidates: Candidates,
    now: Date,
  ): Promise<void> {
    const { account_record: owner } = connection;
    const seen = this.#asListed(connection, match.listed);
    if (match.account !== null) {
      await updateAccount(
        trx,
        owner,
        match.account.id,
        changeOf(match.account, seen, match.listed.available, now),
      );
      return;
    }
    if (match.released !== null) await reclaimReleasedAccount(trx, owner, match.released);
    await insertAccount(trx, {
      ...seen,
      id: match.released ?? rowId('account', newRowId(this.#deps.clock)),
      account_record: owner,
      type: match.listed.type,
      balance_sign: signBefore(match, candidates),
      nickname: null,
      in_totals: candidates.released.find(({ id }) => id === match.released)?.in_totals ?? true,
      unavailable_since: match.listed.available ? null : now,
      last_seen_at: now,
      created: now,
      updated: now,
    });
  }

  #asListed({ id, provider, institution_id }: Connection, listed: ProviderAccount): Seen {
    const number = { provider, institution: institution_id, number: listed.fullNumber ?? '' };
    return {
      connection: id,
      provider,
      institution_id,
      upstream_id: listed.id,
      name: listed.name,
      masked_number: listed.maskedNumber,
      number_mac: this.#deps.numberMacs.of(number),
      currency: currencyCode(listed.currency) ?? PROVIDERS[provider].currency,
      timezone: zoneOf(listed) ?? PROVIDERS[provider].timezone,
    };
  }
}

/**
 * When the provider last copied data from the bank, or else now. Never in the future, even if the provider's clock is
 * fast. Epoch ms.
 */
function lastRefreshedAt(listed: readonly ProviderAccount[], now: number): number {
  const latest = listed.reduce<number | null>(
    (last, { refreshedAt: at }) => (at === undefined ? last : Math.max(last ?? at, at)),
    null,
  );
  return Math.min(latest ?? now, now);
}

/** The zone of the account as listed, unless it is none that is known here. */
function zoneOf({ timezone }: ProviderAccount): string | null {
  return timezone !== undefined && isTimeZone(timezone) ? timezone : null;
}

/** The gateway has logged and counted failures of the provider; others are logged here. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
}

type Seen = Pick<
  Account,
  | 'connection'
  | 'provider'
  | 'institution_id'
  | 'upstream_id'
  | 'name'
  | 'masked_number'
  | 'number_mac'
  | 'currency'
  | 'timezone'
>;

/**
 * What a listing changes on a known account. Its type stays as first seen, because some adapters infer it from a name
 * that its owner may edit; a number the provider left out this time is kept.
 */
function changeOf(account: Account, seen: Seen, available: boolean, now: Date): AccountChange {
  const next = {
    ...seen,
    masked_number: seen.masked_number ?? account.masked_number,
    number_mac: seen.number_mac ?? account.number_mac,
    unavailable_since: available ? null : (account.unavailable_since ?? now),
  };
  const changed = KEPT.some((field) => next[field] !== account[field]);
  return { ...next, last_seen_at: now, ...(changed ? { updated: now } : {}) };
}

const KEPT = ['connection', 'upstream_id', 'name', 'masked_number', 'currency', 'unavailable_since'] as const;
