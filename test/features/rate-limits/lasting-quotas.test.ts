import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { openRateLimits } from '../../../src/features/rate-limits/rate-limits.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { newKeyEntry, parseKeyring } from '../../../src/platform/keyring.ts';
import { type Quota, QuotaSpent } from '../../../src/platform/quotas.ts';
import { type OpenDatabase, openEmbeddedInstance } from '../../../src/storage/database.ts';
import { PREPARED_START_PARAMS, PreparedPostgres } from '../../../src/storage/embedded/prepared-postgres.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { openTestDatabase } from '../../support/database.ts';
import { seedDataDir } from '../../support/schema-template.ts';
import { scratchDirectory } from '../../support/scratch.ts';

const never = new AbortController().signal;
const DAILY: Quota = { name: 'daily', amount: 3, windowMs: 86_400_000 };

test('a quota of a day is still used up after a restart, and is counted for each key apart', async (t) => {
  const database = await openTestDatabase();
  t.after(() => database.close());
  const keyring = parseKeyring(newKeyEntry(), 'test');
  const open = () =>
    openRateLimits({
      redisUrl: null,
      database: database.database,
      keyring,
      limits: { ...DEFAULT_LIMITS, count_store_deadline_ms: 30_000 },
      clock: systemClock,
      log: { warn: () => undefined },
    });
  const use = { quota: DAILY, key: 'one' };
  const first = await open();
  for (let call = 0; call < DAILY.amount; call++) await first.quotas.take([use], 0, never);
  await assert.rejects(first.quotas.take([use], 0, never), QuotaSpent);
  assert.equal(first.quotas.state().get(DAILY.name)?.left, 0);
  await first.close();
  const second = await open();
  t.after(() => second.close());
  await assert.rejects(
    second.quotas.take([use], 0, never),
    (error: unknown) => error instanceof QuotaSpent && error.retryAfterMs > DAILY.windowMs - 600_000,
  );
  const { left, waitSeconds = 0 } = second.quotas.state().get(DAILY.name) ?? {};
  assert.equal(left, 0, 'the calls of the process before count');
  assert.ok(waitSeconds * 1000 > DAILY.windowMs - 600_000, String(waitSeconds));
  await second.sweep();
  await assert.rejects(second.quotas.take([use], 0, never), QuotaSpent);
  await second.quotas.take([{ quota: DAILY, key: 'two' }], 0, never);
});

/** The embedded database in a directory, in this thread. */
async function openIn(directory: string): Promise<OpenDatabase> {
  const startParams = [...PGlite.defaultStartParams, ...PREPARED_START_PARAMS, '-c', 'shared_buffers=8MB'];
  return openEmbeddedInstance(
    new PreparedPostgres(
      await PGlite.create(join(directory, 'database'), { parsers: { 20: Number }, startParams }),
    ),
  );
}

test('a quota of a day is still used up after a crash of the database', async (t) => {
  const [directory, crashed] = [await scratchDirectory(), await scratchDirectory()];
  await seedDataDir(directory);
  const keyring = parseKeyring(newKeyEntry(), 'test');
  const open = (database: OpenDatabase) =>
    openRateLimits({
      redisUrl: null,
      database,
      keyring,
      limits: { ...DEFAULT_LIMITS, count_store_deadline_ms: 30_000 },
      clock: systemClock,
      log: { warn: () => undefined },
    });
  const use = { quota: DAILY, key: 'one' };
  const before = await openIn(directory);
  const first = await open(before);
  for (let call = 0; call < DAILY.amount; call++) await first.quotas.take([use], 0, never);
  // What a server finds on its disk that was not shut down.
  await cp(directory, crashed, { recursive: true });
  await first.close();
  await before.close();
  const after = await openIn(crashed);
  t.after(async () => {
    await after.close();
    for (const one of [directory, crashed]) await rm(one, { recursive: true, force: true });
  });
  const second = await open(after);
  await assert.rejects(second.quotas.take([use], 0, never), QuotaSpent);
  await second.close();
});

test('the table of lasting quotas is written ahead, unlike that of places for requests', async (t) => {
  const { db, close } = await openTestDatabase();
  t.after(close);
  const { rows } = await sql<{ name: string; persistence: string }>`
    select relname as name, relpersistence as persistence from pg_class
    where relname in ('lasting_quotas', 'heavy_slots') order by relname`.execute(db);
  assert.deepEqual(rows, [
    { name: 'heavy_slots', persistence: 'u' },
    { name: 'lasting_quotas', persistence: 'p' },
  ]);
});
