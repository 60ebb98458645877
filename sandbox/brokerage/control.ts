import { ControlError, SimulatorControl } from '../shared/control.ts';
import type { Faults } from '../shared/faults.ts';
import type { RequestLog } from '../shared/request-log.ts';
import type { People } from '../shared/simulator.ts';
import type { Activity } from './activity.ts';
import type { Authorizations } from './authorizations.ts';
import type { Brokers } from './brokers.ts';
import type { ConnectedAccount, Connection, Connections } from './connections.ts';
import { EVERYTHING } from './history.ts';
import type { AccountStatus, Investors } from './investors.ts';
import { activityFrom, type NewActivity } from './new-activity.ts';
import type { Position } from './personas/plan.ts';
import type { Users } from './users.ts';
import type { Notice, Webhooks } from './webhooks.ts';
import { BROKERAGE_WIRE } from './wire.ts';

/** Differences in the vendor's behaviour. Milliseconds of sandbox time. */
export type BrokerageSettings = {
  firstSyncDelayMs: number;
  holdingsDelayMs: number;
  tradesDelayMs: number;
  connectDelayMs: number;
  deletionDelayMs: number;
  requestsPerMinute: number;
  accountRequestsPerMinute: number;
};

type ConnectionSummary = {
  readonly id: string;
  readonly userId: string;
  readonly broker: string;
  readonly customer: string;
  readonly disabled: boolean;
  readonly accounts: readonly string[];
};

/** What a person or a test may do to the simulated brokers. Methods throw {@link ControlError} on bad input. */
export class BrokerageControl extends SimulatorControl implements People {
  readonly settings: BrokerageSettings;
  readonly #parts: ControlParts;

  constructor(parts: ControlParts) {
    super(parts.faults, parts.log, { wire: BROKERAGE_WIRE, now: parts.now });
    this.#parts = parts;
    this.settings = parts.settings;
  }

  /** The log-ins that a broker offers; `rows:N` works everywhere. Empty for an unknown broker. */
  logIns(broker: string): readonly string[] {
    const { brokers, investors } = this.#parts;
    if (brokers.get(broker) === null) return [];
    return [...investors.offered().map(({ customer }) => customer), 'rows:N'];
  }

  knows(broker: string, customer: string): boolean {
    const found = this.#parts.brokers.get(broker);
    return found !== null && this.#parts.investors.find(found.id, customer) !== null;
  }

  /** Accounts of existing connections, with their positions and activities. */
  shared(): { readonly accounts: number; readonly rows: number } {
    const accounts = this.#accounts();
    const rows = accounts.reduce((sum, { id }) => sum + this.positionsOf(id) + this.activitiesOf(id), 0);
    return { accounts: accounts.length, rows };
  }

  users(): readonly string[] {
    return this.#parts.users.all().map(({ userId }) => userId);
  }

  connections(): readonly ConnectionSummary[] {
    const { connections } = this.#parts;
    return connections.all().map((connection) => ({
      id: connection.id,
      userId: connection.userId,
      broker: connections.brokerOf(connection).slug,
      customer: connection.customer,
      disabled: connection.disabledAt !== null,
      accounts: connections.accountsOf(connection).map(({ id }) => id),
    }));
  }

  /** How the broker identifies an account: its number, and its own id. */
  numbersOf(accountId: string): readonly string[] {
    const { number, institutionId } = this.#account(accountId).account;
    return [number, institutionId];
  }

  positionsOf(accountId: string): number {
    return this.#account(accountId).account.positions.filter(({ units }) => units !== null).length;
  }

  activitiesOf(accountId: string): number {
    return this.#history(accountId).count(EVERYTHING);
  }

  /** As when the person's password changed at the broker. */
  disable(connectionId: string): void {
    const connection = this.#connection(connectionId);
    this.#parts.connections.disable(connection);
    this.#changed('CONNECTION_BROKEN', connection);
  }

  enable(connectionId: string): void {
    const connection = this.#connection(connectionId);
    this.#parts.connections.repair(connection);
    this.#changed('CONNECTION_FIXED', connection);
  }

  /** At once. */
  deleteConnection(connectionId: string): void {
    const connection = this.#connection(connectionId);
    connection.deletedAt = this.#parts.now();
    this.#changed('CONNECTION_DELETED', connection);
  }

  /** The user's secret is no longer valid, except to get the next. */
  outdateSecret(userId: string): void {
    const user = this.#parts.users.get(userId);
    if (user === null) throw new ControlError('There is no such user.');
    this.#parts.users.outdate(user);
    this.#parts.changed();
  }

  /** Enters rows and returns their ids in the same order. All or none. */
  appendActivities(accountId: string, rows: readonly NewActivity[]): readonly string[] {
    const connected = this.#account(accountId);
    const made: readonly Activity[] = rows.map((row) => activityFrom(row, this.#parts.now()));
    connected.account.append(made);
    this.#parts.authorizations.notify('ACCOUNT_TRANSACTIONS_UPDATED', connected.connection, accountId);
    return made.map(({ id }) => id);
  }

  /** Money paid in, or out if the amount is negative; ids as for `appendActivities`. */
  moveMoney(
    accountId: string,
    rows: readonly { readonly amount: string; readonly description: string; readonly status?: string }[],
  ): readonly string[] {
    if (rows.some(({ status }) => status === 'PENDING'))
      throw new ControlError('A broker has no pending rows.');
    return this.appendActivities(
      accountId,
      rows.map(({ amount, description }) => ({
        type: amount.startsWith('-') ? 'WITHDRAWAL' : 'CONTRIBUTION',
        amount,
        description,
      })),
    );
  }

  /** Removes the newest rows. */
  withdrawActivities(accountId: string, count: number): void {
    this.#account(accountId).account.withdraw(count, this.#parts.now());
  }

  /** The vendor reads the statement again: every row gets a new id. */
  reread(accountId: string): void {
    this.#account(accountId).account.reread();
  }

  setPositions(accountId: string, positions: readonly Position[]): void {
    const connected = this.#account(accountId);
    connected.account.positions = positions;
    this.#parts.authorizations.notify('ACCOUNT_HOLDINGS_UPDATED', connected.connection, accountId);
  }

  setAccountStatus(accountId: string, status: AccountStatus): void {
    this.#account(accountId).account.status = status;
  }

  /** `ONLINE`, `DEGRADED` or `OUTAGE`, which the vendor calls maintenance. */
  setBrokerStatus(broker: string, status: 'HEALTHY' | 'DEGRADED' | 'OUTAGE'): void {
    const found = this.#parts.brokers.get(broker);
    if (found === null) throw new ControlError('There is no such broker.');
    found.maintenance = status === 'OUTAGE';
    found.degraded = status === 'DEGRADED';
  }

  /** Where notifications go from now on; null for nowhere. */
  aimWebhooks(url: string | null): void {
    this.#parts.webhooks.aim(url);
  }

  /** Resolves once every notification sent so far was accepted or given up. */
  webhooksSettled(): Promise<void> {
    return this.#parts.webhooks.settled();
  }

  /** A signed notification that was not sent. */
  notification(notice: Notice): { readonly text: string; readonly signature: string } {
    return this.#parts.webhooks.body(notice);
  }

  #changed(eventType: string, connection: Connection): void {
    this.#parts.authorizations.notify(eventType, connection);
    this.#parts.changed();
  }

  #connection(id: string): Connection {
    const connection = this.#parts.connections.find(id);
    if (connection === null) throw new ControlError('There is no such connection.');
    return connection;
  }

  #accounts(): readonly ConnectedAccount[] {
    const { connections } = this.#parts;
    return connections.all().flatMap((connection) => connections.accountsOf(connection));
  }

  #account(id: string): ConnectedAccount {
    const { connections } = this.#parts;
    const all = connections.all().flatMap((connection) => connections.everyAccountOf(connection));
    const found = all.find((account) => account.id === id);
    if (found === undefined) throw new ControlError('No connection has such an account.');
    return found;
  }

  #history(accountId: string) {
    return this.#account(accountId).account.history(this.#parts.now());
  }
}

type ControlParts = {
  readonly users: Users;
  readonly connections: Connections;
  readonly brokers: Brokers;
  readonly investors: Investors;
  readonly authorizations: Authorizations;
  readonly webhooks: Webhooks;
  readonly settings: BrokerageSettings;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly now: () => number;
  readonly changed: () => void;
};
