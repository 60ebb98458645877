import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
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

/** The controls on the page that are too small to tap: less than 44 CSS pixels high. */
const TOO_LOW = `[...document.querySelectorAll(
    'button, select, [role^=menuitem], a.mantine-Button-root, input:not([type=checkbox], [type=radio])',
  )]
  .filter((one) => one.checkVisibility() && !one.closest('[aria-hidden=true]'))
  .filter((one) => one.getBoundingClientRect().height < 43.9)
  .map((one) => one.outerHTML.slice(0, 160))`;

describe('the application on a phone', () => {
  test('every control is as high as a thumb, and the bar shows where the person is', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner, phone: true });
    const navigation = page.getByRole('navigation', { name: 'Main' });
    for (const [path, heading, place] of [
      ['/connections/new', 'Link a bank', 'Connections'],
      ['/categories', 'Categories', 'More'],
      ['/rulesets', 'Rules', 'More'],
      ['/developer/keys/new', 'Create an API key', 'More'],
      ['/destinations/new', 'Add a destination', 'More'],
    ] as const) {
      await page.goto(new URL(path, service.url).href);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      assert.deepEqual(await page.evaluate(TOO_LOW), [], path);
      const here = navigation.locator('[class*=here]:visible');
      assert.deepEqual(await here.allInnerTexts(), [place], path);
    }
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Destinations' }).waitFor();
    assert.deepEqual(await page.evaluate(TOO_LOW), [], 'the menu');
    assert.deepEqual(complaints, []);
    await close();
  });
});
