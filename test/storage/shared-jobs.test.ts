import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { QUEUES } from '../../src/app/build-queues.ts';
import { ACCOUNT_IMPORT } from '../../src/features/linking/linking-queues.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { newRowId } from '../../src/platform/row-id.ts';
import { type WorkQueue, workQueue, workQueuesByGroup } from '../../src/storage/job-queue.ts';
import { Jobs } from '../../src/storage/jobs.ts';
import { type RowId, rowId } from '../../src/vocabulary/ids.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

type Payload = { readonly connection: 'connection' };

const relay = {
  name: 'relay',
  payload: { connection: 'connection' },
  retry: { limit: 1, delaySeconds: 1 },
  expireSeconds: 60,
} as const;
const groups = workQueuesByGroup(
  relay,
  new Map([
    ['slow', { concurrency: 2, perOwner: 1 }],
    ['quick', { concurrency: 4, perOwner: 2 }],
    ['short', { concurrency: 4, perOwner: 2 }],
  ]),
);

let database: TestDatabase;
let jobs: Jobs;
before(async () => {
  database = await openTestDatabase();
  jobs = new Jobs(database.database, [...QUEUES, ...groups.values()], (error) => assert.fail(String(error)));
  await jobs.start();
});
after(async () => {
  await jobs.stop(5000);
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

async function fill(queue: WorkQueue<Payload>, owner: RowId<'account_record'>, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await jobs.enqueue(database.db, queue, { connection: newConnection() }, { owner });
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
  await jobs.enqueue(database.db, ACCOUNT_IMPORT, { connection }, { owner: newOwner() });
  await jobs.work(ACCOUNT_IMPORT, hanging.handle);
  await until(() => hanging.begun.includes(connection));
  assert.ok(hanging.begun.length <= 3, hanging.begun.join(', '));
  hanging.open();
});

test('a group that one owner fills holds up neither another group nor another owner of its own', async () => {
  const { slow, quick } = { slow: groups.get('slow'), quick: groups.get('quick') };
  assert.ok(slow !== undefined && quick !== undefined);
  const greedy = newOwner();
  await fill(slow, greedy, 20);
  await fill(quick, greedy, 20);
  const [inSlow, inQuick] = [newConnection(), newConnection()];
  await jobs.enqueue(database.db, slow, { connection: inSlow }, { owner: newOwner() });
  await jobs.enqueue(database.db, quick, { connection: inQuick }, { owner: newOwner() });
  const hanging = { slow: new Hanging(), quick: new Hanging() };
  await jobs.work(slow, hanging.slow.handle);
  await jobs.work(quick, hanging.quick.handle);
  await until(() => hanging.slow.begun.length === 2 && hanging.quick.begun.length === 3);
  assert.ok(hanging.slow.begun.includes(inSlow));
  assert.ok(hanging.quick.begun.includes(inQuick));
  hanging.slow.open();
  hanging.quick.open();
});

test('short jobs of one owner do not make those of another wait until they are all done', async () => {
  const queue = groups.get('short');
  assert.ok(queue !== undefined);
  await fill(queue, newOwner(), 40);
  const connection = newConnection();
  await jobs.enqueue(database.db, queue, { connection }, { owner: newOwner() });
  const begun: RowId<'connection'>[] = [];
  await jobs.work(queue, async (payload) => {
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
      assert.throws(() => workQueue({ ...relay, concurrency, perOwner }), TypeError);
    });
  }

  test('also in a group', () => {
    assert.throws(
      () => workQueuesByGroup(relay, new Map([['a', { concurrency: 1, perOwner: 1 }]])),
      /relay\/a/,
    );
  });
});
