import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { publicId } from '../../src/vocabulary/ids.ts';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { failedSync, linkedOwner } from './lives.ts';
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

const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Search everything' });
const active = (page: Page): Locator => page.getByRole('option', { selected: true });

async function openByKeys(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await field(page).waitFor();
}

/** Types, and waits until what it finds is there. */
async function find(page: Page, text: string, name: RegExp): Promise<void> {
  await field(page).fill(text);
  await page.getByRole('option', { name: `Search transactions for “${text}”` }).waitFor();
  await page.getByRole('option', { name }).first().waitFor();
}

describe('the palette', () => {
  test('is opened by keys, finds an account by a part of its name, and Enter goes to it', async () => {
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt('/syncs', { browser, service, owner });
    await page.getByRole('heading', { name: 'Syncs', level: 1 }).waitFor();
    await openByKeys(page);
    await find(page, 'rainy', /Rainy day.*Account$/);
    assert.match(await active(page).innerText(), /Rainy day/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Rainy day', level: 1 }).and(page.locator(':focus')).waitFor();
    assert.match(page.url(), /\/accounts\/acct_/);
    assert.equal(await page.getByRole('dialog').count(), 0);
    await openByKeys(page);
    await find(page, 'trades', /^Trades/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Trades', level: 1 }).and(page.locator(':focus')).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('gives the focus back to what had it, whichever way it was opened and closed', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/rulesets', { browser, service, owner });
    const button = page.getByRole('button', { name: 'Search', exact: true });
    const place = page.getByRole('link', { name: 'Destinations' });
    await place.focus();
    await openByKeys(page);
    await page.keyboard.press('Escape');
    await place.and(page.locator(':focus')).waitFor();
    await button.click();
    await field(page).and(page.locator(':focus')).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await button.and(page.locator(':focus')).waitFor();
    await button.press('Enter');
    await field(page).waitFor();
    await page.mouse.click(5, 700);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
    await close();
  });

  test('arrows go round its options, Home and End to the ends, and the field names the active one', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/', { browser, service, owner });
    await openByKeys(page);
    await page.getByRole('option').first().waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ results$/ })
      .waitFor();
    const names = await page.getByRole('option').allInnerTexts();
    const isActive = async (at: number) => {
      assert.deepEqual(await active(page).allInnerTexts(), [names.at(at)]);
      const id = await field(page).getAttribute('aria-activedescendant');
      assert.equal(await active(page).getAttribute('id'), id);
    };
    await isActive(0);
    for (const [key, at] of [
      ['ArrowDown', 1],
      ['ArrowUp', 0],
      ['ArrowUp', -1],
      ['ArrowDown', 0],
      ['End', -1],
      ['Home', 0],
    ] as const) {
      await page.keyboard.press(key);
      await page.waitForFunction(
        `document.querySelector('[role=option][aria-selected=true]').textContent === ${JSON.stringify(
          await page.getByRole('option').nth(at).textContent(),
        )}`,
      );
      await isActive(at);
    }
    await field(page).fill('zzzz');
    await page.getByRole('option', { name: 'Search guides for “zzzz”' }).waitFor();
    assert.match(await active(page).innerText(), /Search transactions for/);
    // What is offered for whatever is typed is no result.
    await page.getByRole('status').filter({ hasText: 'Nothing here is called “zzzz”.' }).waitFor();
    await field(page).fill('dark');
    await page
      .getByRole('status')
      .filter({ hasText: /^1 result$/ })
      .waitFor();
    await field(page).fill('zzzz');
    // The focus never leaves the dialog.
    for (let press = 0; press < 6; press++) {
      await page.keyboard.press('Tab');
      const outside = 'document.activeElement !== document.body && !document.activeElement.closest("dialog")';
      assert.equal(await page.evaluate(outside), false);
    }
    await close();
  });

  test('runs a sync and shows the run, and refreshes a bank and says what that did', async () => {
    const owner = await linkedOwner(service);
    await failedSync(owner, [owner.connection.accounts[0].id]);
    const { page, complaints, close } = await signedInAt('/categories', { browser, service, owner });
    await openByKeys(page);
    await find(page, 'refresh', /^Refresh .*Action$/);
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog')
      .getByText(/read again just now$/)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await openByKeys(page);
    await find(page, 'run household', /^Run Household ledger now/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sync-runs\/run_/);
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('an action that is refused says why, and the palette stays', async () => {
    const owner = await linkedOwner(service);
    await failedSync(owner, [owner.connection.accounts[0].id]);
    const { page, close } = await signedInAt('/categories', { browser, service, owner });
    await page.route('**/v2/syncs/*/run', (route) => route.abort());
    await openByKeys(page);
    await find(page, 'run household', /^Run Household ledger now/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('The service does not answer.').waitFor();
    assert.match(page.url(), /\/categories$/);
    await close();
  });

  test('closed while it starts a run, it opens no page when the run has started', async () => {
    const owner = await linkedOwner(service);
    await failedSync(owner, [owner.connection.accounts[0].id]);
    const { page, complaints, close } = await signedInAt('/categories', { browser, service, owner });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/v2/syncs/*/run', async (route) => {
      await released;
      await route.continue();
    });
    await openByKeys(page);
    await find(page, 'run household', /^Run Household ledger now/);
    await page.keyboard.press('Enter');
    await page.getByText('Starting Household ledger…').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const started = page.waitForResponse('**/v2/syncs/*/run');
    release();
    await (await started).finished();
    await page.waitForTimeout(500);
    assert.match(page.url(), /\/categories$/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('searches transactions for what was typed', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/', { browser, service, owner });
    await openByKeys(page);
    await find(page, 'coffee & tea', /^Search transactions/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('q'), 'coffee & tea');
    assert.equal(await page.getByLabel('Search', { exact: true }).inputValue(), 'coffee & tea');
    await close();
  });

  test('changes the theme, shows the keys and signs out', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/', { browser, service, owner });
    await openByKeys(page);
    await find(page, 'dark', /^Use the dark theme/);
    await page.keyboard.press('Enter');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await openByKeys(page);
    await find(page, 'keyboard', /^Show keyboard shortcuts/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    // A question that is open is answered first.
    await page.keyboard.press('Control+k');
    assert.equal(await field(page).count(), 0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await openByKeys(page);
    await find(page, 'sign out', /^Sign out/);
    await page.keyboard.press('Enter');
    await page.getByText('You have signed out.').waitFor();
    await close();
  });

  test('opened before its script has arrived it takes what is typed, and answers once it has', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/palette-results-*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await openByKeys(page);
    await page.keyboard.type('webhooks');
    assert.equal(await page.getByRole('option').count(), 0);
    release();
    await page.getByRole('option', { name: /^Receiving webhooks/ }).waitFor();
    assert.equal(await field(page).inputValue(), 'webhooks');
    await field(page).and(page.locator(':focus')).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('what was chosen last comes first, in this browser, by ids and for each account record alone', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/syncs', { browser, service, owner });
    for (const [text, name] of [
      ['rainy', /Rainy day.*Account$/],
      ['agents', /^Agents \(MCP\)/],
    ] as const) {
      await openByKeys(page);
      await find(page, text, name);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.reload();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await openByKeys(page);
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option');
    await recent.nth(1).waitFor();
    const names = await recent.allInnerTexts();
    assert.match(names[0] ?? '', /^Agents/);
    assert.match(names[1] ?? '', /^Rainy day/);
    const kept: unknown = await page.evaluate('localStorage.getItem("recent-choices")');
    const { record } = owner;
    assert.ok(
      typeof kept === 'string' && !kept.includes('Rainy') && kept.includes('account:acct_'),
      record.id,
    );
    await close();
  });

  test('what changes something is not among the recent choices, so Enter does not do it again', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/syncs', { browser, service, owner });
    await openByKeys(page);
    await find(page, 'refresh', /^Refresh .*Action$/);
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog')
      .getByText(/read again just now$/)
      .waitFor();
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'hidden' });
    // As it was kept by an earlier release.
    const kept = JSON.stringify({ [publicId('account_record', owner.record.id)]: ['action:sign-out'] });
    await page.evaluate(
      `localStorage.getItem('recent-choices') ?? localStorage.setItem('recent-choices', '${kept}')`,
    );
    await openByKeys(page);
    await page.getByRole('group', { name: 'Go to' }).waitFor();
    assert.equal(await page.getByRole('group', { name: 'Recent' }).count(), 0);
    assert.match(await active(page).innerText(), /^Home/);
    await close();
  });

  test('offers a reader nothing that only an owner may do', async () => {
    const owner = await linkedOwner(service);
    await failedSync(owner, [owner.connection.accounts[0].id]);
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner, role: 'reader' });
    await openByKeys(page);
    await find(page, 'household', /^Household ledger/);
    assert.equal(await page.getByRole('option', { name: /^Run Household/ }).count(), 0);
    for (const text of ['create', 'refresh', 'link a bank', 'activity']) {
      await find(page, text, /^Search transactions/);
      assert.equal(await page.getByRole('option', { name: /(?:Action|Settings)$/ }).count(), 0, text);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('on a phone its button is as high as a thumb, and everything fits beside the keyboard', async () => {
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner, phone: true });
    const button = page.getByRole('button', { name: 'Search', exact: true });
    const { width = 0, height = 0 } = (await button.boundingBox()) ?? {};
    assert.ok(width >= 44 && height >= 44, `${width} × ${height}`);
    await button.click();
    await find(page, 'rainy', /Rainy day/);
    const box = (await page.getByRole('dialog').boundingBox()) ?? assert.fail('it is shown');
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 390 && box.height <= 560, JSON.stringify(box));
    await page.getByRole('option', { name: /Rainy day/ }).click();
    await page.getByRole('heading', { name: 'Rainy day', level: 1 }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });
});
