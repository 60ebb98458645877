import type { Clock } from '../../platform/clock.ts';
import type { Account } from '../../storage/accounts.ts';
import type { Holding, Trade } from '../../vocabulary/holdings.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { localDateAt } from '../../vocabulary/moments.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { Accounts, ResolvedAccount } from '../linking/accounts.ts';
import type { GatewayAccount, TradeRange } from '../provider-gateway/gateway-types.ts';
import type { ProviderGateway } from '../provider-gateway/provider-gateway.ts';
import { requireCategory } from './account-category.ts';
import { tradePlace } from './brokerage-reads.ts';
import { ReadsAtOnce, SharedDeadline } from './reads-at-once.ts';
import { descending, type RowOrder } from './sorted-page.ts';
import { type AskedWindow, cappedWindow, dayOf, requireOrder } from './transaction-window.ts';

/**
 * The newest of any number of rows, up to so many, in the memory of twice as many; and how many there were. Rows come in
 * any order.
 */
export class NewestRows<T> {
  readonly #most: number;
  readonly #placeOf: RowOrder<T>['placeOf'];
  #kept: T[] = [];
  #seen = 0;

  constructor(most: number, placeOf: RowOrder<T>['placeOf']) {
    this.#most = most;
    this.#placeOf = placeOf;
  }

  /** How many rows were added. */
  get seen(): number {
    return this.#seen;
  }

  add(rows: readonly T[]): void {
    this.#seen += rows.length;
    for (const row of rows) this.#kept.push(row);
    if (this.#kept.length >= 2 * this.#most) this.#kept = this.#newest();
  }

  /** Newest first. */
  part({ limit, offset }: { readonly limit: number; readonly offset: number }): readonly T[] {
    return this.#newest().slice(offset, offset + limit);
  }

  #newest(): T[] {
    const placed = this.#kept.map((row) => ({ row, place: this.#placeOf(row) }));
    const sorted = placed.sort((a, b) => descending(a.place, b.place));
    return sorted.slice(0, this.#most).map(({ row }) => row);
  }
}

export interface PortfolioReadsDependencies {
  readonly accounts: Pick<Accounts, 'ofConnection' | 'resolveAll'>;
  readonly gateway: { readonly positions: Pick<ProviderGateway['positions'], 'holdings' | 'trades'> };
  readonly clock: Clock;
  readonly limits: Limits;
}

/** `accounts`: only these of the connection; null for all. */
export interface PortfolioQuery {
  readonly connection: RowId<'connection'>;
  readonly accounts: readonly RowId<'account'>[] | null;
}

export interface PortfolioTradeQuery extends PortfolioQuery, AskedWindow {
  readonly limit: number;
  readonly offset: number;
  /** So many pages of the provider for each account. */
  readonly pages: number;
}

export interface HeldPosition {
  readonly account: Account;
  readonly holding: Holding;
}

export interface MadeTrade {
  readonly account: Account;
  readonly trade: Trade;
}

export interface TradePart {
  readonly items: readonly MadeTrade[];
  /** How many were read; null if the row ceiling was reached. */
  readonly total: number | null;
}

/** Positions and trades of several accounts of one connection in one answer (docs/v1.md). Nothing here is cached. */
export class PortfolioReads {
  readonly #deps: PortfolioReadsDependencies;

  constructor(deps: PortfolioReadsDependencies) {
    this.#deps = deps;
  }

  /**
   * Positions held now, by account in the order of the connection and then by symbol. Raises `resource_missing` (param
   * `connection` or `account`), `wrong_endpoint_for_category`, `upstream_failed` beyond LIMIT_LIST_ROWS positions
   * together, `not_supported` and the upstream codes: a part of them would show the wrong worth.
   */
  async holdings(owner: OwnerId, query: PortfolioQuery, signal: AbortSignal): Promise<HeldPosition[]> {
    const { gateway, limits } = this.#deps;
    let held = 0;
    const read = async (account: GatewayAccount, within: AbortSignal): Promise<readonly Holding[]> => {
      const holdings = await gateway.positions.holdings(account, within);
      held += holdings.length;
      if (held > limits.list_rows) {
        throw new ServiceError('upstream_failed', {
          message: `These accounts hold more than ${limits.list_rows} positions together; name fewer of them.`,
        });
      }
      return holdings.toSorted(bySymbol);
    };
    const found = await this.#each(owner, query, 'Holdings', signal, read);
    return found.flatMap(({ account, value }) => value.map((holding) => ({ account, holding })));
  }

  /**
   * Trades of a window, newest first over all accounts. A window that is left open is the provider's; one that begins
   * somewhere is capped as in `cappedWindow`. Raises as `holdings`, and `parameter_invalid`, `invalid_date_range`.
   */
  async trades(owner: OwnerId, query: PortfolioTradeQuery, signal: AbortSignal): Promise<TradePart> {
    const { gateway, limits } = this.#deps;
    // A connection without accounts is no reason to let pass what is no window.
    this.#range(query, 'UTC');
    const newest = new NewestRows<MadeTrade>(limits.transaction_rows, ({ account, trade }) => {
      const place = tradePlace(trade);
      return { by: place.by, id: `${place.id} ${account.id}` };
    });
    await this.#each(owner, query, 'Trades', signal, (gatewayAccount, within, account) => {
      const range = this.#range(query, gatewayAccount.timezone);
      const take = (trades: readonly Trade[]): void =>
        newest.add(trades.map((trade) => ({ account, trade })));
      return gateway.positions.trades(gatewayAccount, range, take, within, query.pages);
    });
    return { items: newest.part(query), total: newest.seen > limits.transaction_rows ? null : newest.seen };
  }

  #range(query: AskedWindow, timezone: string): TradeRange {
    const from = dayOf('from', query.from, timezone);
    const to = dayOf('to', query.to, timezone);
    requireOrder(from, to);
    if (from === null) return { from, to };
    const today = localDateAt(this.#deps.clock.now(), timezone);
    const end = to ?? (today < from ? from : today);
    return { from: cappedWindow({ from, to: end }, this.#deps.limits).from, to };
  }

  /** Reads the accounts a few at a time, all within the deadline of one read; one that fails fails them all. */
  async #each<T>(
    owner: OwnerId,
    { connection, accounts: named }: PortfolioQuery,
    what: string,
    signal: AbortSignal,
    read: (gatewayAccount: GatewayAccount, within: AbortSignal, account: Account) => Promise<T>,
  ): Promise<{ readonly account: Account; readonly value: T }[]> {
    const { accounts } = this.#deps;
    const rule = { categories: ['brokerage'], what, param: 'connection' } as const;
    const rows = await accounts.ofConnection(owner, connection, named, ({ provider }) =>
      requireCategory(provider, rule),
    );
    const ids = rows.map(({ id }) => id);
    const found = await accounts.resolveAll(owner, ids, 'account', () => undefined);
    const readable = found.flatMap((one): ResolvedAccount[] => {
      if (!('error' in one)) return [one];
      // One that the broker has stopped listing holds nothing; a caller who names it hears so.
      if (named === null && one.error.code === 'account_unavailable') return [];
      throw one.error;
    });
    const room = new ReadsAtOnce(this.#deps, readable.length);
    const deadline = new SharedDeadline(this.#deps, signal);
    const given = new AbortController();
    const within = AbortSignal.any([deadline.signal, given.signal]);
    try {
      return await Promise.all(
        readable.map(async ({ account, gateway }) => ({
          account,
          value: await room.run(() => read(gateway, within, account)),
        })),
      );
    } finally {
      given.abort();
      deadline.end();
    }
  }
}

function bySymbol(a: Holding, b: Holding): number {
  const [left, right] = [a.symbol ?? '', b.symbol ?? ''];
  if (left !== right) return left < right ? -1 : 1;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}
