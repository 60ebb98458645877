import { DESTINATION_TYPES, type DestinationType } from '../../../../src/vocabulary/destination-kinds.ts';
import { type DestinationReturn, destinationReturn } from './destination-return.ts';
import type { Search } from './search.ts';

export interface NewDestinationSearch extends DestinationReturn {
  readonly type?: DestinationType;
}

export function newDestinationSearch(search: Search): NewDestinationSearch {
  const type = DESTINATION_TYPES.find((one) => one === search.type);
  return { ...destinationReturn(search), ...(type !== undefined && { type }) };
}
