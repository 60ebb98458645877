import type { Tally } from '../../platform/window-counter.ts';
import { CALLER_KINDS, type CallerKind } from '../../vocabulary/caller-kinds.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { type RatePool, type RateTier, tierLimitOf } from '../../vocabulary/rate-tiers.ts';
import type { Counter } from './shared-counter.ts';

/** Whose requests are counted: a caller's under its id, those of a person and those of the account record together. */
export interface CountedCaller {
  readonly kind: CallerKind;
  readonly id: string;
  readonly accountRecord: { readonly id: OwnerId };
  /** The person, of a session. */
  readonly user?: RowId<'user'>;
}

/** What a limit applies to: one caller, or all callers of a person or of an account record in its pool together. */
export type LimitedBy = 'caller' | 'user' | 'account_record';

/** A caller's usage of a tier, by the strictest of the counts. */
export interface TierUsage extends Tally {
  readonly limit: number;
  readonly of: LimitedBy;
}

export type TierCounters = Readonly<Record<RateTier, Counter>>;

/** The counters of one pool: of each caller, of each person, and of all that an account record has in the pool. */
export interface PoolCounters {
  readonly callers: TierCounters;
  readonly users: TierCounters;
  readonly accountRecords: TierCounters;
  /** How many callers' worth a person and an account record have. */
  readonly userWorth: number;
  readonly worth: number;
}

/** Which pool a caller counts in. */
export function poolOf({ kind }: Pick<CountedCaller, 'kind'>): RatePool {
  return CALLER_KINDS[kind].rates;
}

/**
 * Requests per minute, by tier: of each caller, and of all callers of an account record together, so that creating more
 * keys does not get around the limit. The sessions of one person have a part of that, so that no member locks out the others. Sessions are counted separately from keys and apps: the pages of a person use up
 * nothing of the API's allowance, and a script with a key cannot lock a person out of the pages.
 */
export class TierLimits {
  readonly #limits: Limits;
  readonly #pools: Readonly<Record<RatePool, PoolCounters>>;

  constructor(limits: Limits, pools: Readonly<Record<RatePool, PoolCounters>>) {
    this.#limits = limits;
    this.#pools = pools;
  }

  /**
   * Counts a request of the caller, even one that is refused later. `permitted`: false for one that the caller's rights do
   * not permit, which uses up nothing of what the account record shares. A promise only if processes share counts.
   */
  count(caller: CountedCaller, tier: RateTier, permitted = true): TierUsage | Promise<TierUsage> {
    const pool = poolOf(caller);
    const { callers, users, accountRecords, userWorth, worth } = this.#pools[pool];
    const limit = this.#limits[tierLimitOf(tier, pool)];
    const { accountRecord, user } = caller;
    const levels: Level[] = [{ counter: callers[tier], bucket: caller.id, limit, of: 'caller' }];
    if (user !== undefined) {
      const bucket = personIn(accountRecord.id, user);
      levels.push({ counter: users[tier], bucket, limit: limit * userWorth, of: 'user' });
    }
    if (permitted) {
      const counter = accountRecords[tier];
      levels.push({ counter, bucket: accountRecord.id, limit: limit * worth, of: 'account_record' });
    }
    return countFrom(levels, 0, null);
  }
}

interface Level {
  readonly counter: Counter;
  readonly bucket: string;
  readonly limit: number;
  readonly of: LimitedBy;
}

/** Requests refused by one count do not count in the wider ones: a runaway caller blocks only itself. */
function countFrom(
  levels: readonly Level[],
  at: number,
  known: TierUsage | null,
): TierUsage | Promise<TierUsage> {
  const level = levels[at];
  if (level === undefined) {
    if (known === null) throw new TypeError('a request that nothing counts');
    return known;
  }
  const { counter, bucket, limit, of } = level;
  const next = ({ used, resetsAt }: Tally): TierUsage | Promise<TierUsage> => {
    const usage: TierUsage = { used, resetsAt, limit, of };
    const tightest = known === null || limit - used < known.limit - known.used ? usage : known;
    return used > limit ? usage : countFrom(levels, at + 1, tightest);
  };
  const tally = counter.add(bucket);
  return tally instanceof Promise ? tally.then(next) : next(tally);
}

/** The name under which a person is counted in an account record: a member of several has a share in each. */
export function personIn(owner: OwnerId, user: RowId<'user'>): string {
  return `${owner} ${user}`;
}
