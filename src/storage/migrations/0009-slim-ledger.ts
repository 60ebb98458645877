import { type QueryExecutorProvider, sql } from 'kysely';
import { packDay, packRecord, stateNumber } from '../ledger-records.ts';
import { slotOf } from '../ledger-slots.ts';

const BATCH = 5_000;
const MAC_DIGITS = 24;
/** A line of an intent up to the part of its MAC that is kept, and the rest of the MAC. */
const OLD_MAC = `^([^ ]+ [0-9a-f]{${MAC_DIGITS}})[0-9a-f]{8}`;
const KEPT = '\\1';

interface OldRow {
  readonly stream: number;
  readonly source_id: string;
  readonly content_mac: string;
  readonly retired: boolean;
  readonly provisional: boolean;
  readonly match_mac: string | null;
  readonly match_day: number | null;
  readonly remote_ref: string | null;
}

interface NewRow extends OldRow {
  readonly slot: number;
}

/**
 * A ledger of less than half the size: ids as bytes in one column with the MAC, an index of eight bytes a row, no column
 * that only pending rows fill. Every row moves, a batch at a time; the day on which a posted row was posted is unknown
 * until it is read again. The old table goes at once: a process of an older release that is still running would go on
 * writing to it, and what it wrote would be sent a second time.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`lock table delivery_ledger in access exclusive mode`.execute(db);
  await sql`alter table delivery_ledger rename to old_delivery_ledger`.execute(db);
  await sql`alter index delivery_ledger_pkey rename to old_delivery_ledger_pkey`.execute(db);
  await sql`drop index delivery_ledger_provisional`.execute(db);
  // The order of columns is that in which they need no filling between them.
  await sql`
    create table delivery_ledger (
      stream integer not null,
      slot integer not null,
      day smallint,
      state smallint,
      record bytea not null,
      match_mac bytea,
      remote_ref text,
      primary key (stream, slot)
    )`.execute(db);
  await moveRows(db);
  await sql`drop table old_delivery_ledger`.execute(db);
  await sql`create index delivery_ledger_pending on delivery_ledger (stream) where state = 1`.execute(db);
  // Intents hold MACs too, which are compared with those of rows read again.
  await sql`update delivery_chunks set rows = regexp_replace(rows, ${OLD_MAC}, ${KEPT}, 'gn')`.execute(db);
}

async function moveRows(db: QueryExecutorProvider): Promise<void> {
  let last: OldRow | undefined;
  do {
    const after =
      last === undefined
        ? sql``
        : sql`where (stream, source_id) > (${last.stream}::bigint, ${last.source_id}::text collate "C")`;
    const { rows } = await sql<OldRow>`
      select stream::int as stream, source_id, encode(content_mac, 'hex') as content_mac, retired, provisional,
        encode(match_mac, 'hex') as match_mac, match_day, remote_ref
      from old_delivery_ledger ${after}
      order by stream, source_id limit ${sql.lit(BATCH)}`.execute(db);
    await insertRows(db, rows);
    last = rows.at(-1);
  } while (last !== undefined);
}

/** Rows whose number another row has already go under their next one. */
async function insertRows(db: QueryExecutorProvider, rows: readonly OldRow[]): Promise<void> {
  let left = rows;
  for (let attempt = 0; left.length > 0; attempt++) {
    const placed = left.map((row) => ({ ...row, slot: slotOf(row.stream, row.source_id, attempt) }));
    const inserted = await insertPlaced(db, placed);
    left = placed.filter((row) => !inserted.has(idOf(row)));
  }
}

/** The rows that are in now; of two with one number, the first. */
async function insertPlaced(
  db: QueryExecutorProvider,
  placed: readonly NewRow[],
): Promise<ReadonlySet<string>> {
  const bySlot = new Map<string, NewRow>();
  for (const row of placed) {
    const key = `${row.stream} ${row.slot}`;
    if (!bySlot.has(key)) bySlot.set(key, row);
  }
  const first = [...bySlot.values()];
  const { rows } = await sql<{ stream: number; slot: number }>`
    insert into delivery_ledger (stream, slot, day, state, record, match_mac, remote_ref)
    select wanted.stream, wanted.slot, wanted.day, wanted.state, decode(wanted.record, 'hex'),
      decode(wanted.match, 'hex'), wanted.ref
    from unnest(
      ${first.map((row) => row.stream)}::int[], ${first.map((row) => row.slot)}::int[],
      ${first.map((row) => packDay(row.match_day))}::smallint[], ${first.map(stateNumber)}::smallint[],
      ${first.map((row) => packRecord(row.content_mac, row.source_id))}::text[],
      ${first.map((row) => row.match_mac?.slice(0, MAC_DIGITS) ?? null)}::text[],
      ${first.map((row) => row.remote_ref)}::text[]
    ) as wanted (stream, slot, day, state, record, match, ref)
    on conflict do nothing
    returning stream, slot`.execute(db);
  return new Set(
    rows.flatMap(({ stream, slot }) => {
      const row = bySlot.get(`${stream} ${slot}`);
      return row === undefined ? [] : [idOf(row)];
    }),
  );
}

function idOf({ stream, source_id }: OldRow): string {
  return `${stream} ${source_id}`;
}
