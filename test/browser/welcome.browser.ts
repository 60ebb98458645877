import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { changeAnswers } from './changed-answers.ts';
import { openChromium } from './chromium.ts';
import { linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';
import { refuse } from './refusals.ts';

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

describe('the tour of the web application', () => {
  test('who cancels at the bank is back and reads why, and can leave the tour', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/welcome', { browser, service, owner });
    await page.getByRole('button', { name: /^Link .*Sandbox/ }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').filter({ hasText: 'You cancelled. Nothing was shared.' }).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.waitForURL((url) => url.search === '');
    await page.getByRole('link', { name: 'Skip to home' }).click();
    await page.getByRole('heading', { name: 'Welcome to Tributary' }).waitFor();
    await page.getByRole('link', { name: 'Show me how' }).click();
    await page.getByRole('heading', { name: 'Take the tour' }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('who denies at the spreadsheets is back at that step, and a copy that was refused makes no second spreadsheet', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/welcome', { browser, service, owner });
    await page.getByRole('button', { name: 'Connect sandbox spreadsheets' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('alert').filter({ hasText: 'The spreadsheets were not connected' }).waitFor();
    await page.getByRole('button', { name: 'Connect sandbox spreadsheets' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    const copy = page.getByRole('button', { name: 'Make the spreadsheet and copy' });
    // Chromium may not intercept the requests of a page that it is still opening.
    await copy.waitFor();
    const refused = await refuse(page, '**/v2/syncs', {
      status: 503,
      json: { error: { message: 'Not now.', code: 'sync_create_failed' } },
    });
    await copy.click();
    await page.getByRole('alert').filter({ hasText: 'Not now.' }).waitFor();
    await refused.passAfter(copy);
    await page.getByRole('link', { name: 'Open the spreadsheet' }).waitFor();
    assert.equal((await owner.v2('GET', '/v2/destinations')).body.data.length, 1, 'one spreadsheet');
    await close();
  });

  test('where v2 cannot be read the page says so, and goes on when asked again', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    const refused = await refuse(page, '**/v2/destinations?**', {
      status: 403,
      json: { error: { message: 'Not for you.', code: 'insufficient_scope' } },
    });
    await page.goto(new URL('/welcome', service.url).href);
    await page.getByRole('alert').filter({ hasText: 'Not for you.' }).waitFor();
    await refused.passAfter(page.getByRole('button', { name: 'Try again' }));
    await page.getByText('Link a sandbox bank').waitFor();
    await close();
  });
});

describe('outside the sandbox', () => {
  test('the same page leads to the pages that link a bank, add a destination and create a sync', async () => {
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt('/connections', { browser, service, owner });
    // As the service writes the page if every integration is real.
    await changeAnswers(page, '**/welcome', (body) =>
      body.replace(/(<meta name="simulated" content=")[^"]+/, '$1'),
    );
    await page.goto(new URL('/welcome', service.url).href);
    await page.getByRole('heading', { name: 'Get started', level: 1 }).waitFor();
    await page.getByText('3 accounts').waitFor();
    const leads = await page.evaluate(
      `[...document.querySelectorAll('ol a')].map((link) => new URL(link.href).pathname)`,
    );
    assert.deepEqual(leads, ['/destinations/new', '/syncs/new']);
    assert.deepEqual(complaints, []);
    await close();
  });
});
