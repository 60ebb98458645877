import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { registerStatusPage } from '../../../src/surfaces/hosted/status-page.ts';
import { PROVIDERS } from '../../../src/vocabulary/provider-kinds.ts';
import { httpFrame, listening } from '../../support/http-frame.ts';
import { startService } from '../../support/service.ts';
import { linkAll } from '../v1/support/linked.ts';

const HTML = { headers: { accept: 'text/html' } };

/** The page, over what it is given of the service. */
async function page(t: TestContext, parts: Partial<Parameters<typeof registerStatusPage>[1]>) {
  const frame = httpFrame();
  registerStatusPage(frame.server, {
    ready: async () => true,
    warnings: async () => [],
    providers: () => [],
    ...parts,
  });
  const { url, close } = await listening(frame);
  t.after(close);
  return async () => {
    const answer = await fetch(`${url}/status`, HTML);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
}

test('/status says to everyone what works, and nothing that depends on what an owner has linked', async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const look = async () => {
    const answer = await fetch(`${service.url}/status`, HTML);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('set-cookie'), null);
    return answer.text();
  };
  const before = await look();
  assert.match(before, /Everything works\./);
  assert.match(before, /Pages and API<\/span> <span class="badge ok">Working/);
  const owner = await service.owner();
  await linkAll(service, owner, [{ provider: 'au_banking', customer: 'sole-trader' }]);
  assert.equal(await look(), before);
  assert.match(before, new RegExp(PROVIDERS.au_banking.texts.name));
  assert.doesNotMatch(before, /acc_|conn_|@example|backup/i);
});

test('/status names no provider of which the operator’s own credentials are used', async (t) => {
  const service = await startService();
  t.after(() => service.close());
  assert.equal(service.app.gateway.providers.isPersonal('up_bank'), true);
  const text = await (await fetch(`${service.url}/status`, HTML)).text();
  assert.doesNotMatch(text, new RegExp(`<span>${PROVIDERS.up_bank.texts.name}</span>`));
});

test('/status names a provider that cannot be reached at all', async (t) => {
  const service = await startService({
    FISKIL_BASE_URL: 'http://127.0.0.1:1',
    FISKIL_CLIENT_ID: 'x',
    FISKIL_CLIENT_SECRET: 'x',
  });
  t.after(() => service.close());
  const { institutions } = service.app.gateway;
  for (let call = 0; call < 6; call++)
    await assert.rejects(institutions.read('au_banking', { live: true }, AbortSignal.timeout(20_000)));
  const text = await (await fetch(`${service.url}/status`, HTML)).text();
  assert.match(text, /Not everything works right now/);
  const name = PROVIDERS.au_banking.texts.name;
  assert.match(text, new RegExp(`<span>${name}</span> <span class="badge fail">Unreachable`));
});

test('/status is 503 and says why while the database is unreachable', async (t) => {
  const look = await page(t, { ready: async () => false });
  const { status, headers, text } = await look();
  assert.deepEqual([status, headers.get('retry-after')], [503, '60']);
  assert.match(text, /Database<\/span> <span class="badge fail">Unreachable/);
});

test('/status says that syncs are delayed while no worker runs', async (t) => {
  const look = await page(t, { warnings: async () => ['Sync runs are waiting and no worker is running.'] });
  const { status, text } = await look();
  assert.equal(status, 200);
  assert.match(text, /Syncs<\/span> <span class="badge warn">Delayed/);
});

test('many who look at /status ask the database once', async (t) => {
  let asked = 0;
  const look = await page(t, {
    ready: async () => {
      asked += 1;
      return true;
    },
  });
  await Promise.all(Array.from({ length: 50 }, look));
  assert.equal(asked, 1);
});
