import type { Clock } from '../../../platform/clock.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import { withinSeconds } from '../read/reading-deadline.ts';
import { OwnerSlots } from './owner-slots.ts';

/** When a refused owner may ask again. */
const RETRY_S = 30;

export interface LongWorkOptions {
  /** What one of it is, as messages say it. */
  readonly noun: string;
  /** How many in this process. */
  readonly atOnce: number;
  /** How long one may take. */
  readonly seconds: number;
}

/** Work that a request waits for and that takes minutes: one of an account record at a time, a few in all, each with a time limit. */
export class LongWork {
  readonly #clock: Clock;
  readonly #options: LongWorkOptions;
  readonly #slots: OwnerSlots;

  constructor(clock: Clock, options: LongWorkOptions) {
    this.#clock = clock;
    this.#options = options;
    this.#slots = new OwnerSlots(clock, options.atOnce, 2 * RETRY_S * 1000);
  }

  /**
   * Does it, asked to end when its time is up. Raises `too_many_concurrent_requests`, what the work raises, and
   * `signal.reason`.
   */
  async of<T>(
    owner: RowId<'account_record'>,
    signal: AbortSignal,
    work: (late: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { noun, seconds } = this.#options;
    const giveBack = this.#slots.take(owner);
    if (giveBack === null) {
      throw new ServiceError('too_many_concurrent_requests', {
        message: `One ${noun} of an account record runs at a time, and a few on the whole service; retry later.`,
        retryAfterSeconds: RETRY_S,
      });
    }
    try {
      return await withinSeconds(this.#clock, seconds, signal, work);
    } finally {
      giveBack();
    }
  }
}
