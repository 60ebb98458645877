import type { RowId } from '../../vocabulary/ids.ts';
import { eventBody } from '../events/event-body.ts';

/** About 300 bytes each, no matter whose they are. */
const REMEMBERED = 2_000;

/** An event as it is sent. */
export interface SentEvent {
  /** As receivers see it. */
  readonly id: string;
  readonly body: Buffer;
}

/** Writes the body of an event once for all event destinations that receive it at about the same time. */
export class EventBodies {
  readonly #written = new Map<RowId<'event'>, SentEvent>();

  of(event: Parameters<typeof eventBody>[0]): SentEvent {
    const known = this.#written.get(event.id);
    if (known !== undefined) return known;
    const body = eventBody(event);
    const sent = { id: body.id, body: Buffer.from(JSON.stringify(body)) };
    const [oldest] = this.#written.keys();
    if (oldest !== undefined && this.#written.size >= REMEMBERED) this.#written.delete(oldest);
    this.#written.set(event.id, sent);
    return sent;
  }
}
