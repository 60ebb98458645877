import type { EventStream } from '../features/event-destinations/event-stream.ts';
import type { EventRow } from '../storage/events.ts';
import { presentEvent } from './v2/events/resource.ts';

/** How long a client waits before it connects again. */
const RETRY_MS = 3_000;
/** A connection that is silent for longer is closed by many proxies. */
export const HEARTBEAT_MS = 15_000;

/**
 * A stream of events as server-sent events (HTML Living Standard, section 9.2), with a comment after each while in which
 * nothing happens. Closes the stream at its end.
 */
export async function* eventStreamText(stream: Pick<EventStream, 'next' | 'close'>): AsyncIterable<string> {
  try {
    yield `retry: ${RETRY_MS}\n\n`;
    for (;;) {
      const events = await stream.next(HEARTBEAT_MS);
      if (events === null) return;
      yield events.length === 0 ? ':\n\n' : events.map(serverSent).join('');
    }
  } finally {
    stream.close();
  }
}

function serverSent(row: EventRow): string {
  const event = presentEvent(row);
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
