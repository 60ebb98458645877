import type { ListedBalance } from '../../../features/reads/balance-reads.ts';
import { moneyDecimal } from './decimals.ts';

/** Without amounts where the account could not be read. */
export function presentBalance({ account, read }: ListedBalance) {
  const value = read?.value ?? null;
  const currency = value?.currency ?? account.currency;
  return {
    accountId: account.id,
    currentBalance: moneyDecimal(value?.currentDecimal ?? null, value?.current ?? null),
    availableBalance: moneyDecimal(value?.availableDecimal ?? null, value?.available ?? null),
    currency: currency.toUpperCase(),
  };
}
