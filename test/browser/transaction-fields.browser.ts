import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';

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

test('an amount that cannot be read is marked and leaves the filter, and fields follow the address', async () => {
  const owner = await linkedOwner(service);
  const { page, close } = await signedInAt('/transactions?q=salary&least=1000', { browser, service, owner });
  const least = page.getByLabel('At least');
  const search = page.getByRole('searchbox', { name: 'Search' });
  await least.fill('abc');
  assert.equal(await least.getAttribute('aria-invalid'), 'true');
  await page.getByText('Enter an amount such as').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('least')?.replaceAll('"', ''), '1000');
  await least.fill('12.50');
  await page.waitForURL(/least=.*12\.50/);
  await search.fill('');
  await search.pressSequentially('salary of may');
  assert.equal(await search.inputValue(), 'salary of may');
  await page.waitForURL(/q=salary\+of\+may|q=salary%20of%20may/);
  await page.getByRole('navigation').getByRole('link', { name: 'Transactions' }).first().click();
  await page.waitForURL((url) => url.search === '');
  assert.deepEqual([await search.inputValue(), await least.inputValue()], ['', '']);
  await page.goBack();
  await page.waitForURL(/least=/);
  assert.deepEqual([await search.inputValue(), await least.inputValue()], ['salary of may', '12.50']);
  await close();
});
