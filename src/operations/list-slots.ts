import { FairSlots, SlotsFull } from '../platform/fair-slots.ts';
import type { OwnerId } from '../vocabulary/ids.ts';
import type { Limits } from '../vocabulary/limits.ts';
import { ServiceError } from '../vocabulary/service-error.ts';

const RETRY_SECONDS = 1;

/**
 * Shares out among account records how many lists of what the service itself stores one process reads and writes down
 * at a time. Sixty of half a megabyte at once would otherwise stop everything else for as long as all of them take.
 */
export class ListSlots {
  readonly #slots: FairSlots;

  constructor(limits: Pick<Limits, 'lists_in_flight' | 'lists_waiting'>) {
    this.#slots = new FairSlots({ slots: limits.lists_in_flight, waiting: limits.lists_waiting, share: 1 });
  }

  /**
   * Does the work in its turn. Raises `rate_limit_exceeded` if too many lists of the owner are waiting, the reason of
   * `signal` when it aborts before the turn comes, and what the work raises.
   */
  async inTurn<T>(owner: OwnerId, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const give = await this.#slots.take(owner, signal).catch((error: unknown) => {
      if (!(error instanceof SlotsFull)) throw error;
      throw new ServiceError('rate_limit_exceeded', {
        message: 'Too many lists of this account are waiting to be read; wait for their answers first.',
        retryAfterSeconds: RETRY_SECONDS,
        cause: error,
      });
    });
    try {
      return await work();
    } finally {
      // The surface sends this response before the next list begins.
      setImmediate(give);
    }
  }
}
