import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { newVisitor, openChromium } from './chromium.ts';

describe('a person links a sandbox bank in a browser', () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    service = await startService();
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  for (const script of [true, false]) {
    test(`by buttons alone, ${script ? 'with' : 'without'} script, and comes back with the connection`, async () => {
      const owner = await service.owner();
      const institutions = await owner.v2('GET', '/v2/institutions?provider=au_banking');
      const { body: session } = await owner.v2('POST', '/v2/link_sessions', {
        provider: 'au_banking',
        institution: institutions.body.data[0].id,
        return_url: `${service.url}/docs/limits`,
      });
      const { page, complaints } = await newVisitor(browser, { script });
      await page.goto(session.url);
      for (let step = 0; step < 10 && !page.url().startsWith(`${service.url}/docs/limits`); step++) {
        const before = page.url();
        await page.locator('main button[type=submit], main form button, main a.button').first().click();
        await page.waitForURL((url) => url.href !== before, { timeout: 30_000 }).catch(() => undefined);
      }
      assert.equal(new URL(page.url()).searchParams.get('link_session'), 'completed');
      const linked = await owner.v2('GET', `/v2/link_sessions/${session.id}`);
      assert.equal(linked.body.status, 'completed');
      assert.deepEqual(complaints, []);
    });
  }
});
