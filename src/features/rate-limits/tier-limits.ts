import type { Tally } from '../../platform/window-counter.ts';
import type { CallerKind } from '../../vocabulary/caller-kinds.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { RATE_TIERS, type RateTier } from '../../vocabulary/rate-tiers.ts';
import type { Counter } from './shared-counter.ts';

/** Whose requests are counted: those of a caller under its id, and those of its account record together. */
export interface CountedCaller {
  readonly kind: CallerKind;
  readonly id: string;
  readonly accountRecord: { readonly id: OwnerId };
}

/** What a limit is of: one caller, or all callers of an account record together. */
export type LimitedBy = 'caller' | 'account_record';

/** How a caller is in a tier, by whichever of the two counts leaves them less. */
export interface Standing extends Tally {
  readonly limit: number;
  readonly of: LimitedBy;
}

export type TierCounters = Readonly<Record<RateTier, Counter>>;

/**
 * The requests a minute of every caller, by tier: of each caller, and of all callers of an account record together, so that to
 * make more keys is no way around it.
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

  /** Counts a request of the caller, also one that is refused later. A promise only where processes share counts. */
  count(caller: CountedCaller, tier: RateTier): Standing | Promise<Standing> {
    const tally = this.#callers[tier].add(caller.id);
    return tally instanceof Promise
      ? tally.then((counted) => this.#countTogether(caller, tier, counted))
      : this.#countTogether(caller, tier, tally);
  }

  /** What a caller may not ask is not counted to the others of its owner: one that runs wild stops itself alone. */
  #countTogether(caller: CountedCaller, tier: RateTier, tally: Tally): Standing | Promise<Standing> {
    const limit = this.#limits[RATE_TIERS[tier].limit];
    const { used, resetsAt } = tally;
    const own: Standing = { used, resetsAt, limit, of: 'caller' };
    if (used > limit) return own;
    const together = this.#accountRecords[tier].add(caller.accountRecord.id);
    return together instanceof Promise
      ? together.then((counted) => this.#tighter(own, counted))
      : this.#tighter(own, together);
  }

  #tighter(own: Standing, { used, resetsAt }: Tally): Standing {
    const limit = own.limit * this.#limits.rate_account_keys;
    return limit - used < own.limit - own.used ? { used, resetsAt, limit, of: 'account_record' } : own;
  }
}
