import { sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';
import {
  clampDay,
  contentMacOf,
  idOf,
  type LedgerState,
  PENDING,
  packDay,
  pairMacOf,
  stateOf,
  unpackDay,
} from './ledger-records.ts';
import { slotOf } from './ledger-slots.ts';
import type { RunLease } from './run-leases.ts';

/** What the ledger knows about a row that the source reports. */
export interface LedgerEntry extends LedgerState {
  /** The row's number within the stream. */
  readonly slot: number;
  /** Hexadecimal, to be compared by `matchesContent`; empty if it is unknown what the destination has of the row. */
  readonly content_mac: string;
  /** Null for a row without one. */
  readonly pair_mac: string | null;
  /** Days since 1970: of the posting or, for a pending row, of the purchase. Null if unknown. */
  readonly day: number | null;
  readonly remote_ref: string | null;
}

/** A pending row that is at the destination now. */
export interface ProvisionalEntry {
  readonly source_id: string;
  /** Hexadecimal. */
  readonly match_mac: string | null;
  readonly day: number | null;
  readonly remote_ref: string | null;
}

/** A posted row that is at the destination now. */
export interface PostedEntry {
  readonly source_id: string;
  readonly slot: number;
  readonly day: number;
  readonly remote_ref: string | null;
}

interface StoredEntry {
  readonly slot: number;
  readonly day: number | null;
  readonly record: Uint8Array;
  readonly state: number | null;
  readonly remote_ref: string | null;
}

/**
 * Entries of the given source ids; ids unknown to the ledger are absent. Each id is a separate index lookup: with
 * `any`, Postgres assumes that this many ids are most of the stream and reads all of it for every page.
 */
export async function ledgerEntries(
  db: Db,
  stream: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LedgerEntry>> {
  const found = new Map<string, LedgerEntry>();
  let asked = ids;
  for (let attempt = 0; asked.length > 0; attempt++) {
    const slots = new Map(asked.map((id) => [id, slotOf(stream, id, attempt)]));
    const taken = new Map<number, string>();
    for (const stored of await entriesAt(db, stream, new Set(slots.values()))) {
      const id = idOf(stored.record);
      taken.set(stored.slot, id);
      if (slots.get(id) === stored.slot) found.set(id, entryOf(stored));
    }
    // If another row has the number, this one may be under its next number.
    asked = asked.filter((id) => (taken.get(slots.get(id) ?? 0) ?? id) !== id);
  }
  return found;
}

async function entriesAt(
  db: Db,
  stream: number,
  slots: ReadonlySet<number>,
): Promise<readonly StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    select entry.slot, entry.day, entry.record, entry.state, entry.remote_ref
    from unnest(${`{${[...slots].join()}}`}::int[]) as wanted (slot)
    cross join lateral (
      select * from delivery_ledger where stream = ${stream}::int and slot = wanted.slot limit 1
    ) as entry`.execute(db);
  return rows;
}

function entryOf({ slot, day, record, state, remote_ref }: StoredEntry): LedgerEntry {
  return {
    slot,
    day: unpackDay(day),
    content_mac: contentMacOf(record),
    pair_mac: pairMacOf(record),
    ...stateOf(state),
    remote_ref,
  };
}

/** Whether the ledger knows any row of the stream. */
export async function hasEntries(db: Db, stream: number): Promise<boolean> {
  const row = await db
    .selectFrom('delivery_ledger')
    .select('stream')
    .where('stream', '=', stream)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** By day and id; no more than the bank has pending for the account, so few. */
export async function provisionalEntries(db: Db, stream: number): Promise<ProvisionalEntry[]> {
  const rows = await db
    .selectFrom('delivery_ledger')
    .select(['day', 'record', 'match_mac', 'remote_ref'])
    .where('stream', '=', stream)
    .where('state', '=', PENDING)
    .orderBy('day')
    .execute();
  const entries = rows.map(({ day, record, match_mac, remote_ref }) => ({
    source_id: idOf(record),
    match_mac: match_mac === null ? null : Buffer.from(match_mac).toString('hex'),
    day: unpackDay(day),
    remote_ref,
  }));
  const last = Number.POSITIVE_INFINITY;
  return entries.sort((a, b) => (a.day ?? last) - (b.day ?? last) || (a.source_id < b.source_id ? -1 : 1));
}

/** Those of the destination's own ids that belong to rows of the sync now there, posted or pending. */
export async function recordedRefs(
  db: Db,
  sync: RowId<'sync'>,
  refs: readonly string[],
): Promise<ReadonlySet<string>> {
  if (refs.length === 0) return new Set();
  const { rows } = await sql<{ readonly remote_ref: string }>`
    select entry.remote_ref
    from delivery_streams join delivery_ledger as entry on entry.stream = delivery_streams.id
    where delivery_streams.sync = ${sync}::uuid
      and entry.remote_ref = any (${refs}::text[])
      and (entry.state is null or entry.state = ${PENDING})`.execute(db);
  return new Set(rows.map(({ remote_ref }) => remote_ref));
}

/** A window of days since 1970, both inclusive, and where to continue in the stream: null at its beginning. */
export interface PostedPage {
  readonly from: number;
  readonly to: number;
  readonly after: number | null;
  /** How many of the stream's entries to read: the page contains those of them in the window. */
  readonly limit: number;
}

/**
 * Posted rows, not retired, whose day is in the window, a page at a time in an order that never changes. `next` is
 * where the following page begins, null after the last; a page may be empty before it. There is no index by day, which
 * would take as much space for each row as the existing one: the whole stream is read, `limit` entries per statement.
 */
export async function postedEntries(
  db: Db,
  stream: number,
  { from, to, after, limit }: PostedPage,
): Promise<{ readonly entries: readonly PostedEntry[]; readonly next: number | null }> {
  const start = after === null ? sql`` : sql`and slot > ${after}::int`;
  const { rows } = await sql<WalkedEntry>`
    with read_page as (
      select slot, day, record, state, remote_ref
      from delivery_ledger
      where stream = ${stream}::int ${start}
      order by stream, slot
      limit ${limit}::int
    )
    select page.last, page.size, read_page.slot, read_page.day, read_page.record, read_page.remote_ref
    from (select max(slot) as last, count(*)::int as size from read_page) as page
    left join read_page on read_page.state is null
      and read_page.day between ${clampDay(from)}::int and ${clampDay(to)}::int
    order by read_page.slot`.execute(db);
  const [first] = rows;
  return { entries: rows.flatMap(postedOf), next: first?.size === limit ? first.last : null };
}

interface WalkedEntry extends Omit<StoredEntry, 'slot' | 'state' | 'record'> {
  /** Of the entries in read_page, whether in the window or not: the number of the last, and their count. */
  readonly last: number | null;
  readonly size: number;
  readonly slot: number | null;
  readonly record: Uint8Array | null;
}

function postedOf({ slot, day: packed, record, remote_ref }: WalkedEntry): PostedEntry[] {
  const day = unpackDay(packed);
  return slot === null || record === null || day === null
    ? []
    : [{ source_id: idOf(record), slot, day, remote_ref }];
}

/** The day of an unchanged row that had none when it was delivered. */
export interface LackingEntry {
  readonly slot: number;
  readonly day: number;
}

/**
 * Completes entries of rows whose content is unchanged. Adds no index entry. False, with nothing done, when the lease
 * is lost.
 */
export async function completeEntries(
  db: Db,
  lease: RunLease,
  stream: number,
  entries: readonly LackingEntry[],
): Promise<boolean> {
  const { rows } = await sql`
    with held as (
      select id from sync_runs
      where id = ${lease.run} and fence = ${lease.fence} and status = 'running'
      for no key update
    ), completed as (
      update delivery_ledger as entry
      set day = wanted.day
      from held, unnest(
        ${entries.map(({ slot }) => slot)}::int[], ${entries.map(({ day }) => packDay(day))}::smallint[]
      ) as wanted (slot, day)
      where entry.stream = ${stream}::int and entry.slot = wanted.slot
    )
    select id from held`.execute(db);
  return rows.length === 1;
}

/** A posted row whose MACs are among those given. */
export interface MatchingEntry extends PostedEntry {
  readonly content_mac: string;
  readonly pair_mac: string | null;
}

/** Entries read in one statement, which takes the embedded database about 20 milliseconds. */
const MATCH_ENTRIES = 20_000;

/**
 * Posted rows of the window, not retired, whose content's MAC or whose pairing MAC is among those given, in hexadecimal
 * digits. Only the first 16 digits of a content's MAC, which every record has, are compared. Pages cover the whole
 * stream, as in `postedEntries`.
 */
export async function matchingEntries(
  db: Db,
  stream: number,
  { from, to, after }: Omit<PostedPage, 'limit'>,
  { contents, pairs }: { readonly contents: readonly string[]; readonly pairs: readonly string[] },
): Promise<{ readonly entries: readonly MatchingEntry[]; readonly next: number | null }> {
  const start = after === null ? sql`` : sql`and slot > ${after}::int`;
  const { rows } = await sql<WalkedEntry>`
    with read_page as (
      select slot, day, record, state, remote_ref
      from delivery_ledger
      where stream = ${stream}::int ${start}
      order by stream, slot
      limit ${sql.lit(MATCH_ENTRIES)}
    ), matching as (
      select * from read_page
      where state is null and day between ${clampDay(from)}::int and ${clampDay(to)}::int
        and (encode(substring(record for 8), 'hex') = any (${contents.map((mac) => mac.slice(0, 16))}::text[])
          or encode(substring(record from 9 for 4), 'hex') = any (${pairs}::text[]))
    )
    select page.last, page.size, matching.slot, matching.day, matching.record, matching.remote_ref
    from (select max(slot) as last, count(*)::int as size from read_page) as page
    left join matching on true
    order by matching.slot`.execute(db);
  const [first] = rows;
  const entries = rows.flatMap((row) => {
    const [entry] = postedOf(row);
    return entry === undefined || row.record === null
      ? []
      : [{ ...entry, content_mac: contentMacOf(row.record), pair_mac: pairMacOf(row.record) }];
  });
  return { entries, next: first?.size === MATCH_ENTRIES ? first.last : null };
}

/** A row that was delivered at some time, whether or not it is still there. */
export interface RecordedEntry extends LedgerState {
  readonly source_id: string;
  /** As LedgerEntry. */
  readonly day: number | null;
  readonly remote_ref: string | null;
}

/** `next` is where the following page begins, null after the last. */
export interface RecordedPage {
  readonly entries: readonly RecordedEntry[];
  readonly next: number | null;
}

/** Every row of the stream, including those that are gone, a page at a time in an order that never changes. */
export async function recordedEntries(
  db: Db,
  stream: number,
  after: number | null,
  limit: number,
): Promise<RecordedPage> {
  const rows = await db
    .selectFrom('delivery_ledger')
    .select(['slot', 'day', 'record', 'state', 'remote_ref'])
    .where('stream', '=', stream)
    .$if(after !== null, (query) => query.where('slot', '>', after))
    .orderBy('slot')
    .limit(limit)
    .execute();
  const entries = rows.map(({ day, record, state, remote_ref }) => ({
    source_id: idOf(record),
    day: unpackDay(day),
    ...stateOf(state),
    remote_ref,
  }));
  return { entries, next: rows.length === limit ? (rows.at(-1)?.slot ?? null) : null };
}
