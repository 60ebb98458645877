import { type AccountRecord, findAccountRecord } from '../../storage/account-records.ts';
import {
  type Account,
  accountsAtProviders,
  accountsByName,
  accountsOfConnections,
  findAccount,
  findAccounts,
  type ListPart,
  listAccounts,
  updateAccount,
} from '../../storage/accounts.ts';
import { type Connection, findConnection, findConnections } from '../../storage/connections.ts';
import { type Consent, currentConsents } from '../../storage/consents.ts';
import { type EndUser, endUsersOfConnections, findEndUser } from '../../storage/end-users.ts';
import { isDebt } from '../../vocabulary/account-types.ts';
import type { KnownBalanceSign } from '../../vocabulary/balance-signs.ts';
import type { ErrorCode } from '../../vocabulary/error-codes.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { GatewayAccount, GatewayConnection } from '../provider-gateway/gateway-types.ts';
import { connectionStatus, consentStatus } from './connection-status.ts';
import { duplicatesAmong } from './duplicate-accounts.ts';
import { accessOf } from './granted-access.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';

/** An account with the connection it is read through. */
export interface LinkedAccount {
  readonly id: RowId<'account'>;
  readonly account: Account;
  readonly connection: Connection;
  /** The account that counts instead, if the owner has linked the same one by another connection. */
  readonly duplicateOf: RowId<'account'> | null;
}

/** An account that can be read now, with its grant opened for the gateway. Never keep one: it holds a secret. */
export interface ResolvedAccount {
  readonly account: Account;
  readonly connection: Connection;
  readonly gateway: GatewayAccount;
}

/** An account that cannot be read now, and why. */
export interface UnreadableAccount {
  readonly account: Account;
  readonly connection: Connection;
  readonly error: ServiceError;
}

export interface AccountDecisions {
  /** What a positive balance of a loan or a card means. */
  readonly balance_sign?: KnownBalanceSign;
  /** The owner's own name for it; null for the bank's. */
  readonly nickname?: string | null;
  /** Whether it counts in totals. */
  readonly in_totals?: boolean;
}

type Dependencies = Pick<LinkingDependencies, 'db' | 'clock' | 'secrets' | 'customerSecrets' | 'personal'>;

/** What a connection is read with. */
interface Held {
  readonly consent: Consent | null;
  readonly endUser: EndUser | null;
}

/** Linked accounts as their owner sees them, and the way from an account's id to the provider. */
export class Accounts {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Raises `resource_missing`. */
  async read(owner: OwnerId, id: RowId<'account'>): Promise<LinkedAccount> {
    const account = await findAccount(this.#deps.db, owner, id);
    const connection = account && (await findConnection(this.#deps.db, owner, account.connection));
    if (account === null || connection === null) throw missing('account');
    const duplicates = await duplicatesAmong(this.#deps, owner, [account]);
    return { id, account, connection, duplicateOf: duplicates.get(id) ?? null };
  }

  /**
   * Stores what the owner decides about the account; what is not named stays as it is. Raises `resource_missing`, and
   * `parameter_invalid` for the sign of an account that is no loan or card.
   */
  async update(
    owner: OwnerId,
    id: RowId<'account'>,
    { balance_sign: sign, nickname, in_totals: inTotals }: AccountDecisions,
  ): Promise<LinkedAccount> {
    const { account } = await this.read(owner, id);
    if (sign !== undefined && !isDebt(account.type))
      throw invalidParameter('balance_sign', 'Only a loan or a credit card has a balance_sign.');
    const change = {
      ...(sign !== undefined && { balance_sign: sign }),
      ...(nickname !== undefined && { nickname }),
      ...(inTotals !== undefined && { in_totals: inTotals }),
    };
    if (Object.keys(change).length > 0) {
      const updated = new Date(this.#deps.clock.now());
      await updateAccount(this.#deps.db, owner, id, { ...change, updated });
    }
    return this.read(owner, id);
  }

  /** Newest first. Raises `resource_missing` (param `connection`) for a connection that is not the owner's. */
  async list(
    owner: OwnerId,
    connection: RowId<'connection'> | null,
    page: PageRequest,
  ): Promise<Page<LinkedAccount>> {
    const { db } = this.#deps;
    if (connection !== null && (await findConnection(db, owner, connection)) === null) {
      throw missing('connection', 'connection');
    }
    const found = await listAccounts(db, owner, connection, page);
    return { ...found, items: await this.#linked(owner, found.items) };
  }

  /** By name, without those whose connection is being deleted. */
  async byName(
    owner: OwnerId,
    part: { readonly limit: number; readonly offset: number },
  ): Promise<ListPart<LinkedAccount>> {
    const found = await accountsByName(this.#deps.db, owner, part);
    return { ...found, items: await this.#linked(owner, found.items) };
  }

  /**
   * The accounts of a connection, or the named ones, in the order the provider first listed them. Raises
   * `resource_missing`, with param `connection` for one that is not the owner's or is being deleted, with param
   * `account` for an account that is not of the connection, and what `accept` raises.
   */
  async ofConnection(
    owner: OwnerId,
    id: RowId<'connection'>,
    named: readonly RowId<'account'>[] | null,
    accept: (connection: Connection) => void,
  ): Promise<Account[]> {
    const { db } = this.#deps;
    const connection = await findConnection(db, owner, id);
    if (connection === null || connection.revoked_at !== null) throw missing('connection', 'connection');
    accept(connection);
    const all = (await accountsOfConnections(db, owner, [id])).toReversed();
    if (named === null) return all;
    const wanted = new Set(named);
    const found = all.filter((account) => wanted.has(account.id));
    if (found.length < wanted.size) throw missing('account', 'account');
    return found;
  }

  async #linked(owner: OwnerId, accounts: readonly Account[]): Promise<LinkedAccount[]> {
    const ids = [...new Set(accounts.map((account) => account.connection))];
    const found = await findConnections(this.#deps.db, owner, ids);
    const connections = new Map(found.map((row) => [row.id, row]));
    const duplicates = await duplicatesAmong(this.#deps, owner, accounts);
    return accounts.flatMap((account) => {
      const connection = connections.get(account.connection);
      if (connection === undefined) return [];
      return [{ id: account.id, account, connection, duplicateOf: duplicates.get(account.id) ?? null }];
    });
  }

  /** The owner's accounts at these providers, oldest first, at most so many. */
  atProviders(
    owner: OwnerId,
    providers: readonly ProviderIdentifier[],
    most: number,
  ): Promise<readonly Account[]> {
    return accountsAtProviders(this.#deps.db, owner, providers, most);
  }

  /** The accounts in the order asked. Raises `resource_missing` naming `param` when any is not the owner's. */
  async requireOwned(
    owner: OwnerId,
    ids: readonly RowId<'account'>[],
    param: string | null,
  ): Promise<Account[]> {
    const found = new Map((await findAccounts(this.#deps.db, owner, ids)).map((row) => [row.id, row]));
    return ids.map((id) => {
      const account = found.get(id);
      if (account === undefined) throw missing('account', param);
      return account;
    });
  }

  /**
   * The account, ready to be read through the gateway. `accept` may refuse it before anything else is checked. Raises
   * `resource_missing`, `account_unavailable` when the provider no longer lists it, and `upstream_auth_failed` when its
   * consent ended or the operator has given personal credentials to another account record.
   */
  async resolve(
    owner: OwnerId,
    id: RowId<'account'>,
    accept: (connection: Connection) => void = () => undefined,
  ): Promise<ResolvedAccount> {
    const { account, connection } = await this.read(owner, id);
    accept(connection);
    return resolved(account, connection, await this.gatewayConnection(owner, connection));
  }

  /**
   * As `resolve`, for many at once and in the order asked: an account that cannot be read is there with its reason.
   * Raises `resource_missing` naming `param`, and what `accept` raises.
   */
  async resolveAll(
    owner: OwnerId,
    ids: readonly RowId<'account'>[],
    param: string | null,
    accept: (connection: Connection) => void,
  ): Promise<(ResolvedAccount | UnreadableAccount)[]> {
    const { db } = this.#deps;
    const accounts = await this.requireOwned(owner, ids, param);
    const all = [...new Set(accounts.map((account) => account.connection))];
    const connections = new Map((await findConnections(db, owner, all)).map((row) => [row.id, row]));
    for (const connection of connections.values()) accept(connection);
    const record = await findAccountRecord(db, owner);
    const consents = await currentConsents(db, owner, all);
    const customers = await endUsersOfConnections(db, owner, all);
    return accounts.map((account) => {
      const connection = connections.get(account.connection);
      if (connection === undefined) throw missing('account', param);
      try {
        const opened = this.#opened(record, connection, {
          consent: consents.get(connection.id) ?? null,
          endUser: customers.get(connection.id) ?? null,
        });
        return resolved(account, connection, opened);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return { account, connection, error };
      }
    });
  }

  /** The accounts that cannot be read now, each with the code that a read would raise. */
  async lost(
    owner: OwnerId,
    ids: readonly RowId<'account'>[],
  ): Promise<ReadonlyMap<RowId<'account'>, ErrorCode>> {
    const present = new Set((await findAccounts(this.#deps.db, owner, ids)).map(({ id }) => id));
    const lost = new Map<RowId<'account'>, ErrorCode>();
    for (const id of ids) if (!present.has(id)) lost.set(id, 'upstream_auth_failed');
    for (const found of await this.resolveAll(owner, [...present], 'accounts', () => undefined)) {
      if ('error' in found) lost.set(found.account.id, found.error.code);
    }
    return lost;
  }

  /**
   * Whether the consent of the account's connection expired or was withdrawn, here or at the bank. False if the bank
   * refuses the grant of a valid consent, and for an account that no longer exists.
   */
  async consentEnded(owner: OwnerId, id: RowId<'account'>): Promise<boolean> {
    const { db, clock } = this.#deps;
    const account = await findAccount(db, owner, id);
    if (account === null) return false;
    const consent = (await currentConsents(db, owner, [account.connection])).get(account.connection);
    if (consent === undefined) return false;
    const status = consentStatus(consent, clock.now());
    return status === 'expired' || status === 'withdrawn';
  }

  /** The connection with its grant opened. Raises `upstream_auth_failed` when the consent ended or was withdrawn. */
  async gatewayConnection(owner: OwnerId, connection: Connection): Promise<GatewayConnection> {
    const { db } = this.#deps;
    const consent = (await currentConsents(db, owner, [connection.id])).get(connection.id) ?? null;
    const record = await findAccountRecord(db, owner);
    return this.#opened(record, connection, await this.#held(owner, connection, consent));
  }

  /** The same whatever the status, for callers that ask the vendor about the consent itself. */
  async openGrant(
    owner: OwnerId,
    connection: Connection,
    consent: Consent | null,
  ): Promise<GatewayConnection> {
    const record = await findAccountRecord(this.#deps.db, owner);
    return this.#openedAnyway(record, connection, await this.#held(owner, connection, consent));
  }

  async #held(owner: OwnerId, { id }: Connection, consent: Consent | null): Promise<Held> {
    const { db } = this.#deps;
    const giver = consent?.end_user ?? null;
    if (giver !== null) return { consent, endUser: await findEndUser(db, owner, giver) };
    const customers = await endUsersOfConnections(db, owner, [id]);
    return { consent, endUser: customers.get(id) ?? null };
  }

  #opened(record: AccountRecord | null, connection: Connection, held: Held): GatewayConnection {
    this.#deps.personal.requireReadable(connection.provider, connection.account_record);
    const status = connectionStatus(connection, held.consent, this.#deps.clock.now());
    if (status === 'expired' || status === 'invalidated' || status === 'revoked') {
      throw new ServiceError('upstream_auth_failed', { message: ENDED[status](connection.institution_name) });
    }
    return this.#openedAnyway(record, connection, held);
  }

  #openedAnyway(
    record: AccountRecord | null,
    connection: Connection,
    { consent, endUser }: Held,
  ): GatewayConnection {
    const grant = consent === null ? null : accessOf(this.#deps, consent, endUser);
    if (record === null || grant === null) {
      throw new ServiceError('upstream_auth_failed', { message: ENDED.revoked(connection.institution_name) });
    }
    return {
      id: connection.id,
      owner: record.id,
      provider: connection.provider,
      institution: connection.institution_name,
      grant,
      caching: record.caching,
    };
  }
}

function resolved(account: Account, connection: Connection, gateway: GatewayConnection): ResolvedAccount {
  if (account.unavailable_since !== null) {
    throw new ServiceError('account_unavailable', {
      message: `${connection.institution_name} no longer lists this account.`,
    });
  }
  const { id, upstream_id: upstreamId, type, balance_sign: balanceSign, timezone, currency } = account;
  const opened = { id, upstreamId, type, balanceSign, timezone, currency, connection: gateway };
  return { account, connection, gateway: opened };
}

const ENDED = {
  expired: (bank: string) => `The consent at ${bank} has expired; reauthorise the connection.`,
  invalidated: (bank: string) => `${bank} no longer accepts this connection; reauthorise it.`,
  revoked: (bank: string) => `The connection to ${bank} was deleted; link the bank again.`,
} as const;
