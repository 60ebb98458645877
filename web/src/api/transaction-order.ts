import type { Transaction } from '#client';

type Place = Pick<Transaction, 'id' | 'date' | 'datetime'>;

/** Negative where `a` is before `b`: newest first by day, then by moment, then by id, as v2 lists rows. */
export function newestFirst(a: Place, b: Place): number {
  if (a.date !== b.date) {
    // Without a day, which is pending, a row is before all others.
    if (a.date === null) return -1;
    if (b.date === null) return 1;
    return a.date < b.date ? 1 : -1;
  }
  const moment = momentOf(b) - momentOf(a);
  if (moment !== 0) return moment;
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1;
}

function momentOf({ datetime }: Place): number {
  const moment = datetime === null ? 0 : Date.parse(datetime);
  return Number.isNaN(moment) ? 0 : moment;
}
