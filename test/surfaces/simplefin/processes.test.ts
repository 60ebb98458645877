import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { until } from '../../features/linking/person.ts';
import { askBridge, basicOf, claimAddress, connectApp, newSetupToken } from '../../support/bridge.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';

const skip = (process.env.DATABASE_URL ?? '') === '' ? 'needs a Postgres server in DATABASE_URL' : false;

describe('Two processes of the bridge on one database', { skip }, () => {
  let first: TestService;
  let second: TestService;
  let owner: TestOwner;

  before(async () => {
    const settings = { ENCRYPTION_KEY: randomBytes(32).toString('base64') };
    first = await startService(settings);
    second = await startService({ ...settings, DATABASE_URL: first.app.config.databaseUrl ?? '' });
    owner = await first.owner();
  });
  after(async () => {
    await second.close();
    await first.close();
  });

  it('give a token to one of those who claim it at the same moment', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { setup_token: text } = await newSetupToken(owner, `round ${round}`);
      const path = new URL(claimAddress(text)).pathname.replace('/simplefin', '');
      const answers = await Promise.all(
        [first, second, first, second, second, first].map(({ url }) =>
          askBridge(url, path, { method: 'POST' }),
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403, 403, 403, 403, 403]);
      const granted = answers.find(({ status }) => status === 200)?.text ?? '';
      const headers = { authorization: basicOf(granted) };
      for (const { url } of [first, second]) {
        assert.equal((await askBridge(url, '/accounts', { headers })).status, 200);
      }
    }
    const { body } = await owner.v2('GET', '/v2/simplefin_apps?limit=100');
    assert.equal(body.data.length, 20);
  });

  it('both refuse an app that was revoked at one of them, at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const app = await connectApp(first, owner);
      const headers = { authorization: basicOf(app.accessUrl) };
      const ask = async ({ url }: TestService) =>
        (await askBridge(url, '/accounts?balances-only=1', { headers })).status;
      assert.deepEqual([await ask(first), await ask(second)], [200, 200], 'both remember it');
      await owner.v2('DELETE', `/v2/simplefin_apps/${(await app.app()).id}`);
      assert.equal(await ask(first), 403);
      // The notice is on its way to the other process, and nothing else is waited for.
      await until(
        () => ask(second),
        (status) => status === 403,
      );
    }
  });
});
