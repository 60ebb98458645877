import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { EventDestination } from '../../../src/features/event-destinations/event-destinations.ts';
import { OutgoingFailure } from '../../../src/platform/outgoing-failure.ts';
import { deleteEventsBefore } from '../../../src/storage/events.ts';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { closeEventDatabase, EventWorld, ONE_PLACE } from './support/event-world.ts';

after(closeEventDatabase);

const MINUTE_MS = 60_000;
const never = new AbortController().signal;
const idOf = (text: string) => parsePublicId('event', text) ?? assert.fail(text);

async function happening(world: EventWorld, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let one = 0; one < count; one++) ids.push(await world.happens());
  return ids;
}

/** Of each event: its status at the only event destination, and how many attempts are logged. */
async function shown(
  world: EventWorld,
  ids: readonly string[],
): Promise<readonly (readonly [string | undefined, number])[]> {
  const found: (readonly [string | undefined, number])[] = [];
  for (const id of ids) {
    const [delivery, ...others] = await world.features.events.deliveries(world.owner.id, idOf(id));
    assert.deepEqual(others, []);
    const attempts = JSON.stringify(delivery?.log ?? null).split('"at"').length - 1;
    found.push([delivery?.status, attempts]);
  }
  return found;
}

function batches(world: EventWorld): Promise<number> {
  return sql`select from event_batches where account_record = ${world.owner.id}`
    .execute(world.database.db)
    .then(({ rows }) => rows.length);
}

/** Makes requests wait for each other, and the first one with an event fail. Counts those of each event. */
function oneByOne(
  world: EventWorld,
  failing: string,
  begin: (attempt: number) => void = () => undefined,
): ReadonlyMap<string, number> {
  const attempts = new Map<string, number>();
  const { request } = world.http;
  let all = 0;
  let before: Promise<unknown> = Promise.resolve();
  world.http.request = (call) => {
    const mine = before.then(() => {
      const { id }: { readonly id: string } = JSON.parse(String(call.body));
      attempts.set(id, (attempts.get(id) ?? 0) + 1);
      all += 1;
      begin(all);
      if (id === failing && attempts.get(id) === 1)
        throw new OutgoingFailure('reset', 'The connection broke.', true);
      return request.call(world.http, call);
    });
    before = mine.catch(() => undefined);
    return mine;
  };
  return attempts;
}

/** Takes one event destination and delivers to it. */
async function turn(world: EventWorld): Promise<number> {
  const { taken } = await world.features.eventDeliveries.take(ONE_PLACE);
  for (const one of taken) await world.features.eventDeliveries.work(one, never);
  return taken.length;
}

describe('of events that are handed on together', () => {
  test('those that fail are sent again, those that were not sent are, and those that arrived are not', async () => {
    for (const failing of [0, 3, 15]) {
      await using world = await EventWorld.open();
      const { receiver } = await world.subscribed();
      const ids = await happening(world, 16);
      const bad = ids[failing] ?? '';
      const stopping = new AbortController();
      // The process is asked to stop at the second, with others on their way.
      const attempts = oneByOne(world, bad, (attempt) => {
        if (attempt === 2) stopping.abort();
      });
      while (await world.features.eventFanOut.round());
      const { taken } = await world.features.eventDeliveries.take(ONE_PLACE);
      for (const one of taken) await world.features.eventDeliveries.work(one, stopping.signal);
      for (let minutes = 0; minutes < 10; minutes++) {
        await world.deliver();
        world.clock.advance(MINUTE_MS);
      }
      assert.deepEqual(
        ids.map((id) => attempts.get(id)),
        ids.map((id) => (id === bad ? 2 : 1)),
      );
      assert.deepEqual(receiver.ids.toSorted(), ids.toSorted());
      assert.equal(receiver.bodies.length, ids.length);
      assert.deepEqual(
        await shown(world, ids),
        ids.map((id) => ['succeeded', id === bad ? 2 : 1]),
      );
    }
  });

  test('each is shown as what it is: arrived, waiting for another attempt, or for its first', async () => {
    await using world = await EventWorld.open();
    const { receiver } = await world.subscribed();
    const [first = '', second = '', third = ''] = await happening(world, 3);
    while (await world.features.eventFanOut.round());
    assert.deepEqual(await shown(world, [first, second, third]), [
      ['pending', 0],
      ['pending', 0],
      ['pending', 0],
    ]);
    receiver.behave = () => ({ status: 500 });
    await turn(world);
    const all = await shown(world, [first, second, third]);
    assert.ok(all.every(([status]) => status === 'pending'));
    receiver.behave = () => ({ status: 200 });
    for (let minutes = 0; minutes < 10; minutes++) {
      world.clock.advance(MINUTE_MS);
      await world.deliver();
    }
    assert.deepEqual(
      (await shown(world, [first, second, third])).map(([status]) => status),
      ['succeeded', 'succeeded', 'succeeded'],
    );
  });

  test('one that arrived is sent again alone, and shows both attempts', async () => {
    await using world = await EventWorld.open();
    const { receiver } = await world.subscribed();
    const ids = await happening(world, 5);
    await world.deliver();
    await world.features.events.redeliver(world.owner.id, idOf(ids[2] ?? ''));
    assert.deepEqual((await shown(world, ids))[2], ['pending', 1]);
    await world.deliver();
    assert.equal(receiver.bodies.length, 6);
    assert.deepEqual(
      await shown(world, ids),
      ids.map((_, at) => ['succeeded', at === 2 ? 2 : 1]),
    );
  });

  test('one that is sent again before its first attempt is sent once', async () => {
    await using world = await EventWorld.open();
    const { receiver } = await world.subscribed();
    const ids = await happening(world, 5);
    while (await world.features.eventFanOut.round());
    await world.features.events.redeliver(world.owner.id, idOf(ids[2] ?? ''));
    await world.deliver();
    assert.equal(receiver.bodies.length, 5);
  });

  test('one that is sent again while its first attempt is under way comes again, whatever is answered', async () => {
    for (const status of [200, 500]) {
      await using world = await EventWorld.open();
      const { receiver } = await world.subscribed();
      const ids = await happening(world, 5);
      const wanted = ids[2] ?? '';
      while (await world.features.eventFanOut.round());
      receiver.behave = (request) => ({ status: request < 5 ? status : 200 });
      await turnWith(world, wanted, () => world.features.events.redeliver(world.owner.id, idOf(wanted)));
      assert.equal(receiver.bodies.length, 5);
      assert.equal((await shown(world, [wanted]))[0]?.[0], 'pending');
      for (let hours = 0; hours < 6; hours++) {
        await world.deliver();
        world.clock.advance(60 * MINUTE_MS);
      }
      const bodies = receiver.bodies.filter((body) => body.includes(wanted));
      assert.equal(bodies.length, 2, String(status));
      assert.equal(receiver.bodies.length, status === 200 ? 6 : 10);
      assert.ok((await shown(world, ids)).every(([reached]) => reached === 'succeeded'));
    }
  });

  test('what an earlier version recorded one by one is delivered and shown', async () => {
    await using world = await EventWorld.open();
    const { receiver, destination } = await world.subscribed();
    const ids = await happening(world, 2);
    while (await world.features.eventFanOut.round());
    const { db } = world.database;
    await sql`delete from event_batches where account_record = ${world.owner.id}`.execute(db);
    await sql`
      insert into event_deliveries (event, destination, account_record, position, status, due_at)
      select id, ${destination.row.id}, account_record, position, 'pending', ${new Date(world.clock.now())}
      from events where account_record = ${world.owner.id}`.execute(db);
    const later = await world.happens();
    await world.deliver();
    assert.equal(receiver.bodies.length, 3);
    assert.deepEqual(await shown(world, [...ids, later]), [
      ['succeeded', 1],
      ['succeeded', 1],
      ['succeeded', 1],
    ]);
  });
});

/** Takes one event destination and delivers to it; something is done before the answer about one event arrives. */
async function turnWith(world: EventWorld, id: string, meanwhile: () => Promise<unknown>): Promise<void> {
  const { request } = world.http;
  let done: Promise<unknown> | null = null;
  world.http.request = async (call) => {
    const response = await request.call(world.http, call);
    if (!String(call.body).includes(id)) return response;
    done ??= meanwhile();
    await done;
    return response;
  };
  assert.equal(await turn(world), 1);
}

describe('of events that are deleted for their age', () => {
  const everything = async (world: EventWorld, limit: number): Promise<void> => {
    const before = new Date(world.clock.now() + 1);
    while ((await deleteEventsBefore(world.database.db, before, limit)) > 0);
  };

  test('nothing stays behind, however few are deleted at a time', async () => {
    for (const limit of [1, 3, 100]) {
      await using world = await EventWorld.open();
      await world.subscribed();
      await world.subscribed('sync.*');
      await happening(world, 7);
      await world.deliver();
      assert.equal(await batches(world), 2);
      await everything(world, limit);
      assert.equal(await batches(world), 0);
    }
  });

  test('those that still wait are sent no more, and keep no worker busy', async () => {
    await using world = await EventWorld.open();
    const { receiver, destination } = await world.subscribed();
    await happening(world, 3);
    while (await world.features.eventFanOut.round());
    // Without what deletes the batch as well: the process died in between.
    const { db } = world.database;
    await sql`delete from events where account_record = ${world.owner.id}`.execute(db);
    assert.equal(await turnOf(world, destination), true);
    assert.equal(await turnOf(world, destination), false);
    assert.equal(receiver.bodies.length, 0);
    assert.equal(await batches(world), 0);
  });

  test('one that fails while it is deleted is recorded no more, and the others are', async () => {
    await using world = await EventWorld.open();
    await world.subscribed();
    const [gone = '', ...others] = await happening(world, 4);
    const { db } = world.database;
    oneByOne(world, gone);
    while (await world.features.eventFanOut.round());
    const { taken } = await world.features.eventDeliveries.take(ONE_PLACE);
    await sql`delete from events where id = ${idOf(gone)}`.execute(db);
    for (const one of taken) await world.features.eventDeliveries.work(one, never);
    await world.deliver();
    assert.deepEqual(
      await shown(world, others),
      others.map(() => ['succeeded', 1]),
    );
  });
});

/** Whether the event destination was taken. */
async function turnOf(world: EventWorld, { row }: EventDestination): Promise<boolean> {
  const { taken } = await world.features.eventDeliveries.take(ONE_PLACE);
  for (const one of taken) await world.features.eventDeliveries.work(one, never);
  return taken.some(({ destination }) => destination.id === row.id);
}

test('A remembered event takes the memory of its own bytes, not a slab of 64 KiB that others share', async () => {
  await using world = await EventWorld.open();
  await world.subscribed();
  const { request } = world.http;
  const slabs: number[] = [];
  world.http.request = (call) => {
    if (call.body instanceof Uint8Array) slabs.push(call.body.buffer.byteLength - call.body.byteLength);
    return request.call(world.http, call);
  };
  await happening(world, 3);
  await world.deliver();
  assert.deepEqual(slabs, [0, 0, 0]);
});
