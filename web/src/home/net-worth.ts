import type { ExchangeRate } from '../../../src/vocabulary/exchange-rates.ts';
import type { Money } from '../../../src/vocabulary/money.ts';
import { type Coverage, coverageOf, type ReadAccount } from '../accounts/coverage.ts';
import { netPosition, readFrom } from '../accounts/net-position.ts';
import { sumOf } from '../format/decimals.ts';
import { converted, rateBetween } from '../format/exchange.ts';
import { decimalText } from '../format/money.ts';
import type { Values } from './invested.ts';

/** What a person has in one currency. */
export interface Worth {
  readonly currency: string;
  /** At banks, minor units: what is held less what is owed. */
  readonly banks: bigint;
  /** What is owed at banks, negative or zero. It is part of `banks`. */
  readonly owed: bigint;
  /** What holdings are worth, a decimal in all its digits. */
  readonly invested: string;
}

/**
 * What balances and holdings come to in each currency. The currency of most bank accounts is first, since that is the one
 * a person thinks in.
 */
export function worthByCurrency(balances: readonly Money[], invested: readonly Values[]): readonly Worth[] {
  const accounts = [
    ...balances.map(({ currency }) => [currency]),
    ...invested.map((values) => [...values.keys()]),
  ];
  const countIn = (currency: string, some: readonly (readonly string[])[]) =>
    some.filter((own) => own.includes(currency)).length;
  const atBanks = accounts.slice(0, balances.length);
  const add = (sum: bigint, { amount }: Money) => sum + BigInt(amount);
  return [...new Set(accounts.flat())]
    .map((currency) => {
      const own = balances.filter((balance) => balance.currency === currency);
      return {
        currency,
        banks: own.reduce(add, 0n),
        owed: own.filter(({ amount }) => amount < 0).reduce(add, 0n),
        invested: sumOf(invested.map((values) => values.get(currency) ?? '0')),
      };
    })
    .toSorted(
      (a, b) =>
        countIn(b.currency, atBanks) - countIn(a.currency, atBanks) ||
        countIn(b.currency, accounts) - countIn(a.currency, accounts) ||
        (a.currency < b.currency ? -1 : 1),
    );
}

/** One currency within a net worth. */
interface Part {
  readonly currency: string;
  /** In its own currency, all digits. */
  readonly own: string;
  /** In the currency of the net worth, minor units. */
  readonly value: bigint;
  /** By which it was converted; null for the currency of the net worth itself. */
  readonly rate: ExchangeRate | null;
}

/** A net worth in one currency: minor units, of which `held + owed + invested` is the total, and so are the parts. */
export interface NetWorth {
  readonly currency: string;
  readonly total: bigint;
  readonly held: bigint;
  readonly owed: bigint;
  readonly invested: bigint;
  readonly parts: readonly Part[];
  /** Without a rate, so not in the total. */
  readonly apart: readonly Worth[];
}

/** What the currencies come to in one of them, as far as there are rates. */
export function netWorthIn(
  currency: string,
  worths: readonly Worth[],
  rates: readonly ExchangeRate[],
): NetWorth {
  const apart = worths.filter((worth) => !isConvertible(worth.currency, currency, rates));
  const counted = worths.filter((worth) => !apart.includes(worth));
  const inCurrency = (decimal: string, from: string) => converted(decimal, from, currency, rates) ?? 0n;
  const sums = { held: 0n, owed: 0n, invested: 0n };
  const parts = counted.map((worth): Part => {
    const { currency: from } = worth;
    const banks = inCurrency(decimalText(worth.banks, from), from);
    const owed = inCurrency(decimalText(worth.owed, from), from);
    const invested = inCurrency(worth.invested, from);
    // What is held is the rest, so that the line over time, which knows banks alone, ends at the same total.
    sums.held += banks - owed;
    sums.owed += owed;
    sums.invested += invested;
    return {
      currency: from,
      own: ownTotal(worth),
      value: banks + invested,
      rate: rateBetween(from, currency, rates),
    };
  });
  return { currency, ...sums, total: sums.held + sums.owed + sums.invested, parts, apart };
}

/** All that a person has in one currency, in all digits. */
export function ownTotal({ currency, banks, invested }: Worth): string {
  return sumOf([decimalText(banks, currency), invested]);
}

function isConvertible(from: string, to: string, rates: readonly ExchangeRate[]): boolean {
  return from === to || rateBetween(from, to, rates) !== null;
}

interface WorthPoint {
  readonly day: string;
  /** What the bank accounts held at the end of the day. */
  readonly banks: bigint;
}

interface WorthLine {
  readonly points: readonly WorthPoint[];
  readonly coverage: Omit<Coverage, 'known'>;
}

interface LineAsked {
  readonly currency: string;
  readonly rates: readonly ExchangeRate[];
  readonly from: string;
  readonly today: string;
}

/**
 * What the bank accounts of all currencies with a rate came to at the end of each day, in minor units of one currency.
 * Each currency is converted for itself, as in `netWorthIn`, so that the last day is the same to the cent. It begins
 * where the shortest history begins.
 */
export function worthLine(
  accounts: readonly ReadAccount[],
  { currency, rates, from, today }: LineAsked,
): WorthLine {
  const currencies = new Set(accounts.flatMap(({ balance }) => (balance === null ? [] : [balance.currency])));
  const lines = [...currencies]
    .filter((own) => isConvertible(own, currency, rates))
    .map((own) => {
      const coverage = coverageOf(accounts, own, readFrom(from));
      const points = netPosition(coverage.known, { from, today });
      return {
        coverage,
        points: new Map(
          points.map(({ day, amount }) => [
            day,
            converted(decimalText(amount, own), own, currency, rates) ?? 0n,
          ]),
        ),
      };
    });
  const drawn = lines.filter(({ points }) => points.size > 0).map(({ points }) => points);
  const shortest = drawn.reduce<ReadonlyMap<string, bigint> | null>(
    (least, points) => (least === null || points.size < least.size ? points : least),
    null,
  );
  const named = (list: (coverage: Coverage) => readonly string[]) => [
    ...new Set(lines.flatMap(({ coverage }) => list(coverage))),
  ];
  return {
    points: [...(shortest?.keys() ?? [])].map((day) => ({
      day,
      banks: drawn.reduce((sum, points) => sum + (points.get(day) ?? 0n), 0n),
    })),
    coverage: {
      withoutBalance: accounts.filter(({ balance }) => balance === null).map(({ name }) => name),
      unverified: named((one) => one.unverified),
      unread: named((one) => one.unread),
      short: named((one) => one.short),
      still: named((one) => one.still),
      aside: [
        ...new Map(lines.flatMap(({ coverage }) => coverage.aside).map((one) => [one.name, one])).values(),
      ],
    },
  };
}
