import { VendorRefusal } from '../kit/vendor-refusal.ts';

/** Refused calls of one run after which it is not single rows that are wrong. */
const MOST_REFUSALS = 64;

/** Sends items together, and finds the ones that the vendor refuses by halves. */
export class RefusableBatches {
  #refusals = 0;

  /**
   * @param halves of items that were refused together; each half keeps at least one
   * @param refused called for an item that is refused alone
   * @param isRefusal whether the refusal may be of single items
   */
  async send<T>(
    items: readonly T[],
    parts: {
      readonly send: (items: readonly T[]) => Promise<void>;
      readonly halves: (items: readonly T[]) => readonly [readonly T[], readonly T[]];
      readonly isRefusal: (refusal: VendorRefusal) => boolean;
      readonly refused: (item: T) => void;
    },
  ): Promise<void> {
    const [only] = items;
    if (only === undefined) return;
    try {
      await parts.send(items);
    } catch (error) {
      if (!(error instanceof VendorRefusal) || !parts.isRefusal(error)) throw error;
      this.#refusals += 1;
      if (this.#refusals > MOST_REFUSALS) throw error;
      if (items.length === 1) {
        parts.refused(only);
        return;
      }
      for (const half of parts.halves(items)) await this.send(half, parts);
    }
  }
}

/** Two halves, the first not the smaller one. */
export function inHalf<T>(items: readonly T[]): readonly [readonly T[], readonly T[]] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}
