import assert from 'node:assert/strict';
import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { doctorTools } from '../../../src/app/command-line.ts';
import type { Finding } from '../../../src/features/operator/finding.ts';
import { freePort } from '../../../src/platform/free-port.ts';
import { doctor } from '../../../src/surfaces/cli/doctor.ts';
import { createServerDatabase } from '../../support/database.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { administered, newKey, underOlderKey } from './planted.ts';
import { tributaryInProcess } from './run-tributary.ts';

test('doctor --fix closes the data directory and the key file to other users, and nothing else', async () => {
  const dataDir = await scratchDirectory();
  await chmod(dataDir, 0o755);
  const file = join(dataDir, 'encryption.key');
  await writeFile(file, newKey('main'), { mode: 0o644 });
  let output = '';
  const tools = doctorTools({ DATA_DIR: dataDir, PORT: String(await freePort('127.0.0.1')) });
  const out = (text: string): void => {
    output += text;
  };
  const streams = { out };
  assert.equal(await doctor(tools, { isFixing: false, json: false }, streams), 1);
  assert.match(output, /mode 0644: .* Or run: tributary doctor --fix/);
  assert.equal((await stat(file)).mode & 0o777, 0o644);
  output = '';
  assert.equal(await doctor(tools, { isFixing: true, json: true }, streams), 0);
  const { fixed, findings } = JSON.parse(output);
  assert.deepEqual(
    fixed.map((one: { check: string }) => one.check),
    ['data directory', 'encryption key'],
  );
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  assert.ok(findings.every((one: Finding) => one.fixable === undefined));
});

test('doctor --fix seals everything under the primary key, and leaves the older key', async () => {
  const { env } = await underOlderKey();
  const { stdout } = await tributaryInProcess(['doctor', '--fix', '--json'], {
    ...env,
    PORT: String(await freePort('127.0.0.1')),
  });
  const { fixed, findings } = JSON.parse(stdout);
  assert.match(fixed[0].done, /The older key can be removed/);
  const left = findings.find(({ check }: Finding) => check === 'older encryption key');
  assert.match(left.found, /nothing is sealed under key "old" any more/);
});

test('doctor leaves an older schema on Postgres as it is, with --fix as well: a backup comes first', async (t) => {
  const server = await createServerDatabase();
  if (server === null) return t.skip('needs a Postgres server');
  t.after(() => server.drop());
  await administered(server, (admin) => admin.query('drop schema public cascade; create schema public'));
  const env = {
    DATA_DIR: await scratchDirectory(),
    DATABASE_URL: server.url,
    PORT: String(await freePort('127.0.0.1')),
  };
  const tables = async (): Promise<number> => {
    let count = -1;
    await administered(server, async (admin) => {
      count = (await admin.query("select from pg_tables where schemaname = 'public'")).rowCount ?? -1;
    });
    return count;
  };
  const asked = await tributaryInProcess(['doctor', '--json'], env);
  assert.equal(asked.code, 1);
  assert.equal(await tables(), 0);
  const fixed = await tributaryInProcess(['doctor', '--fix', '--json'], env);
  assert.equal(fixed.code, 1);
  const { fixed: done, findings } = JSON.parse(fixed.stdout);
  assert.deepEqual(done, []);
  const finding = findings.find(({ check }: Finding) => check === 'migrations');
  assert.deepEqual([finding.outcome, finding.fixable], ['fail', undefined]);
  assert.match(finding.advice, /^Take a backup, then run: tributary migrate/);
  assert.equal(await tables(), 0);
});
