import { EVENT_SELECTORS } from '../../../../src/vocabulary/event-selectors.ts';
import type { Search } from './search.ts';

/** Which events are shown. */
export interface EventsSearch {
  readonly type?: string;
}

export function eventsSearch({ type }: Search): EventsSearch {
  return typeof type === 'string' && EVENT_SELECTORS.includes(type) ? { type } : {};
}
