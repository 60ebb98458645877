import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EventFanOut } from '../../../src/features/event-destinations/event-fan-out.ts';
import { EventFeed } from '../../../src/features/event-destinations/event-feed.ts';
import type { EventStream } from '../../../src/features/event-destinations/event-stream.ts';
import { eventStreamText, HEARTBEAT_MS } from '../../../src/operations/v2/events/operations.ts';
import { createLog } from '../../../src/platform/log.ts';
import { deleteEventsBefore } from '../../../src/storage/events.ts';
import { type Notice, Notices } from '../../../src/storage/notices.ts';
import type { EventKind } from '../../../src/vocabulary/event-kinds.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { closeEventDatabase, EventWorld } from './support/event-world.ts';

const DAY_MS = 86_400_000;
const log = createLog({ level: 'silent' });
const never = new AbortController().signal;
const KINDS: readonly EventKind[] = ['sync.attention', 'sync_run.queued', 'connection.refreshed'];

/** Notices that a test sends, holds back or loses. */
class TestNotices {
  connected = true;
  readonly #listeners: ((notice: Notice) => void)[] = [];
  readonly #lost: (() => void)[] = [];

  onNotice(listener: (notice: Notice) => void): void {
    this.#listeners.push(listener);
  }

  onLost(listener: () => void): void {
    this.#lost.push(listener);
  }

  send(id: string): void {
    for (const listener of this.#listeners) listener({ kind: 'events', id });
  }

  lose(): void {
    this.connected = false;
    for (const listener of this.#lost) listener();
  }
}

/** A process with a feed on the world's database. */
function feedOf(world: EventWorld, notices = new TestNotices()) {
  const { clock, limits, database } = world;
  return { notices, feed: new EventFeed({ db: database.db, clock, log, limits, notices }) };
}

/** The next ids, as many as there are to be. */
async function idsOf(stream: EventStream, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const rows = await stream.next(60_000);
    if (rows === null) break;
    ids.push(...rows.map(({ id }) => publicId('event', id)));
  }
  return ids;
}

/** A repeatable sequence of numbers from 0 to below `n`. */
function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

describe('the feed of events', () => {
  let world: EventWorld;
  before(async () => {
    world = await EventWorld.open();
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await closeEventDatabase();
  });

  const placed = async (): Promise<void> => {
    while (await world.features.eventFanOut.round());
  };

  test('begins with what happens from now on, and streams in two processes get the same in the same order', async () => {
    await world.happens();
    await placed();
    const processes = [feedOf(world), feedOf(world)];
    const streams = await Promise.all(
      processes.map(({ feed }) => feed.open(world.owner.id, null, null, never)),
    );
    const happened = [await world.happens(), await world.happens('sync_run.queued'), await world.happens()];
    await placed();
    for (const { notices } of processes) notices.send(world.owner.id);
    for (const stream of streams) assert.deepEqual(await idsOf(stream, 3), happened);
    for (const stream of streams) stream.close();
  });

  test('gives only the kinds asked for', async () => {
    const { feed, notices } = feedOf(world);
    const stream = await feed.open(world.owner.id, null, ['sync_run.queued'], never);
    await world.happens();
    const wanted = await world.happens('sync_run.queued');
    await placed();
    notices.send(world.owner.id);
    assert.deepEqual(await idsOf(stream, 1), [wanted]);
    stream.close();
  });

  test('shows nothing of another account record, whose events cannot be named either', async () => {
    await using other = await EventWorld.open();
    const { feed, notices } = feedOf(world);
    const stream = await feed.open(world.owner.id, null, null, never);
    const theirs = await other.happens();
    const ours = await world.happens();
    await placed();
    notices.send(world.owner.id);
    assert.deepEqual(await idsOf(stream, 1), [ours]);
    stream.close();
    await assert.rejects(feed.open(world.owner.id, { event: theirs }, null, never), isRefusal);
  });

  test('loses no event and repeats none, wherever streams are cut and resumed in any process', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      await using own = await EventWorld.open();
      const pick = random(seed);
      const processes = [feedOf(own), feedOf(own)];
      const next = () => processes[pick(2)] ?? feedOf(own);
      const happened: string[] = [];
      const burst = async (): Promise<void> => {
        for (let left = pick(40); left > 0; left--) {
          own.clock.advance(pick(3));
          happened.push(await own.happens(KINDS[pick(KINDS.length)] ?? 'sync.attention'));
        }
        while (await own.features.eventFanOut.round());
        for (const { notices } of processes) notices.send(own.owner.id);
      };
      let stream = await next().feed.open(own.owner.id, null, null, never);
      const got: string[] = [];
      for (let round = 0; round < 12; round++) {
        await burst();
        const until = got.length + pick(happened.length - got.length + 1);
        while (got.length < until) {
          const rows = await stream.next(60_000);
          // The connection is cut somewhere within a piece: what came after was not seen.
          const seen = (rows ?? []).slice(0, until - got.length);
          got.push(...seen.map(({ id }) => publicId('event', id)));
        }
        const last = got.at(-1);
        if (last !== undefined) {
          stream.close();
          stream = await next().feed.open(own.owner.id, { event: last }, null, never);
        }
      }
      got.push(...(await idsOf(stream, happened.length - got.length)));
      stream.close();
      assert.deepEqual(got, happened, `seed ${seed}`);
    }
  });

  test('continues behind an event that is not handed on yet', async () => {
    const { feed, notices } = feedOf(world);
    await world.happens();
    const known = await world.happens();
    const stream = await feed.open(world.owner.id, { event: known }, null, never);
    const next = await world.happens();
    await placed();
    notices.send(world.owner.id);
    assert.deepEqual(await idsOf(stream, 1), [next]);
    stream.close();
  });

  test('continues behind an event that is handed on after any statement of its beginning', async () => {
    for (let statements = 1; statements <= 3; statements++) {
      await using own = await EventWorld.open();
      const { clock, limits, database } = own;
      let done = 0;
      const db = afterEach(database.db, async () => {
        done += 1;
        if (done === statements) while (await own.features.eventFanOut.round());
      });
      const notices = new TestNotices();
      const feed = new EventFeed({ db, clock, log, limits, notices });
      const known = await own.happens();
      const stream = await feed.open(own.owner.id, { event: known }, null, never);
      // Where the owner stands is read beside, and may end later.
      await waitFor(() => done >= statements);
      const next = await own.happens();
      while (await own.features.eventFanOut.round());
      notices.send(own.owner.id);
      assert.deepEqual(await idsOf(stream, 1), [next], `after ${statements} statements`);
      stream.close();
    }
  });

  test('asks the database every two seconds while notices may be missed', async () => {
    const { feed, notices } = feedOf(world);
    notices.lose();
    const stream = await feed.open(world.owner.id, null, null, never);
    const happened = await world.happens();
    await placed();
    const given = idsOf(stream, 1);
    let done = false;
    void given.then(() => {
      done = true;
    });
    while (!done) await forward(world, 500);
    assert.deepEqual(await given, [happened]);
    stream.close();
  });

  test('asks the database no more than once a notice, however many streams there are', async () => {
    const { clock, limits, database } = world;
    let statements = 0;
    const db = database.db.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const notices = new TestNotices();
    const feed = new EventFeed({ db, clock, log, limits, notices });
    const streams = await Promise.all(
      Array.from({ length: limits.event_streams }, () => feed.open(world.owner.id, null, null, never)),
    );
    const first = await world.happens();
    await placed();
    notices.send(world.owner.id);
    for (const stream of streams) assert.deepEqual(await idsOf(stream, 1), [first]);
    statements = 0;
    const second = await world.happens();
    await placed();
    notices.send(world.owner.id);
    for (const stream of streams) assert.deepEqual(await idsOf(stream, 1), [second]);
    assert.ok(statements <= 2, `${statements} statements`);
    for (const stream of streams) stream.close();
  });

  test('gives a stream that is far behind everything, piece by piece', async () => {
    await using own = await EventWorld.open();
    const { feed } = feedOf(own);
    const first = await own.happens();
    const happened: string[] = [];
    for (let made = 0; made < 900; made++) happened.push(await own.happens());
    while (await own.features.eventFanOut.round());
    const stream = await feed.open(own.owner.id, { event: first }, null, never);
    assert.deepEqual(await idsOf(stream, 900), happened);
    stream.close();
  });

  test('refuses an event that is unknown, or older than events are kept', async () => {
    await using own = await EventWorld.open();
    const { feed } = feedOf(own);
    const old = await own.happens();
    while (await own.features.eventFanOut.round());
    own.clock.advance(own.limits.event_days * DAY_MS + 1);
    for (const event of [old, old.replace(/.$/, 'z'), 'evt_nonsense', '']) {
      await assert.rejects(feed.open(own.owner.id, { event }, null, never), isRefusal);
    }
    await deleteEventsBefore(own.database.db, new Date(own.clock.now()), 100);
    await assert.rejects(feed.open(own.owner.id, { event: old }, null, never), isRefusal);
  });

  test('gives one account record so many streams and another its own [limit event_streams]', async () => {
    await using greedy = await EventWorld.open({ event_streams: 3 });
    const { feed } = feedOf(greedy);
    const open = () => feed.open(greedy.owner.id, null, null, never);
    const streams = await Promise.all([open(), open(), open()]);
    const tooMany = (error: unknown) =>
      error instanceof ServiceError && error.code === 'too_many_concurrent_requests';
    await assert.rejects(open(), tooMany);
    // What is refused takes no place.
    await assert.rejects(feed.open(greedy.owner.id, { event: 'evt_nonsense' }, null, never), tooMany);
    (await feed.open(world.owner.id, null, null, never)).close();
    streams[0]?.close();
    streams[0]?.close();
    await assert.rejects(feed.open(greedy.owner.id, { event: 'evt_nonsense' }, null, never), isRefusal);
    const again = await open();
    await assert.rejects(open(), tooMany);
    for (const stream of [...streams, again]) stream.close();
  });

  test('is woken in every process by the notice that comes with the places of events', async () => {
    const { clock, limits, database } = world;
    const { db } = database;
    const others = [new Notices(database.database), new Notices(database.database)];
    await Promise.all(others.map((notices) => notices.start()));
    await waitFor(() => others.every(({ connected }) => connected));
    const streams = await Promise.all(
      others.map((notices) =>
        new EventFeed({ db, clock, log, limits, notices }).open(world.owner.id, null, null, never),
      ),
    );
    const fanOut = new EventFanOut({
      db,
      clock,
      log,
      notices: new Notices(database.database),
      alsoTo: async () => undefined,
    });
    const given = streams.map((stream) => idsOf(stream, 1));
    const happened = await world.happens();
    while (await fanOut.round());
    for (const ids of given) assert.deepEqual(await ids, [happened]);
    for (const stream of streams) stream.close();
    for (const notices of others) await notices.stop();
  });

  test('is followed by a comment after every 15 seconds in which nothing happens', async () => {
    await using own = await EventWorld.open();
    const { feed, notices } = feedOf(own);
    const pieces = eventStreamText(await feed.open(own.owner.id, null, null, never))[Symbol.asyncIterator]();
    assert.equal((await pieces.next()).value, 'retry: 3000\n\n');
    for (let beat = 0; beat < 3; beat++) {
      const piece = pieces.next();
      await waitFor(() => own.clock.sleeping > 0);
      own.clock.advance(HEARTBEAT_MS - 1);
      assert.equal(own.clock.sleeping, 1);
      own.clock.advance(1);
      assert.equal((await piece).value, ':\n\n');
    }
    const event = pieces.next();
    const id = await own.happens();
    while (await own.features.eventFanOut.round());
    notices.send(own.owner.id);
    assert.ok(
      String((await event).value).startsWith(`id: ${id}\nevent: sync.attention\ndata: {"id":"${id}",`),
    );
    await pieces.return?.();
  });

  test('ends a stream whose signal aborts, while it waits', async () => {
    const { feed } = feedOf(world);
    const ending = new AbortController();
    const stream = await feed.open(world.owner.id, null, null, ending.signal);
    const waiting = stream.next(60_000);
    ending.abort();
    assert.equal(await waiting, null);
    stream.close();
  });
});

/** The same, with `hook` after each promise that it or what it makes resolves, and no connection held during it. */
function afterEach<T extends object>(target: T, hook: () => Promise<void>): T {
  return new Proxy(target, {
    get: (inner, key) => {
      const member: unknown = Reflect.get(inner, key);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(member, inner, args);
        if (result instanceof Promise) {
          return result.then(async (value: unknown) => {
            await hook();
            return value;
          });
        }
        return typeof result === 'object' && result !== null ? afterEach(result, hook) : result;
      };
    },
  });
}

async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof ServiceError && error.code === 'parameter_invalid' && error.param === 'last_event_id'
  );
}

/** Time passes, and the database has a turn. */
async function forward(world: EventWorld, ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  await world.clock.runFor(ms);
}
