import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ACCOUNT_IMPORT, PROVIDER_DATA } from '../../../src/features/linking/linking-queues.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { Jobs } from '../../../src/storage/jobs.ts';
import { type RowId, rowId } from '../../../src/vocabulary/ids.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from './person.ts';

const GREEDY_CONNECTIONS = 8;

let database: TestDatabase;
let jobs: Jobs;
before(async () => {
  database = await openTestDatabase();
  jobs = new Jobs(database.database, [ACCOUNT_IMPORT, PROVIDER_DATA], () => undefined);
  await jobs.start();
});
after(async () => {
  await jobs.stop(5000);
  await database.close();
});

const newOwner = () => rowId('account_record', newRowId(systemClock));
const newConnection = () => rowId('connection', newRowId(systemClock));

for (const queue of [PROVIDER_DATA, ACCOUNT_IMPORT]) {
  test(`what notifications asked for is served to others (${queue.name}) while one account record's work never ends`, async () => {
    const [greedy, other] = [newOwner(), newOwner()];
    const mine = newConnection();
    for (let count = 0; count < GREEDY_CONNECTIONS; count++)
      await jobs.enqueue(database.db, queue, { connection: newConnection() }, { owner: greedy });
    await jobs.enqueue(database.db, queue, { connection: mine }, { owner: other });
    const gate = Promise.withResolvers<void>();
    let held = 0;
    let most = 0;
    const served: RowId<'connection'>[] = [];
    await jobs.work(queue, async ({ connection }) => {
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
