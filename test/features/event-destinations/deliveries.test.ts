import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { EVENT_RETRY_DELAYS_MS } from '../../../src/vocabulary/event-deliveries.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { closeEventDatabase, EventWorld, ONE_PLACE } from './support/event-world.ts';

after(closeEventDatabase);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('an event', () => {
  test('reaches every event destination that subscribes to it, once, signed in both schemes [move event_delivery: answered with 2xx]', async () => {
    await using world = await EventWorld.open();
    const [all, family, kind, other] = [
      await world.subscribed('*'),
      await world.subscribed('sync.*'),
      await world.subscribed('sync.attention'),
      await world.subscribed('sync_run.*', 'connection.created'),
    ];
    const id = await world.happens('sync.attention');
    await world.deliver();
    await world.deliver();
    for (const { receiver } of [all, family, kind]) {
      assert.deepEqual(receiver.ids, [id]);
      assert.equal(receiver.bodies.length, 1);
      assert.deepEqual(receiver.faults, []);
    }
    assert.deepEqual(other.receiver.bodies, []);
  });

  test('has the body that v2 shows, and names what it is about', async () => {
    await using world = await EventWorld.open();
    const { receiver } = await world.subscribed();
    const id = await world.happens('connection.expired');
    await world.deliver();
    const [event] = receiver.events;
    assert.equal(event?.id, id);
    const about = event?.related_object;
    assert.match(about?.id ?? '', /^conn_/);
    assert.deepEqual(about, { id: about?.id, object: 'connection', url: `/v2/connections/${about?.id}` });
    assert.equal(event?.account_record, publicId('account_record', world.owner.id));
    assert.deepEqual(Object.keys(event ?? {}), [
      'id',
      'object',
      'type',
      'created',
      'livemode',
      'account_record',
      'related_object',
      'data',
    ]);
  });

  test('of another account record is no one else’s', async () => {
    await using world = await EventWorld.open();
    await using stranger = await EventWorld.open();
    const mine = await world.subscribed();
    const theirs = await stranger.subscribed();
    await world.happens();
    await world.deliver();
    assert.equal(mine.receiver.events.length, 1);
    assert.deepEqual(theirs.receiver.bodies, []);
  });

  test('about the same thing comes in the order in which things happened', async () => {
    await using world = await EventWorld.open();
    const { receiver } = await world.subscribed();
    const subjects = [world.newSubject(), world.newSubject(), world.newSubject()];
    const ids = new Map<string, string[]>(subjects.map((subject) => [subject, []]));
    for (let round = 0; round < 10; round++) {
      for (const subject of subjects) ids.get(subject)?.push(await world.happens('sync.attention', subject));
    }
    await world.deliver();
    assert.equal(receiver.events.length, 30);
    for (const order of ids.values())
      assert.deepEqual(
        receiver.ids.filter((id) => order.includes(id)),
        order,
      );
  });
});

describe('a delivery that fails', () => {
  for (const behaviour of [
    { status: 500 },
    { status: 302, headers: { location: 'https://example.com' } },
    'reset',
  ] as const) {
    const what = typeof behaviour === 'string' ? behaviour : String(behaviour.status);
    test(`with ${what} is tried again, at the times of the table, and shows each attempt`, async () => {
      await using world = await EventWorld.open();
      const { receiver, destination } = await world.subscribed();
      receiver.behave = (request) => (request < 3 ? behaviour : { status: 200 });
      const id = await world.happens();
      await world.deliver();
      for (const delay of EVENT_RETRY_DELAYS_MS.slice(0, 3)) {
        world.clock.advance(0.8 * delay);
        const before = receiver.bodies.length;
        await world.deliver();
        assert.equal(receiver.bodies.length, before, 'not before its time');
        world.clock.advance(0.2 * delay);
        await world.deliver();
        assert.equal(receiver.bodies.length, before + 1);
      }
      assert.deepEqual(receiver.ids, [id]);
      assert.deepEqual(receiver.faults, []);
      assert.deepEqual(new Set(receiver.bodies).size, 1);
      assert.equal((await world.read(destination)).row.failing_since, null);
    });
  }

  test('for good is failed, after more than 24 hours [move event_delivery: the last attempt failed]', async () => {
    await using world = await EventWorld.open();
    const { receiver } = await world.subscribed();
    const begun = world.clock.now();
    receiver.behave = () => ({ status: 500, body: 'no\u0000 \u001b[31mroom' });
    await world.happens();
    for (let hours = 0; hours < 60; hours++) {
      await world.deliver();
      world.clock.advance(HOUR_MS);
    }
    assert.equal(receiver.bodies.length, EVENT_RETRY_DELAYS_MS.length + 1);
    const { events } = world.features;
    const page = await events.list(world.owner.id, null, { limit: 1, after: null, before: null });
    const [event] = page.items;
    assert.ok(event);
    const [delivery] = await events.deliveries(world.owner.id, event.id);
    assert.equal(delivery?.status, 'failed');
    const log = JSON.stringify(delivery?.log);
    assert.ok(log.includes('no [31mroom'), log);
    assert.ok(world.clock.now() - begun > DAY_MS);
  });
});

test('an event that is sent again while an attempt is under way keeps all its attempts', async () => {
  await using world = await EventWorld.open();
  const { receiver } = await world.subscribed();
  receiver.behave = () => ({ status: 500 });
  await world.happens();
  await world.deliver();
  const { events } = world.features;
  const page = await events.list(world.owner.id, null, { limit: 1, after: null, before: null });
  const [event] = page.items;
  assert.ok(event);
  world.clock.advance(HOUR_MS);
  let again: Promise<unknown> | null = null;
  receiver.behave = () => {
    again ??= events.redeliver(world.owner.id, event.id);
    return { status: 500 };
  };
  const [taken] = (await world.features.eventDeliveries.take(ONE_PLACE)).taken;
  assert.ok(taken);
  // The answer waits for the redelivery to be committed.
  const { request } = world.http;
  world.http.request = async (call) => {
    const response = await request.call(world.http, call);
    await again;
    return response;
  };
  await world.features.eventDeliveries.work(taken, new AbortController().signal);
  const [delivery] = await events.deliveries(world.owner.id, event.id);
  assert.deepEqual([delivery?.status, delivery?.attempts], ['pending', 0]);
});

test('an event that is sent again while it is being sent again comes a third time', async () => {
  await using world = await EventWorld.open();
  const { receiver } = await world.subscribed();
  const { events } = world.features;
  await world.happens();
  await world.deliver();
  const page = await events.list(world.owner.id, null, { limit: 1, after: null, before: null });
  const [event] = page.items;
  assert.ok(event);
  await events.redeliver(world.owner.id, event.id);
  const { request } = world.http;
  world.http.request = async (call) => {
    const response = await request.call(world.http, call);
    world.clock.advance(1);
    if (receiver.bodies.length === 2) await events.redeliver(world.owner.id, event.id);
    return response;
  };
  await world.deliver();
  assert.equal(receiver.bodies.length, 3);
  const [delivery] = await events.deliveries(world.owner.id, event.id);
  assert.deepEqual([delivery?.status, delivery?.attempts], ['succeeded', 1]);
});

test('a delivery is recorded, and not sent forever, whatever the precision of the time at which it is due', async () => {
  for (const microseconds of [300, 700]) {
    await using world = await EventWorld.open();
    const { receiver } = await world.subscribed();
    const { events } = world.features;
    await world.happens();
    await world.deliver();
    const page = await events.list(world.owner.id, null, { limit: 1, after: null, before: null });
    const [event] = page.items;
    assert.ok(event);
    await events.redeliver(world.owner.id, event.id);
    await sql`
      update event_deliveries set due_at = due_at + ${microseconds}::integer * interval '1 microsecond'
      where event = ${event.id}`.execute(world.database.db);
    world.clock.advance(1);
    const [taken] = (await world.features.eventDeliveries.take(ONE_PLACE)).taken;
    assert.ok(taken);
    await world.features.eventDeliveries.work(taken, new AbortController().signal);
    assert.equal((await events.deliveries(world.owner.id, event.id))[0]?.status, 'succeeded');
    assert.equal(receiver.bodies.length, 2);
  }
});
