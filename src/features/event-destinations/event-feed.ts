import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../storage/database.ts';
import { lastPosition } from '../../storage/event-positions.ts';
import { findEvent } from '../../storage/events.ts';
import type { Notices } from '../../storage/notices.ts';
import type { EventKind } from '../../vocabulary/event-kinds.ts';
import { type OwnerId, parsePublicId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';
import { EventStream, type StreamStart } from './event-stream.ts';
import { OwnerEvents } from './owner-events.ts';

const DAY_MS = 86_400_000;
const RETRY_SECONDS = 5;

export interface EventFeedDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Pick<Limits, 'event_streams' | 'event_days'>;
  readonly notices: Pick<Notices, 'connected' | 'onNotice' | 'onLost'>;
}

/** What a stream starts after: an event id that the caller sent, a position, or (null) the latest event. */
export type Behind = { readonly event: string } | { readonly position: number } | null;

interface Followed {
  readonly events: OwnerEvents;
  streams: number;
}

/**
 * Events as they happen in any process, for the streams of this one (docs/event-stream.md). Each owner with streams is
 * read once, on notices; while those may be missed, every few seconds.
 */
export class EventFeed {
  readonly #deps: EventFeedDependencies;
  readonly #followed = new Map<string, Followed>();

  constructor(deps: EventFeedDependencies) {
    this.#deps = deps;
    deps.notices.onNotice(({ kind, id }) => {
      if (kind === 'events') this.#followed.get(id)?.events.wake();
    });
    deps.notices.onLost(() => {
      for (const { events } of this.#followed.values()) events.wake();
    });
  }

  /**
   * A stream of the owner's events, to be closed by the caller. Raises `too_many_concurrent_requests`, and
   * `parameter_invalid` (`last_event_id`) for an event that does not exist or is past its retention.
   *
   * @param kinds only these; null for all
   * @param signal ends the stream
   */
  async open(
    owner: OwnerId,
    behind: Behind,
    kinds: readonly EventKind[] | null,
    signal: AbortSignal,
  ): Promise<EventStream> {
    const followed = this.#follow(owner);
    let isOpen = true;
    const leave = (): void => {
      if (isOpen) this.#leave(owner, followed);
      isOpen = false;
    };
    try {
      const start = await this.#start(owner, behind);
      const { clock } = this.#deps;
      return new EventStream({ events: followed.events, clock, start, kinds, signal, leave });
    } catch (error) {
      leave();
      throw error;
    }
  }

  #follow(owner: OwnerId): Followed {
    const { limits, notices, ...deps } = this.#deps;
    const known = this.#followed.get(owner);
    if ((known?.streams ?? 0) >= limits.event_streams) {
      throw new ServiceError('too_many_concurrent_requests', {
        message: `This account record has ${limits.event_streams} streams of events open, which is the maximum. Close one of them.`,
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    if (known !== undefined) {
      known.streams += 1;
      return known;
    }
    const events = new OwnerEvents(owner, { ...deps, announced: () => notices.connected });
    const followed = { events, streams: 1 };
    this.#followed.set(owner, followed);
    events.start();
    return followed;
  }

  #leave(owner: OwnerId, followed: Followed): void {
    followed.streams -= 1;
    if (followed.streams > 0) return;
    followed.events.stop();
    this.#followed.delete(owner);
  }

  async #start(owner: OwnerId, behind: Behind): Promise<StreamStart> {
    const { db, clock, limits } = this.#deps;
    if (behind !== null && 'position' in behind) return { position: behind.position, after: null };
    // Read before looking for the event: if it has no position yet, it will get a later one.
    const last = await lastPosition(db, owner);
    if (behind === null) return { position: last, after: null };
    const id = parsePublicId('event', behind.event);
    const event = id === null ? null : await findEvent(db, owner, id);
    const oldest = clock.now() - limits.event_days * DAY_MS;
    if (event === null || event.created.getTime() < oldest) {
      throw invalidParameter(
        'last_event_id',
        `Last-Event-ID names no event of the last ${limits.event_days} days. Read what you missed with GET /v2/events, then begin a stream without it.`,
      );
    }
    return event.position === null
      ? { position: last, after: event.id }
      : { position: event.position, after: null };
  }
}
