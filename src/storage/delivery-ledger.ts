import { sql } from 'kysely';
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

/** Entries of the given source ids; ids the ledger does not know are absent. */
export async function ledgerEntries(
  db: Db,
  stream: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LedgerEntry>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('delivery_ledger')
    .select(['source_id', 'content_mac', 'retired', 'provisional', 'remote_ref'])
    .where('stream', '=', stream)
    .where(sql<boolean>`source_id = any(string_to_array(${ids.join('\n')}, chr(10)))`)
    .execute();
  return new Map(rows.map((row) => [row.source_id, row]));
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
 * Records what the destination holds now. Source ids are distinct within a call and hold no line feed.
 * Columns travel as packed text: for 500 rows that takes half the time of arrays. The text of one empty MAC unpacks to
 * no element at all, hence the coalesce.
 */
export async function writeLedger(trx: Trx, rows: readonly LedgerWrite[]): Promise<void> {
  const plain = rows.filter(isPlain);
  if (plain.length > 0) await insertPlain(trx, plain);
  const rest = rows.filter((row) => !isPlain(row));
  if (rest.length > 0) await writeFull(trx, rest);
}

/** New posted rows at a destination without ids of its own: nearly all rows of nearly all chunks. */
const isPlain = (row: LedgerWrite): boolean =>
  row.fresh && !row.provisional && !row.retired && row.remoteRef === null;

/** An insert alone: a row that the ledger does hold would be our own fault, and must fail the run rather than pass. */
async function insertPlain(trx: Trx, rows: readonly LedgerWrite[]): Promise<void> {
  await sql`
    insert into delivery_ledger (stream, source_id, content_mac, retired, provisional)
    select s::bigint, i, decode(coalesce(m, ''), 'hex'), false, false
    from unnest(
      string_to_array(${packed(rows, (row) => String(row.stream))}, chr(10)),
      string_to_array(${packed(rows, (row) => row.sourceId)}, chr(10)),
      string_to_array(${packed(rows, (row) => row.contentMac)}, chr(10))
    ) as t (s, i, m)`.execute(trx);
}

async function writeFull(trx: Trx, rows: readonly LedgerWrite[]): Promise<void> {
  await trx
    .insertInto('delivery_ledger')
    .values(
      rows.map((row) => ({
        stream: row.stream,
        source_id: row.sourceId,
        content_mac: Buffer.from(row.contentMac, 'hex'),
        retired: row.retired,
        provisional: row.provisional,
        match_mac: row.matchMac === null ? null : Buffer.from(row.matchMac, 'hex'),
        match_day: row.matchDay,
        remote_ref: row.remoteRef,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['stream', 'source_id']).doUpdateSet((eb) => ({
        content_mac: eb.ref('excluded.content_mac'),
        retired: eb.ref('excluded.retired'),
        provisional: eb.ref('excluded.provisional'),
        match_mac: eb.ref('excluded.match_mac'),
        match_day: eb.ref('excluded.match_day'),
        remote_ref: eb.ref('excluded.remote_ref'),
      })),
    )
    .execute();
}

function packed(rows: readonly LedgerWrite[], column: (row: LedgerWrite) => string): string {
  return rows.map(column).join('\n');
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
