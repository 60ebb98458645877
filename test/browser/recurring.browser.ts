import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { dayAway } from '../../web/src/format/days.ts';
import { moneyText } from '../../web/src/format/money.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { linkedOwner, newCustomer } from './lives.ts';
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

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(Date.now());
const ENERGY = 'BPAY BRIGHT ENERGY';

interface Row {
  readonly amount: { readonly amount: number };
  readonly date: string;
  readonly description: string;
  readonly status: string;
}

/** The posted rows of this description in the last months, as a client of v2 reads them. */
async function rowsOf(owner: TestOwner, description: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { id } of (await owner.v2('GET', '/v2/accounts')).body.data) {
    let path: string | null = `/v2/transactions?limit=100&account=${id}&from=${dayAway(today(), -396)}`;
    while (path !== null) {
      const { body } = await owner.v2('GET', path);
      rows.push(...body.data);
      path = body.next_page_url === null ? null : body.next_page_url.replace(/^.*(?=\/v2\/)/, '');
    }
  }
  return rows.filter((row) => row.description === description && row.status === 'posted');
}

const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true });

describe('recurring payments', () => {
  test('are found with how often they come, for how much and when next, and lead to their merchants by key', async () => {
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt('/recurring', { browser, service, owner });
    const energy = list(page, 'Payments').getByRole('listitem').filter({ hasText: ENERGY });
    await energy.waitFor();
    const [{ amount: { amount = 0 } = {} } = {}] = await rowsOf(owner, ENERGY);
    const text = await energy.innerText();
    assert.match(text, /Every month · Next about /);
    assert.ok(text.includes(moneyText(BigInt(amount), 'aud', 'always')), text);
    assert.ok(text.includes(`About ${moneyText(-12n * BigInt(amount), 'aud')} a year`), text);
    assert.match(await list(page, 'Income').innerText(), /SALARY WATTLE WORKS PTY LTD\s+Every two weeks/);
    const upcoming = list(page, 'Next 30 days').getByRole('listitem');
    for (const words of await upcoming.allInnerTexts())
      assert.match(words, /Expected (?:about|\d+ days? ago)/);
    assert.match(await page.getByRole('main').innerText(), /Expected to go out · AUD\s+About A?\$[\d,.]+/);
    await page.keyboard.press('j');
    const first = await upcoming.first().getByRole('link').innerText();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: first, level: 1 }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('are first on home, at most five, from what home reads anyway, and nothing is there without any', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/categories', { browser, service, owner });
    let exported = 0;
    page.on('request', (request) => {
      if (request.url().includes('/v2/transactions/export')) exported += 1;
    });
    await page.goto(new URL('/', service.url).href);
    const coming = list(page, 'Coming up').getByRole('listitem');
    await coming.first().waitFor();
    assert.ok((await coming.count()) <= 5);
    assert.equal(exported, 1);
    await page.getByRole('link', { name: 'See everything recurring' }).click();
    await list(page, 'Next 30 days').waitFor();
    await close();

    const still = await linkedOwner(service, { customer: 'dormant' });
    const other = await signedInAt('/', { browser, service, owner: still });
    await other.page.getByText('Income and spending').first().waitFor();
    await other.page.getByRole('slider').waitFor();
    assert.equal(await other.page.getByText('Coming up').count(), 0);
    await other.close();
  });
});

describe('the page of a merchant', () => {
  test('has its exact totals, its rows, what comes regularly, and leads to the same rows among all', async () => {
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt('/merchants?q=bright', { browser, service, owner });
    await page.getByText('1 merchant', { exact: true }).waitFor();
    await page.getByRole('link', { name: ENERGY }).click();
    await page.getByRole('heading', { name: ENERGY, level: 1 }).waitFor();
    const rows = await rowsOf(owner, ENERGY);
    const from = `${dayAway(`${today().slice(0, 7)}-01`, -334).slice(0, 7)}-01`;
    const year = rows
      .filter(({ date }) => date >= from)
      .reduce((sum, row) => sum - BigInt(row.amount.amount), 0n);
    const totals = page.getByRole('region', { name: 'Totals' });
    await totals.getByText(moneyText(year, 'aud'), { exact: true }).waitFor();
    await page.getByText(`${rows.length} transactions`, { exact: true }).waitFor();
    assert.match(await list(page, 'Recurring').innerText(), /Every month/);
    await page.getByText('Show as a table').click();
    assert.equal(await page.getByRole('table').getByRole('row').count(), 13);
    await page.getByRole('link', { name: 'See in Transactions' }).click();
    const listed = rows.filter(({ date }) => date >= dayAway(today(), -365)).length;
    await page.getByText(new RegExp(`^${listed} of [\\d,]+ transactions$`)).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('changes the category of all its rows by what the bank calls them', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/merchants/corner-pantry', { browser, service, owner });
    const categories = page.getByRole('region', { name: 'Categories' });
    await categories.getByText('Groceries').waitFor();
    await categories.getByRole('button', { name: 'Change for all' }).click();
    const dialog = page.getByRole('dialog', { name: 'Category of Corner Pantry' });
    const choice = dialog.getByLabel('New category', { exact: true });
    const options = await choice.locator('option').allInnerTexts();
    await choice.selectOption(options.find((one) => one.endsWith('Shopping')) ?? assert.fail(options.join()));
    await dialog.getByRole('radio', { name: /^Change what the bank/ }).check();
    await dialog.getByText('read so far will move').waitFor();
    await dialog.getByRole('button', { name: 'Change category' }).click();
    await dialog.waitFor({ state: 'detached' });
    await categories.getByText('Shopping').waitFor();
    assert.equal(await categories.getByText('Groceries').count(), 0);
    await close();
  });

  test('is reached from a transaction, whatever its merchant is called, and can be reloaded', async () => {
    const names = [
      '..',
      '../../settings',
      '<img src=x onerror="document.title=\'run\'">',
      '%2e%2e/?q=#x',
      '☕',
      'Café “Ø” 2',
    ];
    newCustomer(
      service,
      'hostile-merchants',
      names.map((merchantName, at) => ({
        amount: `-${9000 + at}.00`,
        description: `PURCHASE ${at}`,
        merchantName,
        secondaryCategory: 'FOOD_AND_DRINK_COFFEE',
      })),
    );
    const owner = await linkedOwner(service, { customer: 'hostile-merchants' });
    const { page, complaints, close } = await signedInAt('/categories', { browser, service, owner });
    for (const [at, name] of names.entries()) {
      await page.goto(new URL(`/transactions?least=${9000 + at}&most=${9000 + at}`, service.url).href);
      await page.getByRole('list').getByRole('button').filter({ hasText: name }).first().click();
      await page.getByRole('dialog').getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
      await page
        .getByText(`A$${(9000 + at).toLocaleString('en')}.00`)
        .first()
        .waitFor();
    }
    assert.equal(await page.locator('main img, main script').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('says so when there are no transactions of a merchant', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/merchants/nobody', { browser, service, owner });
    await page.getByText('No transactions of this merchant').waitFor();
    await page.getByRole('link', { name: 'Merchants' }).first().click();
    await page.getByRole('heading', { name: 'Merchants', level: 1 }).waitFor();
    await close();
  });
});
