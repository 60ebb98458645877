import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { CALLER_KINDS } from '../../vocabulary/caller-kinds.ts';
import type { RatePool } from '../../vocabulary/rate-tiers.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { StoreOutage } from './shared-counter.ts';
import { type CountedCaller, personIn, poolOf } from './tier-limits.ts';

const RETRY_SECONDS = 1;

/** The slots of one pool: of each caller, of each person, and of all that an account record has in the pool. */
export interface PoolSlots {
  readonly callers: HeavySlots;
  readonly users: HeavySlots;
  readonly accountRecords: HeavySlots;
}

const TOGETHER: Readonly<Record<RatePool, string>> = {
  keys: 'The keys and apps of this account record together have',
  sessions: 'The sessions of this account record together have',
};

/**
 * The slots for heavy requests in progress, of each caller and of all callers of an account record in its pool together;
 * the sessions of one person have a part of those.
 */
export class CallerSlots {
  readonly #pools: Readonly<Record<RatePool, PoolSlots>>;

  constructor(pools: Readonly<Record<RatePool, PoolSlots>>) {
    this.#pools = pools;
  }

  /** Takes a slot. Raises `too_many_concurrent_requests`. A promise only if processes share slots. */
  take(caller: CountedCaller): HeavySlot | Promise<HeavySlot> {
    const pool = poolOf(caller);
    const { callers, users, accountRecords } = this.#pools[pool];
    const { accountRecord, user } = caller;
    const own = { slots: callers, holder: caller.id, whose: `This ${CALLER_KINDS[caller.kind].label} has` };
    const levels: Level[] = [own];
    if (user !== undefined) {
      const whose = 'The sessions of this person together have';
      levels.push({ slots: users, holder: personIn(accountRecord.id, user), whose });
    }
    levels.push({ slots: accountRecords, holder: accountRecord.id, whose: TOGETHER[pool] });
    return takeFrom(levels, 0, []);
  }
}

interface Level {
  readonly slots: HeavySlots;
  readonly holder: string;
  /** In the refusal. */
  readonly whose: string;
}

/** A slot of each level, or of none. */
function takeFrom(
  levels: readonly Level[],
  at: number,
  held: readonly HeavySlot[],
): HeavySlot | Promise<HeavySlot> {
  const level = levels[at];
  const free = (): void => {
    for (const slot of held) slot.free();
  };
  if (level === undefined) return { free };
  const { slots, holder, whose } = level;
  const next = (slot: HeavySlot | null): HeavySlot | Promise<HeavySlot> => {
    if (slot !== null) return takeFrom(levels, at + 1, [...held, slot]);
    free();
    throw tooMany(whose, slots.places);
  };
  const taken = slots.take(holder);
  if (!(taken instanceof Promise)) return next(taken);
  return taken.then(next, (error: unknown) => {
    free();
    throw error;
  });
}

function tooMany(whose: string, places: number): ServiceError {
  return new ServiceError('too_many_concurrent_requests', {
    message: `${whose} ${places} heavy requests in progress, which is the maximum. Wait for one to finish.`,
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/** The slots for heavy requests in progress, a number for each caller (`heavy_in_flight`, docs/limits.md). */
export interface HeavySlots {
  /** How many a caller may take. */
  readonly places: number;
  /** Takes a slot; null if all are taken. A promise only if processes share them. */
  take(caller: string): HeavySlot | null | Promise<HeavySlot | null>;
}

export interface HeavySlot {
  /** Releases the slot; call it once. */
  free(): void;
}

/** The slots of this process; they end with it. */
export class MemorySlots implements HeavySlots {
  readonly places: number;
  readonly #taken = new Map<string, number>();

  constructor(places: number) {
    this.places = places;
  }

  take(caller: string): HeavySlot | null {
    const taken = this.#taken.get(caller) ?? 0;
    if (taken >= this.places) return null;
    this.#taken.set(caller, taken + 1);
    return { free: () => this.#free(caller) };
  }

  #free(caller: string): void {
    const taken = this.#taken.get(caller) ?? 0;
    if (taken > 1) this.#taken.set(caller, taken - 1);
    else this.#taken.delete(caller);
  }
}

/** In another process a slot may be about to be released: its answer was sent, and the release is in flight. */
const ASK_AGAIN_MS = 50;

/** Where processes record which slots are taken. Each record expires, in case its process dies. */
export interface SlotStore {
  /** Whether there was a slot for the holder. */
  take(caller: string, holder: string, leaseMs: number): Promise<boolean>;
  free(caller: string, holder: string): Promise<void>;
}

/** Slots that all processes share; those of this process while the store fails. */
export class LeasedSlots implements HeavySlots {
  readonly #store: SlotStore;
  readonly #own: MemorySlots;
  readonly #outage: StoreOutage;
  readonly #leaseMs: number;
  readonly #clock: Clock;
  /** Slots being released, by caller: the caller's next request here is not refused because of them. */
  readonly #freeing = new Map<string, Promise<unknown>>();
  /** Slots that could not be released in the store, by caller, with the time when their leases expire. */
  readonly #owed = new Map<string, Map<string, number>>();

  /** @param deps.leaseMs longer than a request can take: after that its slot is freed */
  constructor(deps: {
    readonly store: SlotStore;
    readonly own: MemorySlots;
    readonly outage: StoreOutage;
    readonly leaseMs: number;
    readonly clock: Clock;
  }) {
    this.#store = deps.store;
    this.#own = deps.own;
    this.#outage = deps.outage;
    this.#leaseMs = deps.leaseMs;
    this.#clock = deps.clock;
  }

  get places(): number {
    return this.#own.places;
  }

  async take(caller: string): Promise<HeavySlot | null> {
    await this.#freeing.get(caller);
    const taken = await this.#ask(caller);
    if (taken !== null) return taken;
    await this.#clock.sleep(ASK_AGAIN_MS);
    return this.#ask(caller);
  }

  #ask(caller: string): Promise<HeavySlot | null> {
    const holder = randomUUID();
    let waitedFor = true;
    return this.#outage.ask(
      async () => {
        await this.#payBack(caller);
        const taken = await this.#store.take(caller, holder, this.#leaseMs);
        if (taken && !waitedFor) this.#free(caller, holder);
        return taken ? { free: () => this.#free(caller, holder) } : null;
      },
      () => {
        waitedFor = false;
        return this.#own.take(caller);
      },
    );
  }

  /**
   * Slots that could not be released are released before the caller takes the next: an outage does not count against
   * them.
   */
  async #payBack(caller: string): Promise<void> {
    const owed = this.#owed.get(caller);
    if (owed === undefined) return;
    for (const [holder, until] of owed) {
      if (until > this.#clock.now()) await this.#store.free(caller, holder);
      owed.delete(holder);
    }
    if (owed.size === 0) this.#owed.delete(caller);
  }

  #owe(caller: string, holder: string): void {
    const now = this.#clock.now();
    for (const [other, owed] of this.#owed) {
      for (const [lease, until] of owed) if (until <= now) owed.delete(lease);
      if (owed.size === 0) this.#owed.delete(other);
    }
    const owed = this.#owed.get(caller) ?? new Map<string, number>();
    this.#owed.set(caller, owed.set(holder, now + this.#leaseMs));
  }

  #free(caller: string, holder: string): void {
    const freed = this.#outage.ask(
      () => this.#store.free(caller, holder),
      () => this.#owe(caller, holder),
    );
    const all = Promise.all([this.#freeing.get(caller), freed]).then(() => {
      if (this.#freeing.get(caller) === all) this.#freeing.delete(caller);
    });
    this.#freeing.set(caller, all);
  }
}
