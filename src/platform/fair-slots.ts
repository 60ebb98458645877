/** Bounds of one set of slots. */
export interface SlotBounds {
  /** How much may run at a time. */
  readonly slots: number;
  /** How much may wait for a slot. */
  readonly waiting: number;
  /** One owner may hold this many times what is free: with 3 an owner alone gets three quarters, with 1 half. */
  readonly share: number;
}

/** Raised by `take` when the owner's share of the queue is used up. */
export class SlotsFull extends Error {
  override readonly name = 'SlotsFull';
}

interface Waiting {
  readonly start: () => void;
}

/**
 * Whether an owner that holds `held` may take one more where `free` are left. The limit shrinks as others arrive, so
 * that one owner alone uses most of the slots and still leaves room for the next (dynamic thresholds, Choudhury and
 * Hahne 1998). An owner that holds nothing may always take a free one.
 */
export function mayTake(held: number, free: number, share: number): boolean {
  return free > 0 && (held === 0 || held < share * free);
}

/**
 * Slots shared fairly among owners. A slot that becomes free goes to the waiting owner that holds the fewest; among
 * equals, to the one served longest ago. Places in the queue are shared by the same rule: one owner gets at most half
 * of those that are free.
 */
export class FairSlots {
  readonly #bounds: SlotBounds;
  readonly #held = new Map<string, number>();
  /** Owners in order of service, each with what it waits for. */
  readonly #queues = new Map<string, Set<Waiting>>();
  #busy = 0;
  #waiting = 0;

  constructor(bounds: SlotBounds) {
    this.#bounds = bounds;
  }

  /** How much is running. */
  get busy(): number {
    return this.#busy;
  }

  /**
   * Resolves with a function that releases the slot, to be called once. Raises SlotsFull, or `signal.reason` when
   * aborted while waiting.
   */
  take(owner: string, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (!this.#queues.has(owner) && this.#mayStart(owner)) return Promise.resolve(this.#hold(owner));
    const mine = this.#queues.get(owner)?.size ?? 0;
    if (!mayTake(mine, this.#bounds.waiting - this.#waiting, 1)) return Promise.reject(new SlotsFull());
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#leave(owner, waiting);
        reject(signal?.reason);
      };
      const waiting: Waiting = {
        start: () => {
          signal?.removeEventListener('abort', leave);
          resolve(this.#hold(owner));
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      const queue = this.#queues.get(owner) ?? new Set();
      this.#queues.set(owner, queue.add(waiting));
      this.#waiting += 1;
    });
  }

  #mayStart(owner: string): boolean {
    return mayTake(this.#held.get(owner) ?? 0, this.#bounds.slots - this.#busy, this.#bounds.share);
  }

  #hold(owner: string): () => void {
    this.#busy += 1;
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#busy -= 1;
      const left = (this.#held.get(owner) ?? 1) - 1;
      if (left === 0) this.#held.delete(owner);
      else this.#held.set(owner, left);
      this.#serve();
    };
  }

  #serve(): void {
    for (let owner = this.#next(); owner !== null; owner = this.#next()) {
      const queue = this.#queues.get(owner);
      const [first] = queue ?? [];
      if (queue === undefined || first === undefined) return;
      this.#leave(owner, first);
      // To the end of the order: among equals, the others come first the next time.
      if (this.#queues.delete(owner)) this.#queues.set(owner, queue);
      first.start();
    }
  }

  #next(): string | null {
    let chosen: string | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    for (const owner of this.#queues.keys()) {
      const held = this.#held.get(owner) ?? 0;
      if (held >= fewest || !this.#mayStart(owner)) continue;
      chosen = owner;
      fewest = held;
    }
    return chosen;
  }

  #leave(owner: string, waiting: Waiting): void {
    const queue = this.#queues.get(owner);
    if (queue === undefined || !queue.delete(waiting)) return;
    this.#waiting -= 1;
    if (queue.size === 0) this.#queues.delete(owner);
  }
}
