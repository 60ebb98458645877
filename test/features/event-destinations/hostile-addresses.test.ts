import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { EventDestination } from '../../../src/features/event-destinations/event-destinations.ts';
import { attemptsOf } from '../../../src/storage/webhook-deliveries.ts';
import {
  BESIDE_PERMITTED,
  HOSTILE_LITERALS,
  HOSTILE_NAMES,
  LOCAL_NAMES,
} from '../../support/hostile-addresses.ts';
import { openInnerService } from '../../support/inner-service.ts';
import { changingLookup, lookupOf } from '../../support/lookups.ts';
import { withPatience } from '../../support/patience.ts';
import { EventReceiver } from './support/event-receiver.ts';
import { closeEventDatabase, EventWorld } from './support/event-world.ts';

after(closeEventDatabase);

/** An installation whose operator permits everything, so that event destinations of any address exist. */
const permitting = () => EventWorld.open({ event_destinations: 1000 }, ['0.0.0.0/0', '::/0']);
const NAMES = [...LOCAL_NAMES, ...HOSTILE_NAMES];
const nothingPermitted = () => EventWorld.open({}, [], lookupOf(NAMES));
const HOSTS = [...HOSTILE_LITERALS, ...NAMES];

function subscribe(world: EventWorld, url: string): Promise<EventDestination> {
  return world.features.eventDestinations.create(world.owner.id, {
    name: 'Hostile',
    url,
    enabledEvents: ['*'],
    metadata: null,
  });
}

/** What the log shows of the one attempt that each event destination got, by URL. */
async function attempts(world: EventWorld, destinations: ReadonlyMap<string, string>) {
  const page = await world.features.events.list(world.owner.id, null, {
    limit: 1,
    after: null,
    before: null,
  });
  const [event] = page.items;
  assert.ok(event);
  const deliveries = await world.features.events.deliveries(world.owner.id, event.id);
  return deliveries.toReversed().map(({ destination, log }) => {
    const [attempt, ...more] = attemptsOf(log);
    assert.deepEqual(more, []);
    return [destinations.get(destination), attempt?.failure, attempt?.status] as const;
  });
}

describe('an event is never delivered inside the operator’s network', () => {
  for (const scheme of ['http', 'https']) {
    test(`in no spelling, over ${scheme}`, async (t) => {
      const inner = await openInnerService(t);
      await using wide = await permitting();
      await using closed = await nothingPermitted();
      const made = new Map<string, string>();
      for (const { host, is } of HOSTS) {
        const { id } = await subscribe(wide, `${scheme}://${host}:${inner.port}/`);
        made.set(id, `${host} (${is})`);
      }
      await wide.happens();
      await closed.deliver();
      assert.deepEqual(
        await attempts(wide, made),
        [...made.values()].map((name) => [name, 'refused_address', null]),
      );
      assert.deepEqual(inner.reached, []);
    });
  }

  test('nor where a receiver redirects', async (t) => {
    const inner = await openInnerService(t);
    await using world = await EventWorld.open({ event_destinations: 1000 }, ['127.0.0.0/8']);
    await using receiver = await EventReceiver.open();
    const answers = [...HOSTILE_LITERALS, ...LOCAL_NAMES].flatMap(({ host }) =>
      [301, 302, 303, 307, 308].map((status) => ({
        status,
        headers: { location: new URL(`http://${host}:${inner.port}/`).href },
      })),
    );
    receiver.behave = (request) => answers[request] ?? assert.fail('one request for each redirect');
    const made = new Map<string, string>();
    for (const [at] of answers.entries()) made.set((await subscribe(world, receiver.url)).id, String(at));
    await world.happens();
    await world.deliver();
    assert.equal(receiver.bodies.length, answers.length);
    const shown = await attempts(world, made);
    assert.deepEqual(
      shown.map(([, , status]) => status).toSorted(),
      answers.map(({ status }) => status).toSorted(),
    );
    assert.deepEqual(inner.reached, []);
  });

  test('but where the operator permits it', async (t) => {
    await withPatience([500, 8000], async (event_deadline_ms) => {
      const inner = await openInnerService(t);
      await using world = await EventWorld.open({ event_deadline_ms }, ['127.0.0.0/8']);
      await subscribe(world, `http://127.0.0.1:${inner.port}/`);
      await world.happens();
      await world.deliver();
      assert.deepEqual(inner.reached, ['127.0.0.1']);
    });
  });

  test('of the addresses of a name only those that the operator permits are reached', async (t) => {
    const inner = await openInnerService(t, true);
    const lookup = changingLookup([...BESIDE_PERMITTED, '127.0.0.1']);
    await using world = await EventWorld.open({}, ['127.0.0.1/32'], lookup);
    const { id } = await subscribe(world, `http://mixed.example.com:${inner.port}/`);
    await world.happens();
    await world.deliver();
    assert.deepEqual(await attempts(world, new Map([[id, 'mixed']])), [['mixed', null, 204]]);
    assert.deepEqual(inner.reached, ['127.0.0.1']);
  });

  test('a name whose answer changes is judged by the answer that is connected to', async (t) => {
    const inner = await openInnerService(t, true);
    for (const later of BESIDE_PERMITTED) {
      const lookup = changingLookup(['127.0.0.1'], [later]);
      await using world = await EventWorld.open({}, ['127.0.0.1/32'], lookup);
      const { id } = await subscribe(world, `http://rebind.example.com:${inner.port}/`);
      const made = new Map([[id, later]]);
      assert.equal(lookup.calls, 0, 'a name is not looked up before a connection');
      await world.happens();
      await world.deliver();
      assert.deepEqual(await attempts(world, made), [[later, null, 204]]);
      assert.equal(lookup.calls, 1, 'nothing is resolved twice for a connection');
      await world.happens();
      await world.deliver();
      assert.deepEqual(await attempts(world, made), [[later, 'refused_address', null]]);
      assert.equal(lookup.calls, 2);
    }
    assert.deepEqual(
      inner.reached,
      BESIDE_PERMITTED.map(() => '127.0.0.1'),
    );
  });
});
