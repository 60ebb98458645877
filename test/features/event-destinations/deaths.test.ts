import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { voidEventDestinationLeases } from '../../../src/storage/event-destination-leases.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { Death } from '../sync-engine/support/death.ts';
import { closeEventDatabase, EventWorld } from './support/event-world.ts';

after(closeEventDatabase);

/** Longer than a worker's lease. */
const LEASE_OVER_MS = 3 * 60_000;

interface Story {
  readonly world: EventWorld;
  readonly subjects: readonly string[];
}

/** Two event destinations, and things that happen to two subjects. */
async function story(): Promise<Story> {
  const world = await EventWorld.open();
  await world.subscribed('*');
  await world.subscribed('sync.*');
  return { world, subjects: [world.newSubject(), world.newSubject()] };
}

/** Each is a transaction of its own; answers the ids of those that were committed. */
async function happenings({ world, subjects }: Story, process: Process, ids: string[]): Promise<void> {
  const { db, features } = process;
  for (const subject of [...subjects, ...subjects]) {
    const { id } = await db
      .transaction()
      .execute((trx) => features.eventLog.record(trx, world.owner.id, 'sync.attention', subject));
    ids.push(publicId('event', id));
  }
}

interface Process {
  readonly db: EventWorld['database']['db'];
  readonly features: EventWorld['features'];
}

function processOf(world: EventWorld, death: Death | null): Process {
  const { db: whole } = world.database;
  const db = death === null ? whole : whole.withPlugin(death);
  return { db, features: world.process(db) };
}

/** What receivers hold who take each id once: every event, in the order of each subject, and nothing else. */
function requireWhole({ world, subjects }: Story, committed: ReadonlySet<string>, about: string): void {
  for (const receiver of world.receivers) {
    assert.deepEqual(new Set(receiver.ids), committed, about);
    assert.deepEqual(receiver.faults, [], about);
    for (const subject of subjects) {
      const mine = receiver.events.filter(
        ({ related_object: { id } }) => id === publicId('sync', asSync(subject)),
      );
      assert.deepEqual(
        mine.map(({ id }) => id),
        mine.map(({ id }) => id).toSorted(),
        `order, ${about}`,
      );
    }
  }
}

const asSync = (subject: string): Parameters<typeof publicId<'sync'>>[1] => {
  if (!isSync(subject)) throw new TypeError('a subject of this test is a sync');
  return subject;
};
const isSync = (subject: string): subject is Parameters<typeof publicId<'sync'>>[1] => subject.length === 36;

/** Ids of the events in the database. */
async function recorded({ owner, features }: EventWorld): Promise<ReadonlySet<string>> {
  const page = await features.events.list(owner.id, null, { limit: 100, after: null, before: null });
  return new Set(page.items.map(({ id }) => publicId('event', id)));
}

describe('whichever statement a process dies before', () => {
  test('each event that was committed arrives, none is invented, and a receiver that takes an id once has each once', async () => {
    for (let statement = 0; ; statement++) {
      const begun = await story();
      const { world } = begun;
      await using _ = world;
      const death = new Death(statement);
      const dying = processOf(world, death);
      const made: string[] = [];
      try {
        await happenings(begun, dying, made);
        await world.deliver(dying.features);
      } catch (error) {
        if (!death.happened) throw error;
      }
      // The next start of the only process; a second one would wait for the lease.
      await voidEventDestinationLeases(world.database.db);
      await world.deliver();
      const committed = await recorded(world);
      for (const id of made) assert.ok(committed.has(id), `${id} was lost before statement ${statement}`);
      requireWhole(begun, committed, `before statement ${statement}`);
      if (!death.happened) return;
    }
  });

  test('and another worker goes on beside it, the same holds', async () => {
    for (let statement = 0; ; statement += 3) {
      const begun = await story();
      const { world } = begun;
      await using _ = world;
      const ids: string[] = [];
      await happenings(begun, processOf(world, null), ids);
      const death = new Death(statement);
      const dying = processOf(world, death);
      await Promise.all([
        world.deliver(dying.features).catch((error: unknown) => {
          if (!death.happened) throw error;
        }),
        world.deliver(processOf(world, null).features),
      ]);
      world.clock.advance(LEASE_OVER_MS);
      await world.deliver();
      requireWhole(begun, new Set(ids), `beside one that died before statement ${statement}`);
      if (!death.happened) return;
    }
  });

  test('an answer that was lost is no loss: the event comes again, with the same body', async () => {
    const begun = await story();
    const { world } = begun;
    await using _ = world;
    for (const receiver of world.receivers)
      receiver.behave = (at) => (at === 0 ? 'drop_after' : { status: 200 });
    const ids: string[] = [];
    await happenings(begun, processOf(world, null), ids);
    for (let minute = 0; minute < 10; minute++) {
      await world.deliver();
      world.clock.advance(60_000);
    }
    for (const receiver of world.receivers) {
      assert.deepEqual(new Set(receiver.ids), new Set(ids));
      assert.equal(receiver.bodies.length, ids.length + 1);
      assert.deepEqual(receiver.faults, []);
    }
  });
});
