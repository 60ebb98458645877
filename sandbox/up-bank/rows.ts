import { effectOf, type Movement } from './movement.ts';

/** A place in the order of an account: newest first, by moment and id. */
export interface Place {
  readonly at: number;
  readonly id: string;
}

/** Movements of one account, newest first. */
export interface Rows {
  /** Those created until `now`, from after the place on, or from the newest. */
  newestFirst(now: number, after: Place | null): Generator<Movement>;
  /** How many rows they make, with a round-up as one of its own, and what they add up to in cents. */
  total(now: number): { readonly posted: number; readonly held: number; readonly cents: number };
}

export const placeOf = ({ createdAt, id }: Movement): Place => ({ at: createdAt, id });

/** Whether `a` comes before `b`. */
export function comesFirst(a: Place, b: Place): boolean {
  return a.at === b.at ? a.id > b.id : a.at > b.at;
}

/** Counts one by one, for rows that are few. */
export function totalOf(movements: Iterable<Movement>, now: number): ReturnType<Rows['total']> {
  const total = { posted: 0, held: 0, cents: 0 };
  for (const one of movements) {
    const rows = one.roundUpCents === null ? 1 : 2;
    if (one.settlesAt <= now) total.posted += rows;
    else total.held += rows;
    total.cents += effectOf(one);
  }
  return total;
}

/** Two sources as one. */
export function* merged(a: Generator<Movement>, b: Generator<Movement>): Generator<Movement> {
  let [left, right] = [a.next(), b.next()];
  while (left.done !== true || right.done !== true) {
    const first =
      right.done === true || (left.done !== true && comesFirst(placeOf(left.value), placeOf(right.value)));
    if (first && left.done !== true) {
      yield left.value;
      left = a.next();
    } else if (right.done !== true) {
      yield right.value;
      right = b.next();
    }
  }
}
