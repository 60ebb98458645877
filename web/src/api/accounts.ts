import { queryOptions } from '@tanstack/react-query';
import type { Account } from './account.ts';
import { everyItem } from './lists.ts';

export const accounts = queryOptions({
  queryKey: ['accounts'],
  queryFn: ({ signal }) => everyItem<Account>({ path: 'accounts', signal }),
});
