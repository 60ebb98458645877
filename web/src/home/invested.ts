import type { Holding } from '#client';
import { sumOf } from '../format/decimals.ts';

/** Market values by currency, decimals in all their digits. */
export type Values = ReadonlyMap<string, string>;

/** The value of holdings by currency, as far as the broker gives one. */
export function currencyValues(
  holdings: readonly Pick<Holding, 'currency' | 'market_value_decimal'>[],
): Values {
  const valued = holdings.flatMap(({ currency, market_value_decimal: value }) =>
    value === null ? [] : [{ currency, value }],
  );
  return sumsOf(valued);
}

/**
 * What accounts at brokers are worth in each currency, the largest number of accounts first.
 * @param accounts of each account at a broker, null if it could not be read
 */
export function investedIn(
  accounts: readonly (Values | null)[],
): readonly { readonly currency: string; readonly value: string }[] {
  const read = accounts.filter((values) => values !== null);
  const invested = sumsOf(
    read.flatMap((values) => [...values].map(([currency, value]) => ({ currency, value }))),
  );
  const accountsIn = (currency: string) => read.filter((values) => values.has(currency)).length;
  return [...invested]
    .map(([currency, value]) => ({ currency, value }))
    .toSorted(
      (a, b) => accountsIn(b.currency) - accountsIn(a.currency) || (a.currency < b.currency ? -1 : 1),
    );
}

function sumsOf(amounts: readonly { readonly currency: string; readonly value: string }[]): Values {
  const byCurrency = Map.groupBy(amounts, ({ currency }) => currency);
  return new Map([...byCurrency].map(([currency, of]) => [currency, sumOf(of.map(({ value }) => value))]));
}
