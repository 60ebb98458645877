import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { SimulatedClock } from '../../src/platform/clock.ts';
import { newRowId } from '../../src/platform/row-id.ts';
import { deleteManyRows } from '../../src/storage/account-removals.ts';
import { BATCH_EVENTS, batchesOfEvent } from '../../src/storage/batched-events.ts';
import type { Db, Trx } from '../../src/storage/database.ts';
import { deleteEmptyBatches, insertBatches } from '../../src/storage/event-batches.ts';
import { nextDue } from '../../src/storage/event-deliveries.ts';
import { claimEventDestinations } from '../../src/storage/event-destination-leases.ts';
import { type OwnerId, type RowId, rowId } from '../../src/vocabulary/ids.ts';
import { newOwner } from '../features/sync-engine/support/world.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

/** Events of the busy owner; the others have one each. */
const MANY = 5_000;
/** Of an owner: each event is in a batch for each of them. */
const DESTINATIONS = 10;
/** So few that the planner expects a tenth of all batches at any event destination. */
const OTHERS = 5;
const DELETED = 100;
/** Events of an account record that is deleted; it was added after the others. */
const REMOVED = 2_000;
const clock = new SimulatedClock(Date.now());

interface Subscriber {
  readonly owner: OwnerId;
  readonly destinations: readonly RowId<'event_destination'>[];
}

/** An owner with so many events, each delivered to each event destination in a batch of its own. */
async function subscriber(db: Db, events: number, receivers = DESTINATIONS): Promise<Subscriber> {
  const { id: owner } = await newOwner(db);
  const destinations = Array.from({ length: receivers }, () => rowId('event_destination', newRowId(clock)));
  const now = new Date(clock.now());
  await sql`
    insert into event_destinations
      (id, account_record, name, endpoint, signing_secret, enabled_events, status, created, updated)
    select id, ${owner}, 'Receiver', '', '', '{*}', 'enabled', ${now}, ${now}
    from unnest(${destinations}::uuid[]) as wanted (id)`.execute(db);
  await sql`
    with happened as (
      insert into events (id, account_record, kind, subject, position, created)
      select gen_random_uuid(), ${owner}, 'sync.attention', gen_random_uuid(), place, ${now}
      from generate_series(1, ${sql.lit(events)}) as place
      returning id, position
    )
    insert into event_batches (destination, first_position, account_record, events, size, due_at, attempts)
    select destination, position, ${owner}, array[id], 1, ${now},
      json_build_object('version', 1, 'attempts', json_build_array(json_build_array(0, 1, 200)))
    from happened cross join unnest(${destinations}::uuid[]) as receiver (destination)`.execute(db);
  return { owner, destinations };
}

async function eventAt(db: Db, owner: OwnerId, position: number): Promise<RowId<'event'>> {
  const { id } = await db
    .selectFrom('events')
    .select('id')
    .where('account_record', '=', owner)
    .where('position', '=', position)
    .executeTakeFirstOrThrow();
  return id;
}

class RolledBack extends Error {}

/** How many rows of the table, and entries of its indexes, the work reads; what it writes is rolled back. */
async function rowsRead(db: Db, table: string, work: (trx: Trx) => Promise<unknown>): Promise<number> {
  let count = 0;
  const reading = async (trx: Trx): Promise<number> => {
    const { rows } = await sql<{ readonly read: number }>`
      select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::integer as read
      from (
        select ${table}::regclass::oid as oid
        union all select indexrelid from pg_index where indrelid = ${table}::regclass
      ) as counted`.execute(trx);
    return rows[0]?.read ?? 0;
  };
  const counted = db.transaction().execute(async (trx) => {
    const began = await reading(trx);
    await work(trx);
    count = (await reading(trx)) - began;
    throw new RolledBack();
  });
  await assert.rejects(counted, RolledBack);
  return count;
}

describe('beside an owner with many batches', () => {
  let database: TestDatabase;
  let busy: Subscriber;
  let other: Subscriber;
  let late: Subscriber;

  before(async () => {
    database = await openTestDatabase();
    const { db } = database;
    const others: Subscriber[] = [];
    busy = await subscriber(db, MANY);
    for (let count = 0; count < OTHERS; count++) others.push(await subscriber(db, 1));
    other = others.at(-1) ?? assert.fail();
    late = await subscriber(db, REMOVED, 1);
    await sql`analyze`.execute(db);
  });
  after(() => database.close());

  test('the deletion of old events reads the batches up to them, not all of the owner', async () => {
    const read = await rowsRead(database.db, 'event_batches', async (trx) => {
      await trx
        .deleteFrom('events')
        .where('account_record', '=', busy.owner)
        .where('position', '<=', DELETED)
        .execute();
      await deleteEmptyBatches(trx, new Map([[busy.owner, DELETED]]));
    });
    assert.ok(read < 6 * DELETED * DESTINATIONS, String(read));
  });

  test('the deletion of another account record reads no batches but its own', async () => {
    const read = await rowsRead(database.db, 'event_batches', async (trx) => {
      await trx.deleteFrom('events').where('account_record', '=', other.owner).execute();
      assert.equal(await deleteManyRows(trx, other.owner), true);
      assert.equal(await deleteManyRows(trx, other.owner), false);
    });
    assert.ok(read < 200, String(read));
  });

  test('the deletion of the account record reads what it deletes, and not what others had before', async () => {
    const { db } = database;
    for (const table of ['events', 'event_batches']) {
      const read = await rowsRead(db, table, async (trx) => {
        if (table === 'event_batches')
          await trx.deleteFrom('events').where('account_record', '=', late.owner).execute();
        assert.equal(await deleteManyRows(trx, late.owner), true);
      });
      assert.ok(read < 3 * REMOVED, `${table}: ${read}`);
    }
  });

  test('the deliveries of an event are found among the batches around it', async () => {
    const { db } = database;
    for (const [owner, position] of [
      [busy.owner, MANY / 2],
      [other.owner, 1],
    ] as const) {
      const event = await eventAt(db, owner, position);
      const read = await rowsRead(db, 'event_batches', async (trx) => {
        assert.equal((await batchesOfEvent(trx, owner, event)).length, DESTINATIONS);
      });
      assert.ok(read < 3 * BATCH_EVENTS * DESTINATIONS, `${position}: ${read}`);
    }
  });

  test('handing on, and taking an event destination, read none that were delivered', async () => {
    const { db } = database;
    const { owner, destinations } = busy;
    const now = new Date(clock.now());
    const leaseUntil = new Date(clock.now() + 60_000);
    const events = [{ id: await eventAt(db, owner, MANY), position: MANY + 1 }];
    const read = await rowsRead(db, 'event_batches', async (trx) => {
      const batches = destinations.map((destination) => ({ destination, events }));
      await insertBatches(trx, owner, batches, now);
      const places = { free: 1, held: new Map() };
      const { taken } = await claimEventDestinations(trx, places, { most: 16, batch: 200 }, now, leaseUntil);
      assert.equal(taken.length, 1);
      assert.equal((await nextDue(trx, destinations)).size, DESTINATIONS);
    });
    assert.ok(read < 200, String(read));
  });
});
