import { addDays, formatInstant, parseInstant, startOfDay } from '../../../vocabulary/moments.ts';
import type { SetAsideRow } from '../../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { Repeats } from '../kit/paging.ts';
import { requireOwnRows } from '../kit/set-aside.ts';
import type { TransactionQuery } from '../provider-contract.ts';
import type { UpBankClient } from './client.ts';
import { accountOf, mapTransaction } from './map-transaction.ts';

const DAY_MS = 86_400_000;
/** How long card schemes let a merchant hold an amount before it settles. */
const LONGEST_HOLD_MS = 31 * DAY_MS;

/**
 * Rows of an account, page by page, newest first. Up orders and filters by the time at which a row was created, which
 * is also its day. Rows settled since a given time may be older by the length of a hold.
 */
export async function* transactionPages(
  client: UpBankClient,
  query: TransactionQuery,
  signal: AbortSignal,
): AsyncGenerator<Transaction[]> {
  const { account, timezone, since, includePending, setAside } = query;
  const first = startOfDay(query.from, timezone);
  const from = since === null ? first : Math.max(first, since - LONGEST_HOLD_MS);
  const to = startOfDay(addDays(query.to, 1), timezone) - 1;
  if (from > to) return;
  const repeats = new Repeats();
  const pages = client.pages(
    {
      path: `/accounts/${encodeURIComponent(account)}/transactions`,
      query: {
        'filter[since]': formatInstant(from),
        'filter[until]': formatInstant(to),
        ...(includePending ? {} : { 'filter[status]': 'SETTLED' }),
      },
      kind: { account: true, answer: 'page' },
    },
    signal,
  );
  for await (const resources of pages) {
    const page: Transaction[] = [];
    let fresh = resources.length === 0;
    requireOwnRows(resources.map(accountOf), account);
    const take =
      setAside &&
      ((aside: SetAsideRow): void => {
        const isNew = repeats.isNew(aside.key);
        fresh ||= isNew;
        if (isNew) setAside(aside);
      });
    for (const resource of resources) {
      for (const mapped of mapTransaction(resource, { account, timezone, setAside: take })) {
        const row = repeats.unrepeated(mapped);
        if (row === null) continue;
        fresh = true;
        if (isWanted(row, since, includePending)) page.push(row);
      }
    }
    repeats.endPage(fresh);
    if (page.length > 0) yield page;
  }
}

function isWanted(row: Transaction, since: number | null, includePending: boolean): boolean {
  if (row.status === 'pending') return includePending;
  if (since === null) return true;
  const settled = row.post_datetime ?? row.datetime ?? '';
  return (parseInstant(settled) ?? since) >= since;
}
