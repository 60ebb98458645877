import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '../../../src/platform/clock.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { ACCOUNT_IMPORT, PROVIDER_DATA } from '../../../src/storage/job-queues.ts';
import { type RowId, rowId } from '../../../src/vocabulary/ids.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startJobs } from '../../support/job-workers.ts';
import { until } from './person.ts';

const GREEDY_CONNECTIONS = 8;

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

for (const queue of [PROVIDER_DATA, ACCOUNT_IMPORT]) {
  test(`what notifications asked for is served to others (${queue.name}) while one account record's work never ends`, async () => {
    const { jobs, workers } = working;
    const [greedy, other] = [newOwner(), newOwner()];
    const mine = newConnection();
    for (let count = 0; count < GREEDY_CONNECTIONS; count++)
      await jobs.enqueue(database.db, queue, { connection: newConnection() }, { owner: greedy });
    await jobs.enqueue(database.db, queue, { connection: mine }, { owner: other });
    const gate = Promise.withResolvers<void>();
    let held = 0;
    let most = 0;
    const served: RowId<'connection'>[] = [];
    workers.work(queue, async ({ connection }) => {
      if (connection !== mine) {
        held += 1;
        most = Math.max(most, held);
        await gate.promise;
        held -= 1;
      }
      served.push(connection);
    });
    await until(
      async () => served,
      (all) => all.length > 0,
    );
    assert.deepEqual(served, [mine]);
    assert.ok(most <= queue.perOwner, `${most} of one account record at once`);
    gate.resolve();
    await until(
      async () => served,
      (all) => all.length === GREEDY_CONNECTIONS + 1,
    );
  });
}
