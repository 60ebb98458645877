import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../../src/platform/clock.ts';
import { newRowId } from '../../src/platform/row-id.ts';
import { ACCOUNT_IMPORT, type JobQueue, jobQueue } from '../../src/storage/job-queues.ts';
import { type OwnerId, type RowId, rowId } from '../../src/vocabulary/ids.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { startJobs } from '../support/job-workers.ts';

type Schema = { readonly connection: 'connection' };

const relay = {
  name: 'relay',
  payload: { connection: 'connection' },
  retry: { limit: 1, delaySeconds: 1 },
  expireSeconds: 60,
} as const;
const SLOW = jobQueue({ ...relay, name: 'slow', concurrency: 2, perOwner: 1 });
const QUICK = jobQueue({ ...relay, name: 'quick', concurrency: 4, perOwner: 2 });
const SHORT = jobQueue({ ...relay, name: 'short', concurrency: 4, perOwner: 2 });

let database: TestDatabase;
let working: Awaited<ReturnType<typeof startJobs>>;
before(async () => {
  database = await openTestDatabase();
  working = await startJobs(database.database);
});
after(async () => {
  await working.workers.stop(5000);
  await database.close();
});

const newOwner = () => rowId('account_record', newRowId(systemClock));
const newConnection = () => rowId('connection', newRowId(systemClock));

/** Work that begins and does not end before `open` is called. */
class Hanging {
  readonly begun: RowId<'connection'>[] = [];
  readonly #open = Promise.withResolvers<void>();

  readonly handle = async ({ connection }: { connection: RowId<'connection'> }): Promise<void> => {
    this.begun.push(connection);
    await this.#open.promise;
  };

  open(): void {
    this.#open.resolve();
  }
}

async function fill(queue: JobQueue<Schema>, owner: OwnerId, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await working.jobs.enqueue(database.db, queue, { connection: newConnection() }, { owner });
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 400 && !condition(); round++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.ok(condition(), 'it never came true');
}

test('jobs of one owner that hang take at most half of the workers, and those of another go on', async () => {
  const hanging = new Hanging();
  await fill(ACCOUNT_IMPORT, newOwner(), 10);
  const connection = newConnection();
  await working.jobs.enqueue(database.db, ACCOUNT_IMPORT, { connection }, { owner: newOwner() });
  working.workers.work(ACCOUNT_IMPORT, hanging.handle);
  await until(() => hanging.begun.includes(connection));
  assert.ok(hanging.begun.length <= 3, hanging.begun.join(', '));
  hanging.open();
});

test('a queue that one owner fills delays neither another queue nor another owner of its own', async () => {
  const greedy = newOwner();
  await fill(SLOW, greedy, 20);
  await fill(QUICK, greedy, 20);
  const [inSlow, inQuick] = [newConnection(), newConnection()];
  await working.jobs.enqueue(database.db, SLOW, { connection: inSlow }, { owner: newOwner() });
  await working.jobs.enqueue(database.db, QUICK, { connection: inQuick }, { owner: newOwner() });
  const hanging = { slow: new Hanging(), quick: new Hanging() };
  working.workers.work(SLOW, hanging.slow.handle);
  working.workers.work(QUICK, hanging.quick.handle);
  await until(() => hanging.slow.begun.length === 2 && hanging.quick.begun.length === 3);
  assert.ok(hanging.slow.begun.includes(inSlow));
  assert.ok(hanging.quick.begun.includes(inQuick));
  hanging.slow.open();
  hanging.quick.open();
});

test('short jobs of one owner do not make those of another wait until they are all done', async () => {
  await fill(SHORT, newOwner(), 40);
  const connection = newConnection();
  await working.jobs.enqueue(database.db, SHORT, { connection }, { owner: newOwner() });
  const begun: RowId<'connection'>[] = [];
  working.workers.work(SHORT, async (payload) => {
    begun.push(payload.connection);
    await new Promise((resolve) => setTimeout(resolve, 150));
  });
  await until(() => begun.includes(connection));
  assert.ok(begun.length <= 12, `${begun.length - 1} jobs of the other began before it`);
});

describe('a queue is refused in which one owner could take every worker', () => {
  for (const [concurrency, perOwner] of [
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 0],
  ] as const) {
    test(`${perOwner} of ${concurrency}`, () => {
      assert.throws(() => jobQueue({ ...relay, concurrency, perOwner }), TypeError);
    });
  }
});
