import { CALLER_KINDS } from '../../vocabulary/caller-kinds.ts';
import type { RatePool } from '../../vocabulary/rate-tiers.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { type CountedCaller, poolOf } from './tier-limits.ts';

const RETRY_SECONDS = 1;

/** The slots of one pool, and how many each caller, each person and each account record has of them. */
export interface PoolSlots {
  readonly slots: HeavySlots;
  readonly callerPlaces: number;
  readonly userPlaces: number;
  readonly accountRecordPlaces: number;
}

const TOGETHER: Readonly<Record<RatePool, string>> = {
  keys: 'The keys and apps of this account record together have',
  sessions: 'The sessions of this account record together have',
};

/**
 * The slots for heavy requests in progress, of each caller and of all callers of an account record in its pool together;
 * the sessions of one person have a part of those (`heavy_in_flight`, docs/limits.md).
 */
export class CallerSlots {
  readonly #pools: Readonly<Record<RatePool, PoolSlots>>;

  constructor(pools: Readonly<Record<RatePool, PoolSlots>>) {
    this.#pools = pools;
  }

  /** Takes a slot. Raises `too_many_concurrent_requests`. A promise only if processes share slots. */
  take(caller: CountedCaller): HeavySlot | Promise<HeavySlot> {
    const pool = poolOf(caller);
    const { slots, callerPlaces, userPlaces, accountRecordPlaces } = this.#pools[pool];
    const { accountRecord, user } = caller;
    const whose = [`This ${CALLER_KINDS[caller.kind].label} has`];
    const levels: SlotLevel[] = [{ of: caller.id, places: callerPlaces }];
    if (user !== undefined) {
      whose.push('The sessions of this person together have');
      levels.push({ of: user, places: userPlaces });
    }
    whose.push(TOGETHER[pool]);
    levels.push({ of: null, places: accountRecordPlaces });
    const granted = (taken: HeavySlot | number): HeavySlot => {
      if (typeof taken !== 'number') return taken;
      throw tooMany(whose[taken] ?? TOGETHER[pool], levels[taken]?.places ?? accountRecordPlaces);
    };
    const taken = slots.take(accountRecord.id, levels);
    return taken instanceof Promise ? taken.then(granted) : granted(taken);
  }
}

function tooMany(whose: string, places: number): ServiceError {
  return new ServiceError('too_many_concurrent_requests', {
    message: `${whose} ${places} heavy requests in progress, which is the maximum. Wait for one to finish.`,
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/** A number of slots within an account record. */
export interface SlotLevel {
  /** The caller or person who has them; null if all callers of the account record have them together. */
  readonly of: string | null;
  readonly places: number;
}

/** The slots for heavy requests in progress. */
export interface HeavySlots {
  /**
   * Takes a slot of every level, or of none: then returns the index of the first level that has no slot free. A promise
   * only if processes share slots.
   */
  take(accountRecord: string, levels: readonly SlotLevel[]): HeavySlot | number | Promise<HeavySlot | number>;
}

export interface HeavySlot {
  /** Releases the slot; call it once. */
  free(): void;
}

/** The slots of this process; they end with it. */
export class MemorySlots implements HeavySlots {
  /** How many are taken, by account record and by whom. */
  readonly #taken = new Map<string, Map<string | null, number>>();

  take(accountRecord: string, levels: readonly SlotLevel[]): HeavySlot | number {
    const taken = this.#taken.get(accountRecord) ?? new Map<string | null, number>();
    for (const [at, { of, places }] of levels.entries()) if ((taken.get(of) ?? 0) >= places) return at;
    for (const { of } of levels) taken.set(of, (taken.get(of) ?? 0) + 1);
    this.#taken.set(accountRecord, taken);
    return { free: () => this.#free(accountRecord, levels, taken) };
  }

  #free(accountRecord: string, levels: readonly SlotLevel[], taken: Map<string | null, number>): void {
    for (const { of } of levels) {
      const left = (taken.get(of) ?? 0) - 1;
      if (left > 0) taken.set(of, left);
      else taken.delete(of);
    }
    if (taken.size === 0) this.#taken.delete(accountRecord);
  }
}
