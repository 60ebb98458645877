/** Kinds of bank account, in v1's spelling, which v2 shares (docs/resources.md#account). */
export const ACCOUNT_TYPES = [
  'transaction',
  'savings',
  'credit-card',
  'loan',
  'investment',
  'term-deposit',
  'other',
] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** Whether the account is for owing money: its balance is negative where the customer does. */
export function isDebt(type: AccountType): boolean {
  return type === 'credit-card' || type === 'loan';
}

/** `xxxx` plus the last four digits, or null where there are none: the only form of a number that leaves an adapter. */
export function maskAccountNumber(text: string | null): string | null {
  const digits = text?.replace(/[^0-9]/g, '') ?? '';
  return digits === '' ? null : `xxxx${digits.slice(-4)}`;
}
