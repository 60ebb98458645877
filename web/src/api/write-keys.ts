import { now } from '../format/clock.ts';

/** Longer ago, the same write is a new wish and not another attempt. */
const MOST_MS = 300_000;

interface Unanswered {
  readonly write: string;
  readonly key: string;
  readonly at: number;
}

/**
 * The idempotency keys of writes (docs/api-conventions.md#idempotency). A write whose answer was lost has the same key
 * when somebody tries it again, so that it is not done twice. An answer to any write ends that: what was lost may have
 * been undone since, and is to be done anew.
 */
export class WriteKeys {
  #unanswered: Unanswered | null = null;

  /** The key of the attempt whose answer was lost, or else `fresh`. */
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
