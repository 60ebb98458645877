import type { Reply } from '../shared/reply.ts';
import { VendorError } from '../shared/vendor-error.ts';
import { activityJson } from './activity.ts';
import { type ConnectedAccount, type Connections, missing, textOf } from './connections.ts';
import { uuidOf } from './identity.ts';
import { currencyJson, instrumentJson } from './instrument.ts';
import type { Position } from './personas/plan.ts';
import type { BrokerageRequest, User } from './request.ts';
import { Figure, figure, reply200, type WireJson, type WireObject } from './wire-json.ts';

const MOST_ACTIVITIES = 1000;
const MOST_POSITIONS = 1000;
const DEFAULT_POSITIONS = 100;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The reads of accounts. */
export class Accounts {
  readonly #connections: Connections;
  readonly #now: () => number;
  readonly #pagedPositions: boolean;
  /** A row that the next page of an account repeats. */
  readonly #repeated = new Map<string, WireJson>();

  constructor(connections: Connections, options: { now: () => number; pagedPositions: boolean }) {
    this.#connections = connections;
    this.#now = options.now;
    this.#pagedPositions = options.pagedPositions;
  }

  list(request: BrokerageRequest): Reply {
    const all = this.#connections.of(userOf(request)).flatMap((one) => this.#connections.accountsOf(one));
    return reply200(all.map((one) => this.#json(one)));
  }

  ofConnection(request: BrokerageRequest): Reply {
    const connection = this.#connections.require(userOf(request), request.params.id ?? '');
    return reply200(this.#connections.accountsOf(connection).map((one) => this.#json(one)));
  }

  detail(request: BrokerageRequest): Reply {
    return reply200(this.#json(this.#account(request)));
  }

  balances(request: BrokerageRequest): Reply {
    const { account } = this.#copied(request);
    return reply200(
      account.plan.cash.map(({ currency, cash, buyingPower }) => ({
        currency: currencyJson(currency),
        cash: new Figure(cash),
        buying_power: figure(buyingPower),
      })),
    );
  }

  positions(request: BrokerageRequest): Reply {
    const { account, connection } = this.#copied(request);
    const known = request.rowFaults.includes('empty-page') ? [] : account.positions.map(positionJson);
    const whole = this.#connections.isWhole(connection, 'holdings');
    const all = whole ? known : known.slice(0, Math.floor(known.length / 2));
    const freshness = { as_of: textOf(connection.refreshedAt) };
    if (!this.#pagedPositions) return reply200({ results: all, data_freshness: freshness });
    const size = Math.min(MOST_POSITIONS, integer(request.query, 'page_size', DEFAULT_POSITIONS, 1));
    const page = integer(request.query, 'page', 1, 1);
    return reply200({ results: all.slice((page - 1) * size, page * size), data_freshness: freshness });
  }

  activities(request: BrokerageRequest): Reply {
    const connected = this.#copied(request);
    const { query, rowFaults } = request;
    const given = query.get('type');
    const types = given === null ? null : new Set(given.split(','));
    const window = { from: day(query, 'startDate'), to: day(query, 'endDate'), types };
    const offset = integer(query, 'offset', 0, 0);
    const limit = Math.min(MOST_ACTIVITIES, integer(query, 'limit', MOST_ACTIVITIES, 1));
    const history = connected.account.history(this.#now());
    const count = history.count(window);
    const total = this.#connections.isWhole(connected.connection, 'trades') ? count : Math.floor(count / 2);
    const found = history
      .page(window, offset, Math.max(0, Math.min(limit, total - offset)))
      .map((row) => activityJson(row, connected.broker.name));
    const repeated = this.#repeated.get(connected.id);
    this.#repeated.delete(connected.id);
    const last = found.at(-1);
    if (rowFaults.includes('duplicate-row') && last !== undefined) this.#repeated.set(connected.id, last);
    const rows: WireJson[] = repeated === undefined ? found : [repeated, ...found];
    if (rowFaults.includes('empty-page')) rows.length = 0;
    if (rowFaults.includes('row-without-id')) rows[0] = withoutId(found[0] ?? {});
    return reply200({ data: rows, pagination: { offset, limit, total } });
  }

  #account(request: BrokerageRequest): ConnectedAccount {
    const connected = this.#connections.requireAccount(userOf(request), request.params.id ?? '');
    if (connected.investor.persona.limited === true)
      throw new VendorError(429, 'throttled', 'Request was throttled. Expected available in 42 seconds.');
    return connected;
  }

  #copied(request: BrokerageRequest): ConnectedAccount {
    const connected = this.#account(request);
    if (this.#connections.isCopied(connected.connection)) return connected;
    throw new VendorError(425, '3012', 'The resource is currently being populated. Please try again later.');
  }

  #json({ id, connection, account, broker }: ConnectedAccount): WireObject {
    const { plan } = account;
    const copied = this.#connections.isCopied(connection);
    const total = plan.total;
    const whole = (what: 'holdings' | 'trades') => this.#connections.isWhole(connection, what);
    return {
      id,
      brokerage_authorization: connection.id,
      name: plan.name,
      number: account.number,
      institution_account_id: account.institutionId,
      institution_name: broker.name,
      created_date: textOf(connection.createdAt),
      funding_date: null,
      opening_date: null,
      sync_status: {
        transactions: {
          initial_sync_completed: whole('trades'),
          last_successful_sync: copied ? textOf(connection.refreshedAt).slice(0, 10) : null,
          first_transaction_date: null,
        },
        holdings: {
          initial_sync_completed: whole('holdings'),
          last_successful_sync: copied ? textOf(connection.refreshedAt) : null,
          holdings_unavailable: plan.hidden === true,
        },
      },
      balance: {
        total: total === null ? null : { amount: new Figure(total.amount), currency: total.currency },
      },
      status: account.status === 'gone' ? null : account.status,
      raw_type: plan.rawType,
      account_category: plan.category,
      meta: {},
      portfolio_group: uuidOf('group', id),
      cash_restrictions: [],
      is_paper: false,
    };
  }
}

function userOf({ user }: BrokerageRequest): User {
  if (user === null) throw missing();
  return user;
}

function positionJson({ instrument, units, price, cost, currency, cashEquivalent }: Position): WireObject {
  return {
    instrument: instrumentJson(instrument),
    units,
    price,
    cost_basis: cost,
    currency,
    ...(cashEquivalent === undefined ? {} : { cash_equivalent: cashEquivalent }),
  };
}

function withoutId({ id: _, ...row }: WireObject): WireObject {
  return row;
}

function integer(query: URLSearchParams, name: string, standard: number, least: number): number {
  const given = query.get(name);
  if (given === null) return standard;
  if (!/^\d{1,9}$/.test(given) || Number(given) < least)
    throw new VendorError(400, '1012', `${name} must be a whole number.`);
  return Number(given);
}

function day(query: URLSearchParams, name: string): string | null {
  const given = query.get(name);
  if (given !== null && !DAY.test(given)) throw new VendorError(400, '1012', `${name} must be YYYY-MM-DD.`);
  return given;
}
