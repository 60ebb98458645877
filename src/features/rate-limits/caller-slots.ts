import { CALLER_KINDS } from '../../vocabulary/caller-kinds.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { HeavySlot, HeavySlots } from './leased-slots.ts';
import type { CountedCaller } from './tier-limits.ts';

const RETRY_SECONDS = 1;

/** The places for heavy requests under way, of each caller and of all callers of an account record together. */
export class CallerSlots {
  readonly #callers: HeavySlots;
  readonly #accountRecords: HeavySlots;

  constructor(slots: { readonly callers: HeavySlots; readonly accountRecords: HeavySlots }) {
    this.#callers = slots.callers;
    this.#accountRecords = slots.accountRecords;
  }

  /** A place. Raises `too_many_concurrent_requests`. A promise only where processes share places. */
  take(caller: CountedCaller): HeavySlot | Promise<HeavySlot> {
    const own = this.#callers.take(caller.id);
    return own instanceof Promise
      ? own.then((taken) => this.#takeTogether(caller, taken))
      : this.#takeTogether(caller, own);
  }

  #takeTogether(caller: CountedCaller, own: HeavySlot | null): HeavySlot | Promise<HeavySlot> {
    if (own === null) throw tooMany(`This ${CALLER_KINDS[caller.kind].label} has`, this.#callers.places);
    const together = this.#accountRecords.take(caller.accountRecord.id);
    if (!(together instanceof Promise)) return this.#both(own, together);
    return together.then(
      (taken) => this.#both(own, taken),
      (error: unknown) => {
        own.free();
        throw error;
      },
    );
  }

  #both(own: HeavySlot, together: HeavySlot | null): HeavySlot {
    if (together !== null) {
      return {
        free: () => {
          own.free();
          together.free();
        },
      };
    }
    own.free();
    throw tooMany(
      'The keys, apps and sessions of this account record together have',
      this.#accountRecords.places,
    );
  }
}

function tooMany(whose: string, places: number): ServiceError {
  return new ServiceError('too_many_concurrent_requests', {
    message: `${whose} ${places} heavy requests in progress, which is the maximum. Wait for one to finish.`,
    retryAfterSeconds: RETRY_SECONDS,
  });
}
