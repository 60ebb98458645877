import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { api } from './client.ts';
import { type EventListener, type FeedSource, type FeedState, followFeed } from './event-feed.ts';
import { eventReads } from './event-reads.ts';
import { endedSession } from './session.ts';

/** A page takes over the stream of the previous one. */
const LINGER_MS = 5_000;
/** A glance at another tab does not close the stream. */
const HIDDEN_MS = 10_000;
const LATEST = 50;

const listeners = new Set<EventListener>();
const watchers = new Set<() => void>();
const place: { id: string | null } = { id: null };
let state: FeedState = 'off';
let running: AbortController | null = null;
let closing: ReturnType<typeof setTimeout> | undefined;

/**
 * Listens to every event of the account record, through one stream for the whole tab (docs/event-stream.md). The stream
 * is open while there are listeners and the tab is visible, and resumes where it stopped. Returns a function that ends
 * listening.
 */
function listenToEvents(listener: EventListener): () => void {
  listeners.add(listener);
  adjust();
  return () => {
    listeners.delete(listener);
    adjust();
  };
}

/** How events currently arrive, in the form `useSyncExternalStore` takes. */
const feedState = {
  read: () => state,
  watch: (watcher: () => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  },
};

document.addEventListener('visibilitychange', adjust);

// The stream gave up when the session ended.
endedSession.watch(() => {
  if (endedSession.read()) return;
  close();
  adjust();
});

/** Opens the stream when it is needed, and closes it some time after it is not. */
function adjust(): void {
  clearTimeout(closing);
  const wanted = listeners.size > 0 && document.visibilityState === 'visible';
  if (wanted) open();
  else if (running !== null) closing = setTimeout(close, listeners.size === 0 ? LINGER_MS : HIDDEN_MS);
}

function open(): void {
  if (running !== null) return;
  const own = new AbortController();
  running = own;
  const tell = (say: (listener: EventListener) => void) => {
    if (running !== own) return;
    // Also while no page listens: the stream goes on for a while, and its place with it.
    for (const listener of [eventReads, ...listeners]) say(listener);
  };
  followFeed(
    source,
    place,
    {
      onEvent: (event) => tell((listener) => listener.onEvent(event)),
      onGap: () => tell((listener) => listener.onGap()),
      onState: (next) => {
        if (running === own) setState(next);
      },
    },
    own.signal,
  );
}

function close(): void {
  running?.abort();
  running = null;
  setState('off');
}

function setState(next: FeedState): void {
  state = next;
  for (const watcher of watchers) watcher();
}

const source: FeedSource = {
  open: (behind, signal) => api.events.stream({ last_event_id: behind ?? undefined }, { signal }),
  latest: async (signal) => (await api.events.list({ limit: LATEST }, { signal }).page()).data,
  pause: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

/** Listens to events while the component is shown. */
export function useEvents(listener: EventListener): void {
  const onEvent = useEffectEvent(listener.onEvent);
  const onGap = useEffectEvent(listener.onGap);
  useEffect(() => listenToEvents({ onEvent: (event) => onEvent(event), onGap: () => onGap() }), []);
}

const NOTHING: EventListener = { onEvent: () => undefined, onGap: () => undefined };

/** While the component is shown, what pages have read is refetched when an event says that it changed. */
export function useLiveReads(): void {
  useEffect(() => listenToEvents(NOTHING), []);
}

/** How events currently arrive. */
export function useFeedState(): FeedState {
  return useSyncExternalStore(feedState.watch, feedState.read);
}
