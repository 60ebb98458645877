import type { Tally } from '../../platform/window-counter.ts';
import type { CallerKind } from '../../vocabulary/caller-kinds.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { RATE_TIERS, type RateTier } from '../../vocabulary/rate-tiers.ts';
import type { Counter } from './shared-counter.ts';

/** Whose requests are counted: a caller's under its id, and those of its account record together. */
export interface CountedCaller {
  readonly kind: CallerKind;
  readonly id: string;
  readonly accountRecord: { readonly id: OwnerId };
}

/** What a limit applies to: one caller, or all callers of an account record together. */
export type LimitedBy = 'caller' | 'account_record';

/** A caller's usage of a tier, by the stricter of the two counts. */
export interface TierUsage extends Tally {
  readonly limit: number;
  readonly of: LimitedBy;
}

export type TierCounters = Readonly<Record<RateTier, Counter>>;

/**
 * Requests per minute, by tier: of each caller, and of all callers of an account record together, so that creating more
 * keys does not get around the limit.
 */
export class TierLimits {
  readonly #limits: Limits;
  readonly #callers: TierCounters;
  readonly #accountRecords: TierCounters;

  constructor(
    limits: Limits,
    counters: { readonly callers: TierCounters; readonly accountRecords: TierCounters },
  ) {
    this.#limits = limits;
    this.#callers = counters.callers;
    this.#accountRecords = counters.accountRecords;
  }

  /** Counts a request of the caller, even one that is refused later. A promise only if processes share counts. */
  count(caller: CountedCaller, tier: RateTier): TierUsage | Promise<TierUsage> {
    const tally = this.#callers[tier].add(caller.id);
    return tally instanceof Promise
      ? tally.then((counted) => this.#countTogether(caller, tier, counted))
      : this.#countTogether(caller, tier, tally);
  }

  /** A caller's refused requests do not count against the others of its owner: a runaway caller blocks only itself. */
  #countTogether(caller: CountedCaller, tier: RateTier, tally: Tally): TierUsage | Promise<TierUsage> {
    const limit = this.#limits[RATE_TIERS[tier].limit];
    const { used, resetsAt } = tally;
    const own: TierUsage = { used, resetsAt, limit, of: 'caller' };
    if (used > limit) return own;
    const together = this.#accountRecords[tier].add(caller.accountRecord.id);
    return together instanceof Promise
      ? together.then((counted) => this.#tighter(own, counted))
      : this.#tighter(own, together);
  }

  #tighter(own: TierUsage, { used, resetsAt }: Tally): TierUsage {
    const limit = own.limit * this.#limits.rate_account_keys;
    return limit - used < own.limit - own.used ? { used, resetsAt, limit, of: 'account_record' } : own;
  }
}
