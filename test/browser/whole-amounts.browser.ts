import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { LANGUAGE_CODES, LANGUAGE_COOKIE } from '../../src/vocabulary/languages.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';
import { settle } from './settle.ts';

let service: TestService;
let browser: Browser;
let owner: TestOwner & Awaited<ReturnType<typeof linkedOwner>>;
before(async () => {
  service = await startService();
  browser = await openChromium();
  owner = await linkedOwner(service);
});
after(async () => {
  await browser?.close();
  await service?.close();
});

/** Texts of cards that are cut at the edge of their card, unless they can be scrolled to. */
const CUT = `[...document.querySelectorAll('main section, main [role=region]')].flatMap((card) => {
  const { left, right } = card.getBoundingClientRect();
  return [...card.querySelectorAll('dd, td, p, span, h2')]
    .filter((one) => one.checkVisibility() && one.children.length === 0 && /\\d/.test(one.textContent))
    .filter((one) => !one.closest('[aria-hidden=true], [class*=visuallyHidden], [class*=VisuallyHidden]'))
    .filter((one) => {
      const box = one.getBoundingClientRect();
      if (box.width <= 1 || (box.right <= right + 0.5 && box.left >= left - 0.5)) return false;
      const scroller = one.closest('[class*=scroll]');
      return scroller === null || getComputedStyle(scroller).overflowX !== 'auto';
    })
    .map((one) => one.outerHTML.slice(0, 120));
})`;

async function assertWhole(page: Page, what: string): Promise<void> {
  for (const width of [320, 375, 1_280]) {
    await page.setViewportSize({ width, height: 900 });
    await settle(page);
    assert.deepEqual(await page.evaluate(CUT), [], `${what} at ${width} px`);
  }
}

describe('figures on home', () => {
  for (const language of LANGUAGE_CODES) {
    test(`are whole at every width, in tables too: ${language}`, async () => {
      const { page, close } = await signedInAt('/', { browser, service, owner });
      await page.context().addCookies([{ name: LANGUAGE_COOKIE, value: language, url: service.url }]);
      await page.reload();
      await page.getByRole('slider').first().waitFor();
      await page.getByRole('main').locator('details').first().waitFor();
      for (const table of await page.locator('main details > summary').all()) await table.click();
      await assertWhole(page, language);
      await close();
    });
  }

  test('are there for each of twelve months, each with its whole amount or with none', async () => {
    const { page, close } = await signedInAt('/', { browser, service, owner });
    await page.getByRole('button', { name: '12 months' }).click();
    const columns = page.getByRole('group', { name: 'Spending by month', exact: true }).getByRole('button');
    await columns.nth(11).waitFor();
    assert.equal(await columns.count(), 12);
    await assertWhole(page, 'twelve months');
    await close();
  });
});

describe('the latest transactions of an account', () => {
  test('are in the order of the days they show, which are those of the transactions', async () => {
    const [account] = owner.connection.accounts;
    const { page, close } = await signedInAt(`/accounts/${account.id}`, { browser, service, owner });
    const list = page.getByRole('region', { name: 'Latest transactions' }).getByRole('listitem');
    await list.first().waitFor();
    const shown = (await list.allInnerTexts()).map((text) => text.split('\n')[1] ?? '');
    const days = shown.filter((text) => text !== 'Pending').map((text) => Date.parse(text));
    assert.ok(days.length > 3);
    assert.deepEqual(
      days,
      days.toSorted((a, b) => b - a),
    );
    await close();
  });
});
