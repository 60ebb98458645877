import { type RawBuilder, sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Db, Trx } from './database.ts';

/** One account's rows of one sync (delivery_streams). */
export interface DeliveryStream {
  readonly id: number;
  readonly account: RowId<'account'>;
  readonly cursor: Date | null;
  /** Whether the account is still one of the sync's. */
  readonly present: boolean;
}

/** What the ledger says of a row the source reports. */
export interface LedgerEntry {
  readonly content_mac: Uint8Array;
  readonly retired: boolean;
  readonly provisional: boolean;
  readonly remote_ref: string | null;
}

/** A provisional row that the destination shows now. */
export interface ProvisionalEntry {
  readonly source_id: string;
  readonly match_mac: Uint8Array | null;
  readonly match_day: number | null;
  readonly remote_ref: string | null;
}

/** A row as it stands at the destination after a write. MACs in hexadecimal. */
export interface LedgerWrite {
  /** Whether the ledger knows nothing of the row yet. */
  readonly fresh: boolean;
  readonly stream: number;
  readonly sourceId: string;
  readonly contentMac: string;
  readonly retired: boolean;
  readonly provisional: boolean;
  readonly matchMac: string | null;
  readonly matchDay: number | null;
  readonly remoteRef: string | null;
}

/** Streams of the sync: those of its accounts in the sync's order, then those of accounts it had once. */
export async function streamsOfSync(
  db: Db,
  owner: RowId<'account_record'>,
  sync: RowId<'sync'>,
): Promise<DeliveryStream[]> {
  const rows = await db
    .selectFrom('delivery_streams')
    .innerJoin('syncs', 'syncs.id', 'delivery_streams.sync')
    .leftJoin('sync_accounts', (join) =>
      join
        .onRef('sync_accounts.sync', '=', 'delivery_streams.sync')
        .onRef('sync_accounts.account', '=', 'delivery_streams.account'),
    )
    .select([
      'delivery_streams.id',
      'delivery_streams.account',
      'delivery_streams.cursor',
      'sync_accounts.position',
    ])
    .where('syncs.account_record', '=', owner)
    .where('syncs.id', '=', sync)
    .orderBy('sync_accounts.position', (order) => order.asc().nullsLast())
    .execute();
  return rows.map(({ position, ...stream }) => ({ ...stream, present: position !== null }));
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
  if (ids.length === 0) return new Map();
  const { rows } = await sql<LedgerEntry & { source_id: string }>`
    select entry.source_id, entry.content_mac, entry.retired, entry.provisional, entry.remote_ref
    from unnest(string_to_array(${ids.join('\n')}, chr(10))) as wanted (id)
    cross join lateral (
      select * from delivery_ledger where stream = ${stream} and source_id = wanted.id collate "C" limit 1
    ) as entry`.execute(db);
  return new Map(rows.map((row) => [row.source_id, row]));
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

/** As many as the bank has pending for the account: few. */
export async function provisionalEntries(db: Db, stream: number): Promise<ProvisionalEntry[]> {
  return db
    .selectFrom('delivery_ledger')
    .select(['source_id', 'match_mac', 'match_day', 'remote_ref'])
    .where('stream', '=', stream)
    .where('provisional', '=', true)
    .where('retired', '=', false)
    .orderBy('match_day')
    .orderBy('source_id')
    .execute();
}

/**
 * The clauses that record what the destination holds now, for a statement in which `held` is the run's row if its lease
 * stands. Source ids are distinct within a call and hold no line feed.
 */
export function ledgerClauses(rows: readonly LedgerWrite[]): RawBuilder<unknown>[] {
  const plain = rows.filter(isPlain);
  const rest = plain.length === rows.length ? [] : rows.filter((row) => !isPlain(row));
  return [...(plain.length > 0 ? [plainClause(plain)] : []), ...(rest.length > 0 ? [fullClause(rest)] : [])];
}

/** New posted rows at a destination without ids of its own: nearly all rows of nearly all chunks. */
const isPlain = (row: LedgerWrite): boolean =>
  row.fresh && !row.provisional && !row.retired && row.remoteRef === null && row.contentMac !== '';

/**
 * An insert alone: a row that the ledger does hold would be our own fault, and must fail the run rather than pass.
 * Columns travel as packed text, one for each stream: for 500 rows that takes half the time of arrays.
 */
function plainClause(rows: readonly LedgerWrite[]) {
  const groups = [...Map.groupBy(rows, (row) => row.stream)];
  return sql`, plain as (
      insert into delivery_ledger (stream, source_id, content_mac, retired, provisional)
      select packed.stream, entry.id, decode(entry.mac, 'hex'), false, false
      from held, unnest(
        ${groups.map(([stream]) => stream)}::bigint[],
        ${groups.map(([, group]) => group.map((row) => row.sourceId).join('\n'))}::text[],
        ${groups.map(([, group]) => group.map((row) => row.contentMac).join('\n'))}::text[]
      ) as packed (stream, ids, macs), unnest(
        string_to_array(packed.ids, chr(10)), string_to_array(packed.macs, chr(10))
      ) as entry (id, mac)
    )`;
}

function fullClause(rows: readonly LedgerWrite[]) {
  return sql`, full_rows as (
      insert into delivery_ledger
        (stream, source_id, content_mac, retired, provisional, match_mac, match_day, remote_ref)
      select entry.stream, entry.id, decode(entry.mac, 'hex'), entry.retired, entry.provisional,
        decode(entry.match, 'hex'), entry.day, entry.ref
      from held, unnest(
        ${rows.map((row) => row.stream)}::bigint[], ${rows.map((row) => row.sourceId)}::text[],
        ${rows.map((row) => row.contentMac)}::text[], ${rows.map((row) => row.retired)}::boolean[],
        ${rows.map((row) => row.provisional)}::boolean[], ${rows.map((row) => row.matchMac)}::text[],
        ${rows.map((row) => row.matchDay)}::int[], ${rows.map((row) => row.remoteRef)}::text[]
      ) as entry (stream, id, mac, retired, provisional, match, day, ref)
      on conflict (stream, source_id) do update set
        content_mac = excluded.content_mac, retired = excluded.retired, provisional = excluded.provisional,
        match_mac = excluded.match_mac, match_day = excluded.match_day, remote_ref = excluded.remote_ref
    )`;
}

export async function moveCursor(trx: Trx, stream: number, cursor: Date): Promise<void> {
  await trx.updateTable('delivery_streams').set({ cursor }).where('id', '=', stream).execute();
}

/** Makes the next run read the whole window of every account; what was delivered stays known. */
export async function clearCursors(
  trx: Trx,
  owner: RowId<'account_record'>,
  sync: RowId<'sync'>,
): Promise<void> {
  await trx
    .updateTable('delivery_streams')
    .set({ cursor: null })
    .where('sync', 'in', ownedSync(trx, owner, sync))
    .execute();
}

/** Forgets all that was delivered, so that the next run delivers it again (SPEC, resync). */
export async function clearDeliveries(
  trx: Trx,
  owner: RowId<'account_record'>,
  sync: RowId<'sync'>,
): Promise<void> {
  await clearCursors(trx, owner, sync);
  await trx
    .deleteFrom('delivery_ledger')
    .where('stream', 'in', (query) =>
      query
        .selectFrom('delivery_streams')
        .select('id')
        .where('sync', 'in', ownedSync(trx, owner, sync)),
    )
    .execute();
  await trx
    .deleteFrom('delivery_chunks')
    .where('sync', 'in', ownedSync(trx, owner, sync))
    .execute();
}

function ownedSync(trx: Trx, owner: RowId<'account_record'>, sync: RowId<'sync'>) {
  return trx.selectFrom('syncs').select('id').where('account_record', '=', owner).where('id', '=', sync);
}
