import type { Holding } from '#client';
import { compareDecimals, negated, ratioOf, sumOf } from '../format/decimals.ts';
import type { HoldingSort } from './search.ts';

/** The holdings in one currency, and their exact total. */
export interface Positions {
  readonly currency: string;
  readonly holdings: readonly Holding[];
  readonly value: string;
  readonly gain: string;
  /** Holdings for which the broker gives no value, or no gain. */
  readonly withoutValue: number;
  readonly withoutGain: number;
}

/** Holdings by currency, most holdings first: currencies cannot be added. */
export function byCurrency(
  holdings: readonly Holding[],
  sort: HoldingSort | undefined,
): readonly Positions[] {
  return [...Map.groupBy(holdings, ({ currency }) => currency)]
    .map(([currency, members]) => ({
      currency,
      holdings: members.toSorted(orderOf(sort)),
      value: sumOf(valuesOf(members)),
      gain: sumOf(gainsOf(members)),
      withoutValue: members.length - valuesOf(members).length,
      withoutGain: members.length - gainsOf(members).length,
    }))
    .sort((a, b) => b.holdings.length - a.holdings.length || (a.currency < b.currency ? -1 : 1));
}

function valuesOf(holdings: readonly Holding[]): readonly string[] {
  return holdings.flatMap(({ market_value_decimal: value }) => (value === null ? [] : [value]));
}

function gainsOf(holdings: readonly Holding[]): readonly string[] {
  return holdings.flatMap(({ unrealized_pnl_decimal: gain }) => (gain === null ? [] : [gain]));
}

type Order = (a: Holding, b: Holding) => number;

function orderOf(sort: HoldingSort | undefined): Order {
  const byName: Order = (a, b) => nameOf(a).localeCompare(nameOf(b)) || (a.id < b.id ? -1 : 1);
  const gain = ({ unrealized_pnl_decimal: decimal }: Holding) => decimal;
  switch (sort) {
    case 'name':
      return byName;
    case 'gain':
      return (a, b) => largestFirst(gain(a), gain(b)) || byName(a, b);
    case 'loss':
      return (a, b) => largestFirst(lossOf(gain(a)), lossOf(gain(b))) || byName(a, b);
    default:
      return (a, b) => largestFirst(a.market_value_decimal, b.market_value_decimal) || byName(a, b);
  }
}

function lossOf(gain: string | null): string | null {
  return gain === null ? null : negated(gain);
}

/** Unknown values come last. */
function largestFirst(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return compareDecimals(b, a);
}

export function nameOf({ symbol, name }: Pick<Holding, 'symbol' | 'name'>): string {
  return name ?? symbol ?? '';
}

/** The gain as a fraction of the cost; null if the broker gives none, or the cost is zero. */
export function gainRatio(value: string | null, gain: string | null): number | null {
  if (value === null || gain === null) return null;
  const paid = sumOf([value, negated(gain)]);
  return compareDecimals(paid, '0') > 0 ? ratioOf(gain, paid) : null;
}
