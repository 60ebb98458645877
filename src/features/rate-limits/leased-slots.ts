import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { HeavySlot, HeavySlots } from './heavy-slots.ts';
import type { MemorySlots } from './memory-slots.ts';
import type { StoreOutage } from './store-outage.ts';

/** In another process a place may be about to come back: its answer is out, and the note of it on the way. */
const ASK_AGAIN_MS = 50;

/** Where processes note which places are taken. Each note ends by itself, in case its process dies. */
export interface SlotStore {
  /** Whether there was a place for the holder. */
  take(caller: string, holder: string, leaseMs: number): Promise<boolean>;
  free(caller: string, holder: string): Promise<void>;
}

/** Places that all processes share; those of this process while the store fails. */
export class LeasedSlots implements HeavySlots {
  readonly #store: SlotStore;
  readonly #own: MemorySlots;
  readonly #outage: StoreOutage;
  readonly #leaseMs: number;
  readonly #clock: Clock;
  /** Places on their way back, by caller: who asks next here is not refused for one of them. */
  readonly #freeing = new Map<string, Promise<unknown>>();

  /** @param deps.leaseMs longer than a request can take: after that its place is given away */
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
    return this.#outage.ask(
      async () => {
        const taken = await this.#store.take(caller, holder, this.#leaseMs);
        return taken ? { free: () => this.#free(caller, holder) } : null;
      },
      () => this.#own.take(caller),
    );
  }

  #free(caller: string, holder: string): void {
    // What cannot be given back ends with its lease.
    const freed = this.#outage.ask(
      () => this.#store.free(caller, holder),
      () => undefined,
    );
    const all = Promise.all([this.#freeing.get(caller), freed]).then(() => {
      if (this.#freeing.get(caller) === all) this.#freeing.delete(caller);
    });
    this.#freeing.set(caller, all);
  }
}
