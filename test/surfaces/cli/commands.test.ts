import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { type App, build } from '../../../src/app/build.ts';
import { readConfig } from '../../../src/app/read-config.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { accountCreate, accountList, accountUpdate } from '../../../src/surfaces/cli/commands/account.ts';
import { keyCreate } from '../../../src/surfaces/cli/commands/key.ts';
import { CommandFailure } from '../../../src/surfaces/cli/failure.ts';
import { SCOPES } from '../../../src/vocabulary/scopes.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { seedDataDir } from '../../support/schema-template.ts';
import { scratchDirectory } from '../../support/scratch.ts';

let app: App;
let directory: string;

before(async () => {
  directory = await scratchDirectory();
  await seedDataDir(directory);
  app = await build(readConfig({ DATA_DIR: directory }), {
    log: createLog({ level: 'silent' }),
    clock: systemClock,
  });
});

after(async () => {
  await app.stop(0);
  await rm(directory, { recursive: true, force: true });
});

const context = () => ({ app, url: null, signal: AbortSignal.timeout(10_000) });
const usage = (error: unknown): boolean => error instanceof CommandFailure && error.exitCode === 2;

async function newAccount(email: string): Promise<string> {
  return accountCreate.parse(await accountCreate.run(context(), { email })).id;
}

test('An account record is professional, without limits and in the zone of this machine unless the operator says otherwise', async () => {
  const made = accountCreate.parse(await accountCreate.run(context(), { email: 'one@example.com' }));
  assert.equal(made.timezone, new Intl.DateTimeFormat().resolvedOptions().timeZone);
  assert.equal(made.plan, 'professional');
  assert.equal(made.status, 'active');
  assert.deepEqual(made.limits, { connections: -1, accounts: -1, syncs: -1, destinations: -1 });
  const trial = accountCreate.parse(
    await accountCreate.run(context(), {
      email: 'two@example.com',
      plan: 'developer',
      trial: true,
      timezone: 'Europe/Berlin',
    }),
  );
  assert.equal(trial.status, 'trialing');
  assert.notEqual(trial.trial_ends_at, null);
  assert.equal(trial.timezone, 'Europe/Berlin');
});

test('An account record is created with the name of a client, which the list shows; a name that cannot be shown is refused', async () => {
  const create = async (email: string, name: string) =>
    accountCreate.parse(await accountCreate.run(context(), { email, name }));
  const made = await create('cafe@example.com', ' Harbour Café ');
  assert.equal(made.name, 'Harbour Café');
  const listed = accountList.show(accountList.parse(await accountList.run(context(), {})));
  assert.match(listed, /^ID +EMAIL +NAME +PLAN /);
  assert.match(listed, /cafe@example\.com +Harbour Café +professional/);
  await assert.rejects(create('evil@example.com', 'bank@example.com'), ServiceError);
});

test('An update changes what it names and leaves the rest', async () => {
  const account = await newAccount('update@example.com');
  const update = async (args: object) =>
    accountUpdate.parse(await accountUpdate.run(context(), { account, ...args }));
  assert.deepEqual((await update({ limit: 'connections=5,syncs=0' })).limits, {
    connections: 5,
    accounts: -1,
    syncs: 0,
    destinations: -1,
  });
  assert.equal((await update({ limit: 'accounts=7' })).limits.connections, 5);
  assert.equal((await update({ plan: 'saver' })).plan, 'saver');
  assert.equal((await update({ limit: 'plan' })).limits.connections, 3);
  const trial = await update({ status: 'trialing' });
  assert.notEqual(trial.trial_ends_at, null);
  assert.equal((await update({ status: 'past_due' })).trial_ends_at, null);
});

test('Updates that name nothing, a wrong limit, a wrong zone or no one are refused', async () => {
  const account = await newAccount('refused@example.com');
  await assert.rejects(accountUpdate.run(context(), { account }), usage);
  await assert.rejects(accountUpdate.run(context(), { account, limit: 'connection=1' }), usage);
  await assert.rejects(accountUpdate.run(context(), { account, limit: 'connections=-2' }), usage);
  await assert.rejects(accountUpdate.run(context(), { account: 'acc_nobody', plan: 'saver' }), usage);
  await assert.rejects(accountUpdate.run(context(), { account, plan: 'gold' }), usage);
  await assert.rejects(accountUpdate.run(context(), { account, timezone: 'Mars/Olympus' }), ServiceError);
  await assert.rejects(
    accountUpdate.run(context(), { account: 'acc_0000000000000000000001', plan: 'saver' }),
    /No such account record/,
  );
});

test('The list shows every account record, to people and to programs', async () => {
  const id = await newAccount('list@example.com');
  const result = await accountList.run(context(), {});
  assert.ok(accountList.parse(result).accounts.some((account) => account.id === id));
  assert.match(accountList.show(result), new RegExp(`${id}  list@example\\.com`));
});

test('A key gets the scopes asked for, and its secret appears in its answer alone', async () => {
  const account = await newAccount('keys@example.com');
  const create = async (args: object) =>
    keyCreate.parse(await keyCreate.run(context(), { account, name: 'Key', ...args }));
  const one = await create({
    scopes: 'data:read, syncs:write',
    allowed_ips: '203.0.113.0/24,::1',
    expires: '2099-01-01',
  });
  assert.deepEqual(one.scopes, ['data:read', 'syncs:write']);
  assert.deepEqual(one.allowed_ips, ['203.0.113.0/24', '::1']);
  assert.equal(one.expires_at, '2099-01-01T00:00:00.000Z');
  assert.match(keyCreate.show(one), /Save the secret now; it is not shown again/);
  assert.deepEqual((await create({ scopes: 'all' })).scopes, [...SCOPES]);
  const legacy = await create({ legacy: true });
  assert.ok(legacy.legacy && legacy.scopes.every((scope) => scope.endsWith(':read')));
});

test('Keys with no or unknown scopes, bad addresses or past ends are refused', async () => {
  const account = await newAccount('badkeys@example.com');
  const create = (args: object) => keyCreate.run(context(), { account, name: 'Key', ...args });
  await assert.rejects(create({}), usage);
  await assert.rejects(create({ scopes: 'all', legacy: true }), usage);
  await assert.rejects(create({ scopes: 'data:write' }), usage);
  await assert.rejects(create({ scopes: ',' }), usage);
  await assert.rejects(create({ scopes: 'all', expires: 'tomorrow' }), usage);
  await assert.rejects(create({ scopes: 'all', name: '' }), usage);
  await assert.rejects(create({ scopes: 'all', expires: '2001-01-01' }), ServiceError);
  await assert.rejects(create({ scopes: 'all', allowed_ips: '300.1.1.1' }), ServiceError);
});
