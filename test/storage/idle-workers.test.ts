import assert from 'node:assert/strict';
import { after, before, type Mock, mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/platform/clock.ts';
import { newRowId } from '../../src/platform/row-id.ts';
import { ACCOUNT_IMPORT, QUEUES } from '../../src/storage/job-queues.ts';
import { rowId } from '../../src/vocabulary/ids.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { startJobs } from '../support/job-workers.ts';
import { eventually } from '../support/patience.ts';

let database: TestDatabase;
let working: Awaited<ReturnType<typeof startJobs>>;
const statements: Mock<(...args: never[]) => unknown>[] = [];
let started = () => {};

before(async () => {
  database = await openTestDatabase();
  const { pglite, pool } = database.database;
  if (pglite !== null) statements.push(mock.method(pglite, 'query'), mock.method(pglite, 'exec'));
  // Every statement outside of a transaction takes a connection of its own.
  if (pool !== null) statements.push(mock.method(pool, 'connect'));
  working = await startJobs(database.database);
  for (const { onePer: _, ...queue } of QUEUES)
    working.workers.work({ ...queue, payload: {} }, async () => started());
});
after(async () => {
  await working.workers.stop(5000);
  await database.close();
});

const asked = () => statements.reduce((sum, method) => sum + method.mock.callCount(), 0);

test('idle workers do not poll: two statements a second do it for all queues', async () => {
  await sleep(500);
  const before = asked();
  await sleep(3000);
  const count = asked() - before;
  assert.ok(count > 0, 'somebody polls');
  assert.ok(count <= 12, `${count} statements in three seconds`);
});

test('a job starts once it is committed, and does not wait for the next poll', async () => {
  const owner = rowId('account_record', newRowId(systemClock));
  let least = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < 6 && least >= 250; tried++) {
    const before = asked();
    // A poll begins, so the next one is half a second away.
    await eventually(() => asked() > before, 'a poll');
    const { promise, resolve } = Promise.withResolvers<void>();
    started = resolve;
    const connection = rowId('connection', newRowId(systemClock));
    const began = performance.now();
    await database.db
      .transaction()
      .execute((trx) => working.jobs.enqueue(trx, ACCOUNT_IMPORT, { connection }, { owner }));
    await promise;
    least = Math.min(least, performance.now() - began);
  }
  assert.ok(least < 250, `${least} ms`);
});
