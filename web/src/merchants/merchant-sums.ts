import type { Movement } from '../accounts/net-position.ts';
import { type SpendingRules, spentBy } from '../accounts/spending-rules.ts';
import type { Merchant } from '../api/merchants.ts';
import type { Steps } from '../parts/steps.ts';

/** What was spent at a merchant, in minor units of one currency. */
export interface MerchantSum extends Merchant {
  readonly spent: bigint;
  readonly count: number;
  /** Of its latest transaction. */
  readonly day: string;
}

/** Movements that are looked at between two looks at the clock. */
const STRIDE = 500;

/** What was spent at each merchant since a day, by currency: currencies of most transactions and most spending first. */
export function* merchantSums(
  movements: readonly Movement[],
  rules: SpendingRules,
  from: string,
): Steps<ReadonlyMap<string, readonly MerchantSum[]>> {
  const currencies = new Map<string, { count: number; readonly sums: Map<string, MerchantSum> }>();
  for (const [at, movement] of movements.entries()) {
    if (at % STRIDE === STRIDE - 1) yield;
    const { currency, merchant, spentOn } = movement;
    const spent = spentBy(movement, rules);
    if (spent === null || spentOn < from || merchant.key === '') continue;
    const known = currencies.get(currency) ?? { count: 0, sums: new Map<string, MerchantSum>() };
    known.count += 1;
    currencies.set(currency, known);
    const sum = known.sums.get(merchant.key) ?? { ...merchant, spent: 0n, count: 0, day: '' };
    const isLatest = spentOn > sum.day;
    known.sums.set(merchant.key, {
      key: merchant.key,
      name: isLatest ? merchant.name : sum.name,
      spent: sum.spent + spent,
      count: sum.count + 1,
      day: isLatest ? spentOn : sum.day,
    });
  }
  return new Map(
    [...currencies]
      .toSorted(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
      .map(([currency, { sums }]) => [currency, [...sums.values()].toSorted(mostFirst)]),
  );
}

function mostFirst(a: MerchantSum, b: MerchantSum): number {
  if (a.spent !== b.spent) return a.spent < b.spent ? 1 : -1;
  return a.key < b.key ? -1 : 1;
}

/** What to look for to find the rows of a merchant: its name, or how all of its names begin. */
export function searchFor(names: readonly string[]): string {
  const [first = '', ...others] = names.map((name) => name.toLocaleLowerCase());
  let length = first.length;
  for (const other of others) while (length > 0 && !other.startsWith(first.slice(0, length))) length -= 1;
  const common = (names[0] ?? '').slice(0, length).trim();
  return common.length < LEAST_CHARACTERS ? (names[0] ?? '') : common;
}

/** Fewer would find most of the rows. */
const LEAST_CHARACTERS = 3;
