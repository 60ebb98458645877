import { ApiError, type Transaction } from '#client';
import { dayAway } from '../format/days.ts';
import { api } from './client.ts';
import { type Days, dayOf, type FoundRows, heldRows, type RowAside, within } from './held-rows.ts';
import { rowsIn } from './pieces.ts';
import { noteAside } from './rows-aside.ts';

/** What was read of an account, including pending rows, newest first. */
export interface AccountRows extends FoundRows {
  /** The rows are complete from this day on: later than requested if there are more than are read. */
  readonly from: string;
  /** Why the account could not be read; null if it was. */
  readonly error: unknown;
}

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** The most rows of an account. */
  readonly mostRows?: number;
  /** Called for each row that arrives. */
  readonly onRow?: () => void;
}

/** As many as one export may name (`export_accounts`, docs/limits.md). */
const MOST_ACCOUNTS = 100;
/** An account with more rows than are read ends a request, and a further one reads the others. */
const MOST_REQUESTS = 10;
/** How old rows may be that the service has cached (`transactions_cache_minutes`, docs/limits.md). */
const MOST_AGE_SECONDS = 3_600;

/** Reads under way, for others that want the same. */
const flights = new Set<Flight>();

interface Flight extends Days {
  readonly accounts: ReadonlySet<string>;
  readonly done: Promise<unknown>;
}

/**
 * The rows of these accounts, of which only days are requested that no page has read lately, of all banks in one
 * request. An account that cannot be read fails no other. Raises ApiError and UnreachableError if the service cannot be
 * asked, and the reason of the signal.
 */
export async function readRows(
  accounts: readonly string[],
  days: Days,
  options: ReadOptions,
): Promise<ReadonlyMap<string, AccountRows>> {
  await joinFlight(accounts, days, options.signal);
  const results = new Map<string, AccountRows>();
  const missing = new Map<string, Days>();
  for (const account of accounts) {
    const found = heldRows.find(account, days);
    if (found === null) missing.set(account, heldRows.missing(account, days) ?? days);
    else results.set(account, { from: days.from, ...found, error: null });
  }
  const names = [...missing.keys()];
  const wanted = spanned([...missing.values()], days);
  for (let at = 0; at < names.length; at += MOST_ACCOUNTS) {
    const some = names.slice(at, at + MOST_ACCOUNTS);
    for (const [account, read] of await inFlight(some, wanted, options)) {
      if (read.error !== null) {
        results.set(account, read);
        continue;
      }
      const span = heldRows.add(account, { ...wanted, from: read.from }, read);
      noteAside(account, span.aside);
      results.set(account, partOf(span, days));
    }
  }
  return results;
}

/** The shortest time that holds all of them; `otherwise` where there is none. */
function spanned(all: readonly Days[], otherwise: Days): Days {
  const [first = otherwise, ...others] = all;
  return others.reduce(
    (span, { from, to }) => ({ from: from < span.from ? from : span.from, to: to > span.to ? to : span.to }),
    first,
  );
}

function partOf(span: Days & FoundRows, days: Days): AccountRows {
  return { from: span.from > days.from ? span.from : days.from, ...within(span, days), error: null };
}

/** Waits for a read under way that brings all of this. */
async function joinFlight(accounts: readonly string[], days: Days, signal: AbortSignal): Promise<void> {
  for (const flight of flights) {
    const brings = flight.from <= days.from && flight.to >= days.to;
    if (!brings || !accounts.every((account) => flight.accounts.has(account))) continue;
    await flight.done.catch(() => undefined);
    signal.throwIfAborted();
    return;
  }
}

async function inFlight(
  accounts: readonly string[],
  days: Days,
  options: ReadOptions,
): Promise<ReadonlyMap<string, AccountRows>> {
  const done = read(accounts, days, options);
  const flight = { ...days, accounts: new Set(accounts), done };
  flights.add(flight);
  try {
    return await done;
  } finally {
    flights.delete(flight);
  }
}

/** A line of the export beside the rows. */
interface AccountExport {
  readonly object: 'account_export';
  readonly account: string;
  readonly error: { readonly message: string; readonly retry_after_seconds: number | null } | null;
}

interface AsideLine extends RowAside {
  readonly object: 'row_set_aside';
  readonly account: string;
}

async function read(
  accounts: readonly string[],
  days: Days,
  options: ReadOptions,
): Promise<ReadonlyMap<string, AccountRows>> {
  const done = new Map<string, AccountRows>();
  for (let request = 0; request < MOST_REQUESTS; request += 1) {
    const left = accounts.filter((account) => !done.has(account));
    if (left.length === 0) break;
    await readOnce(left, days, options, done);
  }
  for (const account of accounts) {
    if (!done.has(account)) done.set(account, failed(new Error('There are too many rows'), days));
  }
  return done;
}

/** Adds what one request reads of the accounts: all, or those that came before one with too many rows. */
async function readOnce(
  accounts: readonly string[],
  days: Days,
  { signal, mostRows = Number.POSITIVE_INFINITY, onRow }: ReadOptions,
  done: Map<string, AccountRows>,
): Promise<void> {
  const rows = new Map<string, Transaction[]>(accounts.map((account) => [account, []]));
  const aside = new Map<string, RowAside[]>(accounts.map((account) => [account, []]));
  const response = await api.transactions.export(
    {
      account: accounts,
      ...days,
      include_pending: true,
      format: 'jsonl',
      failures: 'report',
      max_age_seconds: MOST_AGE_SECONDS,
    },
    { signal },
  );
  for await (const line of rowsIn<Transaction | AccountExport | AsideLine>(response)) {
    if (line.object === 'transaction') {
      const own = rows.get(line.account);
      if (own === undefined) continue;
      own.push(line);
      onRow?.();
      if (own.length < mostRows) continue;
      done.set(line.account, cut(own, days));
      return;
    }
    if (line.object === 'row_set_aside') {
      const { account, id, day, field, reason } = line;
      aside.get(account)?.push({ id, day, field, reason });
      continue;
    }
    if (line.object !== 'account_export') continue;
    const { account, error } = line;
    if (error !== null) done.set(account, failed(errorOf(error), days));
    else {
      const found = { rows: rows.get(account) ?? [], aside: aside.get(account) ?? [] };
      done.set(account, { from: days.from, ...found, error: null });
    }
  }
}

function failed(error: unknown, { to }: Days): AccountRows {
  return { from: to, rows: [], aside: [], error };
}

/**
 * Rows come newest first: those of the last day may not be all of it. Rows set aside are named after the others, so
 * there are none yet.
 */
function cut(rows: readonly Transaction[], { to }: Days): AccountRows {
  const last = rows.at(-1);
  const after = last === undefined ? null : dayOf(last);
  const from = after === null || after >= to ? to : dayAway(after, 1);
  return { from, rows: rows.filter((row) => (dayOf(row) ?? to) >= from), aside: [], error: null };
}

const BAD_GATEWAY = 502;

function errorOf({ message, retry_after_seconds: seconds }: NonNullable<AccountExport['error']>): ApiError {
  return new ApiError(message, {
    status: BAD_GATEWAY,
    type: 'upstream_error',
    code: null,
    param: null,
    docUrl: null,
    requestId: null,
    retryAfterMs: seconds === null ? null : seconds * 1000,
  });
}
