import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { type ServedInstallation, serveInstallation } from '../../../src/app/installation.ts';
import { readConfig } from '../../../src/app/read-config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { seedDataDir } from '../../support/schema-template.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { type Json, type V2Client, v2Client } from '../../support/v2-client.ts';
import { tributaryInProcess } from './run-tributary.ts';

const DAY_MS = 86_400_000;
const log = createLog({ level: 'silent' });

let dataDir = '';
let served: ServedInstallation;
let v2: V2Client;
let secret = '';
let account = '';

const start = () => serveInstallation(readConfig({ DATA_DIR: dataDir, PORT: '0' }), log, true);

before(async () => {
  dataDir = await scratchDirectory();
  await seedDataDir(dataDir);
  served = await start();
  const { first } = served.welcome;
  secret = first?.secret ?? '';
  v2 = v2Client(served.running.url, secret);
  const linked = await json('link', '--account', first?.account ?? '', '--provider', 'au_banking');
  account = linked.accounts[0].id;
});
after(async () => {
  await served.close();
  await rm(dataDir, { recursive: true, force: true });
});

const run = (...args: string[]) => tributaryInProcess(args, { DATA_DIR: dataDir });

async function json(...args: string[]): Promise<Json> {
  const { code, stdout, stderr } = await run(...args, '--json');
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

const pendingOf = async (): Promise<Json[]> => (await json('sandbox', 'row', '--account', account)).pending;
const described = (rows: readonly Json[], description: string): Json =>
  rows.find((row) => row.description === description);

test('A row that is entered at a simulated bank is read over v2, pending until it is posted', async () => {
  const today = new Date().toISOString().slice(0, 10);
  await json(
    'sandbox',
    'row',
    '--account',
    account,
    '--amount',
    '-12.34',
    '--description',
    'Kite',
    '--pending',
  );
  const path = `/v2/transactions?account=${account}&include_pending=true`;
  const read = async () => (await v2('GET', path, undefined, { 'cache-control': 'no-cache' })).body.data;
  const pending = described(await pendingOf(), 'Kite');
  assert.equal(pending.amount, '-12.34');
  assert.equal(described(await read(), 'Kite')?.status, 'pending', today);
  await json('sandbox', 'row', '--account', account, '--settle', pending.id);
  assert.equal(described(await pendingOf(), 'Kite'), undefined);
});

test('Pending rows are entered and listed at every simulated bank by the same words', async () => {
  const owner = served.welcome.accounts[0] ?? '';
  for (const provider of ['nz_banking', 'up_bank', 'simplefin', 'enable_banking']) {
    const linked = await json('link', '--account', owner, '--provider', provider);
    const [{ id }] = linked.accounts;
    const row = ['sandbox', 'row', '--account', id];
    const { ids } = await json(...row, '--amount', '-4.10', '--description', 'Yarn', '--pending');
    const found = described((await json(...row)).pending, 'Yarn');
    assert.deepEqual([found?.id, Number(found?.amount)], [ids[0], -4.1], provider);
    const { stdout } = await run(...row);
    assert.match(stdout, /ID +AMOUNT +DESCRIPTION\n/);
    assert.match(stdout, new RegExp(`${ids[0]} +-4\\.10 +Yarn`));
    await json(...row, '--drop', ids[0]);
    assert.equal(described((await json(...row)).pending, 'Yarn'), undefined);
  }
});

test('A row that is entered at a simulated broker is money paid in or out, and none is pending', async () => {
  const owner = served.welcome.accounts[0] ?? '';
  const linked = await json('link', '--account', owner, '--provider', 'brokerage');
  const [{ id }] = linked.accounts;
  const row = ['sandbox', 'row', '--account', id];
  for (const amount of ['-4.10', '250']) await json(...row, '--amount', amount, '--description', 'Kite');
  const { data } = (await v2('GET', `/v2/trades?account=${id}`)).body;
  const entered = data.filter(({ description }: Json) => description === 'Kite');
  assert.deepEqual(entered.map(({ type, total_amount: total }: Json) => [type, total.amount]).toSorted(), [
    ['transfer', -410],
    ['transfer', 25_000],
  ]);
  assert.deepEqual((await json(...row)).pending, []);
  assert.match((await run(...row)).stdout, /Nothing is pending/);
  const pending = await run(...row, '--amount', '1', '--pending');
  assert.equal(pending.code, 2);
  assert.match(pending.stderr, /no pending/);
});

test('A fault is armed, listed and disarmed, and hits what it names', async () => {
  const route = 'GET /v1/banking/balances';
  const armed = await json(
    ...['sandbox', 'fault', '--provider', 'au_banking', '--route', route],
    ...['--kind', 'refusal', '--status', '422', '--count', '5'],
  );
  assert.deepEqual(armed.faults, [{ id: 1, route, kind: 'refusal', remaining: 5 }]);
  const refused = await v2('GET', `/v2/accounts/${account}/balance`);
  assert.equal(refused.body.error.code, 'upstream_bad_request');
  const { stdout } = await run('sandbox', 'fault', '--provider', 'au_banking', '--clear');
  assert.match(stdout, /No fault is armed/);
  assert.equal((await v2('GET', `/v2/accounts/${account}/balance`)).status, 200);
});

test('What one bank does is armed while the service runs, listed, and ended', async () => {
  const owner = served.welcome.accounts[0] ?? '';
  const linked = await json('link', '--account', owner, '--provider', 'enable_banking');
  const [{ id }] = linked.accounts;
  const bank = (await v2('GET', `/v2/connections/${linked.connection}`)).body.institution.id;
  const fault = ['sandbox', 'fault', '--provider', 'enable_banking'];
  const armed = await json(...fault, '--kind', 'no_balances', '--institution', bank);
  assert.deepEqual(
    armed.misbehaviours.map(({ name }: Json) => name),
    ['no_balances'],
  );
  const balance = () => v2('GET', `/v2/accounts/${id}/balance`, undefined, { 'cache-control': 'no-cache' });
  assert.notEqual((await balance()).status, 200);
  assert.match((await run(...fault, '--clear')).stdout, /No fault is armed/);
  assert.equal((await balance()).status, 200);
  for (const [kind, institution, reason] of [
    ['no_balances', 'inst_fk_90001', /not the id of a bank of enable_banking/],
    ['no_balances', 'inst_eb_FI:Nowhere', /There is no bank/],
    ['no_rows', bank, /quirk of banks/],
    ['latency', bank, /leave out the institution/],
  ] as const) {
    const refused = await run(...fault, '--kind', kind, '--institution', institution);
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(refused.stderr, reason);
  }
  await json('sandbox', 'institution', bank, '--status', 'OUTAGE');
  assert.equal((await v2('GET', `/v2/transactions?account=${id}`)).status, 503);
  await json('sandbox', 'institution', bank, '--status', 'HEALTHY');
  assert.equal((await v2('GET', `/v2/transactions?account=${id}`)).status, 200);
});

test('What cannot be done is refused with what can', async () => {
  const nobody = await run('sandbox', 'fault', '--provider', 'webhook');
  assert.equal(nobody.code, 2);
  assert.match(nobody.stderr, /Simulated are: au_banking, nz_banking, brokerage, up_bank, simplefin/);
  const kind = await run('sandbox', 'fault', '--provider', 'au_banking', '--kind', 'earthquake');
  assert.equal(kind.code, 2, kind.stderr);
  assert.match(kind.stderr, /refused/);
  for (const args of [
    ['--forward', 'tomorrow'],
    ['--forward', '9999d'],
  ])
    assert.equal((await run('sandbox', 'clock', ...args)).code, 2);
});

test('The clock moves for the bank and the service together, and stays moved over a restart', async () => {
  const { now, ahead_hours: ahead } = await json('sandbox', 'clock', '--forward', '30d');
  assert.equal(ahead, 720);
  assert.ok(Date.parse(now) > Date.now() + 29 * DAY_MS);
  const in20days = new Date(Date.now() + 20 * DAY_MS).toISOString().slice(0, 10);
  const later = await v2('GET', `/v2/transactions?account=${account}&from=${in20days}`);
  assert.equal(later.status, 200, JSON.stringify(later.body));
  assert.ok(later.body.data.length > 0, 'the bank has posted rows meanwhile');
  await served.close();
  served = await start();
  v2 = v2Client(served.running.url, secret);
  assert.ok(served.running.app.clock.now() > Date.now() + 29 * DAY_MS);
});

test('A simulated bank in outage is shown as such, and a bank that is not there is refused', async () => {
  const bank = 'inst_fk_90001';
  await json('sandbox', 'institution', bank, '--status', 'OUTAGE');
  await json('sandbox', 'institution', 'inst_up_up', '--status', 'OUTAGE');
  const away = await v2('GET', '/v2/institutions?provider=up_bank');
  assert.deepEqual([away.status, away.body.error?.code], [503, 'upstream_unavailable']);
  await json('sandbox', 'institution', 'inst_up_up', '--status', 'HEALTHY');
  const refused = await run('sandbox', 'institution', 'inst_fk_1', '--status', 'OUTAGE');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /no such institution/);
  const { data } = (await v2('GET', '/v2/institutions?provider=au_banking&limit=100')).body;
  assert.equal(data.find((one: Json) => one.id === bank).status, 'OUTAGE');
});
