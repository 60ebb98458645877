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
  stateOf,
  unpackDay,
} from './ledger-records.ts';
import { slotOf } from './ledger-slots.ts';
import type { RunLease } from './run-leases.ts';

/** What the ledger says of a row the source reports. */
export interface LedgerEntry extends LedgerState {
  /** The number under which the stream keeps the row. */
  readonly slot: number;
  /** Hexadecimal; empty when nobody knows what the destination has of the row. */
  readonly content_mac: string;
  /** Days since 1970: of the posting, for a pending row of the purchase. Null where it is unknown. */
  readonly day: number | null;
  readonly remote_ref: string | null;
}

/** A provisional row that the destination shows now. */
export interface ProvisionalEntry {
  readonly source_id: string;
  /** Hexadecimal. */
  readonly match_mac: string | null;
  readonly day: number | null;
  readonly remote_ref: string | null;
}

/** A posted row that the destination shows now. */
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
 * Entries of the given source ids; ids the ledger does not know are absent. Each id is a step into the index: asked for
 * `any` of them, Postgres guesses that so many ids are most of the stream and reads all of it for every page.
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
    // Where another row has the number, this one may lie under its next.
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
  return { slot, day: unpackDay(day), content_mac: contentMacOf(record), ...stateOf(state), remote_ref };
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

/** By day and id; as many as the bank has pending for the account: few. */
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

/** Those of the destination's own ids that are of rows of the sync that stand there, posted or pending. */
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

/** A window of days since 1970, both inclusive, and where to go on in the stream: null at its beginning. */
export interface PostedPage {
  readonly from: number;
  readonly to: number;
  readonly after: number | null;
  /** How many of the stream's entries to look at: the page holds those of them that lie in the window. */
  readonly limit: number;
}

/**
 * Posted rows, not retired, whose day lies in the window, a page at a time in an order that never changes. `next` is
 * where the following page begins, null after the last; a page may be empty before it. There is no index by day, which
 * would cost each row as much as the one there is: the whole stream is walked, `limit` entries in a statement.
 */
export async function postedEntries(
  db: Db,
  stream: number,
  { from, to, after, limit }: PostedPage,
): Promise<{ readonly entries: readonly PostedEntry[]; readonly next: number | null }> {
  const start = after === null ? sql`` : sql`and slot > ${after}::int`;
  const { rows } = await sql<WalkedEntry>`
    with walked as (
      select slot, day, record, state, remote_ref
      from delivery_ledger
      where stream = ${stream}::int ${start}
      order by stream, slot
      limit ${limit}::int
    )
    select page.last, page.size, walked.slot, walked.day, walked.record, walked.remote_ref
    from (select max(slot) as last, count(*)::int as size from walked) as page
    left join walked on walked.state is null
      and walked.day between ${clampDay(from)}::int and ${clampDay(to)}::int
    order by walked.slot`.execute(db);
  const [first] = rows;
  return { entries: rows.flatMap(postedOf), next: first?.size === limit ? first.last : null };
}

interface WalkedEntry extends Omit<StoredEntry, 'slot' | 'state' | 'record'> {
  /** Of the entries walked, in the window or not: the last one's number, and how many they were. */
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

/**
 * Sets the day of rows whose content stands, for example of those whose day was unknown. Costs no entry of the index.
 * False, and nothing done, when the lease does not stand.
 */
export async function refreshDays(
  db: Db,
  lease: RunLease,
  stream: number,
  days: readonly { readonly slot: number; readonly day: number | null }[],
): Promise<boolean> {
  const { rows } = await sql`
    with held as (
      select id from sync_runs
      where id = ${lease.run} and fence = ${lease.fence} and status = 'running'
      for no key update
    ), refreshed as (
      update delivery_ledger as entry set day = wanted.day
      from held, unnest(
        ${days.map(({ slot }) => slot)}::int[], ${days.map(({ day }) => packDay(day))}::smallint[]
      ) as wanted (slot, day)
      where entry.stream = ${stream}::int and entry.slot = wanted.slot
    )
    select id from held`.execute(db);
  return rows.length === 1;
}

/** A row that was delivered once, whether or not it stands there now. */
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

/** Every row of the stream, also those that are gone, a page at a time in an order that never changes. */
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
