import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { FanOutWork } from '../../../src/background/event-fan-out.ts';
import { Receivers } from '../../../src/background/event-receivers.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { Notices } from '../../../src/storage/notices.ts';
import { closeEventDatabase, EventWorld } from './support/event-world.ts';

after(closeEventDatabase);

/** Pauses of milliseconds end at once, and no look falls due. */
const neverLooking = (clock: Clock): Clock => ({
  now: () => clock.now(),
  sleep: (ms, signal) => (ms < 1000 ? Promise.resolve() : clock.sleep(ms, signal)),
});

const PAGE = { limit: 10, after: null, before: null };

test('an account record whose receivers hang has its share of the places, and another gets its events at once [limit event_receivers_at_once]', async () => {
  await using greedy = await EventWorld.open({ event_receivers_at_once: 4, event_deadline_ms: 60_000 });
  await using other = await EventWorld.open();
  for (let count = 0; count < 6; count++) {
    const { receiver } = await greedy.subscribed();
    receiver.behave = () => 'hang';
  }
  const healthy = await other.subscribed();
  let wake = () => {};
  const receivers = new Receivers({
    clock: neverLooking(greedy.clock),
    log: createLog({ level: 'silent' }),
    limits: greedy.limits,
    deliveries: greedy.features.eventDeliveries,
    notices: {
      onNotice: () => undefined,
      onLost: (woken) => {
        wake = woken;
      },
    },
  });
  receivers.start();
  const held = () => greedy.receivers.filter(({ bodies }) => bodies.length > 0).length;
  await greedy.happens();
  while (await greedy.features.eventFanOut.round());
  wake();
  // A lone owner has half of the places.
  await until(() => held() === 2);
  for (let count = 1; count <= 3; count++) {
    await other.happens();
    while (await other.features.eventFanOut.round());
    // Both clocks began at the machine's, one after the other.
    greedy.clock.advance(1000);
    wake();
    await until(() => healthy.receiver.events.length === count);
    assert.equal(held(), 2);
  }
  for (const receiver of greedy.receivers) await receiver[Symbol.asyncDispose]();
  await receivers.stop(60_000);
  assert.deepEqual(healthy.receiver.faults, []);
});

test('what happens, and what its owner sends again, reaches receivers by notice, without a look', async () => {
  await using world = await EventWorld.open();
  const notices = new Notices(world.database.database);
  await notices.start();
  await until(() => notices.connected);
  const features = world.process(world.database.db, notices);
  const { receiver } = await world.subscribed();
  const options = { clock: neverLooking(world.clock), log: createLog({ level: 'silent' }), notices };
  const fanOut = new FanOutWork({ ...options, fanOut: features.eventFanOut });
  const receivers = new Receivers({
    ...options,
    limits: world.limits,
    deliveries: features.eventDeliveries,
  });
  fanOut.start();
  receivers.start();
  try {
    const first = await world.happens('sync.attention', world.newSubject(), features);
    await until(() => receiver.events.length === 1);
    const [event] = (await features.events.list(world.owner.id, null, PAGE)).items;
    assert.ok(event);
    await until(async () => {
      const [delivery] = await features.events.deliveries(world.owner.id, event.id);
      return delivery?.status === 'succeeded';
    });
    await features.events.redeliver(world.owner.id, event.id);
    await until(() => receiver.bodies.length === 2);
    assert.deepEqual(receiver.ids, [first]);
  } finally {
    await fanOut.stop();
    await receivers.stop(60_000);
    await notices.stop();
  }
});

test('one event to many event destinations is looked for once and written down once; more that is due, again', async () => {
  await using world = await EventWorld.open();
  for (let count = 0; count < 5; count++) await world.subscribed();
  const statements: string[] = [];
  const db = world.database.db.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(JSON.stringify(node));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const { eventDeliveries } = world.process(db);
  let wake = () => {};
  let looks = 0;
  let atWork = 0;
  const receivers = new Receivers({
    clock: neverLooking(world.clock),
    log: createLog({ level: 'silent' }),
    limits: world.limits,
    deliveries: {
      take: async (places) => {
        looks += 1;
        return eventDeliveries.take(places);
      },
      work: async (...given) => {
        atWork += 1;
        return eventDeliveries.work(...given).finally(() => {
          atWork -= 1;
        });
      },
    },
    notices: {
      onNotice: () => undefined,
      onLost: (woken) => {
        wake = woken;
      },
    },
  });
  receivers.start();
  // The look that every worker begins with.
  await until(() => looks === 1);
  const arrived = (count: number) => () =>
    world.receivers.every(({ events }) => events.length === count) && atWork === 0;
  // All answers come together, however busy the machine is.
  const { request } = world.http;
  const answered = Promise.withResolvers<void>();
  let answers = 0;
  world.http.request = async (call) => {
    const response = await request.call(world.http, call);
    answers += 1;
    if (answers === world.receivers.length) answered.resolve();
    await answered.promise;
    return response;
  };
  await world.happens();
  while (await world.features.eventFanOut.round());
  wake();
  await until(arrived(1));
  world.http.request = request;
  assert.equal(looks, 2);
  assert.equal(statements.filter((one) => one.includes('update event_batches')).length, 1);
  // More than a worker takes of one destination at a time.
  const many = 230;
  for (let count = 0; count < many; count++) await world.happens();
  while (await world.features.eventFanOut.round());
  wake();
  await until(arrived(1 + many));
  await receivers.stop(60_000);
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}
