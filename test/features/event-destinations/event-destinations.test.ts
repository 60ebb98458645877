import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { deleteEventsBefore } from '../../../src/storage/events.ts';
import { DISABLED_AFTER_MS, QUIET_AFTER_MS } from '../../../src/vocabulary/event-deliveries.ts';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { withPatience } from '../../support/patience.ts';
import { closeEventDatabase, EventWorld } from './support/event-world.ts';

after(closeEventDatabase);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const refusedWith = (code: string, param?: string) => (error: unknown) =>
  error instanceof ServiceError && error.code === code && (param === undefined || error.param === param);

function idOf(event: string) {
  const id = parsePublicId('event', event);
  assert.ok(id);
  return id;
}

const input = {
  name: 'Receiver',
  url: 'https://receiver.example.com/events',
  enabledEvents: ['*'],
  metadata: null,
};

describe('an event destination', () => {
  test('shows its secret once, and is one of at most so many [limit event_destinations]', async () => {
    await using world = await EventWorld.open({ event_destinations: 2 });
    const { eventDestinations } = world.features;
    const { id } = world.owner;
    const first = await eventDestinations.create(id, input);
    assert.match(first.secret ?? '', /^whsec_/);
    assert.equal((await eventDestinations.read(id, first.id)).secret, null);
    await eventDestinations.create(id, input);
    await assert.rejects(eventDestinations.create(id, input), refusedWith('event_destination_limit_reached'));
    await eventDestinations.disable(id, first.id);
    await assert.rejects(eventDestinations.create(id, input), refusedWith('event_destination_limit_reached'));
    await eventDestinations.delete(id, first.id);
    await eventDestinations.create(id, input);
  });

  test('takes the last place once, however many ask for it together', async () => {
    await using world = await EventWorld.open({ event_destinations: 1 });
    const { eventDestinations } = world.features;
    const asked = [0, 1, 2].map(() => eventDestinations.create(world.owner.id, input));
    const ended = await Promise.allSettled(asked);
    assert.equal(ended.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  for (const url of [
    'https://10.0.0.1/events',
    'http://receiver.example.com/events',
    'https://[::ffff:a00:1]/',
  ]) {
    test(`does not send to ${url}`, async () => {
      await using world = await EventWorld.open({}, []);
      const { eventDestinations } = world.features;
      const refused = refusedWith('parameter_invalid', 'webhook_endpoint.url');
      await assert.rejects(eventDestinations.create(world.owner.id, { ...input, url }), refused);
      const { id } = await eventDestinations.create(world.owner.id, input);
      await assert.rejects(eventDestinations.update(world.owner.id, id, { url }), refused);
    });
  }

  test('subscribes to nothing that is unknown', async () => {
    await using world = await EventWorld.open();
    for (const enabledEvents of [[], ['sync.nonsense'], ['sync*'], ['*', 'bank.*']]) {
      await assert.rejects(
        world.features.eventDestinations.create(world.owner.id, { ...input, enabledEvents }),
        refusedWith('parameter_invalid', 'enabled_events'),
      );
    }
  });

  test('that is disabled holds what waits, and sends it when enabled [move event_destination: disabled by the caller] [move event_destination: enabled by the caller]', async () => {
    await using world = await EventWorld.open();
    const { receiver, destination } = await world.subscribed();
    const { eventDestinations, eventFanOut } = world.features;
    assert.equal(destination.row.status, 'enabled');
    const waiting = await world.happens();
    while (await eventFanOut.round());
    const disabled = await eventDestinations.disable(world.owner.id, destination.id);
    assert.deepEqual([disabled.row.status, disabled.row.disabled_reason], ['disabled', 'owner']);
    await world.happens();
    await world.deliver();
    assert.deepEqual(receiver.bodies, []);
    const enabled = await eventDestinations.enable(world.owner.id, destination.id);
    assert.deepEqual([enabled.row.status, enabled.row.disabled_reason], ['enabled', null]);
    await world.deliver();
    // What happened in between was not meant for it.
    assert.deepEqual(receiver.ids, [waiting]);
  });

  test('that is deleted gets nothing more', async () => {
    await using world = await EventWorld.open();
    const { receiver, destination } = await world.subscribed();
    await world.happens();
    while (await world.features.eventFanOut.round());
    await world.features.eventDestinations.delete(world.owner.id, destination.id);
    await world.deliver();
    assert.deepEqual(receiver.bodies, []);
  });

  test('that fails for 5 days is disabled, and others get to know [move event_destination: deliveries failed for 5 days]', async () => {
    await using world = await EventWorld.open();
    const { receiver, destination } = await world.subscribed('sync.*');
    const other = await world.subscribed('event_destination.*');
    receiver.behave = () => ({ status: 503 });
    for (let hours = 0; hours < DISABLED_AFTER_MS / HOUR_MS; hours += 6) {
      await world.happens();
      await world.deliver();
      assert.equal((await world.read(destination)).row.status, 'enabled', `after ${hours} hours`);
      world.clock.advance(6 * HOUR_MS);
    }
    await world.happens();
    await world.deliver();
    const { row } = await world.read(destination);
    assert.deepEqual([row.status, row.disabled_reason], ['disabled', 'failing']);
    await world.deliver();
    assert.deepEqual(
      other.receiver.events.map(({ type }) => type),
      ['event_destination.disabled'],
    );
    const sent = receiver.bodies.length;
    world.clock.advance(DAY_MS);
    await world.deliver();
    assert.equal(receiver.bodies.length, sent);
  });

  test('that nothing was sent to for days is not disabled by one more failure, and is by days of them', async () => {
    await using world = await EventWorld.open();
    const { receiver, destination } = await world.subscribed();
    receiver.behave = () => ({ status: 503 });
    const row = async () => (await world.read(destination)).row;
    const fail = async (hours: number): Promise<void> => {
      for (let hour = 0; hour < hours; hour++) {
        await world.deliver();
        world.clock.advance(HOUR_MS);
      }
    };
    await world.happens();
    await fail(40);
    const first = (await row()).failing_since;
    world.clock.advance(DISABLED_AFTER_MS);
    const again = world.clock.now();
    await world.happens();
    await world.deliver();
    assert.equal((await row()).status, 'enabled');
    assert.ok(first !== null && (await row()).failing_since?.getTime() === again);
    // Less than the time after which failing counts again, so all of it counts together.
    for (let event = 0; event < 2; event++) {
      await fail((QUIET_AFTER_MS - DAY_MS) / HOUR_MS + 40);
      assert.equal((await row()).status, 'enabled');
      await world.happens();
    }
    await world.deliver();
    assert.ok(world.clock.now() - again >= DISABLED_AFTER_MS);
    assert.equal((await row()).disabled_reason, 'failing');
  });

  test('whose receiver is gone is disabled at once [move event_destination: its receiver answered 410]', async () => {
    await using world = await EventWorld.open();
    const { receiver, destination } = await world.subscribed();
    receiver.behave = () => ({ status: 410 });
    await world.happens();
    assert.equal((await world.read(destination)).row.status, 'enabled');
    await world.deliver();
    const { row } = await world.read(destination);
    assert.deepEqual([row.status, row.disabled_reason, receiver.bodies.length], ['disabled', 'gone', 1]);
  });

  test('signs with both secrets for a day after they were rotated, and then with the new one', async () => {
    await using world = await EventWorld.open();
    const { receiver, destination } = await world.subscribed();
    const [old = ''] = receiver.secrets;
    const { secret } = await world.features.eventDestinations.rotateSecret(world.owner.id, destination.id);
    assert.ok(secret !== null && secret !== old);
    const signatures = async (secrets: readonly string[]) => {
      receiver.secrets = [...secrets];
      await world.happens();
      await world.deliver();
      return String(receiver.headers.at(-1)?.['service-signature']).match(/v1=/g)?.length;
    };
    assert.equal(await signatures([old]), 2);
    assert.equal(await signatures([secret]), 2);
    assert.deepEqual(receiver.faults, []);
    world.clock.advance(DAY_MS);
    assert.equal(await signatures([secret]), 1);
    assert.deepEqual(receiver.faults, []);
    await signatures([old]);
    assert.equal(receiver.faults.length, 2);
  });

  test('is pinged alone, and not while it is disabled', async () => {
    await using world = await EventWorld.open();
    const { receiver, destination } = await world.subscribed('sync.attention');
    const other = await world.subscribed('*');
    const { eventDestinations } = world.features;
    const event = await eventDestinations.ping(world.owner.id, destination.id);
    await world.deliver();
    assert.deepEqual(
      receiver.events.map(({ id, type }) => [idOf(id), type]),
      [[event.id, 'event_destination.ping']],
    );
    assert.deepEqual(other.receiver.bodies, []);
    await eventDestinations.disable(world.owner.id, destination.id);
    await assert.rejects(
      eventDestinations.ping(world.owner.id, destination.id),
      refusedWith('destination_disabled'),
    );
  });

  test('is not sent to before the time its receiver asks for', async () => {
    await using world = await EventWorld.open();
    const { receiver } = await world.subscribed();
    receiver.behave = (at) =>
      at === 0 ? { status: 429, headers: { 'retry-after': '7200' } } : { status: 204 };
    await world.happens();
    await world.deliver();
    world.clock.advance(2 * HOUR_MS - 1000);
    await world.happens();
    await world.deliver();
    assert.equal(receiver.bodies.length, 1);
    world.clock.advance(1000);
    await world.deliver();
    assert.equal(receiver.events.length, 2);
  });
});

describe('an event that is there', () => {
  test('is sent again, with all attempts again [move event_delivery: sent again by the caller]', async () => {
    await using world = await EventWorld.open();
    const { receiver } = await world.subscribed('sync.*');
    const { events } = world.features;
    const id = await world.happens();
    await world.deliver();
    const status = async () => (await events.deliveries(world.owner.id, idOf(id))).map((one) => one.status);
    assert.deepEqual(await status(), ['succeeded']);
    await events.redeliver(world.owner.id, idOf(id));
    assert.deepEqual(await status(), ['pending']);
    await world.deliver();
    assert.deepEqual(await status(), ['succeeded']);
    assert.deepEqual([receiver.bodies.length, receiver.events.length], [2, 1]);
    const unheard = await world.happens('connection.expired');
    await assert.rejects(
      events.redeliver(world.owner.id, idOf(unheard)),
      refusedWith('no_subscribed_destination'),
    );
  });

  test('waits no longer than this for its receiver [limit event_deadline_ms]', async () => {
    await withPatience([100, 8000], async (event_deadline_ms) => {
      await using world = await EventWorld.open({ event_deadline_ms });
      const { receiver } = await world.subscribed();
      receiver.behave = () => 'hang';
      const id = await world.happens();
      await world.deliver();
      const [delivery] = await world.features.events.deliveries(world.owner.id, idOf(id));
      assert.equal(delivery?.status, 'pending');
      assert.match(JSON.stringify(delivery?.log), /timeout/);
      assert.equal(receiver.bodies.length, 1);
    });
  });

  test('is deleted with its deliveries after so many days [limit event_days]', async () => {
    await using world = await EventWorld.open({ event_days: 1 });
    await world.subscribed();
    const { events } = world.features;
    const old = await world.happens();
    await world.deliver();
    world.clock.advance(1);
    const young = await world.happens();
    await world.deliver();
    world.clock.advance(world.limits.event_days * DAY_MS);
    const { db } = world.database;
    const before = new Date(world.clock.now() - world.limits.event_days * DAY_MS);
    while ((await deleteEventsBefore(db, before, 1)) > 0);
    await assert.rejects(events.read(world.owner.id, idOf(old)), refusedWith('resource_missing'));
    assert.equal((await events.deliveries(world.owner.id, idOf(young))).length, 1);
    const left = await db
      .selectFrom('event_batches')
      .select('events')
      .where('account_record', '=', world.owner.id)
      .execute();
    assert.deepEqual(
      left.map(({ events: ids }) => ids),
      [[idOf(young)]],
    );
  });
});
