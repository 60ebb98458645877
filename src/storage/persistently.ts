import type { Clock } from '../platform/clock.ts';
import { isStoreUnavailable } from '../vocabulary/store-unavailable.ts';

/** Waits between attempts while the database is unreachable. */
const AGAIN_MS: readonly number[] = [250, 500, 1000, 2000, 4000, 8000];

/** How long a claim outlasts the exchange it is for, in ms: longer than the waits above and the attempts between. */
export const STORING_MS = 30_000;

/**
 * Stores what a vendor gave in exchange for a token that is spent by now: a database that is away for moments must not
 * cost the person a new sign-in. `work` may have taken effect although it is run again. Raises what `work` raises.
 */
export async function persistently<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
  for (const wait of AGAIN_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      await clock.sleep(wait);
    }
  }
  return work();
}
