import { ApiError, type ServiceEvent, serverSentEvents } from '#client';
import { heard } from './pieces.ts';

export interface EventListener {
  /** Something happened; each event comes once. */
  readonly onEvent: (event: ServiceEvent) => void;
  /** Events may have been missed, so refetch what they would have changed. */
  readonly onGap: () => void;
}

/** `live`: events arrive as they happen. `polling`: they arrive a few seconds later. `off`: none arrive. */
export type FeedState = 'connecting' | 'live' | 'polling' | 'off';

/** How the feed reaches the service and the clock. */
export interface FeedSource {
  /** Opens the stream after this event, or from now on. Raises ApiError and UnreachableError. */
  readonly open: (behind: string | null, signal: AbortSignal) => Promise<Response>;
  /** The latest events, newest first. */
  readonly latest: (signal: AbortSignal) => Promise<readonly ServiceEvent[]>;
  /** Resolves after this many milliseconds, or at once when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface FeedHandlers extends EventListener {
  readonly onState: (state: FeedState) => void;
}

const RETRY_MS = 3_000;
/** The service writes something every 15 seconds; a stream that is silent for longer has been cut off. */
const SILENCE_MS = 40_000;
const POLL_MS = 5_000;
/** How many times the feed polls before it tries the stream again. */
const POLLS = 12;
const FAILURES_BEFORE_POLLING = 2;

/**
 * Follows the events of the account record until the signal aborts. It keeps its position between connections; while no
 * stream can be opened, it polls the list. `place` outlives a feed, so that the next one resumes there.
 */
export async function followFeed(
  source: FeedSource,
  place: { id: string | null },
  handlers: FeedHandlers,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  handlers.onState('connecting');
  while (!signal.aborted) {
    try {
      await readStream(source, place, handlers, signal);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError) {
        if (error.status === 401 || error.status === 403) return handlers.onState('off');
        // The place is older than events are listed.
        if (error.status === 400) place.id = null;
      }
      failures += 1;
    }
    if (failures < FAILURES_BEFORE_POLLING) await source.pause(RETRY_MS, signal);
    else await poll(source, place, handlers, signal);
  }
}

/** Resolves when the stream ends. Raises if it could not be opened. */
async function readStream(
  source: FeedSource,
  place: { id: string | null },
  { onEvent, onGap, onState }: FeedHandlers,
  signal: AbortSignal,
): Promise<void> {
  const silence = new AbortController();
  const either = AbortSignal.any([signal, silence.signal]);
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const resumed = place.id !== null;
  let live = false;
  const onPiece = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
    if (!live) onState('live');
    if (!live && !resumed) onGap();
    live = true;
  };
  try {
    for await (const { id, data } of serverSentEvents(heard(await source.open(place.id, either), onPiece))) {
      // No listener gets this event, so the next stream must begin before it.
      if (signal.aborted) return;
      place.id = id ?? place.id;
      const event: ServiceEvent = JSON.parse(data);
      onEvent(event);
    }
  } catch (error) {
    // A stream that breaks after it was live is reopened after the last event, so nothing is missed.
    if (!live) throw error;
  } finally {
    clearTimeout(timer);
  }
  if (!signal.aborted) onState('connecting');
}

async function poll(
  { latest, pause }: FeedSource,
  place: { id: string | null },
  { onEvent, onGap, onState }: FeedHandlers,
  signal: AbortSignal,
): Promise<void> {
  onState('polling');
  // The list is in the order of creation and the stream in that of handing on, so the stream starts again afterwards.
  place.id = null;
  let seen: ReadonlySet<string> | null = null;
  for (let count = 0; count < POLLS && !signal.aborted; count++) {
    const events = await latest(signal).catch(() => null);
    if (events !== null) {
      const before = seen;
      if (before === null || !events.some(({ id }) => before.has(id))) onGap();
      if (before !== null) for (const event of events.toReversed()) if (!before.has(event.id)) onEvent(event);
      seen = new Set(events.map(({ id }) => id));
    }
    await pause(POLL_MS, signal);
  }
}
