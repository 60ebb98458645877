import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type Db, type OpenDatabase, openDatabase } from '../../../src/storage/database.ts';
import { type DeliveryOutcome, settleDeliveries } from '../../../src/storage/event-deliveries.ts';
import {
  giveBackEventDestinations,
  holdEventDestinations,
  type TakenDestination,
} from '../../../src/storage/event-destination-leases.ts';
import { EVENT_DELIVERY_MOVES, StatusMove } from '../../../src/vocabulary/states.ts';
import { eventually } from '../../support/patience.ts';
import { closeEventDatabase, EventWorld, ONE_PLACE } from './support/event-world.ts';

after(closeEventDatabase);

const LEASE_OVER_MS = 130_000;
const MINUTE_MS = 60_000;

interface Results {
  /** Places among the events that are due, from 1; the others were not sent. */
  readonly delivered: readonly number[];
  readonly failed: readonly number[];
}

/** Records what a worker did with the only batch of the event destination, and releases it. False if it may not. */
function settled(
  { database: { db }, clock }: EventWorld,
  { destination, due, batches }: TakenDestination,
  { delivered, failed }: Results,
): Promise<boolean> {
  const attempt = { at: clock.now(), durationMs: 1, status: 200, failure: null, answer: null };
  const dueAt = new Date(clock.now() + MINUTE_MS);
  const [batch] = batches;
  assert.ok(batch);
  const outcomes = due.flatMap((one, at): DeliveryOutcome[] => {
    const common = { destination: destination.id, due: one, dueAt, attempt };
    const arrived = StatusMove.of(EVENT_DELIVERY_MOVES, 'answered with 2xx', 'pending');
    if (delivered.includes(at + 1)) return [{ ...common, moved: arrived }];
    return failed.includes(at + 1) ? [{ ...common, moved: null }] : [];
  });
  const events = due.map(({ id: event, position }) => ({ event, position: position ?? 0 }));
  const ended = {
    ...batch,
    destination: destination.id,
    delivered: events.flatMap((one, at) => (delivered.includes(at + 1) ? [{ ...one, attempt }] : [])),
    waiting: events.filter((_, at) => !delivered.includes(at + 1) && !failed.includes(at + 1)),
  };
  return db.transaction().execute(async (trx) => {
    if ((await holdEventDestinations(trx, [destination])).length === 0) return false;
    await settleDeliveries(trx, outcomes, [ended]);
    await giveBackEventDestinations(trx, [{ id: destination.id, change: null }]);
    return true;
  });
}

/** Four events in one batch, and the worker that took it. */
async function takenByOne(world: EventWorld): Promise<{ ids: string[]; one: TakenDestination }> {
  const ids: string[] = [];
  for (let count = 0; count < 4; count++) ids.push(await world.happens());
  while (await world.features.eventFanOut.round());
  const [one] = (await world.features.eventDeliveries.take(ONE_PLACE)).taken;
  assert.ok(one);
  assert.equal(one.due.length, 4);
  return { ids, one };
}

async function deliverAll(world: EventWorld): Promise<void> {
  for (let minutes = 0; minutes < 10; minutes++) {
    await world.deliver();
    world.clock.advance(MINUTE_MS);
  }
}

describe('a worker whose lease has ended', () => {
  test('still records its results if no other has taken the event destination', async () => {
    await using world = await EventWorld.open();
    const { receiver } = await world.subscribed();
    const { ids, one } = await takenByOne(world);
    world.clock.advance(LEASE_OVER_MS);
    assert.equal(await settled(world, one, { delivered: [2, 4], failed: [1] }), true);
    await deliverAll(world);
    assert.deepEqual(receiver.ids.toSorted(), [ids[0], ids[2]].toSorted());
  });

  test('records nothing if another has, and nothing is lost', async () => {
    await using world = await EventWorld.open();
    const { receiver } = await world.subscribed();
    const { ids, one } = await takenByOne(world);
    world.clock.advance(LEASE_OVER_MS);
    const [other] = (await world.features.eventDeliveries.take(ONE_PLACE)).taken;
    assert.ok(other);
    assert.equal(await settled(world, one, { delivered: [2], failed: [3] }), false);
    assert.equal(await settled(world, other, { delivered: [1], failed: [] }), true);
    await deliverAll(world);
    assert.deepEqual(receiver.ids.toSorted(), ids.slice(1).toSorted());
  });
});

describe('results for a batch of which others have been recorded since it was read', () => {
  const FIRST: readonly Results[] = [
    { delivered: [2], failed: [3] },
    { delivered: [1], failed: [3] },
    { delivered: [2, 3], failed: [] },
    { delivered: [], failed: [1] },
  ];
  for (const first of FIRST)
    test(`are not recorded, and no event is lost: ${JSON.stringify(first)}`, async () => {
      for (const second of [first, { delivered: [1], failed: [] }, { delivered: [4], failed: [1] }]) {
        await using world = await EventWorld.open();
        const { receiver } = await world.subscribed();
        const { ids, one } = await takenByOne(world);
        await settled(world, one, first);
        // With the same lease: a commit whose answer was lost is repeated, and so would be any error in the leases.
        await settled(world, one, second);
        await deliverAll(world);
        const wanted = ids.filter((_, at) => !first.delivered.includes(at + 1));
        assert.deepEqual(receiver.ids.toSorted(), wanted.toSorted(), JSON.stringify(second));
        assert.equal(receiver.bodies.length, wanted.length);
      }
    });
});

const server = process.env.DATABASE_URL ?? '';

describe('on a Postgres server', { skip: server === '' }, () => {
  /** Any number; the test decides when a statement that reads batches goes on. */
  const GATE = 52_801;
  let world: EventWorld;
  let other: OpenDatabase;

  before(async () => {
    world = await EventWorld.open();
    const { db } = world.database;
    await sql`create schema gated`.execute(db);
    await sql`
      create view gated.event_batches as select * from public.event_batches
      where pg_advisory_xact_lock_shared(${sql.lit(GATE)}) is not null`.execute(db);
    const { rows } = await sql<{ readonly name: string }>`select current_database() as name`.execute(db);
    const url = new URL(server);
    url.pathname = rows[0]?.name ?? '';
    url.searchParams.set('options', '-c search_path=gated,public');
    other = await openDatabase({ kind: 'postgres', url: url.href });
  });
  after(async () => {
    await other.close();
    await sql`drop schema gated cascade`.execute(world.database.db);
    await world[Symbol.asyncDispose]();
  });

  test('a worker does not take an event destination that a late one gives back during the statement', async () => {
    const { db } = world.database;
    const { receiver } = await world.subscribed();
    const { ids, one } = await takenByOne(world);
    world.clock.advance(LEASE_OVER_MS);
    const { taking } = await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(GATE)})`.execute(trx);
      const reading = world.process(other.db).eventDeliveries.take(ONE_PLACE);
      await eventually(() => isWaiting(db), 'the read of the gated batches');
      assert.equal(await settled(world, one, { delivered: [2], failed: [3] }), true);
      return { taking: reading };
    });
    assert.deepEqual((await taking).taken, []);
    await deliverAll(world);
    assert.deepEqual(receiver.ids.toSorted(), [ids[0], ids[2], ids[3]].toSorted());
  });

  async function isWaiting(db: Db): Promise<boolean> {
    const { rows } = await sql`
      select from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted`.execute(db);
    return rows.length > 0;
  }
});
