import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { daysIn } from '../../web/src/format/days.ts';
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

const views = (page: Page) => page.getByRole('region', { name: 'Saved views' });
const chip = (page: Page, name: string) => views(page).getByRole('link', { name, exact: true });

async function saveAs(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await chip(page, name).and(page.locator('[aria-current]')).waitFor();
}

describe('saved views of transactions', () => {
  test('are saved, shown again on another device, and found by the palette', async () => {
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt('/transactions?kind=out&q=coffee', {
      browser,
      service,
      owner,
    });
    await saveAs(page, 'Coffee out');
    await close();
    const second = await signedInAt('/transactions', { browser, service, owner });
    await chip(second.page, 'Coffee out').click();
    await second.page.waitForURL(/kind=out/);
    const address = () => new URL(second.page.url()).searchParams;
    assert.deepEqual([address().get('q'), address().get('days')], ['coffee', '90']);
    assert.equal(await second.page.getByRole('searchbox', { name: 'Search' }).inputValue(), 'coffee');
    await second.page.goto(new URL('/syncs', service.url).href);
    await second.page.getByRole('heading', { name: 'Syncs', level: 1 }).waitFor();
    await second.page.keyboard.press('Control+k');
    await second.page.getByRole('combobox').fill('coffee out');
    await second.page.getByRole('option', { name: /^Coffee out.*Saved view$/ }).click();
    await second.page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor();
    assert.deepEqual([address().get('q'), address().get('kind')], ['coffee', 'out']);
    assert.deepEqual([...complaints, ...second.complaints], []);
    await second.close();
  });

  test('a period up to today is saved as one that moves along, unless the person wants its first day', async () => {
    const owner = await linkedOwner(service);
    const from = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
    const { page, close } = await signedInAt(`/transactions?from=${from}`, { browser, service, owner });
    const shown = async () => ({
      from: await page.getByLabel('From', { exact: true }).inputValue(),
      to: await page.getByLabel('To', { exact: true }).inputValue(),
    });
    const before = await shown();
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByLabel(`Always the last ${daysIn(before)} days`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await saveAs(page, 'Lately');
    await page.waitForURL(/days=/);
    assert.equal(new URL(page.url()).searchParams.get('days'), `${daysIn(before)}`);
    assert.deepEqual(await shown(), before);
    await page.goto(new URL(`/transactions?from=${from}`, service.url).href);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page
      .getByRole('dialog')
      .getByLabel(/^Always the last/)
      .uncheck();
    await page.getByRole('dialog').getByLabel('Name').fill('Since then');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await chip(page, 'Since then').and(page.locator('[aria-current]')).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('from'), from);
    await close();
  });

  test('offer to be updated when the filters change; deleting one and updating it can be taken back', async () => {
    const owner = await linkedOwner(service);
    const saved = async () => (await owner.v2('GET', '/v2/saved_views')).body.data;
    await owner.v2('POST', '/v2/saved_views', { name: 'Mine', query: 'days=30&kind=out' });
    const { page, complaints, close } = await signedInAt('/transactions', { browser, service, owner });
    await chip(page, 'Mine').click();
    const update = page.getByRole('button', { name: 'Update this view' });
    await views(page).getByRole('button', { name: 'Actions for Mine' }).waitFor();
    assert.equal(await update.count(), 0);
    await page.getByLabel('Show', { exact: true }).selectOption('in');
    await update.click();
    await page.getByText('“Mine” now has the filters you see').waitFor();
    assert.equal((await saved())[0].query, 'days=30&kind=in');
    assert.equal(await update.count(), 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await update.waitFor();
    assert.equal((await saved())[0].query, 'days=30&kind=out');
    await views(page).getByRole('button', { name: 'Actions for Mine' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Yours');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await chip(page, 'Yours').waitFor();
    await views(page).getByRole('button', { name: 'Actions for Yours' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('“Yours” is deleted').waitFor();
    await chip(page, 'Yours').waitFor({ state: 'detached' });
    assert.deepEqual(await saved(), []);
    await page.getByRole('button', { name: 'Undo' }).click();
    await chip(page, 'Yours').and(page.locator('[aria-current]')).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('view'), (await saved())[0].id);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('undoing an update leaves what another device saved since', async () => {
    const owner = await linkedOwner(service);
    const { id } = (await owner.v2('POST', '/v2/saved_views', { name: 'Mine', query: 'days=30&kind=out' }))
      .body;
    const { page, close } = await signedInAt(`/transactions?kind=in&view=${id}`, { browser, service, owner });
    await page.getByRole('button', { name: 'Update this view' }).click();
    await page.getByText('“Mine” now has the filters you see').waitFor();
    const elsewhere = 'days=7&q=tea';
    await owner.v2('POST', `/v2/saved_views/${id}`, { query: elsewhere });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('“Mine” was changed elsewhere since, and stays as it is.').waitFor();
    assert.equal((await owner.v2('GET', `/v2/saved_views/${id}`)).body.query, elsewhere);
    await close();
  });

  test('a change that is answered late changes neither filters chosen since nor the page', async () => {
    const owner = await linkedOwner(service);
    const { id } = (await owner.v2('POST', '/v2/saved_views', { name: 'Mine', query: 'days=30&kind=out' }))
      .body;
    const { page, close } = await signedInAt(`/transactions?kind=in&view=${id}`, { browser, service, owner });
    let answer = Promise.withResolvers<void>();
    await page.route('**/v2/saved_views/*', async (route) => {
      if (route.request().method() !== 'GET') await answer.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Update this view' }).click();
    await page.getByLabel('Show', { exact: true }).selectOption('pending');
    await page.waitForURL(/kind=pending/);
    answer.resolve();
    await page.getByText('“Mine” now has the filters you see').waitFor();
    assert.match(page.url(), /kind=pending/);
    assert.equal((await owner.v2('GET', `/v2/saved_views/${id}`)).body.query, 'days=90&kind=in');
    await page.getByRole('button', { name: 'Update this view' }).waitFor();
    answer = Promise.withResolvers();
    await views(page).getByRole('button', { name: 'Actions for Mine' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Syncs' }).click();
    await page.getByRole('heading', { name: 'Syncs', level: 1 }).waitFor();
    answer.resolve();
    await page.getByText('“Mine” is deleted').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/syncs');
    await close();
  });

  test('one of an account that is no longer linked shows no other account, until the person wants all', async () => {
    const owner = await linkedOwner(service);
    const query = 'account=acct_0123456789ABCDEFGHIJKL&days=30';
    await owner.v2('POST', '/v2/saved_views', { name: 'Old card', query });
    const { page, complaints, close } = await signedInAt('/transactions', { browser, service, owner });
    await page.getByRole('button', { name: 'Export' }).waitFor();
    await chip(page, 'Old card').click();
    await page.getByRole('heading', { name: 'This account is no longer linked' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Export' }).count(), 0);
    const account = page.getByLabel('Account', { exact: true });
    assert.equal(await account.locator('option:checked').innerText(), 'No longer linked');
    await page.getByRole('button', { name: 'Show all accounts' }).click();
    await page.getByRole('button', { name: 'Export' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('account'), null);
    assert.equal(await account.locator('option:checked').innerText(), 'All accounts');
    await page.getByRole('button', { name: 'Update this view' }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('one that is refused says why, and what was typed stays', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/transactions?kind=in', { browser, service, owner });
    await page.route('**/v2/saved_views', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Coffee');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByText('The view was not saved').waitFor();
    assert.equal(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'Coffee');
    await close();
  });

  test('readers see them, and change none', async () => {
    const owner = await linkedOwner(service);
    await owner.v2('POST', '/v2/saved_views', { name: 'Ours', query: 'kind=out' });
    const { page, complaints, close } = await signedInAt('/transactions', {
      browser,
      service,
      owner,
      role: 'reader',
      phone: true,
    });
    await chip(page, 'Ours').click();
    await page.waitForURL(/kind=out/);
    assert.equal(await views(page).getByRole('button').count(), 0);
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Show', { exact: true }).selectOption('in');
    await page.getByRole('button', { name: 'Clear filters' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /view/ }).count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });
});
