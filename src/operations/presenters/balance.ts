import type { Static } from 'typebox';
import type { SignedBalance } from '../../features/provider-gateway/balance-sign.ts';
import type { CachedRead } from '../../features/provider-gateway/gateway-types.ts';
import type { ListedBalance } from '../../features/reads/balance-reads.ts';
import { publicId, type RowId } from '../../vocabulary/ids.ts';
import { formatInstant } from '../../vocabulary/moments.ts';
import type { balanceSchema } from '../schemas/balance.ts';

/** `staleMs`: beyond this age, which is when the bank could be asked again, a cached balance is called stale. */
export function presentBalance(
  account: RowId<'account'>,
  read: CachedRead<SignedBalance>,
  at: { readonly now: number; readonly staleMs: number },
): Static<typeof balanceSchema> {
  const { value, observedAt } = read;
  return {
    object: 'balance',
    account: publicId('account', account),
    current: value.current,
    available: value.available,
    currency: value.currency,
    observed_at: formatInstant(observedAt),
    freshness: at.now - observedAt > at.staleMs ? 'stale' : 'fresh',
    retry_after_seconds: null,
    unreadable: value.unreadable ?? null,
    balance_sign: value.sign,
    livemode: true,
  };
}

/** One of many: an account that could not be read is shown without its balance, with when it may go better. */
export function presentListedBalance(
  { account, read, retryAfterSeconds }: ListedBalance,
  at: { readonly now: number; readonly staleMs: number },
): Static<typeof balanceSchema> {
  if (read !== null) return presentBalance(account.id, read, at);
  return {
    object: 'balance',
    account: publicId('account', account.id),
    current: null,
    available: null,
    currency: account.currency,
    observed_at: null,
    freshness: 'unavailable',
    retry_after_seconds: retryAfterSeconds === null ? null : Math.ceil(retryAfterSeconds),
    unreadable: null,
    balance_sign: account.balance_sign,
    livemode: true,
  };
}
