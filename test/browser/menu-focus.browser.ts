import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { type FullLife, fullLife } from './full-life.ts';
import { signedInAt } from './people.ts';
import { addRuleset } from './rulesets.ts';

let service: TestService;
let browser: Browser;
let life: FullLife;
before(async () => {
  service = await startService();
  browser = await openChromium();
  life = await fullLife(service);
});
after(async () => {
  await browser?.close();
  await service?.close();
});

/** Where a menu of "…" asks for confirmation of something that cannot be undone. */
const PAGES: Readonly<Record<string, (ids: FullLife['ids']) => string>> = {
  connections: () => '/connections',
  connection: ({ connection }) => `/connections/${connection}`,
  syncs: () => '/syncs',
  sync: ({ sync }) => `/syncs/${sync}`,
  rulesets: () => '/rulesets',
  'ruleset, and its rules': ({ ruleset }) => `/rulesets/${ruleset}`,
  categories: () => '/categories',
  destination: ({ destination }) => `/destinations/${destination}`,
  'API keys': () => '/developer',
  'API key': ({ key }) => `/developer/keys/${key}`,
  'event destination': ({ eventDestination }) => `/developer/event-destinations/${eventDestination}`,
  'programs of the bridge': () => '/developer/simplefin',
};

const FOCUSED =
  'document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? ""';

const menus = (page: Page) => page.getByRole('main').locator('button[aria-haspopup=menu]');

async function assertFocused(page: Page, name: string): Promise<void> {
  await page.waitForFunction(`(${FOCUSED}) === ${JSON.stringify(name)}`).catch(async () => {
    assert.equal(await page.evaluate(FOCUSED), name);
  });
}

/** By keyboard. A menu that opens takes the focus a moment later: until it has, keys would go to another item. */
async function chooseLast(menu: Locator): Promise<void> {
  await menu.and(menu.page().locator(':focus, :focus-within')).waitFor();
  const last = menu.getByRole('menuitem').last();
  await last.focus();
  await last.press('Enter');
}

/** By keyboard, as its last item, which cannot be undone. Returns the name of the menu's button. */
async function askToDelete(page: Page, at: number): Promise<string> {
  const button = menus(page).nth(at);
  const name = (await button.getAttribute('aria-label')) ?? assert.fail('the button has a name');
  await button.focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu', { name, exact: true });
  await chooseLast(menu);
  await page.getByRole('dialog').waitFor();
  // It is seen for a moment longer than it is open.
  await menu.waitFor({ state: 'detached' });
  return name;
}

describe('the focus after a question that a menu asked', () => {
  for (const [place, path] of Object.entries(PAGES)) {
    test(`is on the button of the menu: ${place}`, async () => {
      const { page, close } = await signedInAt(path(life.ids), { browser, service, owner: life.owner });
      page.setDefaultTimeout(15_000);
      await menus(page).first().waitFor();
      for (const at of new Set([0, (await menus(page).count()) - 1])) {
        let name = await askToDelete(page, at);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await assertFocused(page, name);
        name = await askToDelete(page, at);
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await assertFocused(page, name);
      }
      await close();
    });
  }

  test('is on the next row after one is deleted, then on the one before, then on the heading', async () => {
    const owner = await service.owner();
    for (const name of ['First', 'Second', 'Third']) await addRuleset(owner, name);
    const { page, close } = await signedInAt('/rulesets', { browser, service, owner });
    const remove = async (name: string, next: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).focus();
      await page.keyboard.press('Enter');
      await chooseLast(page.getByRole('menu', { name: `Actions for ${name}`, exact: true }));
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: `Actions for ${name}` }).waitFor({ state: 'detached' });
      await assertFocused(page, next);
    };
    await menus(page).nth(2).waitFor();
    const labels = await Promise.all(
      (await menus(page).all()).map((button) => button.getAttribute('aria-label')),
    );
    const names = labels.map((label) => label?.replace('Actions for ', ''));
    const [first, second, third] = names;
    if (first === undefined || second === undefined || third === undefined) assert.fail('three rulesets');
    await remove(second, `Actions for ${third}`);
    await remove(third, `Actions for ${first}`);
    await remove(first, 'Rules');
    await close();
  });
});
