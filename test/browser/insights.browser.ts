import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Browser, Locator, Page } from 'playwright-core';
import { parsePublicId } from '../../src/vocabulary/ids.ts';
import { dayAway } from '../../web/src/format/days.ts';
import { moneyText } from '../../web/src/format/money.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { failedSync, linkAnother, linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';
import { refuseAccount } from './refusals.ts';

let service: TestService;
let browser: Browser;
before(async () => {
  service = await startService({ EXCHANGE_RATES: 'USD:AUD=1.5137' });
  browser = await openChromium();
});
after(async () => {
  await browser?.close();
  await service?.close();
});

interface Balanced {
  readonly current: { readonly amount: number; readonly currency: string };
}

interface Row {
  readonly category: string | null;
  readonly merchant_name: string | null;
  readonly amount: { readonly amount: number };
  readonly date: string;
  readonly post_date: string | null;
  readonly provider_category: string | null;
}

/** Every posted row of the owner's accounts since a day, as a client of v2 reads them. */
async function rowsSince(owner: TestOwner, from: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { id } of (await owner.v2('GET', '/v2/accounts')).body.data) {
    let path: string | null = `/v2/transactions?limit=100&account=${id}&from=${from}`;
    while (path !== null) {
      const { body } = await owner.v2('GET', path);
      rows.push(...body.data);
      path = body.next_page_url === null ? null : body.next_page_url.replace(/^.*(?=\/v2\/)/, '');
    }
  }
  return rows;
}

const slider = (page: Page) => page.getByRole('slider', { name: /^Net worth in AUD/ });
const valueText = async (page: Page): Promise<string> =>
  (await slider(page).getAttribute('aria-valuetext')) ?? '';

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

describe('the charts of the home page', () => {
  test('the net worth ends at the balances and is, each day back by key, what v2 makes of it', async () => {
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    await slider(page).waitFor();
    const accounts = (await owner.v2('GET', '/v2/accounts')).body.data;
    const query = accounts.map(({ id }: { id: string }) => `account=${id}`).join('&');
    const { data } = (await owner.v2('GET', `/v2/balances?${query}`)).body;
    let sum = 0n;
    for (const { current } of data) sum += BigInt(current.amount);
    assert.ok((await valueText(page)).endsWith(moneyText(sum, 'aud')));
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(Date.now());
    const rows = await rowsSince(owner, dayAway(today, -40));
    await slider(page).focus();
    for (let back = 1; back <= 20; back++) {
      await page.keyboard.press('ArrowLeft');
      const after = dayAway(today, 1 - back);
      for (const row of rows) {
        const on = row.post_date ?? row.date;
        if (back === 1 ? on >= after : on === after) sum -= BigInt(row.amount.amount);
      }
      assert.ok((await valueText(page)).endsWith(`: ${moneyText(sum, 'aud')}`), `${back} days back`);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('spending of a month is the sum of what v2 lists, without transfers and income, and months can be changed', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/', { browser, service, owner });
    await slider(page).waitFor();
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(Date.now());
    const last = dayAway(`${today.slice(0, 7)}-01`, -1).slice(0, 7);
    let sum = 0n;
    for (const { date, amount, provider_category: code } of await rowsSince(owner, `${last}-01`)) {
      if (!date.startsWith(last) || /^(?:INCOME|TRANSFER)/.test(code ?? '')) continue;
      if (code !== null || amount.amount < 0) sum -= BigInt(amount.amount);
    }
    await page.getByRole('button', { name: 'Earlier month' }).click();
    await page.getByRole('status').getByText(moneyText(sum, 'aud'), { exact: true }).waitFor();
    const shares = page.getByRole('list', { name: /^Spending by category in/ });
    const all = page.getByRole('button', { name: /^Show all/ });
    if (await all.isVisible()) await all.click();
    await shares.getByText('Groceries').waitFor();
    await page.getByRole('button', { name: '12 months' }).click();
    await page.getByRole('button', { name: 'Earlier month' }).click();
    await slider(page).waitFor();
    await close();
  });

  test('a category opens to its merchants with what each was paid, and each leads to its page', async () => {
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    await slider(page).waitFor();
    await page.getByRole('button', { name: 'Earlier month' }).click();
    await page.getByRole('button', { name: 'What Groceries is made of' }).click();
    const merchants = page.getByRole('list', { name: 'Where it was spent on Groceries' });
    const first = merchants.getByRole('listitem').first();
    const name = await first.getByRole('link').innerText();
    const amount = (await first.innerText()).split('\n').find((part) => /\d/.test(part) && part !== name);
    await page.getByRole('button', { name: 'All categories' }).click();
    await page.getByRole('button', { name: 'What Groceries is made of' }).click();
    await merchants.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByRole('group', { name: 'Paid and received by month' }).waitFor();
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(Date.now());
    const last = dayAway(`${today.slice(0, 7)}-01`, -1);
    const names = (await owner.v2('GET', '/v2/categories')).body.data;
    const groceries = names.find((one: { name: string }) => one.name === 'Groceries');
    let sum = 0n;
    for (const row of await rowsSince(owner, `${last.slice(0, 7)}-01`)) {
      if (row.date > last || row.category !== groceries.id || row.merchant_name !== name) continue;
      sum -= BigInt(row.amount.amount);
    }
    assert.equal(amount, moneyText(sum, 'aud'));
    assert.deepEqual(complaints, []);
    await close();
  });

  test('each chart describes itself, and its data is in a table that is shown on request', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/', { browser, service, owner });
    await slider(page).waitFor();
    const charts = [slider(page), page.getByRole('group', { name: /by month$/ })];
    for (const chart of (await Promise.all(charts.map((one) => one.all()))).flat()) {
      const id = (await chart.getAttribute('aria-describedby')) ?? assert.fail('a chart has no description');
      assert.match((await page.locator(`[id="${id}"]`).textContent()) ?? '', /\d.*\.$/);
    }
    assert.equal(await page.getByRole('table').count(), 0);
    for (const shown of await page.getByText('Show as a table').all()) await shown.click();
    const rows = async (name: RegExp) => await page.getByRole('table', { name }).getByRole('row').count();
    assert.ok((await rows(/^Net worth in AUD/)) > 9);
    assert.equal(await rows(/^Income and spending by month/), 4);
    assert.equal(await rows(/^Spending by month/), 4);
    assert.ok((await rows(/^Spending by category in/)) > 2);
    await close();
  });

  test('currencies with a rate are one net worth, to the cent and with the rate named; others are beside it', async () => {
    const owner = await linkedOwner(service, { customer: 'foreign-currency' });
    await linkAnother(owner, { customer: 'dormant', at: 'inst_fk_88888' });
    const { page, close } = await signedInAt('/', { browser, service, owner });
    await page.getByRole('slider').waitFor();
    await page.getByRole('button', { name: 'AUD' }).click();
    const accounts = (await owner.v2('GET', '/v2/accounts')).body.data;
    const query = accounts.map(({ id }: { id: string }) => `account=${id}`).join('&');
    const { data } = (await owner.v2('GET', `/v2/balances?${query}`)).body;
    const sumIn = (currency: string): bigint =>
      data
        .filter(({ current }: Balanced) => current.currency === currency)
        .reduce((sum: bigint, { current }: Balanced) => sum + BigInt(current.amount), 0n);
    const dollars = sumIn('usd') * 15_137n;
    const total = sumIn('aud') + (2n * dollars + 10_000n) / 20_000n;
    const card = page.getByRole('region', { name: 'Net worth' });
    assert.equal(
      await card.locator('dt:has-text("Net worth · AUD") + dd').innerText(),
      moneyText(total, 'aud'),
    );
    assert.ok((await valueText(page)).endsWith(`: ${moneyText(total, 'aud')}`));
    await card.getByText(/^Converted at the rates that the operator set.*: 1 USD = 1.5137 AUD\.$/).waitFor();
    assert.equal(
      await card.locator('dt:has-text("Net worth · JPY") + dd').innerText(),
      moneyText(sumIn('jpy'), 'jpy'),
    );
    await close();
  });

  test('months are columns side by side, each bar as high as what was spent', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/', { browser, service, owner });
    const months = page.getByRole('group', { name: 'Spending by month', exact: true });
    await months.waitFor();
    const room = (await months.boundingBox()) ?? assert.fail('the columns are not drawn');
    const columns: { readonly box: Box; readonly bar: Box; readonly name: string }[] = [];
    for (const button of await months.getByRole('button').all()) {
      const box = (await button.boundingBox()) ?? assert.fail('a column is not drawn');
      const bar = (await button.locator('span > span').boundingBox()) ?? assert.fail('a bar is not drawn');
      columns.push({ box, bar, name: (await button.getAttribute('title')) ?? '' });
    }
    assert.equal(columns.length, 3);
    for (const [at, { box, bar, name }] of columns.entries()) {
      const end = columns[at - 1]?.box;
      assert.ok(end === undefined || box.x >= end.x + end.width, `${name} is beside the month before`);
      assert.ok(box.x >= room.x && box.x + box.width <= room.x + room.width, `${name} is within the chart`);
      assert.ok(
        bar.y >= box.y && bar.y + bar.height <= box.y + box.height,
        `the bar of ${name} is in its column`,
      );
    }
    const spent = ({ name }: (typeof columns)[number]) =>
      Number(name.replace(/^[^:]*:/, '').replace(/[^0-9]/g, ''));
    const byAmount = columns.toSorted((a, b) => spent(a) - spent(b));
    assert.deepEqual(
      columns.toSorted((a, b) => a.bar.height - b.bar.height),
      byAmount,
    );
    await close();
  });

  test('each currency is shown separately, and a refusal by one bank is named and hides no other', async () => {
    const owner = await linkedOwner(service, { customer: 'foreign-currency' });
    const other = await linkAnother(owner, { customer: 'dormant', at: 'inst_fk_88888' });
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    const [account] = other.accounts;
    await refuseAccount(page, account.id);
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('slider').waitFor();
    await page.getByRole('button', { name: 'AUD' }).click();
    await page.getByText('Not included, because transactions could not be read').waitFor();
    await page.getByRole('button', { name: 'JPY' }).click();
    await page.getByRole('slider', { name: /^Net worth in JPY/ }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'AUD' }).click();
    await slider(page).waitFor();
    await close();
  });

  test('where no transaction can be read, the page says why and the rest is there', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    await page.route('**/v2/transactions/export?**', (route) =>
      route.fulfill({
        status: 403,
        json: { error: { message: 'Not for you.', code: 'insufficient_scope' } },
      }),
    );
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('alert').filter({ hasText: 'Not for you.' }).waitFor();
    await page.getByText('Balances in AUD, less what is owed').waitFor();
    await close();
  });

  test('a home page with several banks is read by one request for each period, and none for one that was shown', async () => {
    const owner = await linkedOwner(service);
    for (const at of ['inst_fk_88888', 'inst_fk_90001', 'inst_fk_90001']) await linkAnother(owner, { at });
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    let heavy = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/v2/transactions')) heavy += 1;
    });
    await page.getByRole('link', { name: 'Home' }).click();
    await slider(page).waitFor();
    for (const months of [6, 12, 3, 6]) {
      await page.getByRole('button', { name: `${months} months` }).click();
      await slider(page).waitFor();
    }
    assert.equal(heavy, 3, 'one for each period, for all banks and the days that are not there yet');
    await close();
  });
});

describe('what needs attention', () => {
  test('a disabled webhook is enabled again, and its sync is not listed as well', async () => {
    const owner = await linkedOwner(service);
    const sync = await failedSync(owner, [owner.connection.accounts[0].id]);
    const id = parsePublicId('destination', sync.destination.id);
    await sql`update destinations set status = 'disabled' where id = ${id}`.execute(service.app.database.db);
    const read = async () => (await owner.v2('GET', `/v2/destinations/${sync.destination.id}`)).body.status;
    assert.equal(await read(), 'disabled');
    const { page, close } = await signedInAt('/', { browser, service, owner });
    await page.getByText('Disabled after too many failed deliveries').waitFor();
    await page.getByRole('button', { name: 'Enable again' }).click();
    await page.getByText('Disabled after too many failed deliveries').waitFor({ state: 'hidden' });
    assert.equal(await read(), 'active');
    await close();
  });
});
