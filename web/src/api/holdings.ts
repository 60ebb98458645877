import { queryOptions } from '@tanstack/react-query';
import type { Holding } from './holding.ts';
import { everyItem } from './lists.ts';

/** What a brokerage account holds now. Each read asks the broker. */
export function holdings(account: string) {
  return queryOptions({
    queryKey: ['holdings', account],
    queryFn: ({ signal }) => everyItem<Holding>({ path: 'holdings', query: { account }, signal }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}
