import { addDays, startOfDay } from '../../../vocabulary/moments.ts';
import type { SetAsideRow } from '../../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { rowsOf, type WireObject } from '../kit/json.ts';
import { Repeats } from '../kit/paging.ts';
import type { TransactionQuery } from '../provider-contract.ts';
import type { Group, WireAccount } from './account-set.ts';
import type { Window } from './client.ts';
import { currencyOf, seconds } from './map-account.ts';
import { mapTransaction, statusOf } from './map-transaction.ts';

const DAY_S = 86_400;
const DAY_MS = DAY_S * 1000;
/** The most that every known server answers in one request; those of later versions allow 90. */
const WINDOW_DAYS = 60;
/** How far back an account is read at most: two years, which is half of the requests of a day. */
const MOST_WINDOWS = 12;
/** After so many windows without a row of any account, nothing older is expected: half a year. */
const MOST_EMPTY = 3;
/** How much later than it was made a row is posted at most. Servers filter by the latter. */
const LATEST_POSTING_DAYS = 14;

/**
 * The windows of a read, newest first. Their edges depend only on the current day, so that the reads of all accounts
 * ask the same questions and share the answers. Each is exactly 60 days, its end excluded.
 *
 * @param now epoch ms
 */
export function windowAt(now: number, index: number): Window {
  // Two days ahead: rows may carry a day that has begun elsewhere.
  const end = Math.floor(now / DAY_MS) + 2 - index * WINDOW_DAYS;
  return { from: (end - WINDOW_DAYS) * DAY_S, until: end * DAY_S };
}

/** The account sets of a connection, by window. */
export interface Windows {
  readonly now: number;
  /** What the connection shares, with whether anything of the access was posted in the window. */
  read(index: number): Promise<{ readonly group: Group; readonly rows: boolean }>;
}

/** The account of a group. Raises UpstreamFailure if it is gone, or if the server could not read it. */
export function accountIn(group: Group, account: string): WireAccount {
  const found = group.accounts.find(({ id }) => id === account);
  if (found === undefined)
    throw new UpstreamFailure('account_gone', 'The server does not list the account any more.');
  if (found.failed)
    throw new UpstreamFailure('temporarily_unavailable', 'The server could not read the account.');
  return found;
}

/** Rows of an account, a window as a page, newest first. */
export async function* transactionPages(
  windows: Windows,
  query: TransactionQuery,
): AsyncGenerator<Transaction[]> {
  const { account, timezone, since, includePending } = query;
  const current = await windows.read(0);
  accountIn(current.group, account);
  const first = startOfDay(query.from, timezone);
  const from = (since === null ? first : Math.max(first, since)) / 1000;
  const to = (startOfDay(addDays(query.to, 1), timezone) + LATEST_POSTING_DAYS * DAY_MS) / 1000;
  const repeats = new Repeats();
  let empty = 0;
  for (let index = 0; index < MOST_WINDOWS && empty < MOST_EMPTY; index++) {
    const window = windowAt(windows.now, index);
    if (window.until <= from) return;
    if (window.from > to) continue;
    const { group, rows } = index === 0 ? current : await windows.read(index);
    empty = rows ? 0 : empty + 1;
    const page = pageOf(wireAccount(group, account, index), query, repeats);
    const wanted = page.filter((row) =>
      row.status === 'pending' ? includePending : since === null || postedAt(row) >= since,
    );
    if (wanted.length > 0) yield wanted;
  }
}

/** An account that the latest answer lists is in every other; one that is missing there is not an empty account. */
function wireAccount(group: Group, account: string, index: number): WireAccount {
  try {
    return accountIn(group, account);
  } catch (error) {
    if (index === 0 || !(error instanceof UpstreamFailure) || error.situation !== 'account_gone') throw error;
    throw new UpstreamFailure('temporarily_unavailable', 'An answer about the past lacks the account.', {
      cause: error,
    });
  }
}

function pageOf(
  { row: wire }: WireAccount,
  { account, timezone, setAside }: TransactionQuery,
  repeats: Repeats,
): Transaction[] {
  const take =
    setAside &&
    ((aside: SetAsideRow): void => {
      if (repeats.isNew(aside.key)) setAside(aside);
    });
  const currency = () => currencyOf(wire);
  const page: Transaction[] = [];
  for (const sent of newestFirst(sentRows(wire))) {
    const mapped = mapTransaction(sent, { account, timezone, currency, setAside: take });
    const row = mapped === null ? null : repeats.unrepeated(mapped);
    if (row !== null) page.push(row);
  }
  return page;
}

/** Entries that are no objects become empty rows, which are set aside. */
function sentRows({ transactions }: WireObject): readonly WireObject[] {
  return transactions === undefined || transactions === null ? [] : rowsOf(transactions, 'transactions');
}

/** Pending rows first, then by posting. Servers order by that, ascending or descending. */
function newestFirst(rows: readonly WireObject[]): readonly WireObject[] {
  const at = (row: WireObject) =>
    statusOf(row) === 'pending' ? Number.POSITIVE_INFINITY : (seconds(row, 'posted') ?? 0);
  return rows.toSorted((a, b) => {
    const [left, right] = [at(a), at(b)];
    return left === right ? 0 : right > left ? 1 : -1;
  });
}

function postedAt({ post_datetime: at, datetime }: Transaction): number {
  return Date.parse(at ?? datetime ?? '');
}
