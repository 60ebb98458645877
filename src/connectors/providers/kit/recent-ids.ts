/** Ids remembered at least: well above what one instant of one account holds, and two pages of the vendor. */
const GENERATION = 2500;

/**
 * Remembers the last few thousand ids in constant memory: two generations, the older dropped when the younger is
 * full. Enough to drop repeats, because the vendor orders by time and a repeat stands near its first occurrence:
 * at a page's edge, or after a cursor was replaced.
 */
export class RecentIds<Value = true> {
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** How many of the latest ids are remembered for certain. */
  get certain(): number {
    return GENERATION;
  }

  /** Whether the id is among those remembered. */
  has(id: string): boolean {
    return this.#young.has(id) || this.#old.has(id);
  }

  /** What was remembered with the id; undefined for one that is not. */
  get(id: string): Value | undefined {
    return this.#young.get(id) ?? this.#old.get(id);
  }

  /** Whether the id is new. It is remembered then, with the value. */
  add(id: string, value: Value): boolean {
    if (this.has(id)) return false;
    if (this.#young.size >= GENERATION) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(id, value);
    return true;
  }
}
