import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { BATCH_EVENTS } from '../../../src/storage/batched-events.ts';
import type { TakenDestination } from '../../../src/storage/event-destination-leases.ts';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { closeEventDatabase, EventWorld, ONE_PLACE } from './support/event-world.ts';

after(closeEventDatabase);

const MINUTE_MS = 60_000;
const never = new AbortController().signal;
const idOf = (text: string) => parsePublicId('event', text) ?? assert.fail(text);
const isMissing = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'resource_missing';

async function handedOn(world: EventWorld, count: number, subject?: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let one = 0; one < count; one++) ids.push(await world.happens('sync.attention', subject));
  while (await world.features.eventFanOut.round());
  return ids;
}

async function takeOne({ features }: EventWorld): Promise<TakenDestination> {
  const [taken] = (await features.eventDeliveries.take(ONE_PLACE)).taken;
  return taken ?? assert.fail('nothing is due');
}

describe('in the middle of a batch', () => {
  test('a receiver that asks for a pause gets it, and then the others', async () => {
    await using world = await EventWorld.open();
    const { receiver } = await world.subscribed();
    const ids = await handedOn(world, 5, world.newSubject());
    receiver.behave = (request) =>
      request === 1 ? { status: 429, headers: { 'retry-after': '600' } } : { status: 204 };
    await world.deliver();
    assert.equal(receiver.bodies.length, 2);
    world.clock.advance(9 * MINUTE_MS);
    await world.deliver();
    assert.equal(receiver.bodies.length, 2);
    world.clock.advance(MINUTE_MS);
    await world.deliver();
    assert.deepEqual(receiver.ids.toSorted(), ids.toSorted());
    assert.equal(receiver.bodies.length, ids.length + 1);
  });

  test('a receiver that is gone gets no more, and what it had not got once it is enabled', async () => {
    await using world = await EventWorld.open();
    const { receiver, destination } = await world.subscribed();
    const ids = await handedOn(world, 5, world.newSubject());
    receiver.behave = (request) => ({ status: request === 1 ? 410 : 204 });
    await world.deliver();
    world.clock.advance(60 * MINUTE_MS);
    await world.deliver();
    assert.equal(receiver.bodies.length, 2);
    assert.equal((await world.read(destination)).row.disabled_reason, 'gone');
    await world.features.eventDestinations.enable(world.owner.id, destination.id);
    await world.deliver();
    assert.deepEqual(receiver.ids.toSorted(), ids.toSorted());
    assert.equal(receiver.bodies.length, ids.length + 1);
  });
});

describe('of more events than a batch has', () => {
  test('the first, the last of the first batch and the first of the second are shown and sent again', async () => {
    await using world = await EventWorld.open();
    await using stranger = await EventWorld.open();
    const { receiver } = await world.subscribed();
    const { events } = world.features;
    const owner = world.owner.id;
    const all = await handedOn(world, BATCH_EVENTS + 1);
    const ids = [0, BATCH_EVENTS - 1, BATCH_EVENTS].map((at) => idOf(all[at] ?? ''));
    const statuses = () =>
      Promise.all(
        ids.map(async (id) => (await events.deliveries(owner, id)).map(({ status }) => status).join()),
      );
    for (const id of ids) {
      await assert.rejects(stranger.features.events.deliveries(stranger.owner.id, id), isMissing);
      await assert.rejects(stranger.features.events.redeliver(stranger.owner.id, id), isMissing);
    }
    assert.deepEqual(await statuses(), ['pending', 'pending', 'pending']);
    await world.deliver();
    assert.deepEqual(await statuses(), ['succeeded', 'succeeded', 'succeeded']);
    for (const id of ids) await events.redeliver(owner, id);
    assert.deepEqual(await statuses(), ['pending', 'pending', 'pending']);
    await world.deliver();
    assert.deepEqual(await statuses(), ['succeeded', 'succeeded', 'succeeded']);
    assert.equal(receiver.bodies.length, all.length + ids.length);
    assert.deepEqual(receiver.ids.toSorted(), all.toSorted());
  });
});

describe('a worker that takes what is sent again and what is new', () => {
  for (const [fresh, together] of [
    [BATCH_EVENTS - 3, BATCH_EVENTS],
    [BATCH_EVENTS - 2, 3],
    [BATCH_EVENTS, 3],
  ] as const)
    test(`takes whole batches, and ${BATCH_EVENTS} at most: 3 and ${fresh}`, async () => {
      await using world = await EventWorld.open();
      const { receiver } = await world.subscribed();
      const again = await handedOn(world, 3);
      await world.deliver();
      for (const id of again) await world.features.events.redeliver(world.owner.id, idOf(id));
      world.clock.advance(1);
      await handedOn(world, fresh);
      const taken = await takeOne(world);
      const isAll = together === 3 + fresh;
      assert.deepEqual(
        [taken.due.length, taken.batches.length, taken.more],
        [together, isAll ? 1 : 0, !isAll],
      );
      assert.equal(await world.features.eventDeliveries.work(taken, never), !isAll);
      if (!isAll) {
        const rest = await takeOne(world);
        assert.deepEqual([rest.due.length, rest.batches.length, rest.more], [fresh, 1, false]);
        assert.equal(await world.features.eventDeliveries.work(rest, never), false);
      }
      assert.equal(receiver.bodies.length, 3 + 3 + fresh);
    });

  test('takes a full batch that has waited longer alone', async () => {
    await using world = await EventWorld.open();
    await world.subscribed();
    const again = await handedOn(world, 3);
    await world.deliver();
    await handedOn(world, BATCH_EVENTS);
    world.clock.advance(1);
    for (const id of again) await world.features.events.redeliver(world.owner.id, idOf(id));
    const taken = await takeOne(world);
    assert.deepEqual([taken.due.length, taken.batches.length, taken.more], [BATCH_EVENTS, 1, true]);
    assert.equal(await world.features.eventDeliveries.work(taken, never), true);
    assert.equal((await takeOne(world)).due.length, 3);
  });
});
