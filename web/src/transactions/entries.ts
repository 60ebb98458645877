import type { Transaction } from '#client';
import { finished, type Steps, sortedSteps } from '../parts/steps.ts';
import { sizeOf } from './matching.ts';
import type { TransactionSort } from './search.ts';

/** What the list shows from top to bottom: headings, and the rows below them. */
export type Entry =
  | { readonly kind: 'pending'; readonly rows: readonly Transaction[] }
  | { readonly kind: 'day'; readonly day: string | null }
  | { readonly kind: 'currency'; readonly currency: string }
  | { readonly kind: 'row'; readonly row: Transaction };

/**
 * The entries of rows that come newest first. By day, pending rows are in front, under a heading of their own, because
 * they are provisional, and listed only where that is open; posted ones are below their days. By amount, the
 * headings are the currencies, if there are several: amounts of one are not more or less than those of another.
 */
export function entriesOf(
  rows: readonly Transaction[],
  sort: TransactionSort | undefined,
  isPendingOpen: boolean,
): readonly Entry[] {
  return finished(entrySteps(rows, sort, isPendingOpen));
}

/** Rows that are looked at between two looks at the clock. */
const STRIDE = 500;

/** The same in steps, because rows may be many. */
export function* entrySteps(
  rows: readonly Transaction[],
  sort: TransactionSort | undefined,
  isPendingOpen: boolean,
): Steps<readonly Entry[]> {
  if (sort === 'largest' || sort === 'smallest') return yield* bySize(rows, sort);
  const pending = rows.filter(({ status }) => status === 'pending');
  const entries: Entry[] = pending.length === 0 ? [] : [{ kind: 'pending', rows: pending }];
  if (isPendingOpen) for (const row of pending) entries.push({ kind: 'row', row });
  let day: string | null | undefined;
  for (const [at, row] of (sort === 'oldest' ? rows.toReversed() : rows).entries()) {
    if (at % STRIDE === 0) yield;
    if (row.status === 'pending') continue;
    if (row.date !== day) entries.push({ kind: 'day', day: row.date });
    day = row.date;
    entries.push({ kind: 'row', row });
  }
  return entries;
}

interface Sized {
  readonly row: Transaction;
  readonly size: bigint;
}

function* bySize(rows: readonly Transaction[], sort: 'largest' | 'smallest'): Steps<readonly Entry[]> {
  const sign = sort === 'largest' ? -1 : 1;
  const currencies = new Map<string, Sized[]>();
  for (const [at, row] of rows.entries()) {
    const { currency } = row.amount;
    const sized = currencies.get(currency) ?? [];
    sized.push({ row, size: sizeOf(row.amount) });
    currencies.set(currency, sized);
    if (at % STRIDE === STRIDE - 1) yield;
  }
  const entries: Entry[] = [];
  // Those of most rows first, as in the sums of pages.
  const order = [...currencies].toSorted(
    ([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1),
  );
  for (const [currency, sized] of order) {
    const sorted = yield* sortedSteps(sized, (a, b) =>
      a.size === b.size ? 0 : a.size < b.size ? -sign : sign,
    );
    if (order.length > 1) entries.push({ kind: 'currency', currency });
    for (const { row } of sorted) entries.push({ kind: 'row', row });
  }
  return entries;
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
