import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { sumOf, valueText } from '../../web/src/format/decimals.ts';
import { startService, type TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
import { openChromium } from './chromium.ts';
import { investor, saver } from './lives.ts';
import { signedInAt } from './people.ts';
import { refuse } from './refusals.ts';

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

describe('holdings and trades in the web application', () => {
  test('quantities and prices have all their digits', async () => {
    const owner = await investor(service, 'derivatives');
    const { page, complaints, close } = await signedInAt('/holdings', { browser, service, owner });
    await page.getByText('0.012345678901234567', { exact: true }).waitFor();
    await page.getByText('$61,234.567890123', { exact: true }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('an account that is no longer linked shows no other, until the person wants all', async () => {
    const owner = await investor(service, 'self-directed');
    for (const path of ['/holdings', '/trades']) {
      const gone = `${path}?account=acct_0123456789ABCDEFGHIJKL`;
      const { page, complaints, close } = await signedInAt(gone, { browser, service, owner });
      await page.getByRole('heading', { name: 'This account is no longer linked' }).waitFor();
      await page.getByRole('button', { name: 'Show all accounts' }).click();
      await page
        .getByRole('heading', { name: 'This account is no longer linked' })
        .waitFor({ state: 'detached' });
      await page
        .getByLabel('Account', { exact: true })
        .locator('option', { hasText: 'No longer linked' })
        .waitFor({ state: 'detached' });
      assert.equal(new URL(page.url()).search, '');
      assert.deepEqual(complaints, []);
      await close();
    }
  });

  test('a loss is said by its sign and an arrow, not by its colour alone', async () => {
    const owner = await investor(service, 'self-directed');
    const { page, close } = await signedInAt('/holdings', { browser, service, owner });
    const loss = page.getByRole('row', { name: /Kowhai Robotics/ }).getByRole('cell', { name: '-$545.20' });
    await loss.waitFor();
    assert.equal(await loss.locator('svg').count(), 1);
    await close();
  });

  test('the allocation by account is what v2 has for each, to the cent', async () => {
    const owner = await investor(service, 'self-directed');
    const { page, close } = await signedInAt('/holdings', { browser, service, owner });
    const card = page.getByRole('region', { name: 'Allocation' });
    await card.getByRole('button', { name: 'Account' }).click();
    const shares = card.getByRole('list', { name: 'Allocation by account, in USD' });
    const accounts = (await owner.v2('GET', '/v2/accounts')).body.data;
    for (const { id, name } of accounts) {
      const { data } = (await owner.v2('GET', `/v2/holdings?account=${id}&limit=100`)).body;
      const value = sumOf(data.map((one: Json) => one.market_value_decimal));
      const share = shares.getByRole('listitem').filter({ hasText: name });
      await share.getByText(valueText(value, 'usd'), { exact: true }).waitFor();
    }
    assert.equal(await shares.getByRole('listitem').count(), accounts.length);
    await close();
  });

  test('trades are those of every account, and a type narrows them and is in the address', async () => {
    const owner = await investor(service, 'self-directed');
    const { page, complaints, close } = await signedInAt('/holdings', { browser, service, owner });
    await page.getByRole('link', { name: 'Trades' }).click();
    await page.getByText(/^\d+ trades$/).waitFor();
    await page.getByText('0.119283 at $133.84').first().waitFor();
    await page.getByLabel('Type').selectOption('Dividend');
    const count = await page.getByText(/^\d+ of \d+ trades$/).innerText();
    assert.ok(Number(/^\d+/.exec(count)?.[0]) > 0, count);
    assert.equal(new URL(page.url()).searchParams.get('type'), 'dividend');
    assert.equal(await page.getByText('Buy · ').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a plan without brokerage is told what it lacks, and nothing is asked that would be refused', async () => {
    const owner = await saver(service);
    const { page, complaints, close } = await signedInAt('/trades', { browser, service, owner });
    await page.getByText('Your plan does not include brokerage data').waitFor();
    assert.match(
      (await page.getByRole('link', { name: 'What each plan includes' }).getAttribute('href')) ?? '',
      /\/docs\/plans$/,
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a broker that cannot be read is named, with a way to try again', async () => {
    const owner = await investor(service, 'self-directed');
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    const refused = await refuse(page, '**/v2/holdings**', {
      status: 400,
      json: { error: { message: 'The broker does not answer.' } },
    });
    await page.getByRole('link', { name: 'Holdings' }).click();
    await page.getByText('Individual could not be read').waitFor();
    await refused.passAfter(
      page.getByRole('alert').filter({ hasText: 'Individual' }).getByRole('button', { name: 'Try again' }),
    );
    await page.getByRole('row', { name: /Whole World Index ETF/ }).waitFor();
    await close();
  });
});
