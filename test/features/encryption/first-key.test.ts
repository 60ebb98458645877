import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openKeyring } from '../../../src/features/encryption/open-keyring.ts';
import { KeyringError } from '../../../src/platform/keyring.ts';
import { openTestDatabase } from '../../support/database.ts';
import { scratchDirectory } from '../../support/scratch.ts';

/** An empty database and two hosts, each with a data directory of its own. */
async function twoHosts(t: TestContext) {
  const { db, close } = await openTestDatabase();
  t.after(close);
  const dataDirs = [await scratchDirectory(), await scratchDirectory()];
  const start = (dataDir: string, encryptionKey?: string) => openKeyring(db, { dataDir, encryptionKey });
  return { dataDirs, start };
}

/** Says what to do, since the person sees two hosts that both looked right. */
function isRefusal(error: unknown): boolean {
  return error instanceof KeyringError && /set ENCRYPTION_KEY on each of them/.test(error.message);
}

test('Of two hosts that start at once on an empty database one makes the key, and the other says to share it', async (t) => {
  const { dataDirs, start } = await twoHosts(t);
  const both = await Promise.allSettled(dataDirs.map((dataDir) => start(dataDir)));
  const refused = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  assert.deepEqual(refused.map(isRefusal), [true]);
});

test('A second host is refused from the first start on, before anything was sealed, and let in with the shared key', async (t) => {
  const { dataDirs, start } = await twoHosts(t);
  const [first = '', second = ''] = dataDirs;
  const { primary } = await start(first);
  await assert.rejects(start(second), isRefusal);
  await assert.rejects(start(second), isRefusal, 'also once a file of its own is there');
  const key = (await readFile(join(first, 'encryption.key'), 'utf8')).trim();
  assert.equal((await start(second, key)).primary.id, primary.id);
});
