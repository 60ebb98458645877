import { sql } from 'kysely';
import type { RowId } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';
import { idOf, RETIRED_PENDING, RETIRED_POSTED } from './ledger-records.ts';
import { slotOf } from './ledger-slots.ts';
import type { RunLease } from './run-leases.ts';

/** Entries read in one statement; as `matchingEntries`. */
const PAGE = 20_000;
/** Entries deleted in one statement, which takes the embedded database about 40 milliseconds. */
const DELETED = 2000;

const isRetired = sql`state in (${sql.lit(RETIRED_PENDING)}, ${sql.lit(RETIRED_POSTED)})`;

/**
 * If a stream has more than `most` retired entries, deletes those of the earliest days until half of `most` are left: a
 * bank that lists its rows under new ids in every session retires all of them each time. This reads the whole stream,
 * so half is deleted to make it rare. False, with nothing more deleted, when the lease is lost.
 */
export async function pruneRetired(db: Db, lease: RunLease, stream: number, most: number): Promise<boolean> {
  const count = await retiredCount(db, stream);
  if (count <= most) return true;
  const needed = await passedSlots(db, stream);
  const { rows } = await sql<{ readonly slot: number }>`
    select slot from delivery_ledger where stream = ${stream}::int and ${isRetired}
    order by day nulls first, slot limit ${count - Math.floor(most / 2)}::int`.execute(db);
  const slots = rows.map(({ slot }) => slot).filter((slot) => !needed.has(slot));
  for (let at = 0; at < slots.length; at += DELETED) {
    if (!(await deleteRetired(db, lease, stream, slots.slice(at, at + DELETED)))) return false;
  }
  return true;
}

async function retiredCount(db: Db, stream: number): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from delivery_ledger
    where stream = ${stream}::int and ${isRetired}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Slots that precede those of entries: without an entry there, a search would stop before it finds them. */
async function passedSlots(db: Db, stream: number): Promise<ReadonlySet<number>> {
  const passed = new Set<number>();
  let after: number | null = null;
  do {
    const page = await entriesAfter(db, stream, after);
    for (const { slot, record } of page) {
      const id = idOf(record);
      for (let attempt = 0, tried = slotOf(stream, id, 0); tried !== slot; ) {
        passed.add(tried);
        tried = slotOf(stream, id, ++attempt);
      }
    }
    after = page.length === PAGE ? (page.at(-1)?.slot ?? null) : null;
  } while (after !== null);
  return passed;
}

async function entriesAfter(
  db: Db,
  stream: number,
  after: number | null,
): Promise<readonly { readonly slot: number; readonly record: Uint8Array }[]> {
  return db
    .selectFrom('delivery_ledger')
    .select(['slot', 'record'])
    .where('stream', '=', stream)
    .$if(after !== null, (query) => query.where('slot', '>', after))
    .orderBy('slot')
    .limit(PAGE)
    .execute();
}

async function deleteRetired(
  db: Db,
  { run, fence }: RunLease,
  stream: number,
  slots: readonly number[],
): Promise<boolean> {
  const { rows } = await sql<{ readonly id: RowId<'sync_run'> }>`
    with held as (
      select id from sync_runs
      where id = ${run} and fence = ${fence} and status = 'running'
      for no key update
    ), deleted as (
      delete from delivery_ledger as entry using held
      where entry.stream = ${stream}::int and entry.slot = any (${[...slots]}::int[]) and ${isRetired}
    )
    select id from held`.execute(db);
  return rows.length === 1;
}
