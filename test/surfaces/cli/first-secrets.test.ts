import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { access, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FirstStart } from '../../../src/features/operator/first-start.ts';
import { readText } from '../../house/tree.ts';
import { eventually } from '../../support/patience.ts';
import { addPerson } from '../../support/people.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { startService } from '../../support/service.ts';

const KEY = 'first-api-key';
const LINK = 'first-run-link';
const HOUR_MS = 3_600_000;

/** A service whose data directory holds the files of a first start. */
async function firstStart(t: TestContext) {
  const service = await startService();
  t.after(() => service.close());
  const dataDir = await scratchDirectory();
  const owner = await service.owner();
  const { body: key } = await owner.v2('POST', '/v2/api_keys', {
    name: 'First key',
    scopes: ['account:read'],
  });
  for (const [name, text] of [
    [KEY, key.secret],
    [LINK, 'http://127.0.0.1/first-run/x'],
  ] as const)
    await writeFile(join(dataDir, name), `${text}\n`, { mode: 0o600 });
  const { app } = service;
  const { services, database, signIn } = app;
  const config = { ...app.config, dataDir };
  const start = new FirstStart({ ...services, config, db: database.db, signIn });
  const written = (hoursAgo: number) => {
    const at = new Date(app.clock.now() - hoursAgo * HOUR_MS);
    return utimes(join(dataDir, KEY), at, at);
  };
  const tidied = async (): Promise<readonly string[]> => {
    await start.tidy();
    const there = await Promise.all(
      [KEY, LINK].map((name) =>
        access(join(dataDir, name)).then(
          () => [name],
          () => [],
        ),
      ),
    );
    return there.flat();
  };
  return { service, owner, key, written, tidied };
}

test('the file of the first API key is there for an hour, and gone after it once the key was used', async (t) => {
  const { service, key, written, tidied } = await firstStart(t);
  assert.deepEqual(await tidied(), [KEY, LINK]);
  await written(2);
  assert.deepEqual(await tidied(), [KEY, LINK], 'nobody has used it');
  const headers = { authorization: `Bearer ${key.secret}`, 'service-version': '2026-10-01' };
  await fetch(`${service.url}/v2/me`, { headers });
  await service.app.apiKeyAuthenticator.flushLastUsed();
  await eventually(async () => !(await tidied()).includes(KEY));
});

test('the file of the first API key is gone after a day, and at once when the key is revoked', async (t) => {
  const { written, tidied } = await firstStart(t);
  await written(25);
  assert.deepEqual(await tidied(), [LINK]);
  const other = await firstStart(t);
  await other.owner.v2('DELETE', `/v2/api_keys/${other.key.id}`);
  assert.deepEqual(await other.tidied(), [LINK]);
});

test('the file of the link for the first person is gone once someone can sign in', async (t) => {
  const { service, owner, tidied } = await firstStart(t);
  await addPerson(service, owner);
  assert.deepEqual(await tidied(), [KEY]);
});

test('the copy of the encryption key is readable by its owner alone, as documented', async () => {
  const [data, backup] = [await scratchDirectory(), await scratchDirectory()];
  await writeFile(join(data, 'encryption.key'), 'text');
  const commands = readText('docs/self-hosting.md')
    .split('\n')
    .filter((line) => line.startsWith("sudo sh -c 'umask 077; cp /var/lib/tributary/encryption.key"))
    .map((line) =>
      line
        .replace(/^sudo /, '')
        .replaceAll('/var/lib/tributary', data)
        .replaceAll('/root', backup),
    );
  assert.equal(commands.length, 1);
  for (const command of commands) execFileSync('/bin/sh', ['-c', command]);
  assert.equal((await stat(join(backup, 'tributary-encryption.key'))).mode & 0o777, 0o600);
});
