import type { Clock } from '../../platform/clock.ts';
import type { EventRow } from '../../storage/events.ts';
import type { EventKind } from '../../vocabulary/event-kinds.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { OwnerEvents } from './owner-events.ts';

/** Where a stream starts: after a position and, if `after` is set, after that event, which has a later position. */
export interface StreamStart {
  readonly position: number;
  readonly after: RowId<'event'> | null;
}

interface EventStreamOptions {
  readonly events: Pick<OwnerEvents, 'behind' | 'version' | 'onChange'>;
  readonly clock: Clock;
  readonly start: StreamStart;
  readonly kinds: readonly EventKind[] | null;
  readonly signal: AbortSignal;
  readonly leave: () => void;
}

/**
 * The events of one owner from a position on, in order, each once. Nothing is read ahead: an idle stream holds only a
 * number.
 */
export class EventStream {
  readonly #options: EventStreamOptions;
  #position: number;
  #after: RowId<'event'> | null;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#position = options.start.position;
    this.#after = options.start.after;
  }

  /** The position after which a stream can continue; null while that is still the event with which it started. */
  get position(): number | null {
    return this.#after === null ? this.#position : null;
  }

  /**
   * The next events; none if nothing happens for `waitMs`; null once the stream's signal aborted. To be called after
   * the previous call has ended. Raises what the database raises.
   */
  async next(waitMs: number): Promise<readonly EventRow[] | null> {
    const { events, clock, signal } = this.#options;
    const until = clock.now() + waitMs;
    while (!signal.aborted) {
      // Taken first, so that events arriving during the read are noticed.
      const { version } = events;
      const before = this.#position;
      const { events: read, upTo } = await events.behind(before);
      this.#position = upTo;
      const given = this.#wanted(read);
      if (signal.aborted) return null;
      if (given.length > 0) return given;
      if (upTo > before || events.version !== version) continue;
      const left = until - clock.now();
      if (left <= 0) return [];
      await this.#wait(left);
    }
    return null;
  }

  close(): void {
    this.#options.leave();
  }

  #wanted(read: readonly EventRow[]): readonly EventRow[] {
    let behind = read;
    if (this.#after !== null) {
      const at = read.findIndex(({ id }) => id === this.#after);
      if (at === -1) return [];
      this.#after = null;
      behind = read.slice(at + 1);
    }
    const { kinds } = this.#options;
    return kinds === null ? behind : behind.filter(({ kind }) => kinds.includes(kind));
  }

  /** Waits until there are new events, the stream ends, or time is up; leaves no listeners behind. */
  async #wait(ms: number): Promise<void> {
    const { events, clock, signal } = this.#options;
    const over = new AbortController();
    const end = (): void => over.abort();
    const forget = events.onChange(end);
    signal.addEventListener('abort', end, { once: true });
    await clock.sleep(ms, over.signal).catch(() => undefined);
    signal.removeEventListener('abort', end);
    forget();
  }
}
