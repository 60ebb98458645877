import { randomUUID } from 'node:crypto';
import { VendorError } from '../shared/vendor-error.ts';
import { type Broker, type Brokers, brokerJson } from './brokers.ts';
import { uuidOf } from './identity.ts';
import type { Investor, InvestorAccount, Investors } from './investors.ts';
import type { User } from './request.ts';
import type { WireObject } from './wire-json.ts';

export type Connection = {
  readonly id: string;
  readonly userId: string;
  readonly brokerId: string;
  readonly customer: string;
  readonly createdAt: number;
  updatedAt: number;
  disabledAt: number | null;
  /** When a queued deletion happens; null if none was requested. */
  deletedAt: number | null;
  refreshedAt: number;
};

/** An account of one connection. */
export type ConnectedAccount = {
  readonly id: string;
  readonly connection: Connection;
  readonly account: InvestorAccount;
  readonly investor: Investor;
  readonly broker: Broker;
};

type ConnectionsOptions = {
  readonly now: () => number;
  readonly pagesUrl: () => string;
  /** Until the first copy of an account is available. */
  readonly firstSyncDelayMs: () => number;
  /** From then until the holdings, or the trades, are complete: before that, half of each is available. */
  readonly holdingsDelayMs: () => number;
  readonly tradesDelayMs: () => number;
  /** Between a person's return and the connection. */
  readonly connectDelayMs: () => number;
  readonly deletionDelayMs: () => number;
};

/** What people connected. */
export class Connections {
  readonly #brokers: Brokers;
  readonly #investors: Investors;
  readonly #options: ConnectionsOptions;
  readonly #connections = new Map<string, Connection>();

  constructor(brokers: Brokers, investors: Investors, options: ConnectionsOptions) {
    this.#brokers = brokers;
    this.#investors = investors;
    this.#options = options;
  }

  all(): readonly Connection[] {
    return [...this.#connections.values()].filter((one) => this.#isThere(one));
  }

  restore(connections: readonly Connection[]): void {
    for (const connection of connections) this.#connections.set(connection.id, connection);
  }

  of(user: User): readonly Connection[] {
    return this.all().filter(({ userId }) => userId === user.userId);
  }

  /** A connection of the user. Refused as missing if it belongs to another user. */
  require(user: User, id: string): Connection {
    const found = this.of(user).find((connection) => connection.id === id);
    if (found === undefined) throw missing();
    return found;
  }

  find(id: string): Connection | null {
    return this.all().find((connection) => connection.id === id) ?? null;
  }

  /** Connects a login; if the user already has it, returns that connection, which works again. */
  connect(user: User, broker: Broker, customer: string): Connection {
    const now = this.#options.now();
    const known = this.of(user).find((one) => one.brokerId === broker.id && one.customer === customer);
    if (known !== undefined) {
      this.repair(known);
      return known;
    }
    const at = now + this.#options.connectDelayMs();
    const connection: Connection = {
      id: randomUUID(),
      userId: user.userId,
      brokerId: broker.id,
      customer,
      createdAt: at,
      updatedAt: at,
      disabledAt: null,
      deletedAt: null,
      refreshedAt: at,
    };
    this.#connections.set(connection.id, connection);
    return connection;
  }

  repair(connection: Connection): void {
    connection.disabledAt = null;
    connection.updatedAt = this.#options.now();
  }

  disable(connection: Connection): void {
    connection.disabledAt ??= this.#options.now();
    connection.updatedAt = this.#options.now();
  }

  remove(connection: Connection): void {
    connection.deletedAt ??= this.#options.now() + this.#options.deletionDelayMs();
  }

  isCopied({ createdAt }: Connection): boolean {
    return createdAt + this.#options.firstSyncDelayMs() <= this.#options.now();
  }

  /** Whether all of it was copied. */
  isWhole({ createdAt }: Connection, what: 'holdings' | 'trades'): boolean {
    const { firstSyncDelayMs, holdingsDelayMs, tradesDelayMs, now } = this.#options;
    const delay = what === 'holdings' ? holdingsDelayMs() : tradesDelayMs();
    return createdAt + firstSyncDelayMs() + delay <= now();
  }

  brokerOf({ brokerId }: Connection): Broker {
    const broker = this.#brokers.get(brokerId);
    if (broker === null) throw missing();
    return broker;
  }

  accountsOf(connection: Connection): readonly ConnectedAccount[] {
    return this.everyAccountOf(connection).filter(({ account }) => account.status !== 'gone');
  }

  /** Including those that the broker removed. */
  everyAccountOf(connection: Connection): readonly ConnectedAccount[] {
    const broker = this.brokerOf(connection);
    const investor = this.#investors.find(broker.id, connection.customer);
    if (investor === null) return [];
    return investor.accounts.map((account) => ({
      id: uuidOf('account', connection.id, account.plan.key),
      connection,
      account,
      investor,
      broker,
    }));
  }

  /** An account of the user. Refused as missing if it belongs to another user. */
  requireAccount(user: User, id: string): ConnectedAccount {
    for (const connection of this.of(user)) {
      const found = this.accountsOf(connection).find((account) => account.id === id);
      if (found !== undefined) return found;
    }
    throw missing();
  }

  json(connection: Connection): WireObject {
    return {
      id: connection.id,
      created_date: textOf(connection.createdAt),
      brokerage: brokerJson(this.brokerOf(connection), this.#options.pagesUrl()),
      name: 'Connection-1',
      type: 'read',
      disabled: connection.disabledAt !== null,
      disabled_date: connection.disabledAt === null ? null : textOf(connection.disabledAt),
      meta: {},
      updated_date: textOf(connection.updatedAt),
      data_freshness_mode: 'delayed',
    };
  }

  #isThere({ createdAt, deletedAt }: Connection): boolean {
    const now = this.#options.now();
    return createdAt <= now && (deletedAt === null || deletedAt > now);
  }
}

export function textOf(at: number): string {
  return new Date(at).toISOString();
}

export function missing(): VendorError {
  return new VendorError(404, '1011', 'The requested resource does not exist.');
}
