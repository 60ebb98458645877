import { queryOptions } from '@tanstack/react-query';
import type { Holding } from './holding.ts';
import { everyItem } from './lists.ts';
import { takeTurns } from './take-turns.ts';

/** v2 lets a session read four heavy lists at once, and other parts of a page read as well. */
const inTurn = takeTurns(2);

/** What a brokerage account holds now. Each read asks the broker. */
export function holdings(account: string) {
  return queryOptions({
    queryKey: ['holdings', account],
    queryFn: ({ signal }) =>
      inTurn(() => everyItem<Holding>({ path: 'holdings', query: { account }, signal })),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}
