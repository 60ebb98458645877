import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { EventFanOut } from '../../../src/features/event-destinations/event-fan-out.ts';
import { EventLog } from '../../../src/features/events/event-log.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { StoreUnavailableError } from '../../../src/vocabulary/store-unavailable.ts';
import { newOwner } from '../sync-engine/support/world.ts';
import { closeEventDatabase, EventWorld, UNHEARD } from './support/event-world.ts';

after(closeEventDatabase);

const log = createLog({ level: 'silent' });

/** A fan-out of which the turns of some owners fail, and whose turns were tried. */
function failingFor({ database, clock }: EventWorld, fails: (owner: string) => Error | null) {
  const tried: string[] = [];
  const publish = async (_db: unknown, { id }: { readonly id: string }): Promise<void> => {
    tried.push(id);
    const failure = fails(id);
    if (failure !== null) throw failure;
  };
  return {
    tried,
    fanOut: new EventFanOut({
      db: database.db,
      clock,
      log,
      notices: { publish },
      alsoTo: async () => undefined,
    }),
  };
}

describe('an account record whose events cannot be handed on', () => {
  test('keeps no one else’s waiting, however many events those are', async () => {
    await using failing = await EventWorld.open();
    await using other = await EventWorld.open();
    await failing.happens();
    for (let count = 0; count < 450; count++) await other.happens();
    const { fanOut } = failingFor(other, (id) =>
      id === failing.owner.id ? new Error('this one fails') : null,
    );
    while (await fanOut.round());
    assert.equal(await waitingOf(other), 0);
    assert.equal(await waitingOf(failing), 1);
    while (await failing.features.eventFanOut.round());
  });

  test('keeps no one else’s waiting when there are many of them, all with older events', async () => {
    await using world = await EventWorld.open();
    const { db } = world.database;
    const eventLog = new EventLog({
      clock: new SimulatedClock(world.clock.now() - 60_000),
      notices: UNHEARD,
    });
    for (let count = 0; count < 120; count++) {
      const { id } = await newOwner(db);
      await db
        .transaction()
        .execute((trx) => eventLog.record(trx, id, 'sync.attention', newRowId(world.clock)));
    }
    await world.happens();
    const { fanOut } = failingFor(world, (id) =>
      id === world.owner.id ? null : new Error('this one fails'),
    );
    while (await fanOut.round());
    assert.equal(await waitingOf(world), 0);
    while (await world.features.eventFanOut.round());
  });

  test('is tried again after some seconds, not with every event of another', async () => {
    await using failing = await EventWorld.open();
    await using other = await EventWorld.open();
    const id = failing.owner.id;
    let isFailing = true;
    const { tried, fanOut } = failingFor(other, (owner) =>
      isFailing && owner === id ? new Error('this one fails') : null,
    );
    const attempts = () => tried.filter((one) => one === id).length;
    await failing.happens();
    for (let count = 0; count < 3; count++) {
      await other.happens();
      await fanOut.round();
    }
    assert.deepEqual([attempts(), await waitingOf(other)], [1, 0]);
    isFailing = false;
    other.clock.advance(5_000);
    await fanOut.round();
    assert.deepEqual([attempts(), await waitingOf(failing)], [2, 0]);
  });
});

test('no account record is blamed, and none passed over, while the database is unreachable', async () => {
  await using world = await EventWorld.open();
  await world.happens();
  let isAway = true;
  const { fanOut } = failingFor(world, () => (isAway ? new StoreUnavailableError('it is away') : null));
  await assert.rejects(fanOut.round(), /away/);
  isAway = false;
  await fanOut.round();
  assert.equal(await waitingOf(world), 0);
});

/** A fan-out of a process with another clock. */
function handingOn({ database, clock }: EventWorld, aheadMs: number): EventFanOut {
  const ahead = new SimulatedClock(clock.now() + aheadMs);
  const alsoTo = async () => undefined;
  return new EventFanOut({ db: database.db, clock: ahead, log, notices: UNHEARD, alsoTo });
}

describe('when processes hand events on whose clocks differ', () => {
  test('those about one thing come in order', async () => {
    await using world = await EventWorld.open();
    const { receiver } = await world.subscribed();
    const subject = world.newSubject();
    const ids: string[] = [];
    for (const aheadMs of [2_000, 0, 1_000]) {
      ids.push(await world.happens('sync.attention', subject));
      while (await handingOn(world, aheadMs).round());
    }
    await world.deliver();
    assert.deepEqual(receiver.ids, []);
    world.clock.advance(2_000);
    await world.deliver();
    assert.deepEqual(receiver.ids, ids);
  });

  test('one whose clock is a day ahead delays what others hand on by a minute at most', async () => {
    await using world = await EventWorld.open();
    const { receiver } = await world.subscribed();
    await world.happens();
    while (await handingOn(world, 86_400_000).round());
    const id = await world.happens();
    while (await world.features.eventFanOut.round());
    world.clock.advance(60_000);
    await world.deliver();
    assert.deepEqual(receiver.ids, [id]);
  });
});

/** How many events of the world's owner have not been handed on. */
async function waitingOf({ database, owner }: EventWorld): Promise<number> {
  const rows = await database.db
    .selectFrom('events')
    .select('id')
    .where('account_record', '=', owner.id)
    .where('position', 'is', null)
    .execute();
  return rows.length;
}
