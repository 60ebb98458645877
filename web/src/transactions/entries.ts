import type { Transaction } from '#client';
import type { TransactionSort } from './search.ts';

/** What the list shows from top to bottom: headings, and the rows below them. */
export type Entry =
  | { readonly kind: 'pending'; readonly rows: readonly Transaction[] }
  | { readonly kind: 'day'; readonly day: string | null }
  | { readonly kind: 'row'; readonly row: Transaction };

/**
 * The entries of rows that come newest first. By day, pending rows are in front, under a heading of their own, because
 * they are provisional, and listed only where that is open; posted ones are below their days. By amount there are no
 * headings.
 */
export function entriesOf(
  rows: readonly Transaction[],
  sort: TransactionSort | undefined,
  isPendingOpen: boolean,
): readonly Entry[] {
  if (sort === 'largest' || sort === 'smallest') return bySize(rows, sort);
  const pending = rows.filter(({ status }) => status === 'pending');
  const entries: Entry[] = pending.length === 0 ? [] : [{ kind: 'pending', rows: pending }];
  if (isPendingOpen) for (const row of pending) entries.push({ kind: 'row', row });
  let day: string | null | undefined;
  for (const row of sort === 'oldest' ? rows.toReversed() : rows) {
    if (row.status === 'pending') continue;
    if (row.date !== day) entries.push({ kind: 'day', day: row.date });
    day = row.date;
    entries.push({ kind: 'row', row });
  }
  return entries;
}

function bySize(rows: readonly Transaction[], sort: 'largest' | 'smallest'): readonly Entry[] {
  const sign = sort === 'largest' ? -1 : 1;
  const size = ({ amount }: Transaction) => Math.abs(amount.amount);
  return rows.toSorted((a, b) => sign * (size(a) - size(b))).map((row) => ({ kind: 'row', row }));
}

type Place = Pick<Transaction, 'id' | 'date' | 'datetime'>;

/** Negative if `a` is before `b`: newest first by day, then by moment, then by id, as v2 lists rows. */
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
