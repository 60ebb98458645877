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

const ROWS = 6_000;
/** The rows drawn, by the number that the bank gives each of them as its reference. */
const DRAWN = `[...document.querySelectorAll('ol > li button > span:first-child > span:last-child')].map((detail) =>
  Number(/ (\\d+)$/.exec(detail.textContent)?.[1]))`;
/** Less than a screen, so that every row becomes visible and is rendered. */
const SCROLL_A_SCREEN = `window.scrollBy(0, window.innerHeight - 50);
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`;

describe('transactions in the web application', () => {
  test('a list of more rows than one read gives scrolls to its end, and every row of the bank was there', async () => {
    const owner = await linkedOwner(service, { customer: `rows:${ROWS}` });
    const { page, complaints, close } = await signedInAt('/transactions?from=2026-01-01', {
      browser,
      service,
      owner,
    });
    const rows = page.getByRole('listitem');
    await rows.nth(5).waitFor();
    const seen = new Set<number>();
    const end = page.getByText('No older transactions in this period');
    for (let turn = 0; turn < 3_000; turn++) {
      const drawn: number[] = await page.evaluate(DRAWN);
      assert.ok(drawn.length < 120, 'only what is in sight is drawn');
      for (const number of drawn) seen.add(number);
      if (await end.isVisible()) {
        const bottom: boolean = await page.evaluate(
          'window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 2',
        );
        if (bottom) break;
      }
      await page.evaluate(SCROLL_A_SCREEN);
    }
    const missing = Array.from({ length: ROWS }, (_, number) => number).filter((number) => !seen.has(number));
    assert.deepEqual([seen.size, missing], [ROWS, []]);
    assert.match(await page.getByRole('main').getByRole('status').last().innerText(), /^6,000 transactions$/);
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
    await page.getByText(/^Total: \+[A-Z]*\$[\d,]+\.\d\d$/).waitFor();
    const amounts = await page.locator('ol > li button > span:last-child').allInnerTexts();
    assert.ok(
      amounts.length > 0 &&
        amounts.filter((text) => text.includes('$')).every((text) => text.startsWith('+')),
    );
    await page.getByRole('searchbox', { name: 'Search' }).fill('no such words');
    await page.getByText('No transaction matches').waitFor();
    await page.getByText(/^Searched from .+ to .+\. Change/).waitFor();
    const { searchParams } = new URL(page.url());
    assert.deepEqual([searchParams.get('kind'), searchParams.get('q')], ['in', 'no such words']);
    await page.reload();
    await page.getByText('No transaction matches').waitFor();
    await close();
  });

  test('pending transactions are separate, above those that have posted', async () => {
    const owner = await linkedOwner(service, { customer: 'pending-heavy' });
    const { page, close } = await signedInAt('/transactions', { browser, service, owner });
    const headings = page.getByRole('heading', { level: 2 });
    await headings.nth(0).waitFor();
    assert.match(await headings.nth(0).innerText(), /^\d+ pending/);
    const second = page.getByRole('main').getByRole('listitem').nth(1);
    await second.getByRole('heading').waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await second.getByRole('button').waitFor();
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await second.getByRole('heading').waitFor();
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
