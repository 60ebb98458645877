import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
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

describe('transactions in the web application', () => {
  test('a list of more rows than one read gives scrolls to its end, and every row of the bank was there', async () => {
    const owner = await linkedOwner(service, { customer: 'rows:6000' });
    const { page, complaints, close } = await signedInAt('/transactions?from=2026-01-01', {
      browser,
      service,
      owner,
    });
    const rows = page.getByRole('listitem');
    await rows.nth(5).waitFor();
    const seen = new Set<string>();
    const end = page.getByText('No older transactions in this period');
    for (let turn = 0; turn < 3_000; turn++) {
      const texts = await page
        .locator('ol > li button > span:first-child > span:first-child')
        .allInnerTexts();
      assert.ok(texts.length < 120, 'only what is in sight is drawn');
      for (const text of texts) seen.add(text);
      if (await end.isVisible()) {
        const bottom: boolean = await page.evaluate(
          'window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 2',
        );
        if (bottom) break;
      }
      await page.evaluate('window.scrollBy(0, 1500)');
    }
    assert.match(await page.getByRole('status').last().innerText(), /^6,000 transactions$/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('search and filter narrow what was read, are in the address, and say how much was looked through', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/transactions', { browser, service, owner });
    await page.getByRole('listitem').nth(5).waitFor();
    await page.getByLabel('Account', { exact: true }).selectOption({ label: await everydayLabel(page) });
    await page.getByRole('listitem').nth(5).waitFor();
    await page.getByLabel('Show').selectOption('Money in');
    await page.getByText(/^\d+ of \d+ transactions$/).waitFor();
    const amounts = await page.locator('ol > li button > span:last-child').allInnerTexts();
    assert.ok(
      amounts.length > 0 &&
        amounts.filter((text) => text.includes('$')).every((text) => text.startsWith('+')),
    );
    await page.getByRole('searchbox', { name: 'Search' }).fill('no such words');
    await page.getByText('No transaction matches').waitFor();
    const { searchParams } = new URL(page.url());
    assert.deepEqual([searchParams.get('kind'), searchParams.get('q')], ['in', 'no such words']);
    await page.reload();
    await page.getByText('No transaction matches').waitFor();
    await close();
  });

  test('pending transactions stand apart, above those that have posted', async () => {
    const owner = await linkedOwner(service, { customer: 'pending-heavy' });
    const { page, close } = await signedInAt('/transactions', { browser, service, owner });
    const headings = page.getByRole('heading', { level: 2 });
    await headings.nth(0).waitFor();
    assert.match(await headings.nth(0).innerText(), /^Pending\n?May change or vanish/);
    await close();
  });

  test('a bank that cannot be read says what it means, and a period too far back as well', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/transactions?from=1999-01-01&to=1999-01-31', {
      browser,
      service,
      owner,
    });
    const problem = page.getByRole('alert');
    await problem.waitFor();
    const link = problem.getByRole('link', { name: 'What this means' });
    assert.match((await link.getAttribute('href')) ?? '', /#from_too_old$/);
    await close();
  });
});

async function everydayLabel(page: Page): Promise<string> {
  const options = page.getByLabel('Account', { exact: true }).locator('option');
  const everyday = options.filter({ hasText: /^Everyday/ }).first();
  await everyday.waitFor({ state: 'attached' });
  return everyday.innerText();
}
