import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { askBridge, basicOf, claimAddress, newSetupToken } from '../../support/bridge.ts';
import { addPerson, Browser, signedIn } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';
import { v2Client } from '../../support/v2-client.ts';
import { askV2, letIn } from '../../surfaces/oauth/stage.ts';
import { until } from '../linking/person.ts';

/** The same for every process, wherever it listens. */
const ADDRESSES = {
  PUBLIC_URL: 'https://api.tributary.example',
  APP_URL: 'https://app.tributary.example',
  MCP_URL: 'https://mcp.tributary.example',
};
const skip = (process.env.DATABASE_URL ?? '') === '' ? 'needs a Postgres server in DATABASE_URL' : false;

describe('An account record that one process is asked to delete', { skip }, () => {
  let first: TestService;
  let second: TestService;
  before(async () => {
    const settings = { ...ADDRESSES, ENCRYPTION_KEY: randomBytes(32).toString('base64') };
    first = await startService(settings);
    second = await startService({ ...settings, DATABASE_URL: first.app.config.databaseUrl ?? '' });
  });
  after(async () => {
    await second.close();
    await first.close();
  });

  test('is closed to keys, tokens, apps and sessions that another process has let in, and is deleted once', async () => {
    const owner = await first.owner();
    const here = await signedIn(first, await addPerson(first, owner));
    const { access } = await letIn(first, here, { resource: `${ADDRESSES.PUBLIC_URL}/v2` });
    const { setup_token: token } = await newSetupToken(owner);
    const claimed = await fetch(`${first.url}${new URL(claimAddress(token)).pathname}`, { method: 'POST' });
    const authorization = basicOf(await claimed.text());
    const there = new Browser(second.url);
    for (const [name, value] of here.cookies) there.cookies.set(name, value);
    const ways = {
      key: async () => (await v2Client(second.url, owner.key)('GET', '/v2/me')).status,
      token: async () => (await askV2(second, access)).status,
      session: async () => (await there.v2('GET', '/v2/me')).status,
      app: async () => (await askBridge(second.url, '/accounts', { headers: { authorization } })).status,
    };
    for (const [way, ask] of Object.entries(ways)) assert.equal(await ask(), 200, way);
    await first.app.accountRemoval.ask(owner.record.id, null);
    for (const [way, ask] of Object.entries(ways)) {
      await until(ask, (status) => status === 401 || status === 403);
      assert.ok([401, 403].includes(await ask()), way);
    }
    await until(
      () => second.app.services.accountRecords.list(),
      (records) => records.length === 0,
    );
  });
});
