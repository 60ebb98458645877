import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import { QUEUES } from '../../src/app/build-queues.ts';
import { CONNECTION_CLEANUP, FORMER_ACCOUNT_IMPORT } from '../../src/features/linking/linking-queues.ts';
import { SYNC_RUN } from '../../src/features/syncs/run-queue.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { newRowId } from '../../src/platform/row-id.ts';
import { workQueue } from '../../src/storage/job-queue.ts';
import { Jobs } from '../../src/storage/jobs.ts';
import { type RowId, rowId } from '../../src/vocabulary/ids.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

const settings = {
  payload: { connection: 'connection' },
  retry: { limit: 5, delaySeconds: 60 },
  expireSeconds: 60,
  concurrency: 2,
  perOwner: 1,
} as const;
const SINGLE = workQueue({ ...settings, name: 'single', onePer: 'connection' });
const DELAYED = workQueue({ ...settings, name: 'delayed', onePer: 'connection' });
const RACED = workQueue({ ...settings, name: 'raced', onePer: 'connection' });
const DUE = workQueue({ ...settings, name: 'due', onePer: 'connection' });
const COMMITTED = workQueue({ ...settings, name: 'committed', onePer: 'connection' });
const PARSED = workQueue({ ...settings, name: 'parsed' });

const HOUR_MS = 3_600_000;

let database: TestDatabase;
let jobs: Jobs;
const errors: unknown[] = [];
before(async () => {
  database = await openTestDatabase();
  await writeAsBefore(database);
  jobs = new Jobs(database.database, [...QUEUES, SINGLE, DELAYED, RACED, DUE, COMMITTED, PARSED], (error) =>
    errors.push(error),
  );
  await jobs.start();
});
after(async () => {
  await jobs.stop(5000);
  await database.close();
});

const owner = rowId('account_record', newRowId(systemClock));
const newConnection = () => rowId('connection', newRowId(systemClock));
const OLD = {
  listed: newConnection(),
  cleaned: newConnection(),
  run: rowId('sync_run', newRowId(systemClock)),
};

/** Queues and jobs as commit 915ebd8 wrote them. */
async function writeAsBefore({ db }: TestDatabase): Promise<void> {
  const boss = new PgBoss({ db: fromKysely(db), backend: 'pglite', schedule: false, supervise: false });
  await boss.start();
  const queues = {
    'sync-run': { retryLimit: 3, retryDelay: 1, retryBackoff: true, expireInSeconds: 3 * 3600 },
    'connection-cleanup': { retryLimit: 100, retryDelay: 2, retryBackoff: true, expireInSeconds: 300 },
    'accounts-landing': { retryLimit: 30, retryDelay: 2, retryBackoff: true, expireInSeconds: 120 },
  };
  for (const [name, options] of Object.entries(queues)) {
    if ((await boss.getQueue(name)) === null) await boss.createQueue(name, { ...options, notify: true });
  }
  await boss.send('accounts-landing', { connection: OLD.listed }, { group: { id: owner } });
  await boss.send('connection-cleanup', { connection: OLD.cleaned }, { group: { id: owner } });
  await boss.send('sync-run', { run: OLD.run }, {});
  await boss.stop({ close: false, graceful: false });
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 400; round++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail('it never came true');
}

async function waiting(name: string): Promise<readonly { readonly start: Date }[]> {
  const { rows } = await sql<{ start: Date }>`
    select start_after as start from pgboss.job where name = ${name} and state = 'created'`.execute(
    database.db,
  );
  return rows;
}

test('jobs that an earlier version queued are run', async () => {
  const done: string[] = [];
  await jobs.work(FORMER_ACCOUNT_IMPORT, async ({ connection }) => void done.push(connection));
  await jobs.work(CONNECTION_CLEANUP, async ({ connection }) => void done.push(connection));
  await jobs.wakeOn(SYNC_RUN, () => void done.push('woken'));
  await until(() => done.length === 3);
  assert.deepEqual(new Set(done), new Set([OLD.listed, OLD.cleaned, 'woken']));
});

describe('of a queue with one job per key', () => {
  test('one waits for each, however often it is asked for, and another may wait while it is worked on', async () => {
    const [first, second] = [newConnection(), newConnection()];
    for (const connection of [first, second, first, first, second]) {
      await jobs.enqueue(database.db, SINGLE, { connection }, { owner });
    }
    assert.equal((await waiting('single')).length, 2);
    const begun: RowId<'connection'>[] = [];
    await jobs.work(SINGLE, async ({ connection }) => {
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
    await jobs.work(RACED, async () => {
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
    await jobs.work(COMMITTED, async (payload) => void begun.push(payload.connection));
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
    const working = await database.db.transaction().execute(async (trx) => {
      await jobs.enqueue(trx, DUE, { connection }, { owner, startAfter: new Date(Date.now() + HOUR_MS) });
      const begins = jobs.work(DUE, async (payload) => void begun.push(payload.connection));
      await new Promise((resolve) => setTimeout(resolve, 1500));
      assert.deepEqual(begun, []);
      return { begins };
    });
    await working.begins;
    await until(() => begun.length > 0);
    assert.deepEqual(begun, [connection]);
  });
});

test('what a job carries is checked before it is worked on, and what cannot be read waits for a newer version', async () => {
  const good = newConnection();
  const rubbish = [{}, { connection: 5 }, { connection: 'conn_x' }, { run: good }, null, 'text'];
  for (const data of rubbish) {
    await sql`
      insert into pgboss.job (name, data, policy, retry_limit, retry_delay)
      values ('parsed', ${JSON.stringify(data)}::jsonb, 'standard', 5, 60)`.execute(database.db);
  }
  await sql`
    insert into pgboss.job (name, data, policy) values
      ('parsed', ${JSON.stringify({ connection: good, more: 1 })}::jsonb, 'standard')`.execute(database.db);
  const seen: string[] = [];
  await jobs.work(PARSED, async ({ connection }) => void seen.push(connection));
  await until(async () => seen.length === 1 && (await waiting('parsed')).length === 0);
  const count = async () => {
    const { rows } = await sql<{ state: string; output: string }>`
      select state::text as state, output::text as output from pgboss.job where name = 'parsed'`.execute(
      database.db,
    );
    return rows;
  };
  await until(async () => (await count()).filter(({ state }) => state === 'retry').length === rubbish.length);
  for (const { state, output } of await count()) {
    if (state === 'retry') assert.match(output, /a job of parsed does not carry the ids/);
  }
  assert.deepEqual(seen, [good]);
});

describe('a queue that exists', () => {
  const start = async (queue: Parameters<typeof workQueue>[0]): Promise<void> => {
    const other = new Jobs(database.database, [workQueue(queue)], (error) => errors.push(error));
    try {
      await other.start();
    } finally {
      await other.stop(0);
    }
  };

  test('takes on what its declaration says now', async () => {
    const queue = { ...settings, name: 'changing' };
    await start(queue);
    await start({ ...queue, retry: { limit: 9, delaySeconds: 7 }, expireSeconds: 70 });
    const { rows } = await sql<object>`
      select retry_limit, retry_delay, retry_backoff, expire_seconds from pgboss.queue where name = 'changing'`.execute(
      database.db,
    );
    assert.deepEqual(rows, [{ retry_limit: 9, retry_delay: 7, retry_backoff: true, expire_seconds: 70 }]);
  });

  test('cannot change whether it has one job per key', async () => {
    const queue = { ...settings, name: 'single' };
    await assert.rejects(start(queue), /single: a queue cannot change what it has one of/);
  });
});

test('nothing went wrong meanwhile', () => assert.deepEqual(errors, []));
