import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { assertAccessible } from './accessibility.ts';
import { openChromium } from './chromium.ts';
import { signedInAt } from './people.ts';
import { addRuleset } from './rulesets.ts';

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

const MARK = 'window.sameDocument = true';
const MARKED = 'window.sameDocument === true';

describe('a page whose script cannot be loaded', () => {
  test('says so inside the application while the network is unreachable, and is loaded automatically when it is back', async () => {
    const owner = await service.owner();
    await addRuleset(owner);
    const { page, close } = await signedInAt('/rulesets', { browser, service, owner });
    await page.getByText('Household rules').waitFor();
    await page.evaluate(MARK);
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Developer' }).click();
    const problem = page.getByRole('alert').filter({ hasText: 'The service does not answer' });
    await problem.waitFor();
    await assertAccessible(page, 'a page that is not loaded');
    await problem.getByRole('button', { name: 'Try again' }).click();
    await problem.waitFor();
    await page.getByRole('link', { name: 'Categories' }).click();
    await problem.waitFor();
    await page.getByRole('link', { name: 'Connections' }).click();
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.getByText('Household rules').waitFor();
    await page.goForward();
    await problem.waitFor();
    await page.getByText('You are offline.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(MARKED), true, 'the document is the same');
    await close();
  });

  test('is loaded automatically once the service answers, where the device was online all along', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/rulesets', { browser, service, owner });
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await page.route('**/assets/api-keys-page-*.js', (route) => route.abort());
    await page.route(service.url, (route) =>
      route.request().method() === 'HEAD' ? route.abort() : route.continue(),
    );
    await page.getByRole('link', { name: 'Developer' }).click();
    await page.getByRole('alert').filter({ hasText: 'The service does not answer' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await close();
  });

  test('loads the document again, once, where a new release has other files', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/rulesets', { browser, service, owner });
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    let documents = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents += 1;
    });
    await page.route('**/assets/api-keys-page-*.js', (route) => route.fulfill({ status: 404, body: '' }));
    await page.getByRole('link', { name: 'Developer' }).click();
    const problem = page.getByRole('alert').filter({ hasText: 'This part of the application is missing' });
    await problem.waitFor();
    assert.equal(documents, 1);
    await problem.getByRole('button', { name: 'Try again' }).click();
    await problem.waitFor();
    assert.equal(documents, 1, 'not again by itself');
    await page.unrouteAll({ behavior: 'wait' });
    await problem.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await close();
  });
});
