import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { CONNECTION_CLEANUP, PROVIDER_DATA } from '../../src/features/linking/linking-queues.ts';
import { newRowId } from '../../src/platform/row-id.ts';
import { ShiftedClock } from '../../src/platform/shifted-clock.ts';
import { Jobs } from '../../src/storage/jobs.ts';
import { rowId } from '../../src/vocabulary/ids.ts';
import { openTestDatabase } from '../support/database.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

test('A deferred job waits as long as it was deferred for, however far the clock was moved ahead', async (t) => {
  const clock = new ShiftedClock();
  const database = await openTestDatabase();
  const { db } = database;
  const jobs = new Jobs(
    database.database,
    [CONNECTION_CLEANUP, PROVIDER_DATA],
    (error) => assert.fail(String(error)),
    clock,
  );
  await jobs.start();
  t.after(async () => {
    await jobs.stop(0);
    await database.close();
  });
  clock.advance(30 * DAY_MS);
  const owner = rowId('account_record', newRowId(clock));
  for (const queue of [CONNECTION_CLEANUP, PROVIDER_DATA]) {
    const connection = rowId('connection', newRowId(clock));
    for (const hours of [2, 1]) {
      const startAfter = new Date(clock.now() + hours * HOUR_MS);
      await jobs.enqueue(db, queue, { connection }, { owner, startAfter });
    }
  }
  const { rows } = await sql<{ name: string; first: number }>`
    select name, min(extract(epoch from start_after - now()) * 1000)::float8 as first
    from pgboss.job where state = 'created' group by 1 order by 1`.execute(db);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['connection-cleanup', 'provider-data'],
  );
  for (const { name, first } of rows) {
    assert.ok(first > 0 && first <= HOUR_MS, `${name} waits for ${first} ms`);
  }
});
