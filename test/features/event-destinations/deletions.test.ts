import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { deleteEventDestination } from '../../../src/storage/event-destinations.ts';
import { deleteEventsBefore } from '../../../src/storage/events.ts';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { closeEventDatabase, EventWorld } from './support/event-world.ts';

after(closeEventDatabase);

/** Long enough for a statement to begin waiting for a row. */
const BEGUN_MS = 100;

const code = (expected: string) => (error: unknown) =>
  error instanceof ServiceError && error.code === expected;
const idOf = (text: string) => parsePublicId('event', text) ?? assert.fail(text);

/** Does the work while a transaction that deletes something has not been committed. */
async function beside<T>(
  world: EventWorld,
  deletion: (trx: Parameters<typeof deleteEventDestination>[0]) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  let working: Promise<T> | null = null;
  await world.database.db.transaction().execute(async (trx) => {
    await deletion(trx);
    working = work();
    // What becomes of it is seen below.
    working.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, BEGUN_MS));
  });
  return working ?? assert.fail('it was begun');
}

describe('beside the deletion of an event destination', () => {
  test('an event is sent again to the others', async () => {
    await using world = await EventWorld.open();
    const { events } = world.features;
    const [goes, stays] = [await world.subscribed(), await world.subscribed()];
    const id = await world.happens();
    await world.deliver();
    await beside(
      world,
      (trx) => deleteEventDestination(trx, world.owner.id, goes.destination.id),
      () => events.redeliver(world.owner.id, idOf(id)),
    );
    await world.deliver();
    assert.deepEqual([goes.receiver.bodies.length, stays.receiver.bodies.length], [1, 2]);
  });

  test('that was the only one, sending an event again says that there is none', async () => {
    await using world = await EventWorld.open();
    const { destination } = await world.subscribed();
    const id = await world.happens();
    await world.deliver();
    const again = beside(
      world,
      (trx) => deleteEventDestination(trx, world.owner.id, destination.id),
      () => world.features.events.redeliver(world.owner.id, idOf(id)),
    );
    await assert.rejects(again, code('no_subscribed_destination'));
  });

  test('events are handed on to the others at once', async () => {
    await using world = await EventWorld.open();
    const [goes, stays] = [await world.subscribed(), await world.subscribed()];
    const id = await world.happens();
    await beside(
      world,
      (trx) => deleteEventDestination(trx, world.owner.id, goes.destination.id),
      () => world.features.eventFanOut.round(),
    );
    await world.deliver();
    assert.deepEqual(stays.receiver.ids, [id]);
  });
});

test('an event that is being deleted for its age is missing to who would have it sent again', async () => {
  await using world = await EventWorld.open();
  await world.subscribed();
  const id = await world.happens();
  await world.deliver();
  const again = beside(
    world,
    (trx) => deleteEventsBefore(trx, new Date(world.clock.now() + 1), 1000),
    () => world.features.events.redeliver(world.owner.id, idOf(id)),
  );
  await assert.rejects(again, code('resource_missing'));
});

describe('an event that is sent again before it is handed on', () => {
  test('arrives once, in its place', async () => {
    await using world = await EventWorld.open();
    const { receiver } = await world.subscribed();
    const subject = world.newSubject();
    const [first, second] = [
      await world.happens('sync.attention', subject),
      await world.happens('sync.attention', subject),
    ];
    await world.features.events.redeliver(world.owner.id, idOf(second));
    await world.deliver();
    assert.deepEqual([receiver.ids, receiver.bodies.length], [[first, second], 2]);
  });

  test('and is for no one, is refused as any other', async () => {
    await using world = await EventWorld.open();
    await world.subscribed('connection.*');
    const id = await world.happens('sync.attention');
    const again = world.features.events.redeliver(world.owner.id, idOf(id));
    await assert.rejects(again, code('no_subscribed_destination'));
    while (await world.features.eventFanOut.round());
  });
});
