import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { seedDataDir } from '../../support/schema-template.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { startService } from '../../support/service.ts';
import { assertAway, call, everyKind, keysNamed, recovery } from './away.ts';

const run = promisify(execFile);
const SIZE = '120m';

/** A file system of its own that is soon full; null if this process may not make one. */
async function smallDisk(): Promise<{ readonly path: string; remove(): Promise<void> } | null> {
  const path = await scratchDirectory();
  const remove = () => rm(path, { recursive: true, force: true });
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', path]);
  } catch {
    await remove();
    return null;
  }
  return {
    path,
    remove: async () => {
      await run('umount', ['-l', path]);
      await remove();
    },
  };
}

/** Takes all the room there is. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  const block = Buffer.alloc(65_536);
  try {
    for (;;) await file.write(block);
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error && error.code === 'ENOSPC');
  } finally {
    await file.close();
  }
}

test('a full disk is 503 until there is room, then served soon with every acknowledged write', async (t) => {
  const disk = await smallDisk();
  if (disk === null) return t.skip('needs the right to mount a small file system');
  t.after(disk.remove);
  await seedDataDir(disk.path);
  const service = await startService({ DATA_DIR: disk.path, DATABASE_URL: '' });
  let open = true;
  t.after(async () => {
    if (open) await service.close();
  });
  const owner = await service.owner();
  const kept = await owner.v2('POST', '/v2/api_keys', { name: 'kept', scopes: ['data:read'] });
  assert.equal(kept.status, 201);
  const ballast = join(disk.path, 'ballast');
  await fill(ballast);
  // What is in the log beyond the room that is set aside: Postgres panics.
  const { db } = service.app.database;
  const write = sql`select pg_logical_emit_message(true, 'test', repeat('x', 1000000))`;
  await assert.rejects(
    async () => {
      for (let written = 0; written < 100; written++) await write.execute(db);
    },
    { name: 'StoreUnavailableError' },
  );
  assert.equal((await statfs(disk.path)).bavail, 0);
  assertAway(await everyKind(service, owner), 15_000);
  assert.equal((await call(service, '/healthz')).status, 200);
  await rm(ballast);
  t.diagnostic(`recovered in ${(await recovery(service, owner)).toFixed(1)} s`);
  assert.equal(await keysNamed(owner, 'kept'), 1);
  const more = await owner.v2('POST', '/v2/api_keys', { name: 'after', scopes: ['data:read'] });
  assert.equal(more.status, 201);

  await fill(ballast);
  await assert.rejects(
    async () => {
      for (let written = 0; written < 100; written++) await write.execute(db);
    },
    { name: 'StoreUnavailableError' },
  );
  const began = performance.now();
  open = false;
  await service.close();
  assert.ok(performance.now() - began < 20_000, 'stops in time while the disk is full');
});
