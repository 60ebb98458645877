import { effectOf, type Movement } from './movement.ts';

/** A position in the order of an account: newest first, by time and id. */
export interface Place {
  readonly at: number;
  readonly id: string;
}

/** Movements of one account, newest first. */
export interface Rows {
  /** Those created until `now`, starting after the position, or from the newest. */
  newestFirst(now: number, after: Place | null): Generator<Movement>;
  /** How many rows they are, counting round-ups separately, and their sum in cents. */
  total(now: number): { readonly posted: number; readonly held: number; readonly cents: number };
}

export const placeOf = ({ createdAt, id }: Movement): Place => ({ at: createdAt, id });

/** Whether `a` comes before `b`. */
export function comesFirst(a: Place, b: Place): boolean {
  return a.at === b.at ? a.id > b.id : a.at > b.at;
}

/** Counts one by one, for few rows. */
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
