import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it, test } from 'node:test';
import { until } from '../../features/linking/person.ts';
import type { Browser } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import {
  askV2,
  codeFor,
  exchange,
  letIn,
  newVerifier,
  refresh,
  register,
  request,
  signIn,
  tokensOf,
} from './stage.ts';

/** The same for every process, wherever it listens. */
const ADDRESSES = {
  PUBLIC_URL: 'https://api.tributary.example',
  APP_URL: 'https://app.tributary.example',
  MCP_URL: 'https://mcp.tributary.example',
};
const V2 = `${ADDRESSES.PUBLIC_URL}/v2`;

test('what people have granted outlives a restart', async (t) => {
  let service = await startService(ADDRESSES);
  t.after(() => service.close());
  const tokens = await letIn(service, await signIn(service, await service.owner()), { resource: V2 });
  assert.equal((await askV2(service, tokens.access)).status, 200);
  service = await service.restart();
  assert.equal((await askV2(service, tokens.access)).status, 200);
  const renewed = await refresh(service, tokens.client, tokens.refresh);
  assert.equal(renewed.status, 200, JSON.stringify(renewed.body));
  assert.equal((await refresh(service, tokens.client, tokensOf(renewed).refresh)).status, 200);
  assert.equal((await refresh(service, tokens.client, tokens.refresh)).body.error, 'invalid_grant');
});

const skip = (process.env.DATABASE_URL ?? '') === '' ? 'needs a Postgres server in DATABASE_URL' : false;

describe('Two processes of the authorization server on one database', { skip }, () => {
  let first: TestService;
  let second: TestService;
  let owner: TestOwner;
  let browser: Browser;

  before(async () => {
    const settings = { ...ADDRESSES, ENCRYPTION_KEY: randomBytes(32).toString('base64') };
    first = await startService(settings);
    second = await startService({ ...settings, DATABASE_URL: first.app.config.databaseUrl ?? '' });
    owner = await first.owner();
    browser = await signIn(first, owner);
  });
  after(async () => {
    await second.close();
    await first.close();
  });

  it('take each other’s clients, codes and tokens', async () => {
    const { body } = await register(second);
    const { challenge, verifier } = newVerifier();
    const code = await codeFor(browser, request(body.client_id, challenge, { resource: V2 }));
    const tokens = tokensOf(await exchange(second, body.client_id, code, verifier));
    assert.equal((await askV2(first, tokens.access)).status, 200);
    assert.equal((await refresh(first, body.client_id, tokens.refresh)).status, 200);
  });

  it('let one successor at most go on where one refresh token came to both at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const tokens = await letIn(first, browser, { resource: V2 });
      const answers = await Promise.all(
        [first, second, second, first].map((one) => refresh(one, tokens.client, tokens.refresh)),
      );
      const issued = answers.filter(({ status }) => status === 200).map(tokensOf);
      const raced = await Promise.all(
        issued.map(({ refresh: successor }, at) =>
          refresh(at % 2 === 0 ? first : second, tokens.client, successor),
        ),
      );
      assert.ok(raced.filter(({ status }) => status === 200).length <= 1);
      for (const one of [first, second]) {
        await until(
          () => askV2(one, tokens.access),
          ({ status }) => status === 401,
        );
      }
    }
  });

  it('both refuse an app that was disconnected at one of them, at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { access } = await letIn(first, browser, { resource: V2 });
      const ask = async (one: TestService) => (await askV2(one, access)).status;
      assert.deepEqual([await ask(first), await ask(second)], [200, 200], 'both remember it');
      const apps = (await owner.v2('GET', '/v2/connected_apps?limit=100')).body.data;
      for (const { id } of apps) await owner.v2('DELETE', `/v2/connected_apps/${id}`);
      assert.equal(await ask(first), 401);
      await until(
        () => ask(second),
        (status) => status === 401,
      );
    }
  });
});
