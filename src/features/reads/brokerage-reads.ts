import type { Clock } from '../../platform/clock.ts';
import type { Holding, Trade } from '../../vocabulary/holdings.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { ResolvedAccount } from '../linking/accounts.ts';
import { SetAsideList, type SetAsideRows } from '../provider-gateway/gateway-types.ts';
import type { ProviderGateway } from '../provider-gateway/provider-gateway.ts';
import { type Resolver, resolveOfCategory } from './account-category.ts';
import {
  descending,
  PageCollector,
  type RowPlace,
  type SortedPage,
  type SortedPageRequest,
} from './sorted-page.ts';
import { type AskedWindow, cappedWindow, type DayWindow, dayWindow } from './transaction-window.ts';

export interface BrokerageReadsDependencies {
  readonly accounts: Resolver<Pick<ResolvedAccount, 'gateway'>>;
  readonly gateway: { readonly positions: Pick<ProviderGateway['positions'], 'holdings' | 'trades'> };
  readonly clock: Clock;
  readonly limits: Limits;
}

export interface TradeQuery extends AskedWindow {
  readonly account: RowId<'account'>;
}

/** A page of the trades of a window. */
export interface TradePage extends DayWindow, SortedPage<Trade> {
  readonly setAside: SetAsideRows;
}

/** What an account holds now. */
export interface HeldPositions {
  readonly holdings: readonly Holding[];
  readonly setAside: SetAsideRows;
}

/** Where a trade is in a list: lists are newest first, and trades of a day in the order of their ids. */
export function tradePlace({ trade_date, id }: Trade): RowPlace {
  return { by: trade_date, id };
}

/** Reads of brokerage accounts through the gateway (docs/resources.md#holding). Nothing here is cached. */
export class BrokerageReads {
  readonly #deps: BrokerageReadsDependencies;

  constructor(deps: BrokerageReadsDependencies) {
    this.#deps = deps;
  }

  /**
   * Positions held now. Raises `resource_missing` and `wrong_endpoint_for_category` (param `account`), `not_supported`
   * and the upstream codes.
   */
  async holdings(owner: OwnerId, account: RowId<'account'>, signal: AbortSignal): Promise<HeldPositions> {
    const { gateway } = await this.#brokerage(owner, account, 'Holdings');
    const aside = new SetAsideList();
    const holdings = await this.#deps.gateway.positions.holdings(gateway, signal, aside.add);
    return { holdings, setAside: aside.value };
  }

  /**
   * A page of the trades of a window, which is capped at its length. The whole window is read, in the memory of the page.
   * Raises as `holdings`, and `parameter_invalid`, `invalid_date_range`, `from_too_old`.
   */
  async trades(
    owner: OwnerId,
    query: TradeQuery,
    page: SortedPageRequest,
    signal: AbortSignal,
  ): Promise<TradePage> {
    const { clock, limits } = this.#deps;
    const { gateway } = await this.#brokerage(owner, query.account, 'Trades');
    const asked = dayWindow(query, { now: clock.now(), timezone: gateway.timezone }, limits);
    const window = cappedWindow(asked, limits);
    const collector = new PageCollector({ placeOf: tradePlace, compare: descending }, page);
    const aside = new SetAsideList();
    const range = { ...window, setAside: aside.add };
    await this.#deps.gateway.positions.trades(gateway, range, (trades) => collector.add(trades), signal);
    return { ...collector.page(), ...window, setAside: aside.value };
  }

  #brokerage(owner: OwnerId, id: RowId<'account'>, what: string): Promise<Pick<ResolvedAccount, 'gateway'>> {
    const rule = { categories: ['brokerage'], what, param: 'account' } as const;
    return resolveOfCategory(this.#deps.accounts, owner, id, rule);
  }
}
