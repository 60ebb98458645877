import { queryOptions } from '@tanstack/react-query';
import type { KnownBalanceSign } from '../../../src/vocabulary/balance-signs.ts';
import type { Account } from './account.ts';
import { ask } from './client.ts';
import { everyItem } from './lists.ts';

export const accounts = queryOptions({
  queryKey: ['accounts'],
  queryFn: ({ signal }) => everyItem<Account>({ path: 'accounts', signal }),
});

export function setBalanceSign(id: string, sign: KnownBalanceSign): Promise<Account> {
  return ask({ method: 'POST', path: `accounts/${encodeURIComponent(id)}`, body: { balance_sign: sign } });
}
