import { type RawBuilder, sql } from 'kysely';
import { bytesArray, integerArray, smallintArray } from './binary-arrays.ts';
import type { Db } from './database.ts';
import { ID_FORM_AT, ID_FORM_MASK, idOf, packDay, packRecord, stateNumber } from './ledger-records.ts';
import { slotOf } from './ledger-slots.ts';

/** A row as it is at the destination after a write. MACs in hexadecimal. */
export interface LedgerWrite {
  /** Whether the row is new to the ledger. */
  readonly fresh: boolean;
  readonly stream: number;
  readonly sourceId: string;
  readonly contentMac: string;
  /** As RowMacs.pair; null for rows that have none. */
  readonly pairMac: string | null;
  readonly retired: boolean;
  readonly provisional: boolean;
  readonly matchMac: string | null;
  /** Days since 1970: of the posting, for a pending row of the purchase. Null keeps the day in the ledger. */
  readonly day: number | null;
  readonly remoteRef: string | null;
}

/** The rows that have the numbers, by stream. */
export type TakenSlots = ReadonlyMap<number, ReadonlyMap<number, string>>;

interface PlacedWrite {
  readonly write: LedgerWrite;
  readonly slot: number;
}

/**
 * The clauses that record what the destination has now, for a statement in which `held` is the run's row if its lease
 * is still held. Source ids are distinct within a call. The statement fails as `isSlotTaken` tells if a row's number
 * belongs to another row: then call `takenSlots` and try again with those.
 */
export function ledgerClauses(
  rows: readonly LedgerWrite[],
  taken: TakenSlots = new Map(),
): RawBuilder<unknown>[] {
  const placed = place(rows, taken);
  const plain = placed.filter(isPlain);
  const rest = plain.length === placed.length ? [] : placed.filter((row) => !isPlain(row));
  return [...(plain.length > 0 ? [plainClause(plain)] : []), ...(rest.length > 0 ? [fullClause(rest)] : [])];
}

/** Each row's number: the first of its sequence that is not known to belong to another row. */
function place(rows: readonly LedgerWrite[], taken: TakenSlots): PlacedWrite[] {
  const holders = new Map([...taken].map(([stream, slots]) => [stream, new Map(slots)]));
  return rows.map((write) => {
    const { stream, sourceId } = write;
    const slots = holders.get(stream) ?? new Map<number, string>();
    if (slots.size === 0) holders.set(stream, slots);
    for (let attempt = 0; ; attempt++) {
      const slot = slotOf(stream, sourceId, attempt);
      const holder = slots.get(slot);
      if (holder !== undefined && holder !== sourceId) continue;
      slots.set(slot, sourceId);
      return { write, slot };
    }
  });
}

/**
 * Whether the statement failed because a number was taken: by another row, or by the row itself if it was to be new.
 */
export function isSlotTaken(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && 'table' in error)) return false;
  return error.table === 'delivery_ledger' && (error.code === '23505' || error.code === '23502');
}

/** The rows that have the numbers under which these rows could be stored. */
export async function takenSlots(db: Db, rows: readonly LedgerWrite[]): Promise<TakenSlots> {
  const taken = new Map<number, Map<number, string>>();
  for (let found = true; found; ) {
    found = false;
    const placed = place(rows, taken);
    for (const { stream, slot, record } of await recordsAt(db, placed)) {
      const slots = taken.get(stream) ?? new Map<number, string>();
      found ||= !slots.has(slot);
      taken.set(stream, slots.set(slot, idOf(record)));
    }
  }
  return taken;
}

interface StoredRecord {
  readonly stream: number;
  readonly slot: number;
  readonly record: Uint8Array;
}

async function recordsAt(db: Db, placed: readonly PlacedWrite[]): Promise<readonly StoredRecord[]> {
  const { rows } = await sql<StoredRecord>`
    select entry.stream, entry.slot, entry.record
    from unnest(
      ${placed.map(({ write }) => write.stream)}::int[], ${placed.map(({ slot }) => slot)}::int[]
    ) as wanted (stream, slot)
    cross join lateral (
      select * from delivery_ledger where stream = wanted.stream and slot = wanted.slot limit 1
    ) as entry`.execute(db);
  return rows;
}

/** New posted rows at a destination without ids of its own: nearly all rows of nearly all chunks. */
const isPlain = ({ write }: PlacedWrite): boolean =>
  write.fresh && !write.provisional && !write.retired && write.remoteRef === null && write.contentMac !== '';

/**
 * An insert alone: a row that is already in the ledger would be our own bug, and must fail the run rather than go
 * unnoticed. Columns are sent in binary form: for 500 rows, text takes Postgres half as long again.
 */
function plainClause(rows: readonly PlacedWrite[]) {
  return sql`, plain as (
      insert into delivery_ledger (stream, slot, day, record)
      select entry.stream, entry.slot, entry.day, entry.record
      from held, unnest(
        ${integerArray(rows.map(({ write }) => write.stream))}::int[],
        ${integerArray(rows.map(({ slot }) => slot))}::int[],
        ${smallintArray(rows.map(({ write }) => packDay(write.day)))}::smallint[],
        ${bytesArray(rows.map(recordOf))}::bytea[]
      ) as entry (stream, slot, day, record)
    )`;
}

function recordOf({ write: { contentMac, sourceId, pairMac } }: PlacedWrite): string {
  return packRecord(contentMac, sourceId, pairMac);
}

/** If the number belongs to another row, the record becomes null, which the table refuses. */
function fullClause(rows: readonly PlacedWrite[]) {
  return sql`, full_rows as (
      insert into delivery_ledger as entry (stream, slot, day, record, state, match_mac, remote_ref)
      select wanted.stream, wanted.slot, wanted.day, decode(wanted.record, 'hex'), wanted.state,
        decode(wanted.match, 'hex'), wanted.ref
      from held, unnest(
        ${rows.map(({ write }) => write.stream)}::int[], ${rows.map(({ slot }) => slot)}::int[],
        ${rows.map(({ write }) => packDay(write.day))}::smallint[], ${rows.map(recordOf)}::text[],
        ${rows.map(({ write }) => stateNumber(write))}::smallint[], ${rows.map(({ write }) => write.matchMac)}::text[],
        ${rows.map(({ write }) => write.remoteRef)}::text[]
      ) as wanted (stream, slot, day, record, state, match, ref)
      on conflict (stream, slot) do update set
        record = case when ${idIn('entry')} = ${idIn('excluded')} then excluded.record end,
        day = coalesce(excluded.day, entry.day), state = excluded.state,
        match_mac = excluded.match_mac, remote_ref = excluded.remote_ref
    )`;
}

/** The packed id in a record of either form. */
function idIn(table: 'entry' | 'excluded') {
  const record = sql.ref(`${table}.record`);
  const at = sql.lit(ID_FORM_AT);
  const form = sql`get_byte(${record}, ${at}) & ${sql.lit(ID_FORM_MASK)}`;
  return sql`set_byte(substring(${record} from ${sql.lit(ID_FORM_AT + 1)}), 0, ${form})`;
}
