import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
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

describe('the API reference in the web application', () => {
  test('an operation is found, its example follows what is entered, and it is tried as oneself', async () => {
    const owner = await linkedOwner(service);
    const account: string = owner.connection.accounts[0].id;
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'API reference' }).click();
    await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor();
    await page.getByLabel('Search operations').fill('no operation of this name');
    await page.getByText('No operation found').waitFor();
    await page.getByLabel('Search operations').fill('get /v2/accounts/{id}/balance');
    await page.getByRole('status').filter({ hasText: '1 operation' }).waitFor();
    await page.getByRole('link', { name: '/v2/accounts/{id}/balance' }).click();
    const example = page.getByRole('region', { name: 'Example' });
    await example.getByText(`${service.url}/v2/accounts/acct_`).waitFor();
    await page.getByLabel('id (required)').fill('');
    await page.getByText('Enter id first.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Send request' }).isDisabled());
    await page.getByLabel('id (required)').fill(account);
    await example.getByText(`/v2/accounts/${account}/balance`).waitFor();
    await example.getByRole('button', { name: 'Python' }).click();
    await example.getByText('from urllib.request import Request, urlopen').waitFor();
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByRole('status').filter({ hasText: 'Status 200' }).waitFor();
    const body = page.getByRole('textbox', { name: 'Body of the answer' });
    assert.equal(JSON.parse(await body.inputValue()).account, account);
    await page.getByLabel('id (required)').fill('acct_nothing');
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByRole('status').filter({ hasText: 'Status 404' }).waitFor();
    assert.equal(JSON.parse(await body.inputValue()).error.code, 'resource_missing');
    await page.getByRole('link', { name: 'resource_missing' }).waitFor();
    await page.reload();
    await example.getByText('from urllib.request import').waitFor();
    // The browser itself reports the answer of 404.
    assert.deepEqual(
      complaints.filter((text) => !text.includes('404')),
      [],
    );
    await close();
  });

  test('what changes something is shown with body, idempotency key and errors, and cannot be sent from here', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/developer/reference/create_api_key', {
      browser,
      service,
      owner,
    });
    await page.getByText('Idempotency-Key: $(uuidgen)').waitFor();
    await page.getByText('What the key may do; none that the calling key lacks.').waitFor();
    await page.getByRole('link', { name: 'scope_not_held' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send request' }).count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a stream is not tried, and a missing operation is reported', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/developer/reference/stream_events', {
      browser,
      service,
      owner,
    });
    await page.getByText('curl --no-buffer').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send request' }).count(), 0);
    await page.goto(new URL('/developer/reference/make_money', service.url).href);
    await page.getByText('No operation of this name').waitFor();
    await close();
  });

  test('while the description cannot be read, the page says so and tries again when asked', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/', { browser, service, owner });
    const refused = await refuse(page, '**/v2/openapi.json', null);
    await page.goto(new URL('/developer/reference', service.url).href);
    await page.getByText('The service does not answer.').waitFor();
    await refused.passAfter(page.getByRole('button', { name: 'Try again' }));
    await page
      .getByRole('status')
      .filter({ hasText: /\d+ operations/ })
      .waitFor();
    await close();
  });
});
