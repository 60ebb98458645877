import type { Clock } from '../../../platform/clock.ts';
import type { RowId } from '../../../vocabulary/ids.ts';

type Owner = RowId<'account_record'>;

/** Account records that wait are remembered; more are refused without a place in the order. */
const MOST_WAITING = 1_000;

/**
 * Work of one kind in one process: one for each account record, and so many in all. An owner that is refused because all
 * are taken, and asks again in time, comes before those that asked later: a few account records that ask without a pause
 * cannot keep the others out.
 */
export class OwnerSlots {
  readonly #clock: Clock;
  readonly #slots: number;
  readonly #patienceMs: number;
  readonly #underWay = new Set<Owner>();
  /** Owners that were refused, in order, and when each last asked. */
  readonly #waiting = new Map<Owner, number>();

  /** @param patienceMs how long an owner that does not ask again keeps its place in the order */
  constructor(clock: Clock, slots: number, patienceMs: number) {
    this.#clock = clock;
    this.#slots = slots;
    this.#patienceMs = patienceMs;
  }

  /** Takes a slot, and gives it back with what is returned, to be called once; null where there is none for the owner. */
  take(owner: Owner): (() => void) | null {
    if (this.#underWay.has(owner)) return null;
    this.#dropExpired();
    const place = [...this.#waiting.keys()].indexOf(owner);
    const before = place === -1 ? this.#waiting.size : place;
    if (this.#underWay.size + before >= this.#slots) {
      if (place !== -1 || this.#waiting.size < MOST_WAITING) this.#waiting.set(owner, this.#clock.now());
      return null;
    }
    this.#waiting.delete(owner);
    this.#underWay.add(owner);
    return () => void this.#underWay.delete(owner);
  }

  #dropExpired(): void {
    const oldest = this.#clock.now() - this.#patienceMs;
    for (const [owner, asked] of this.#waiting) if (asked < oldest) this.#waiting.delete(owner);
  }
}
