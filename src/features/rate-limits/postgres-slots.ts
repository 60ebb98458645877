import type { Db } from '../../storage/database.ts';
import { freeHeavySlot, takeHeavySlot } from '../../storage/heavy-slots.ts';
import type { SlotStore } from './leased-slots.ts';

/** Places in Postgres: a row for each caller that holds the leases. */
export class PostgresSlots implements SlotStore {
  readonly #db: Db;
  readonly #places: number;

  constructor(db: Db, places: number) {
    this.#db = db;
    this.#places = places;
  }

  take(caller: string, holder: string, leaseMs: number): Promise<boolean> {
    return takeHeavySlot(this.#db, { caller, holder, places: this.#places, leaseMs });
  }

  free(caller: string, holder: string): Promise<void> {
    return freeHeavySlot(this.#db, caller, holder);
  }
}
