import type { HeavySlot, HeavySlots } from './heavy-slots.ts';

/** The places of this process; they end with it. */
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
