import { now } from '../format/clock.ts';

/** After this time, the same write is a new request and not a retry. */
const MOST_MS = 300_000;

interface Unanswered {
  readonly write: string;
  readonly key: string;
  readonly at: number;
}

/**
 * The idempotency keys of writes (docs/api-conventions.md#idempotency). A write whose response was lost has the same
 * key when the person retries it, so that it is not done twice. A response to any write ends that, because the lost
 * write may have been undone since and may be meant again.
 */
export class WriteKeys {
  #unanswered: Unanswered | null = null;

  /** The key of the attempt whose response was lost, or else `fresh`. */
  keyOf(write: string, fresh: string): string {
    const { write: last, key, at } = this.#unanswered ?? { write: null, key: '', at: 0 };
    return last === write && now() - at < MOST_MS ? key : fresh;
  }

  lost(write: string, key: string): void {
    this.#unanswered = { write, key, at: now() };
  }

  answered(): void {
    this.#unanswered = null;
  }
}
