import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accountUpdate } from '../../../src/surfaces/cli/commands/account.ts';
import {
  appList,
  appRename,
  appRevoke,
  appUpdate,
  setupTokenCreate,
} from '../../../src/surfaces/cli/commands/app.ts';
import { CommandFailure } from '../../../src/surfaces/cli/failure.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { askBridge, basicOf, claimAddress } from '../../support/bridge.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { askV2, letIn, signIn } from '../oauth/stage.ts';

let service: TestService;
let owner: TestOwner;
let account: string;

before(async () => {
  service = await startService();
  owner = await service.owner();
  account = publicId('account_record', owner.record.id);
});
after(() => service.close());

const context = () => ({ app: service.app, url: service.url, signal: AbortSignal.timeout(10_000) });
const usage = (error: unknown): boolean => error instanceof CommandFailure && error.exitCode === 2;

/** Connects an app by the token that the command prints; the header it asks with. */
async function connected(name: string): Promise<string> {
  const made = setupTokenCreate.parse(await setupTokenCreate.run(context(), { account, name }));
  assert.equal(setupTokenCreate.show(made).split('\n').includes(made.setup_token), true);
  const claimed = await fetch(claimAddress(made.setup_token), { method: 'POST' });
  assert.equal(claimed.status, 200);
  return basicOf(await claimed.text());
}

const listed = async () => appList.parse(await appList.run(context(), { account })).apps;
const ask = (authorization: string) => askBridge(service.url, '/accounts', { headers: { authorization } });

test('The operator connects an app by a setup token, sees it, renames it and revokes it', async () => {
  assert.match(appList.show(await appList.run(context(), { account })), /setup-token create/);
  const header = await connected('Actual');
  assert.equal((await ask(header)).status, 200);
  const [app] = await listed();
  assert.ok(app);
  assert.deepEqual([app.account, app.name, app.status], [account, 'Actual', 'active']);
  const renamed = appRename.parse(await appRename.run(context(), { app: app.id, name: 'Actual at home' }));
  assert.equal(renamed.name, 'Actual at home');
  const revoked = appRevoke.parse(await appRevoke.run(context(), { app: app.id }));
  assert.equal(revoked.status, 'revoked');
  assert.equal((await ask(header)).status, 403);
  assert.match(appList.show({ apps: await listed() }), /Actual at home +revoked/);
});

test('The operator sets how an app is sent amounts, when its token is made and later', async () => {
  const name = 'Two decimals';
  const wanted = { account, name, two_decimals: true, leave_out_extra: true };
  const made = setupTokenCreate.parse(await setupTokenCreate.run(context(), wanted));
  assert.equal(made.two_decimals, true);
  assert.equal(made.leave_out_extra, true);
  assert.match(setupTokenCreate.show(made), /Amounts +two decimals\n.*Extra +left out/);
  await fetch(claimAddress(made.setup_token), { method: 'POST' });
  const found = async () => (await listed()).find((one) => one.name === name) ?? assert.fail();
  const { id, two_decimals, leave_out_extra } = await found();
  assert.deepEqual([two_decimals, leave_out_extra], [true, true]);
  for (const choice of ['off', 'on'] as const) {
    const changed = appUpdate.parse(await appUpdate.run(context(), { app: id, two_decimals: choice }));
    assert.equal(changed.two_decimals, choice === 'on');
    assert.match(appUpdate.show(changed), choice === 'on' ? /Amounts +two decimals/ : /Amounts +exact/);
    assert.equal((await found()).two_decimals, choice === 'on');
  }
  const both = { app: id, two_decimals: 'on', leave_out_extra: 'off' };
  const changed = appUpdate.parse(await appUpdate.run(context(), both));
  assert.deepEqual([changed.two_decimals, changed.leave_out_extra], [true, false]);
  assert.match(appList.show({ apps: await listed() }), /Two decimals +active +two decimals +sent/);
  await assert.rejects(appUpdate.run(context(), { app: id }), usage);
  await assert.rejects(appUpdate.run(context(), { app: id, two_decimals: 'maybe' }), usage);
});

test('The operator sees apps that are connected by OAuth among the others, and disconnects them', async () => {
  const { access } = await letIn(service, await signIn(service, owner), { resource: `${service.url}/v2` });
  assert.equal((await askV2(service, access)).status, 200);
  const app = (await listed()).find(({ kind }) => kind === 'oauth');
  assert.ok(app);
  assert.deepEqual([app.account, app.name, app.status], [account, 'Test app', 'active']);
  const revoked = appRevoke.parse(await appRevoke.run(context(), { app: app.id }));
  assert.equal(revoked.status, 'revoked');
  assert.equal((await askV2(service, access)).body.error.code, 'oauth_token_invalid');
});

test('Every app is listed, however many there are', async () => {
  for (let made = 0; made < 3; made += 1) await connected(`app ${made}`);
  assert.ok((await listed()).length >= 3);
});

test('Ids that are none, and apps and accounts that do not exist, are refused', async () => {
  await assert.rejects(appRevoke.run(context(), { app: 'sfa_1' }), usage);
  await assert.rejects(appRename.run(context(), { app: account, name: 'x' }), usage);
  await assert.rejects(appList.run(context(), { account: 'acc_1' }), usage);
  const missing = (error: unknown) => error instanceof ServiceError && error.code === 'resource_missing';
  await assert.rejects(appRevoke.run(context(), { app: 'sfa_0000000000000000000001' }), missing);
  await assert.rejects(
    setupTokenCreate.run(context(), { account: 'acc_0000000000000000000001', name: 'x' }),
    missing,
  );
});

test('Caching is switched off and on for an account record', async () => {
  for (const caching of ['off', 'on'] as const) {
    const changed = accountUpdate.parse(await accountUpdate.run(context(), { account, caching }));
    assert.equal(changed.caching, caching === 'on');
    assert.match(accountUpdate.show(changed), new RegExp(`Caching +${caching}`));
    const record = await service.app.services.accountRecords.find(owner.record.id);
    assert.equal(record.caching, caching === 'on');
  }
  await assert.rejects(accountUpdate.run(context(), { account, caching: 'maybe' }), usage);
});
