import type { Trade } from '../../../vocabulary/holdings.ts';
import type { MappedTrade } from './map-trade.ts';

/** How many rows of a day are kept until it is complete. A day with more is numbered in parts, each in this order. */
const MOST_ROWS = 10_000;
/** How many ids of a day are remembered: well above an account's trades in one day. */
const MOST_IDS = 50_000;
/** How many keys are remembered at least: well above an account's trades in one day. */
const GENERATION = 5000;

/**
 * The trades of the vendor's day that is being read. They are kept until the day is complete, because equal ones are
 * numbered by their other members: the vendor may send them in another order next time.
 */
export class TradeDay {
  readonly #ordinals = new Ordinals();
  #rows: MappedTrade[] = [];
  #ids: string[] = [];

  /** The vendor's ids of the kept rows. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  get isFull(): boolean {
    return this.#rows.length >= MOST_ROWS;
  }

  add(id: string, row: MappedTrade): void {
    this.#ids.push(id);
    this.#rows.push(row);
  }

  /** The kept rows, numbered, in their order of arrival, which are then cleared. */
  take(): Trade[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#ids = [];
    const ordinals = new Map<MappedTrade, number>();
    for (const row of rows.toSorted(byRest)) ordinals.set(row, this.#ordinals.next(row.content));
    return rows.map((row) => row.trade(ordinals.get(row) ?? 1));
  }
}

function byRest(a: MappedTrade, b: MappedTrade): number {
  return a.rest < b.rest ? -1 : a.rest > b.rest ? 1 : 0;
}

/**
 * Ids of the trades of one day that were passed on while the day was still being read, in bounded memory: beyond the
 * bound nothing is remembered, and the day cannot be read again without repeating trades.
 */
export class PassedOn {
  readonly #ids = new Set<string>();
  #forgotten = false;

  /** False once there are more ids than are remembered. */
  get isComplete(): boolean {
    return !this.#forgotten;
  }

  /** Whether the id is new, as far as ids are remembered; it is remembered either way. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    if (this.#ids.size >= MOST_IDS) {
      this.#ids.clear();
      this.#forgotten = true;
    }
    if (!this.#forgotten) this.#ids.add(id);
    return true;
  }
}

/**
 * Numbers equal rows in their order, in constant memory: two generations, the older is dropped when the newer is full.
 * That is enough because equal rows are of one day, and the vendor orders by day.
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
