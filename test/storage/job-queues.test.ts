import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { JobWorkers } from '../../src/background/job-workers.ts';
import { ShiftedClock, systemClock } from '../../src/platform/clock.ts';
import { createLog } from '../../src/platform/log.ts';
import { newRowId } from '../../src/platform/row-id.ts';
import { jobQueue } from '../../src/storage/job-queues.ts';
import { Jobs, takeJobs } from '../../src/storage/jobs.ts';
import { type RowId, rowId } from '../../src/vocabulary/ids.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { startJobs } from '../support/job-workers.ts';

const settings = {
  payload: { connection: 'connection' },
  retry: { limit: 5, delaySeconds: 60 },
  expireSeconds: 60,
  concurrency: 2,
  perOwner: 1,
} as const;
const SINGLE = jobQueue({ ...settings, name: 'single', onePer: 'connection' });
const DELAYED = jobQueue({ ...settings, name: 'delayed', onePer: 'connection' });
const RACED = jobQueue({ ...settings, name: 'raced', onePer: 'connection' });
const DUE = jobQueue({ ...settings, name: 'due', onePer: 'connection' });
const COMMITTED = jobQueue({ ...settings, name: 'committed', onePer: 'connection' });
const PARSED = jobQueue({ ...settings, name: 'parsed' });
const FAILING = jobQueue({ ...settings, name: 'failing', retry: { limit: 2, delaySeconds: 1 } });
const ENDLESS = jobQueue({ ...settings, name: 'endless', expireSeconds: 1 });
const LEASED = jobQueue({ ...settings, name: 'leased' });

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let database: TestDatabase;
let jobs: Jobs;
let workers: JobWorkers;
before(async () => {
  database = await openTestDatabase();
  ({ jobs, workers } = await startJobs(database.database));
});
after(async () => {
  await workers.stop(5000);
  await database.close();
});

const owner = rowId('account_record', newRowId(systemClock));
const newConnection = () => rowId('connection', newRowId(systemClock));

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 400; round++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail('it never came true');
}

interface Row {
  readonly payload: unknown;
  readonly start: Date;
  readonly failures: number;
  readonly joining: string | null;
}

/** Jobs that no worker has. */
async function waiting(queue: string): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select payload, due_at as start, failures, joining from jobs
    where queue = ${queue} and lease_until is null order by due_at`.execute(database.db);
  return rows;
}

describe('of a queue with one job per key', () => {
  test('one waits for each, however often it is asked for, and another may wait while it is worked on', async () => {
    const [first, second] = [newConnection(), newConnection()];
    for (const connection of [first, second, first, first, second]) {
      await jobs.enqueue(database.db, SINGLE, { connection }, { owner });
    }
    assert.equal((await waiting('single')).length, 2);
    const begun: RowId<'connection'>[] = [];
    workers.work(SINGLE, async ({ connection }) => {
      begun.push(connection);
      if (begun.length === 1) {
        for (let times = 0; times < 3; times++) {
          await jobs.enqueue(database.db, SINGLE, { connection }, { owner });
        }
      }
    });
    await until(async () => begun.length === 3 && (await waiting('single')).length === 0);
    assert.deepEqual(begun.toSorted(), [first, begun[0] ?? '', second].toSorted());
  });

  test('no change goes unseen by those who work, however many ask at once', async () => {
    const { db } = database;
    await sql`create table changes (number integer)`.execute(db);
    const connection = newConnection();
    const change = (number: number) =>
      db.transaction().execute(async (trx) => {
        await sql`insert into changes values (${number})`.execute(trx);
        await jobs.enqueue(trx, RACED, { connection }, { owner });
      });
    let seen = 0;
    workers.work(RACED, async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from changes`.execute(db);
      seen = Math.max(seen, rows[0]?.count ?? 0);
    });
    const [writers, times] = [5, 20];
    const rounds = Array.from({ length: writers }, async () => {
      for (let number = 0; number < times; number++) await change(number);
    });
    await Promise.all(rounds);
    await until(() => seen === writers * times);
  });

  test('the one that waits starts when the first of those who asked wants it', async () => {
    const connection = newConnection();
    const ask = (startAfter?: Date) =>
      jobs.enqueue(database.db, DELAYED, { connection }, { owner, ...(startAfter && { startAfter }) });
    const start = async () => {
      const found = await waiting('delayed');
      assert.equal(found.length, 1);
      return found[0]?.start.getTime() ?? 0;
    };
    const inOneHour = new Date(Date.now() + HOUR_MS);
    await ask(inOneHour);
    await ask(new Date(inOneHour.getTime() + HOUR_MS));
    assert.equal(await start(), inOneHour.getTime());
    const sooner = new Date(inOneHour.getTime() - 1000);
    await ask(sooner);
    assert.equal(await start(), sooner.getTime());
    await ask();
    assert.ok((await start()) < Date.now() + 60_000);
  });

  test('no worker takes it before the second request has committed, nor is anything queued without that', async () => {
    const connection = newConnection();
    const later = { owner, startAfter: new Date(Date.now() + HOUR_MS) };
    await jobs.enqueue(database.db, COMMITTED, { connection }, later);
    const begun: string[] = [];
    workers.work(COMMITTED, async (payload) => void begun.push(payload.connection));
    const regretted = database.db.transaction().execute(async (trx) => {
      await jobs.enqueue(trx, COMMITTED, { connection }, { owner });
      await jobs.enqueue(trx, COMMITTED, { connection: newConnection() }, { owner });
      throw new Error('rolled back');
    });
    await assert.rejects(regretted, /rolled back/);
    await database.db.transaction().execute(async (trx) => {
      await jobs.enqueue(trx, COMMITTED, { connection }, { owner });
      await new Promise((resolve) => setTimeout(resolve, 1500));
      assert.deepEqual(begun, []);
    });
    await until(() => begun.length > 0);
    assert.deepEqual(begun, [connection]);
  });

  test('nor one that was due already', async () => {
    const connection = newConnection();
    await jobs.enqueue(database.db, DUE, { connection }, { owner });
    const begun: string[] = [];
    await database.db.transaction().execute(async (trx) => {
      await jobs.enqueue(trx, DUE, { connection }, { owner, startAfter: new Date(Date.now() + HOUR_MS) });
      workers.work(DUE, async (payload) => void begun.push(payload.connection));
      await new Promise((resolve) => setTimeout(resolve, 1500));
      assert.deepEqual(begun, []);
    });
    await until(() => begun.length > 0);
    assert.deepEqual(begun, [connection]);
  });
});

test('what a job carries is checked before it is worked on, and what cannot be read waits for a newer version', async () => {
  const good = newConnection();
  const rubbish = [{}, { connection: 5 }, { connection: 'conn_x' }, { run: good }, null, 'text'];
  for (const data of [...rubbish, { connection: good, more: 1 }]) {
    await sql`
      insert into jobs (id, queue, account_record, payload, due_at)
      values (gen_random_uuid(), 'parsed', ${owner}, ${JSON.stringify(data)}::jsonb, now())`.execute(
      database.db,
    );
  }
  const seen: string[] = [];
  workers.work(PARSED, async ({ connection }) => void seen.push(connection));
  const failed = async () => (await waiting('parsed')).filter(({ failures }) => failures === 1).length;
  await until(async () => seen.length === 1 && (await failed()) === rubbish.length);
  assert.deepEqual(seen, [good]);
});

test('a job that fails is retried after longer and longer, and dropped after its last attempt', async () => {
  const connection = newConnection();
  await jobs.enqueue(database.db, FAILING, { connection }, { owner });
  const began: number[] = [];
  workers.work(FAILING, async () => {
    began.push(performance.now());
    throw new Error('no');
  });
  await until(() => began.length === 3);
  await until(async () => (await waiting('failing')).length === 0);
  const [first = 0, second = 0, third = 0] = began;
  assert.ok(second - first >= 950, `${second - first} ms`);
  assert.ok(third - second >= 1900, `${third - second} ms`);
  await new Promise((resolve) => setTimeout(resolve, 700));
  const { rows } = await sql`select from jobs where queue = 'failing'`.execute(database.db);
  assert.deepEqual([began.length, rows.length], [3, 0]);
});

test('a job that never ends counts as failed, and its place is free for the next', async () => {
  await jobs.enqueue(database.db, ENDLESS, { connection: newConnection() }, { owner });
  const signals: AbortSignal[] = [];
  workers.work(ENDLESS, (_payload, signal) => {
    signals.push(signal);
    return new Promise(() => {});
  });
  await until(async () => (await waiting('endless')).some(({ failures }) => failures === 1));
  assert.ok(signals[0]?.aborted);
  await jobs.enqueue(database.db, ENDLESS, { connection: newConnection() }, { owner });
  await until(() => signals.length === 2);
});

describe('a worker', () => {
  const NOTHING = { ids: [], owners: [] };
  const take = (at: Date) => takeJobs(database.db, LEASED, NOTHING, at, new Date(at.getTime() + 60_000));
  const enqueue = () => jobs.enqueue(database.db, LEASED, { connection: newConnection() }, { owner });
  const left = async () => {
    const { rows } = await sql<{ failures: number; fence: number }>`
      select failures, fence from jobs where queue = 'leased'`.execute(database.db);
    return rows;
  };

  test('that died leaves its jobs to another when its lease ends, and each death counts as a failure', async () => {
    await enqueue();
    const now = new Date();
    assert.equal((await take(now)).length, 1);
    assert.deepEqual(await take(now), []);
    const [again] = await take(new Date(now.getTime() + 60_001));
    assert.deepEqual([again?.failures, again?.fence], [1, 2]);
    await sql`delete from jobs where queue = 'leased'`.execute(database.db);
  });

  test('takes at once what a process that was alone left when it died', async () => {
    await enqueue();
    await take(new Date());
    const done: string[] = [];
    const next = new JobWorkers({
      db: database.db,
      clock: systemClock,
      log: createLog({ level: 'silent' }),
      notices: { onNotice: () => undefined, onLost: () => undefined },
      alone: true,
    });
    next.work(LEASED, async ({ connection }) => void done.push(connection));
    await next.start();
    await until(() => done.length === 1);
    await next.stop(5000);
    assert.deepEqual(await left(), []);
  });

  test('that lost its lease writes nothing, however late it ends', async () => {
    await enqueue();
    const gate = Promise.withResolvers<void>();
    const clock = new ShiftedClock();
    const slow = new JobWorkers({
      db: database.db,
      clock,
      log: createLog({ level: 'silent' }),
      notices: { onNotice: () => undefined, onLost: () => undefined },
      alone: false,
    });
    let aborted = false;
    let began = false;
    slow.work(LEASED, async (_payload, signal) => {
      began = true;
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      await gate.promise;
    });
    await slow.start();
    await until(() => began);
    assert.equal((await take(new Date(Date.now() + 120_000))).length, 1);
    // Leases are renewed at the next look.
    clock.advance(30_000);
    await until(() => aborted);
    gate.resolve();
    await slow.stop(5000);
    assert.deepEqual(await left(), [{ failures: 1, fence: 2 }]);
    await sql`delete from jobs where queue = 'leased'`.execute(database.db);
  });
});

test('a deferred job waits as long as it was deferred for, on the clock of the service', async () => {
  const clock = new ShiftedClock();
  clock.advance(30 * DAY_MS);
  const ahead = new Jobs({ clock, notices: { hintOnceCommitted: async () => undefined } });
  const connection = newConnection();
  const queue = jobQueue({ ...settings, name: 'deferred', onePer: 'connection' });
  await ahead.enqueue(
    database.db,
    queue,
    { connection },
    { owner, startAfter: new Date(clock.now() + HOUR_MS) },
  );
  const due = (at: number) =>
    takeJobs(database.db, queue, { ids: [], owners: [] }, new Date(at), new Date(at + 1000));
  assert.equal((await due(clock.now() + HOUR_MS - 1000)).length, 0);
  assert.equal((await due(clock.now() + HOUR_MS)).length, 1);
});
