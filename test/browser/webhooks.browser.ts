import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { answering, runOnce, webhookWithRun } from './destination-lives.ts';
import { linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';

const HOSTILE = '<script>document.title = "taken"</script>';

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

describe('webhooks in the web application', () => {
  test('a webhook shows its signing secret when it is created and when it is replaced, and at no other time', async () => {
    const owner = await service.owner();
    const receiver = await answering({ status: 204, body: '' });
    const { page, close } = await signedInAt('/destinations/new?type=webhook', { browser, service, owner });
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    await page.getByText('Fill this in.').first().waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Ledger service');
    await page.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.1/hook');
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    await page.getByRole('alert').filter({ hasText: 'Webhook was not connected' }).waitFor();
    await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    await page.getByRole('heading', { name: 'Ledger service is ready', level: 1 }).waitFor();
    const first = await page.getByText(/^whsec_/).innerText();
    await page.getByRole('link', { name: 'How to verify, with examples' }).waitFor();
    await page.getByRole('link', { name: 'Open the webhook' }).click();
    await page.getByText('Nothing was sent yet.').waitFor();
    assert.equal(await page.getByText(/^whsec_/).count(), 0);
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Replace the secret' }).click();
    await page.getByRole('button', { name: 'Replace the secret' }).click();
    const second = await page.getByText(/^whsec_/).innerText();
    assert.notEqual(second, first);
    await page.getByText('For 24 hours').waitFor();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    assert.equal(await page.getByText(/^whsec_/).count(), 0);
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Change the address' }).click();
    await page.getByRole('textbox', { name: 'New address' }).fill(`${receiver.url}/two`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It writes to the new place from now on').waitFor();
    const [{ target }] = (await owner.v2('GET', '/v2/destinations')).body.data;
    assert.equal(target.url, `${receiver.url}/two`);
    await close();
  });

  test('deliveries show how each was answered, as text, and are sent again one by one and by days', async () => {
    const owner = await linkedOwner(service);
    const receiver = await answering({ status: 422, body: HOSTILE });
    const accounts = [owner.connection.accounts[0].id];
    const { webhook, sync } = await webhookWithRun(owner, receiver, accounts);
    const { page, complaints, close } = await signedInAt(`/destinations/${webhook.id}`, {
      browser,
      service,
      owner,
    });
    const rows = page.getByRole('list', { name: 'Deliveries' }).locator(':scope > li');
    await rows.first().getByText('Failed', { exact: true }).waitFor();
    await rows.first().getByText('HTTP 422').first().waitFor();
    await rows.first().getByText('Show attempts').click();
    await rows.first().getByText(HOSTILE, { exact: true }).waitFor();
    receiver.answer = { status: 204, body: '' };
    await runOnce(owner, sync);
    // The page is not touched: it reads the log again on its own.
    await rows.getByText('Delivered', { exact: true }).first().waitFor();
    const before = await rows.count();
    await rows
      .getByRole('button', { name: /^Send again: event/ })
      .last()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /Your receiver took [\d,]+ rows? in/ })
      .waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await rows.nth(before).waitFor();
    await page.getByRole('button', { name: 'Send days again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a range of days again' });
    await dialog.getByLabel('First day').fill('2099-01-01');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByText('The first day comes before the last.').waitFor();
    await dialog.getByLabel('First day').fill(sync.options.data_from);
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('status').filter({ hasText: 'Sent again' }).waitFor();
    await page.getByRole('combobox', { name: 'Show deliveries' }).selectOption('Failed');
    await page.waitForURL((url) => url.search === '?deliveries=failed');
    await rows.getByText('Delivered', { exact: true }).waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a webhook that answered 410 says why it is disabled, and works again once it is enabled', async () => {
    const owner = await linkedOwner(service);
    const receiver = await answering({ status: 410, body: 'gone' });
    const { webhook } = await webhookWithRun(owner, receiver, [owner.connection.accounts[0].id]);
    const { page, complaints, close } = await signedInAt(`/destinations/${webhook.id}`, {
      browser,
      service,
      owner,
    });
    await page.getByText('Your receiver answered 410 Gone').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send days again' }).isDisabled(), true);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('status').filter({ hasText: 'It is enabled again' }).waitFor();
    await page.getByText('Active', { exact: true }).waitFor();
    assert.equal((await owner.v2('GET', `/v2/destinations/${webhook.id}`)).body.status, 'active');
    assert.deepEqual(complaints, []);
    await close();
  });
});
