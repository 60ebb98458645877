import type { Db } from '../../storage/database.ts';
import { freeHeavySlot, takeHeavySlot } from '../../storage/heavy-slots.ts';
import type { SlotStore } from './leased-slots.ts';

/** Places in Postgres: a row for each caller under each name that holds the leases. */
export class PostgresSlots implements SlotStore {
  readonly #db: Db;
  readonly #name: string;
  readonly #places: number;

  constructor(db: Db, name: string, places: number) {
    this.#db = db;
    this.#name = name;
    this.#places = places;
  }

  take(caller: string, holder: string, leaseMs: number): Promise<boolean> {
    return takeHeavySlot(this.#db, { caller: this.#row(caller), holder, places: this.#places, leaseMs });
  }

  free(caller: string, holder: string): Promise<void> {
    return freeHeavySlot(this.#db, this.#row(caller), holder);
  }

  #row(caller: string): string {
    return `${this.#name}:${caller}`;
  }
}
