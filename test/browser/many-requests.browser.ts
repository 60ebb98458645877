import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { LIMITS } from '../../src/vocabulary/limits.ts';
import { sandboxBank } from '../support/sandbox-bank.ts';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { linkAnother, linkedOwner, newCustomer } from './lives.ts';
import { signedInAt } from './people.ts';

const SESSION_LIMITS = [
  'rate_session_cheap_per_minute',
  'rate_session_mid_per_minute',
  'rate_session_heavy_per_minute',
  'rate_session_mutating_per_minute',
  'rate_account_sessions',
  'session_heavy_in_flight',
  'session_requests_per_minute',
] as const;

let service: TestService;
let browser: Browser;
before(async () => {
  // What the harness sets out of the way is what this suite is about.
  service = await startService(
    Object.fromEntries(SESSION_LIMITS.map((name) => [LIMITS[name].env, String(LIMITS[name].default)])),
  );
  browser = await openChromium();
});
after(async () => {
  await browser?.close();
  await service?.close();
});

const CONNECTIONS = 10;
const RELOADS = 60;
const READY = /^Net worth in AUD/;

describe('a person with ten connections', () => {
  test('reloads Home sixty times and never sees an error, and the bank is read once', async () => {
    const owner = await linkedOwner(service);
    for (let linked = 1; linked < CONNECTIONS; linked += 1) {
      newCustomer(service, `bank-${linked}`, []);
      await linkAnother(owner, { customer: `bank-${linked}` });
    }
    const { page, close } = await signedInAt('/', { browser, service, owner });
    await page.getByRole('slider', { name: READY }).waitFor();
    const refused: string[] = [];
    let exports = 0;
    page.on('response', (response) => {
      if (response.status() === 429) refused.push(response.url());
      if (response.url().includes('/v2/transactions/export')) exports += 1;
    });
    await page.reload();
    await page.getByRole('slider', { name: READY }).waitFor();
    assert.equal(exports, 1, 'one request for the transactions of all banks');
    const control = sandboxBank(service.app);
    control.clearRequests();
    for (let reload = 0; reload < RELOADS; reload += 1) {
      await page.reload({ waitUntil: 'domcontentloaded' });
      // Impatient people do not wait for the page, and those who do take longer than a test should.
      if (reload % 2 === 0) continue;
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      assert.equal(await page.getByRole('alert').count(), 0, `an error after ${reload} reloads`);
    }
    await page.getByRole('slider', { name: READY }).waitFor();
    assert.deepEqual(refused, []);
    assert.equal(await page.getByText('could not be').count(), 0);
    const rows = control.requests().filter(({ path }) => path.startsWith('/v1/banking/transactions'));
    assert.deepEqual(rows, [], 'no reload reads transactions at a bank');
    await close();
  });
});

describe('a request that is one too many', () => {
  const REFUSED = {
    status: 429,
    headers: { 'retry-after': '4' },
    json: {
      error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'Too many.', param: null },
    },
  };

  test('for a read: the page says for how long, keeps what it shows, and goes on', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    await page.getByText('Connected', { exact: true }).waitFor();
    let asked = 0;
    await page.route('**/v2/syncs?**', async (route) => {
      asked += 1;
      await (asked === 1 ? route.fulfill(REFUSED) : route.continue());
    });
    await page.getByRole('link', { name: 'Syncs' }).first().click();
    await page.getByText(/^Too many requests\. Back in [1-5] seconds\.$/).waitFor();
    await page.getByText('What you see stays').first().waitFor();
    await page
      .getByText(/No sync|Nothing is copied|sync/i)
      .first()
      .waitFor();
    await page.getByText('Too many requests.').first().waitFor({ state: 'detached' });
    assert.ok(
      asked <= 3,
      `${asked} requests: not before the time, and once more for what happened meanwhile`,
    );
    assert.equal(await page.getByRole('alert').count(), 0);
    await close();
  });

  test('for a write: it is sent again with the same key, and done once', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt(`/connections/${owner.connection.id}`, {
      browser,
      service,
      owner,
    });
    await page.getByText('Granted').waitFor();
    const keys: (string | undefined)[] = [];
    await page.route('**/v2/connections/*/refresh', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      await (keys.length === 1 ? route.fulfill(REFUSED) : route.continue());
    });
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Refresh' }).click();
    await page.getByText(/^Too many requests\. Back in [1-5] seconds\.$/).waitFor();
    await page.getByText(/read again just now$/).waitFor();
    assert.equal(keys.length, 2);
    assert.ok(keys[0] !== undefined && keys[0] === keys[1]);
    await close();
  });

  test('for a write: it is not sent after its person has gone to another page, which says so', async () => {
    const owner = await linkedOwner(service);
    const path = `/connections/${owner.connection.id}`;
    const { page, close } = await signedInAt(path, { browser, service, owner });
    await page.getByText('Granted').waitFor();
    let sent = 0;
    await page.route('**/v2/connections/*/refresh', async (route) => {
      sent += 1;
      await (sent === 1 ? route.fulfill(REFUSED) : route.continue());
    });
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Refresh' }).click();
    await page.getByText(/^Too many requests\. Back in [1-5] seconds\.$/).waitFor();
    await page.getByRole('link', { name: 'Syncs' }).first().click();
    await page.getByText('A change was not made').waitFor();
    await page.waitForTimeout(5_000);
    assert.equal(sent, 1);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('A change was not made').waitFor({ state: 'detached' });
    await close();
  });

  for (const phone of [false, true]) {
    test(`says so above an offer to undo, not in front of it${phone ? ', on a phone' : ''}`, async () => {
      const owner = await linkedOwner(service);
      const { body } = await owner.v2('POST', '/v2/rulesets', { name: 'Household' });
      await owner.v2('POST', `/v2/rulesets/${body.id}/rules`, {
        name: 'Never',
        conditions: { field: 'description', operator: 'equals', value: 'no such description' },
        actions: [{ type: 'set_memo', value: 'never' }],
      });
      const { page, close } = await signedInAt(`/rulesets/${body.id}`, { browser, service, owner, phone });
      await page.getByRole('button', { name: 'Actions for Never' }).click();
      let asked = 0;
      await page.route('**/v2/rulesets?**', async (route) => {
        asked += 1;
        await (asked === 1 ? route.fulfill(REFUSED) : route.continue());
      });
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      const notices = [
        page.getByText(/^Too many requests\. Back in [1-5] seconds\.$/),
        page.getByRole('complementary', { name: 'Undo' }),
      ];
      for (const one of notices) await one.waitFor();
      const [wait, undo] = await Promise.all(notices.map((one) => one.boundingBox()));
      if (wait == null || undo == null) assert.fail('both are shown');
      assert.ok(wait.y + wait.height <= undo.y, `${wait.y} + ${wait.height} above ${undo.y}`);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone').waitFor();
      await close();
    });
  }
});
