import { type EventSelector, isEventSelector } from '../../../../src/vocabulary/event-selectors.ts';
import type { Search } from './search.ts';

/** Which events are shown. */
export interface EventsSearch {
  readonly type?: EventSelector;
}

export function eventsSearch({ type }: Search): EventsSearch {
  return typeof type === 'string' && isEventSelector(type) ? { type } : {};
}
