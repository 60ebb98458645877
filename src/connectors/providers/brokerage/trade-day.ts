import type { Trade } from '../../../vocabulary/holdings.ts';
import type { MappedTrade } from './map-trade.ts';
import { Ordinals } from './ordinals.ts';

/** Rows of a day held until it is whole. A day of more is numbered in parts, each in this order. */
const MOST_ROWS = 10_000;

/**
 * The trades of the vendor's day that is being read. They are held until the day is whole, because equal ones are numbered
 * by what else they say: the vendor may send them the other way round next time.
 */
export class TradeDay {
  readonly #ordinals = new Ordinals();
  #rows: MappedTrade[] = [];
  #ids: string[] = [];

  /** The vendor's ids of what is held. */
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

  /** What is held, numbered, in the order it came; nothing is held any more. */
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
