import assert from 'node:assert/strict';
import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { doctorTools } from '../../../src/app/command-line.ts';
import { readConfig } from '../../../src/app/read-config.ts';
import { fix } from '../../../src/features/operator/diagnosis.ts';
import { type Finding, fixable, warn } from '../../../src/features/operator/finding.ts';
import type { Config } from '../../../src/platform/config.ts';
import { freePort } from '../../../src/platform/free-port.ts';
import { doctor } from '../../../src/surfaces/cli/doctor.ts';
import { createServerDatabase } from '../../support/database.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { startService } from '../../support/service.ts';
import { administered, newKey, underOlderKey } from './planted.ts';
import { tributaryInProcess } from './run-tributary.ts';

test('doctor --fix closes the data directory and the key file to other users, and nothing else', async () => {
  const dataDir = await scratchDirectory();
  await chmod(dataDir, 0o755);
  const file = join(dataDir, 'encryption.key');
  await writeFile(file, newKey('main'), { mode: 0o644 });
  let output = '';
  const tools = doctorTools({
    DATA_DIR: dataDir,
    PORT: String(await freePort('127.0.0.1')),
    METRICS_PORT: '0',
  });
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
  assert.match(fixed[1].done, /If someone could have read the key, replace it: .*rotate-encryption/);
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

test('doctor --fix says what it could not fix and what to do, and shows all findings', async () => {
  const { env } = await underOlderKey();
  const dataDir = env.DATA_DIR ?? assert.fail();
  const tools = doctorTools({ ...env, PORT: String(await freePort('127.0.0.1')), METRICS_PORT: '0' });
  await chmod(dataDir, 0o750);
  let output = '';
  const broken = {
    ...tools,
    run: async (command: string, config: Config) => {
      if (command !== 'inspect') throw new Error('the database is read-only.');
      return tools.run(command, config);
    },
  };
  const out = (text: string): void => {
    output += text;
  };
  assert.equal(await doctor(broken, { isFixing: true, json: true }, { out }), 1);
  const { fixed, findings } = JSON.parse(output);
  assert.deepEqual(
    fixed.map(({ check }: Finding) => check),
    ['data directory'],
  );
  assert.deepEqual(findings.at(-1), {
    check: 'older encryption key',
    outcome: 'fail',
    found: 'cannot be fixed: the database is read-only',
    advice: 'Run: tributary keys rotate-encryption',
  });
  assert.ok(findings.some(({ check }: Finding) => check === 'public address'));
});

test('doctor --fix does not keep a file that cannot be closed to others from what else it fixes', async () => {
  const dataDir = join(await scratchDirectory(), 'gone');
  const config = readConfig({ DATA_DIR: dataDir });
  const findings = (['data directory', 'encryption key', 'older encryption key'] as const).map((check) =>
    fixable(warn(check, 'planted')),
  );
  const { fixed, failed } = await fix(findings, config, async (command) => `ran ${command}`);
  assert.deepEqual(fixed, [{ check: 'older encryption key', done: 'ran keys rotate-encryption' }]);
  assert.deepEqual(
    failed.map(({ check, outcome }) => [check, outcome]),
    [
      ['data directory', 'fail'],
      ['encryption key', 'fail'],
    ],
  );
  for (const { found, advice } of failed) {
    assert.match(found, /^cannot be fixed: ENOENT/);
    assert.match(advice ?? '', /^As its owner, or as root, run: chmod [67]00 \//);
  }
});

test('doctor --fix reseals nothing under a key of ENCRYPTION_KEY while another process uses the database', async (t) => {
  const server = await createServerDatabase();
  if (server === null) return t.skip('needs a Postgres server');
  t.after(() => server.drop());
  const [older, newer] = [newKey('old'), newKey('new')];
  const shared = { DATABASE_URL: server.url, METRICS_PORT: 'off', SANDBOX: 'off' };
  const others = await startService({ ...shared, ENCRYPTION_KEY: older, ROLES: 'api' });
  t.after(() => others.close());
  await others.owner();
  const doctorOf = async () => {
    const env = { ...shared, DATA_DIR: await scratchDirectory(), ENCRYPTION_KEY: `${newer},${older}` };
    const { stdout } = await tributaryInProcess(['doctor', '--fix', '--json'], {
      ...env,
      PORT: String(await freePort('127.0.0.1')),
    });
    const { fixed, findings } = JSON.parse(stdout);
    return { fixed, finding: findings.find(({ check }: Finding) => check === 'older encryption key') };
  };
  // Its connection for notices is known by more than the statement that it ran last.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  const refused = await doctorOf();
  assert.deepEqual(refused.fixed, []);
  assert.match(refused.finding.found, /sealed under key "old", and 1 other process uses this database$/);
  assert.match(refused.finding.advice, /^Check that every process has the first key/);
  await others.close();
  // The connection for notices of version 1.0.0.
  const earlier = new pg.Client({ connectionString: server.url, application_name: 'tributary' });
  await earlier.connect();
  await earlier.query('listen tributary_notices');
  const unclear = await doctorOf();
  assert.deepEqual(unclear.fixed, []);
  assert.match(unclear.finding.found, /and 1 session of this database may be of other processes$/);
  await earlier.end();
  const alone = await doctorOf();
  assert.equal(alone.fixed.length, 1, JSON.stringify(alone));
  assert.match(alone.finding.found, /nothing is sealed under key "old" any more/);
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
