/** Keys remembered at least: well above what an account trades on one day. */
const GENERATION = 5000;

/**
 * Numbers equal rows in their order, in constant memory: two generations, the older dropped when the younger is full.
 * Enough because equal rows are of one day, and the vendor orders by day.
 */
export class Ordinals {
  #young = new Map<string, number>();
  #old = new Map<string, number>();

  /** 1 for the first row of the key, 2 for the next. */
  next(key: string): number {
    const ordinal = (this.#young.get(key) ?? this.#old.get(key) ?? 0) + 1;
    if (this.#young.size >= GENERATION && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, ordinal);
    return ordinal;
  }
}
