import type { PositiveBalance, ProviderBalance } from '../../connectors/providers/provider-contract.ts';
import { isDebt } from '../../vocabulary/account-types.ts';
import type { BalanceSign } from '../../vocabulary/balance-signs.ts';
import type { Money } from '../../vocabulary/money.ts';
import type { GatewayAccount } from './gateway-types.ts';

/**
 * A balance that is negative if the customer owes money, unless `sign` is `unverified`: then it is as the bank sent it.
 */
export interface SignedBalance extends Omit<ProviderBalance, 'positive'> {
  /**
   * What a positive figure of the bank means; null for an account that is not a debt, and if it was never in question.
   */
  readonly sign: BalanceSign | null;
}

type Debt = Pick<GatewayAccount, 'type' | 'balanceSign'>;

/**
 * The balance of an account with its sign applied (docs/balance-signs.md). A stored sign takes precedence over what the
 * provider knows about the bank, and that over what one balance shows.
 */
export function signedBalance(account: Debt, { positive, ...balance }: ProviderBalance): SignedBalance {
  if (!isDebt(account.type)) return { ...balance, sign: null };
  const sign = signOf(account.balanceSign, positive, balance.current);
  if (sign !== 'owed') return { ...balance, sign };
  const turned = { ...balance, sign, ...turnedCurrent(balance) };
  // A vendor with one balance for both reports the debt of a loan twice: it is not an amount that can be drawn.
  if (account.type !== 'loan' || balance.availableDecimal !== balance.currentDecimal) return turned;
  return { ...turned, available: turned.current, availableDecimal: turned.currentDecimal };
}

function signOf(
  stored: BalanceSign | null,
  positive: PositiveBalance | undefined,
  current: Money | null,
): BalanceSign | null {
  if (stored !== null && stored !== 'unverified') return stored;
  if (positive !== undefined) return positive.means;
  // After a positive one, a negative figure may be a credit at a bank that shows debts as positive.
  const inQuestion = current !== null && (current.amount > 0 || (stored !== null && current.amount < 0));
  return inQuestion ? 'unverified' : null;
}

/**
 * What is stored about the sign after a balance: what its figures showed, or that it is in question. What is known
 * about the bank is not stored, since the operator may correct it.
 */
export function storedSign(account: Debt, { positive, current }: ProviderBalance): BalanceSign | null {
  const { type, balanceSign: stored } = account;
  if (!isDebt(type) || (stored !== null && stored !== 'unverified')) return stored;
  if (positive?.by === 'bank') return null;
  return signOf(stored, positive, current) ?? stored;
}

function turnedCurrent({ current, currentDecimal }: Pick<ProviderBalance, 'current' | 'currentDecimal'>) {
  return {
    current: current === null ? null : { ...current, amount: current.amount === 0 ? 0 : -current.amount },
    currentDecimal: currentDecimal === null ? null : negated(currentDecimal),
  };
}

function negated(decimal: string): string {
  if (decimal.startsWith('-')) return decimal.slice(1);
  return /[1-9]/.test(decimal) ? `-${decimal}` : decimal;
}
