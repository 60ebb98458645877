import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { ENGLISH, LANGUAGE_CODES, LANGUAGE_COOKIE } from '../../src/vocabulary/languages.ts';
import { linkBank } from '../features/linking/person.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import { assertAccessible } from './accessibility.ts';
import { openChromium } from './chromium.ts';
import { signedInAt } from './people.ts';
import { assertFits } from './widths.ts';

/** Pages whose texts are the longest, or have the least room. */
const PATHS = [
  '/',
  '/transactions',
  '/recurring',
  '/connections',
  '/syncs/new',
  '/destinations/new',
  '/categories',
];

let service: TestService;
let browser: Browser;
let owner: TestOwner;
before(async () => {
  service = await startService();
  browser = await openChromium();
  owner = await service.owner();
  await linkBank(owner);
});
after(async () => {
  await browser?.close();
  await service?.close();
});

async function languageOf(page: Page): Promise<string> {
  return page.evaluate('document.documentElement.lang');
}

describe('the languages of the web application', () => {
  test('the one chosen in the account menu is that of every page, until another is chosen', async () => {
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    assert.equal(await languageOf(page), ENGLISH);
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Start', level: 1 }).waitFor();
    assert.equal(await languageOf(page), 'de');
    await page.goto(new URL('/transactions', service.url).href);
    await page.getByRole('heading', { name: 'Umsätze', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Ihr Konto' }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  for (const code of LANGUAGE_CODES.filter((one) => one !== ENGLISH)) {
    test(`in ${code}, pages fit every width, axe finds no violation, and headings are not English`, async () => {
      const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
      const headings = async () => {
        const shown: string[] = [];
        for (const path of PATHS) {
          await page.setViewportSize({ width: 1_280, height: 900 });
          await page.goto(new URL(path, service.url).href);
          shown.push(await page.getByRole('heading', { level: 1 }).innerText());
          if (!(await isEnglish())) {
            await assertAccessible(page, path);
            await assertFits(page);
          }
        }
        return shown;
      };
      const isEnglish = async () => (await languageOf(page)) === ENGLISH;
      const english = await headings();
      await page
        .context()
        .addCookies([{ name: LANGUAGE_COOKIE, value: code, url: service.url, sameSite: 'Lax' }]);
      const own = await headings();
      assert.equal(await languageOf(page), code);
      // Transactions are called the same in French.
      const same = own.filter((heading) => english.includes(heading));
      assert.ok(same.length <= 1, `in English: ${same.join(', ')}`);
      assert.deepEqual(complaints, []);
      await close();
    });
  }
});
