import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type ServedInstallation, serveInstallation } from '../../../src/app/installation.ts';
import { readConfig } from '../../../src/app/read-config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { readCsv } from '../../features/exports/csv-reader.ts';
import { ofxFaults, parseOfx } from '../../features/exports/ofx-checker.ts';
import { Receiver } from '../../features/sync-engine/support/receiver.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { seedDataDir } from '../../support/schema-template.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { type Json, type V2Client, v2Client } from '../../support/v2-client.ts';
import { type Ended, tributaryInProcess } from './run-tributary.ts';

let dataDir = '';
let files = '';
let served: ServedInstallation;
let v2: V2Client;
let sync: Json;
let receiver: Receiver;

const run = (...args: string[]): Promise<Ended> => tributaryInProcess(args, { DATA_DIR: dataDir });

before(async () => {
  receiver = await new Receiver().open();
  [dataDir, files] = [await scratchDirectory(), await scratchDirectory()];
  await seedDataDir(dataDir);
  served = await serveInstallation(
    readConfig({ DATA_DIR: dataDir, PORT: '0', OUTBOUND_ALLOW: '127.0.0.0/8' }),
    createLog({ level: 'silent' }),
    true,
  );
  const { first } = served.welcome;
  v2 = v2Client(served.running.url, first?.secret ?? '');
  const { stdout } = await run(
    'link',
    '--account',
    first?.account ?? '',
    '--provider',
    'au_banking',
    '--json',
  );
  const accounts = JSON.parse(stdout).accounts.map((account: Json) => account.id);
  const destination = await v2('POST', '/v2/destinations', {
    type: 'webhook',
    name: 'books',
    target: { url: receiver.url },
  });
  receiver.secrets = [destination.body.config.signing_secret];
  const made = await v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'books',
    destination: destination.body.id,
    accounts,
    mapping_mode: 'bulk',
    run_now: false,
  });
  sync = made.body;
  assert.ok(sync.id, JSON.stringify(made.body));
});
after(async () => {
  await served.close();
  await receiver.close();
  for (const directory of [dataDir, files]) await rm(directory, { recursive: true, force: true });
});

test('An export of the running server becomes a file that only its owner reads', async () => {
  const { code, stdout, stderr } = await run(
    'export',
    sync.id,
    '--format',
    'csv',
    '--output',
    files,
    '--json',
  );
  assert.equal(code, 0, stderr);
  const { file, bytes } = JSON.parse(stdout);
  assert.match(file, /sync_\w+-[\d-]+-to-[\d-]+\.csv$/);
  const text = await readFile(file, 'utf8');
  assert.equal(Buffer.byteLength(text), bytes);
  assert.ok(readCsv(text).length > 5);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test('The file has the name that is asked for, in the format that is asked for', async () => {
  const file = join(files, 'books.ofx');
  const { code, stderr } = await run('export', sync.id, '--format', 'ofx', '--output', file);
  assert.equal(code, 0, stderr);
  assert.deepEqual(ofxFaults(parseOfx(await readFile(file, 'utf8'))), []);
});

test('Nothing is left of an export that the bank fails, and of one that no one has', async () => {
  const before = await readdir(files);
  const bank = sandboxBank(served.running.app);
  bank.addFault({ kind: 'malformed-json', route: 'GET /v1/banking/*', after: 2, count: 50 });
  const failed = await run('export', sync.id, '--format', 'jsonl', '--output', files);
  bank.clearFaults();
  assert.equal(failed.code, 1);
  const unknown = await run('export', 'sync_0000000000000000000000', '--output', files);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /There is no sync/);
  assert.equal((await run('export', 'nonsense', '--output', files)).code, 2);
  assert.deepEqual(await readdir(files), before);
});

test('A verification exits with 1 and names the rows while there are differences, and with 0 after a run', async () => {
  const before = await run('verify', sync.id, '--json');
  const said = JSON.parse(before.stdout);
  assert.deepEqual([before.code, said.compared_with], [1, 'record']);
  assert.ok(said.problems.missing > 5);
  assert.equal(said.data[0].reason, 'not_delivered_yet');
  const shown = await run('verify', sync.id);
  assert.equal(shown.code, 1);
  assert.match(shown.stdout, /missing +not_delivered_yet +run +\d{4}-/);
  const { body } = await v2('POST', `/v2/syncs/${sync.id}/run`);
  const until = Date.now() + 60_000;
  for (let status = body.status; status !== 'succeeded'; ) {
    assert.ok(Date.now() < until, `the run is ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    status = (await v2('GET', `/v2/sync_runs/${body.id}`)).body.status;
  }
  const after = await run('verify', sync.id);
  assert.equal(after.code, 0, after.stdout);
  assert.match(after.stdout, /Problems +0/);
  assert.equal((await run('verify', 'nonsense')).code, 2);
});

test('Rows that could not be read are no full success: a verification exits with 1, and an export with 3 and a warning', async () => {
  const bank = sandboxBank(served.running.app);
  const { body } = await v2('GET', `/v2/transactions?account=${sync.accounts[0]}&limit=100`);
  const { id } = body.data.find(({ status }: Json) => status === 'posted');
  const fault = { route: 'GET /v1/banking/transactions', kind: 'override', member: 'amount' } as const;
  bank.addFault({ ...fault, row: id.replace(/^txn_fk_/, ''), value: '1,234.56' });
  const verified = await run('verify', sync.id);
  assert.equal(verified.code, 1);
  assert.match(verified.stdout, /Could not be read, not compared +1\n/);
  const file = join(files, 'lacking.csv');
  const exported = await run('export', sync.id, '--output', file, '--json');
  bank.clearFaults();
  assert.equal(exported.code, 3, exported.stderr);
  const [lacking, ...others] = JSON.parse(exported.stdout).set_aside;
  assert.deepEqual([lacking.rows, others], [1, []]);
  assert.match(
    exported.stderr,
    new RegExp(`1 row of ${lacking.name} \\(${lacking.account}\\) could not be read`),
  );
  assert.ok(readCsv(await readFile(file, 'utf8')).length > 5);
  assert.equal((await run('export', sync.id, '--output', file)).code, 0);
});
