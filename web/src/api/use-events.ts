import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { EventListener, FeedState } from './event-feed.ts';
import { feedState, listenToEvents } from './event-stream.ts';

/** Hears of events while the component is shown. */
export function useEvents(listener: EventListener): void {
  const onEvent = useEffectEvent(listener.onEvent);
  const onGap = useEffectEvent(listener.onGap);
  useEffect(() => listenToEvents({ onEvent: (event) => onEvent(event), onGap: () => onGap() }), []);
}

/** How events arrive now. */
export function useFeedState(): FeedState {
  return useSyncExternalStore(feedState.watch, feedState.read);
}
