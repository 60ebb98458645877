import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { YnabControl } from '../../sandbox/ynab/control.ts';
import { dayAway } from '../../web/src/format/days.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
import { openChromium } from './chromium.ts';
import { spreadsheet } from './destination-lives.ts';
import { linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';
import { chooseAccounts } from './scenes/syncs.ts';
import { budget } from './sync-lives.ts';

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

async function onlySync(owner: TestOwner): Promise<Json> {
  const { body } = await owner.v2('GET', '/v2/syncs');
  assert.equal(body.data.length, 1);
  return body.data[0];
}

const accountsOf = (owner: { readonly connection: Json }): Json[] => owner.connection.accounts;

/** Chooses all accounts and the only destination, up to the step of the rows. */
async function reachRows(page: Page): Promise<void> {
  const next = page.getByRole('button', { name: 'Continue', exact: true });
  await next.click();
  await chooseAccounts(page);
  await next.click();
  await page.getByRole('radio').first().check();
  await next.click();
  await page.getByRole('radio', { name: 'All into one tab' }).waitFor();
  await next.click();
}

describe('setting up a sync', () => {
  test('a first day that is taken out again after a dry run does not count', async () => {
    const owner = await linkedOwner(service);
    await spreadsheet(owner, 'Days');
    const { page, close } = await signedInAt('/syncs/new', { browser, service, owner });
    const next = page.getByRole('button', { name: 'Continue', exact: true });
    const firstDay = page.getByLabel('First day');
    await reachRows(page);
    await firstDay.fill(dayAway(new Date().toISOString().slice(0, 10), -9));
    await next.click();
    await next.click();
    await page.getByRole('button', { name: 'Show what would happen' }).click();
    await page.getByRole('list', { name: 'Rows' }).waitFor();
    const { options: narrow } = await onlySync(owner);
    await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: /Rows/ }).click();
    await firstDay.fill('');
    await next.click();
    await next.click();
    await page.getByText('The last 6 months').waitFor();
    await page.getByRole('button', { name: 'Create without running' }).click();
    await page.waitForURL(/\/syncs\/sync_/);
    const { options } = await onlySync(owner);
    assert.ok(options.data_from < dayAway(narrow.data_from, -100), options.data_from);
    await close();
  });

  test('nothing can be changed while a sync is being saved, and a person who navigates away stays there', async () => {
    const owner = await linkedOwner(service);
    await spreadsheet(owner, 'Slow');
    const { page, close } = await signedInAt('/syncs/new', { browser, service, owner });
    const next = page.getByRole('button', { name: 'Continue', exact: true });
    await reachRows(page);
    await next.click();
    await next.click();
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    await page.route('**/v2/syncs', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      asked.resolve();
      await answered.promise;
      return route.continue();
    });
    await page.getByRole('button', { name: 'Create without running' }).click();
    await asked.promise;
    for (const name of ['Start over', 'Back'])
      await page.getByRole('button', { name, exact: true, disabled: true }).waitFor();
    assert.equal(
      await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: /Rows/ }).count(),
      0,
    );
    await page.getByRole('link', { name: 'Transactions' }).click();
    await page.getByRole('searchbox').fill('market');
    const saved = page.waitForResponse((response) => response.request().method() === 'POST');
    answered.resolve();
    assert.ok((await saved).ok());
    await page
      .getByText(/\d+ of \d+/)
      .first()
      .waitFor();
    assert.equal(new URL(page.url()).pathname, '/transactions');
    assert.equal(await page.getByRole('searchbox').inputValue(), 'market');
    await page.getByRole('link', { name: 'Syncs' }).click();
    await page.getByRole('link', { name: 'New sync' }).first().click();
    await page.getByRole('radio').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Start over' }).count(), 0, 'the plan is done with');
    await close();
  });

  test('a place that is gone by the time it is sent is named next to its account', async () => {
    const owner = await linkedOwner(service);
    await budget(owner);
    const control = service.app.sandbox?.simulators.get('ynab')?.control;
    assert.ok(control instanceof YnabControl);
    const { page, close } = await signedInAt('/syncs/new?step=accounts', { browser, service, owner });
    const next = page.getByRole('button', { name: 'Continue', exact: true });
    await page.getByRole('checkbox', { name: accountsOf(owner)[0].name }).check();
    await next.click();
    await page.getByRole('radio').first().check();
    await next.click();
    const place = page.getByLabel(`Budget account for ${accountsOf(owner)[0].name}`);
    await place.selectOption({ index: 1 });
    const closed = await place.inputValue();
    for (let step = 0; step < 3; step++) await next.click();
    control.changeAccount(closed, { closed: true });
    await page.getByRole('button', { name: 'Create without running' }).click();
    await place.waitFor();
    assert.equal(await place.getAttribute('aria-invalid'), 'true');
    assert.equal(await page.getByText('The plan has no such open account').count(), 2);
    await place.selectOption({ index: 2 });
    await page.getByText('The plan has no such open account').nth(1).waitFor({ state: 'detached' });
    assert.equal(await place.getAttribute('aria-invalid'), null);
    for (let step = 0; step < 3; step++) await next.click();
    await page.getByRole('button', { name: 'Create without running' }).click();
    await page.waitForURL(/\/syncs\/sync_/);
    control.changeAccount(closed, { closed: false });
    await close();
  });

  test('places and categories are proposed with their reasons, set by one click, and nothing is set unasked', async () => {
    const owner = await linkedOwner(service);
    await budget(owner);
    const { page, complaints, close } = await signedInAt('/syncs/new?step=accounts', {
      browser,
      service,
      owner,
    });
    const next = page.getByRole('button', { name: 'Continue', exact: true });
    await chooseAccounts(page);
    await next.click();
    await page.getByRole('radio').first().check();
    await next.click();
    const places = page.getByRole('group', { name: /^Which account of the budget/ });
    const categories = page.getByRole('group', { name: /^Which category of the budget/ });
    const everyday = places.getByLabel('Budget account for Everyday Account');
    await places.getByText('Proposed: Everyday (same name)').waitFor();
    assert.equal(await everyday.inputValue(), '');
    await places.getByRole('button', { name: 'Accept all' }).click();
    const chosen = everyday.locator('option:checked');
    assert.equal(await chosen.innerText(), 'Everyday');
    await places.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await everyday.inputValue(), '');
    await places.getByRole('button', { name: 'Accept all' }).click();
    await places.getByLabel('Budget account for Offset Account').selectOption('Credit Card');
    await categories.getByText('Proposed: Everyday: Transport (similar name)').waitFor();
    await categories.getByRole('button', { name: 'Accept all' }).click();
    await categories.getByText(/mappings are set/).waitFor();
    for (let step = 0; step < 3; step++) await next.click();
    await page.getByRole('button', { name: 'Create without running' }).click();
    await page.waitForURL(/\/syncs\/sync_/);
    const sync = await onlySync(owner);
    const placed = sync.account_mappings.map((one: Json) => one.destination_account_name).toSorted();
    assert.deepEqual(placed, ['Credit Card', 'Everyday', 'Savings']);
    const { data } = (await owner.v2('GET', `/v2/syncs/${sync.id}/category_mappings`)).body;
    const groceries = data.find((one: Json) => one.provider_category === 'FOOD_AND_DRINK_GROCERIES');
    assert.equal(groceries.destination_category_name, 'Everyday: Groceries');
    assert.deepEqual(complaints, []);
    await close();
  });
});
