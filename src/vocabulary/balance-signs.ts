/** What a positive balance of a loan or a credit card means (docs/balance-signs.md). */
export const KNOWN_BALANCE_SIGNS = ['owed', 'in_credit'] as const;
export type KnownBalanceSign = (typeof KNOWN_BALANCE_SIGNS)[number];

/** `unverified`: such a balance was positive, and it is unknown which of the two it means. */
export const BALANCE_SIGNS = ['unverified', ...KNOWN_BALANCE_SIGNS] as const;
export type BalanceSign = (typeof BALANCE_SIGNS)[number];

/** Minor units of one currency. */
interface CreditLine {
  readonly current: number;
  readonly available: number;
  readonly limit: number;
}

/**
 * What a positive balance means according to the credit limit: the available amount is the limit less what is owed, so
 * the figures add up for only one of the signs. Null if they add up for neither, as while a purchase is pending.
 */
export function signByLimit({ current, available, limit }: CreditLine): KnownBalanceSign | null {
  if (limit <= 0 || current === 0) return null;
  const used = BigInt(limit) - BigInt(available);
  if (used === BigInt(current)) return 'owed';
  return used === -BigInt(current) ? 'in_credit' : null;
}
