import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Receivers } from '../../../src/background/event-receivers.ts';
import { createLog } from '../../../src/platform/log.ts';
import { closeEventDatabase, EventWorld } from './support/event-world.ts';

after(closeEventDatabase);

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
    clock: greedy.clock,
    log: createLog({ level: 'silent' }),
    limits: greedy.limits,
    deliveries: greedy.features.eventDeliveries,
    jobs: {
      wakeOn: async (_queue, woken) => {
        wake = woken;
      },
    },
  });
  await receivers.start();
  const held = () => greedy.receivers.filter(({ bodies }) => bodies.length > 0).length;
  await greedy.happens();
  while (await greedy.features.eventFanOut.round());
  wake();
  // A lone owner has half of the places.
  await until(greedy, () => held() === 2);
  for (let count = 1; count <= 3; count++) {
    await other.happens();
    while (await other.features.eventFanOut.round());
    // Both clocks began at the machine's, one after the other.
    greedy.clock.advance(1000);
    wake();
    await until(greedy, () => healthy.receiver.events.length === count);
    assert.equal(held(), 2);
  }
  for (const receiver of greedy.receivers) await receiver[Symbol.asyncDispose]();
  await receivers.stop(60_000);
  assert.deepEqual(healthy.receiver.faults, []);
});

/** The worker pauses between two rounds, on the world's clock. */
async function until({ clock }: EventWorld, holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    clock.advance(10);
  }
}
