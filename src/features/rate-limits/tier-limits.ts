import type { Tally } from '../../platform/window-counter.ts';
import { CALLER_KINDS, type CallerKind } from '../../vocabulary/caller-kinds.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { type RatePool, type RateTier, tierLimitOf } from '../../vocabulary/rate-tiers.ts';
import type { Counter } from './shared-counter.ts';

/** Whose requests are counted: a caller's under its id, and those of its account record together. */
export interface CountedCaller {
  readonly kind: CallerKind;
  readonly id: string;
  readonly accountRecord: { readonly id: OwnerId };
}

/** What a limit applies to: one caller, or all callers of an account record in its pool together. */
export type LimitedBy = 'caller' | 'account_record';

/** A caller's usage of a tier, by the stricter of the two counts. */
export interface TierUsage extends Tally {
  readonly limit: number;
  readonly of: LimitedBy;
}

export type TierCounters = Readonly<Record<RateTier, Counter>>;

/** The counters of one pool: of each caller, and of all that an account record has in the pool. */
export interface PoolCounters {
  readonly callers: TierCounters;
  readonly accountRecords: TierCounters;
  /** How many callers' worth an account record has. */
  readonly worth: number;
}

/** Which pool a caller counts in. */
export function poolOf({ kind }: Pick<CountedCaller, 'kind'>): RatePool {
  return CALLER_KINDS[kind].rates;
}

/**
 * Requests per minute, by tier: of each caller, and of all callers of an account record together, so that creating more
 * keys does not get around the limit. Sessions are counted separately from keys and apps: the pages of a person use up
 * nothing of the API's allowance, and a script with a key cannot lock a person out of the pages.
 */
export class TierLimits {
  readonly #limits: Limits;
  readonly #pools: Readonly<Record<RatePool, PoolCounters>>;

  constructor(limits: Limits, pools: Readonly<Record<RatePool, PoolCounters>>) {
    this.#limits = limits;
    this.#pools = pools;
  }

  /** Counts a request of the caller, even one that is refused later. A promise only if processes share counts. */
  count(caller: CountedCaller, tier: RateTier): TierUsage | Promise<TierUsage> {
    const tally = this.#pools[poolOf(caller)].callers[tier].add(caller.id);
    return tally instanceof Promise
      ? tally.then((counted) => this.#countTogether(caller, tier, counted))
      : this.#countTogether(caller, tier, tally);
  }

  /** A caller's refused requests do not count against the others of its owner: a runaway caller blocks only itself. */
  #countTogether(caller: CountedCaller, tier: RateTier, tally: Tally): TierUsage | Promise<TierUsage> {
    const pool = poolOf(caller);
    const { accountRecords, worth } = this.#pools[pool];
    const limit = this.#limits[tierLimitOf(tier, pool)];
    const { used, resetsAt } = tally;
    const own: TierUsage = { used, resetsAt, limit, of: 'caller' };
    if (used > limit) return own;
    const together = accountRecords[tier].add(caller.accountRecord.id);
    return together instanceof Promise
      ? together.then((counted) => tighter(own, counted, worth))
      : tighter(own, together, worth);
  }
}

function tighter(own: TierUsage, { used, resetsAt }: Tally, worth: number): TierUsage {
  const limit = own.limit * worth;
  return limit - used < own.limit - own.used ? { used, resetsAt, limit, of: 'account_record' } : own;
}
