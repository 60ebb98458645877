import type { Tally } from '../../platform/window-counter.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { RATE_TIERS, type RateTier } from '../../vocabulary/rate-tiers.ts';
import type { Counter } from './counter.ts';

/** Whose requests are counted: those of a key, or of an account record where the caller came without one. */
export interface CountedCaller {
  readonly key: { readonly id: RowId<'api_key'> } | null;
  readonly accountRecord: { readonly id: RowId<'account_record'> };
}

/** The requests a minute of every caller, by tier (SPEC, Limits). */
export class TierLimits {
  readonly #limits: Limits;
  readonly #counters: Readonly<Record<RateTier, Counter>>;

  constructor(limits: Limits, counters: Readonly<Record<RateTier, Counter>>) {
    this.#limits = limits;
    this.#counters = counters;
  }

  /** Requests a minute. */
  limitOf(tier: RateTier): number {
    return this.#limits[RATE_TIERS[tier].limit];
  }

  /** Counts a request of the caller, also one that is refused later. A promise only where processes share counts. */
  count(caller: CountedCaller, tier: RateTier): Tally | Promise<Tally> {
    return this.#counters[tier].add(bucketOf(caller));
  }
}

export function bucketOf(caller: CountedCaller): string {
  return caller.key?.id ?? caller.accountRecord.id;
}
