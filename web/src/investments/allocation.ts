import type { Holding } from '#client';
import type { ExchangeRate } from '../../../src/vocabulary/exchange-rates.ts';
import { sumOf } from '../format/decimals.ts';
import { converted, rateBetween } from '../format/exchange.ts';
import { nameOf } from './positions.ts';

/** By what holdings are put together. */
export const ALLOCATIONS = ['position', 'type', 'account', 'currency'] as const;
export type AllocationBy = (typeof ALLOCATIONS)[number];

export interface AllocationShare {
  /** The position, the type of asset, the id of the account, or the currency. */
  readonly key: string;
  readonly value: bigint;
}

/** What can be compared: holdings of one currency, or of all that have a rate to it. In its minor units. */
export interface Allocation {
  readonly currency: string;
  readonly total: bigint;
  /** The largest first, each rounded for itself. */
  readonly shares: readonly AllocationShare[];
  /** By which other currencies are in it. */
  readonly rates: readonly ExchangeRate[];
}

type Valued = Pick<
  Holding,
  'account' | 'asset_type' | 'currency' | 'symbol' | 'name' | 'market_value_decimal'
>;

/**
 * How the value of holdings is spread. Currencies without a rate to the first one, which has most holdings, stand for
 * themselves. Holdings without a value are in none of them.
 */
export function allocationsOf(
  holdings: readonly Valued[],
  by: AllocationBy,
  rates: readonly ExchangeRate[],
): readonly Allocation[] {
  const counts = Map.groupBy(holdings, ({ currency }) => currency);
  const currencies = [...counts]
    .toSorted(([a, of], [b, others]) => others.length - of.length || (a < b ? -1 : 1))
    .map(([currency]) => currency);
  const [main] = currencies;
  if (main === undefined) return [];
  const joined = currencies.filter((one) => one === main || rateBetween(one, main, rates) !== null);
  const apart = currencies.filter((one) => !joined.includes(one));
  return [
    allocationIn(main, joined, holdings, by, rates),
    ...apart.map((one) => allocationIn(one, [one], holdings, by, rates)),
  ].filter(({ shares }) => shares.length > 0);
}

function allocationIn(
  currency: string,
  from: readonly string[],
  holdings: readonly Valued[],
  by: AllocationBy,
  rates: readonly ExchangeRate[],
): Allocation {
  const valued = holdings.filter((one) => one.market_value_decimal !== null && from.includes(one.currency));
  // Each currency is added up in all its digits and rounded once, as in the other totals of the same holdings.
  const sumOfThese = (some: readonly Valued[]) =>
    from.reduce((sum, own) => {
      const decimals = some.flatMap(({ currency: of, market_value_decimal: decimal }) =>
        of === own && decimal !== null ? [decimal] : [],
      );
      return sum + (converted(sumOf(decimals), own, currency, rates) ?? 0n);
    }, 0n);
  return {
    currency,
    total: sumOfThese(valued),
    shares: [...Map.groupBy(valued, (holding) => keyOf(holding, by))]
      .map(([key, members]) => ({ key, value: sumOfThese(members) }))
      .toSorted((a, b) => (a.value < b.value ? 1 : a.value > b.value ? -1 : 0)),
    rates: from.flatMap((one) => rateBetween(one, currency, rates) ?? []),
  };
}

/** The same position in two accounts is one. */
function keyOf(holding: Valued, by: AllocationBy): string {
  if (by === 'account') return holding.account;
  if (by === 'type') return holding.asset_type ?? '';
  return by === 'currency' ? holding.currency : nameOf(holding);
}
