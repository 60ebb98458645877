import type { Transaction } from '#client';
import type { TransactionSort } from '../../routing/searches/transactions.ts';

/** What the list shows from top to bottom: headings, and the rows below them. */
export type Entry =
  | { readonly kind: 'pending' }
  | { readonly kind: 'day'; readonly day: string | null }
  | { readonly kind: 'row'; readonly row: Transaction };

/**
 * The entries of rows that come newest first. By day, pending rows are in front, under a heading of their own, because
 * they are provisional, and posted ones below their days. By amount there are no headings.
 */
export function entriesOf(rows: readonly Transaction[], sort: TransactionSort | undefined): readonly Entry[] {
  if (sort === 'largest' || sort === 'smallest') return bySize(rows, sort);
  const pending = rows.filter(({ status }) => status === 'pending');
  const entries: Entry[] = pending.length === 0 ? [] : [{ kind: 'pending' }];
  for (const row of pending) entries.push({ kind: 'row', row });
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
