import type { Search } from './search.ts';

/** Which holdings are shown, and in which order. */
export interface HoldingsSearch {
  readonly account?: string;
  readonly sort?: HoldingSort;
}

/** Largest value first is what the address does not name. */
export const HOLDING_SORTS = ['name', 'gain', 'loss'] as const;
export type HoldingSort = (typeof HOLDING_SORTS)[number];

export function holdingsSearch({ account, sort: named }: Search): HoldingsSearch {
  const sort = HOLDING_SORTS.find((one) => one === named);
  return { ...(typeof account === 'string' && { account }), ...(sort !== undefined && { sort }) };
}
