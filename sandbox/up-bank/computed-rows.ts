import { idOf, type Movement, movement } from './movement.ts';
import { comesFirst, type Place, placeOf, type Rows } from './rows.ts';

const SETTLE_MS = 86_400_000;
/** Two years of rows, however many there are. */
const SPAN_MS = 730 * 86_400_000;

/** Any number of rows, none of them stored: each is derived from its index, 0 being the newest. */
export class ComputedRows implements Rows {
  readonly #owner: string;
  readonly #count: number;
  readonly #newestAt: number;
  readonly #everyMs: number;
  #cents: number | null = null;

  /** @param newestAt epoch ms of the newest, long enough ago for all to have settled */
  constructor(owner: string, count: number, newestAt: number) {
    this.#owner = owner;
    this.#count = count;
    this.#newestAt = newestAt;
    this.#everyMs = Math.max(1, Math.floor(SPAN_MS / Math.max(1, count)));
  }

  *newestFirst(_now: number, after: Place | null): Generator<Movement> {
    const passed = after === null ? 0 : Math.floor((this.#newestAt - after.at) / this.#everyMs);
    for (let index = Math.max(0, passed); index < this.#count; index++) {
      const one = this.#at(index);
      if (after === null || comesFirst(after, placeOf(one))) yield one;
    }
  }

  total(): ReturnType<Rows['total']> {
    this.#cents ??= this.#sum();
    return { posted: this.#count, held: 0, cents: this.#cents };
  }

  #sum(): number {
    let cents = 0;
    for (let index = 0; index < this.#count; index++) cents += centsOf(index);
    return cents;
  }

  #at(index: number): Movement {
    const createdAt = this.#newestAt - index * this.#everyMs;
    return movement({
      id: idOf(this.#owner, 'computed', index),
      createdAt,
      settlesAt: createdAt + SETTLE_MS,
      cents: centsOf(index),
      description: `Purchase ${index}`,
      kind: 'Purchase',
      category: 'groceries',
      byCard: true,
    });
  }
}

/** Between $1.00 and $50.00, different from one row to the next. */
function centsOf(index: number): number {
  return -(100 + ((index * 37) % 4_901));
}
