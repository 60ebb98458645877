import type { Institution } from '#client';
import { PROVIDERS } from '../../../src/vocabulary/provider-kinds.ts';
import { folded } from '../../../src/vocabulary/text-folding.ts';

/** One bank, with every way to link it: several where more than one provider, or one provider twice, lists it. */
export interface BankCard {
  readonly key: string;
  readonly name: string;
  /** Those that can be linked, or all of them if none can. */
  readonly ways: readonly [Institution, ...Institution[]];
  readonly available: boolean;
  /** Whether every way is in an outage. */
  readonly outage: boolean;
}

/** Providers write the name of a bank with or without this word. */
const BANK = /\bBANK\b/g;

/**
 * Banks of one name, country and category are one card, at the place of the first. The word "bank" and punctuation do not
 * count.
 */
export function bankCards(institutions: readonly Institution[]): BankCard[] {
  return [...Map.groupBy(institutions, keyOf)].flatMap(([key, listed]) => {
    const open = listed.filter(({ available }) => available);
    const [first, ...others] = open.length > 0 ? open : listed;
    if (first === undefined) return [];
    const ways = [first, ...others] as const;
    return {
      key,
      name: first.name,
      ways,
      available: open.length > 0,
      outage: ways.every(({ status }) => status === 'OUTAGE'),
    };
  });
}

function keyOf({ name, provider }: Institution): string {
  const { country, category } = PROVIDERS[provider];
  const words = folded(name)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  const bare = words.replace(BANK, '').replace(/ +/g, ' ').trim();
  return `${category}/${country ?? ''}/${bare === '' ? words : bare}`;
}
