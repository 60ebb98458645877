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

/** Whether the account is a debt, whose balance is negative if the customer owes money. */
export function isDebt(type: AccountType): boolean {
  return type === 'credit-card' || type === 'loan';
}

/** `xxxx` plus the last four digits, or null if there are none: the only form in which a number leaves an adapter. */
export function maskAccountNumber(text: string | null): string | null {
  const digits = text?.replace(/[^0-9]/g, '') ?? '';
  return digits === '' ? null : `xxxx${digits.slice(-4)}`;
}
