import type { Holding } from '#client';
import type { Money } from '../../../src/vocabulary/money.ts';
import { sumOf } from '../format/decimals.ts';
import { decimalText } from '../format/money.ts';

/** Market values by currency, decimals in all their digits. */
export type Values = ReadonlyMap<string, string>;

export interface InvestedSum {
  readonly currency: string;
  readonly value: string;
  /**
   * Together with the bank accounts of the currency. Null if there are none, or if an account at a bank or a broker
   * could not be read.
   */
  readonly withBanks: string | null;
}

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
 * What accounts at brokers are worth in each currency, the largest number of accounts first, and together with the
 * balances at banks. If a part of that sum is missing, there is none, since it would be wrong.
 * @param accounts of each account at a broker, null if it could not be read
 * @param balances of each account at a bank, null if it has none; null altogether if they are not known
 */
export function investedWith(
  accounts: readonly (Values | null)[],
  balances: readonly (Money | null)[] | null,
): readonly InvestedSum[] {
  const read = accounts.filter((values) => values !== null);
  const invested = sumsOf(
    read.flatMap((values) => [...values].map(([currency, value]) => ({ currency, value }))),
  );
  const currents = balances ?? [null];
  const isComplete = read.length === accounts.length && !currents.includes(null);
  const banked = sumsOf(
    currents.flatMap((current) =>
      current === null
        ? []
        : [{ currency: current.currency, value: decimalText(BigInt(current.amount), current.currency) }],
    ),
  );
  const accountsIn = (currency: string) => read.filter((values) => values.has(currency)).length;
  return [...invested]
    .map(([currency, value]) => {
      const held = isComplete ? banked.get(currency) : undefined;
      return { currency, value, withBanks: held === undefined ? null : sumOf([value, held]) };
    })
    .toSorted(
      (a, b) => accountsIn(b.currency) - accountsIn(a.currency) || (a.currency < b.currency ? -1 : 1),
    );
}

function sumsOf(amounts: readonly { readonly currency: string; readonly value: string }[]): Values {
  const byCurrency = Map.groupBy(amounts, ({ currency }) => currency);
  return new Map([...byCurrency].map(([currency, of]) => [currency, sumOf(of.map(({ value }) => value))]));
}
