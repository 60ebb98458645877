import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { sumOf, valueText } from '../../web/src/format/decimals.ts';
import { decimalText, moneyText } from '../../web/src/format/money.ts';
import { until } from '../features/linking/person.ts';
import { startService, type TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
import { openChromium } from './chromium.ts';
import { endConsentIn, failedSync, investor, linkAnother, linkedOwner } from './lives.ts';
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

describe('home in the web application', () => {
  test('it shows every balance as v2 has it, and what they come to in each currency', async () => {
    const owner = await linkedOwner(service, { customer: 'mortgage-offset' });
    await linkAnother(owner, { customer: 'foreign-currency' });
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    await page.getByText('Net position · AUD').waitFor();
    const accounts = (await owner.v2('GET', '/v2/accounts')).body.data;
    const query = accounts.map(({ id }: { id: string }) => `account=${id}`).join('&');
    const { data } = (await owner.v2('GET', `/v2/balances?${query}`)).body;
    assert.equal(data.length, 4);
    const sums = new Map<string, bigint>();
    for (const { current } of data) {
      const text = moneyText(BigInt(current.amount), current.currency);
      await page.getByText(text, { exact: true }).first().waitFor();
      sums.set(current.currency, (sums.get(current.currency) ?? 0n) + BigInt(current.amount));
    }
    for (const [currency, sum] of sums)
      await page.locator('dd').getByText(moneyText(sum, currency), { exact: true }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('investments are valued as v2 has them, and added to the bank accounts of their currency', async () => {
    const owner = await investor(service, 'self-directed');
    const bank = await linkAnother(owner, { customer: 'foreign-currency' });
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    const held = await Promise.all(
      owner.connection.accounts.map(({ id }: Json) =>
        owner.v2('GET', `/v2/holdings?account=${id}&limit=100`),
      ),
    );
    const value = sumOf(held.flatMap(({ body }) => body.data.map((one: Json) => one.market_value_decimal)));
    const query = bank.accounts.map(({ id }: Json) => `account=${id}`).join('&');
    const balances = (await owner.v2('GET', `/v2/balances?${query}`)).body.data;
    const banked = balances
      .filter(({ current }: Json) => current.currency === 'usd')
      .map(({ current }: Json) => decimalText(BigInt(current.amount), current.currency));
    assert.ok(banked.length > 0);
    const card = page.getByRole('region', { name: 'Investments' });
    const figure = (name: string) => card.locator(`dt:has-text("${name} · USD") + dd`).innerText();
    assert.equal(await figure('Market value'), valueText(value, 'usd'));
    assert.equal(await figure('Net position with investments'), valueText(sumOf([value, ...banked]), 'usd'));
    await card.getByRole('link', { name: 'See holdings' }).click();
    await page.getByRole('heading', { name: 'Holdings', level: 1 }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('where a broker cannot be read, its account says so and nothing is added up without it', async () => {
    const owner = await investor(service, 'self-directed');
    await linkAnother(owner, { customer: 'foreign-currency' });
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    await refuse(page, `**/v2/holdings?*${owner.connection.accounts[0].id}*`, {
      status: 400,
      json: { error: { message: 'Refused.' } },
    });
    await page.getByRole('link', { name: 'Home' }).click();
    const card = page.getByRole('region', { name: 'Investments' });
    await card.getByText('Cannot be read now').waitFor();
    await card.getByText('Market value · USD').waitFor();
    await page.getByText('Net position · USD').waitFor();
    assert.equal(await page.getByText('Net position with investments').count(), 0);
    await close();
  });

  test('a plan without brokerage asks the broker nothing', async () => {
    const owner = await investor(service, 'self-directed');
    await service.app.services.accountRecords.update(owner.record.id, { plan: 'saver' });
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    await page.getByText('Your plan does not include brokerage data').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('what needs attention has one action each: a failed sync runs again, a consent is renewed at the bank', async () => {
    const owner = await linkedOwner(service);
    await endConsentIn(service, owner.connection, 3.5);
    const sync = await failedSync(owner, [owner.connection.accounts[0].id]);
    const { page, close } = await signedInAt('/', { browser, service, owner });
    await page.getByText('2 items').waitFor();
    await page.getByRole('button', { name: 'Run again' }).click();
    await until(
      async () => (await owner.v2('GET', `/v2/syncs/${sync.id}?include[]=latest_run`)).body,
      ({ latest_run: run }) => run.id !== sync.latest_run.id && run.trigger === 'dashboard',
    );
    await page.getByText('0 rows added').waitFor();
    await page.getByText('The consent ends in 3 days').waitFor();
    await page.getByRole('button', { name: 'Reauthorise' }).click();
    await page.waitForURL(/\/link\//);
    await close();
  });

  test('where balances cannot be loaded, the rest of the page is there', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    const refused = await refuse(page, '**/v2/balances?**', {
      status: 400,
      json: { error: { message: 'Refused.', code: 'parameter_invalid' } },
    });
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText('These charts need the balances').waitFor();
    assert.equal(await page.getByRole('alert').filter({ hasText: 'Refused.' }).count(), 1);
    await page.getByRole('heading', { name: 'Recent runs' }).waitFor();
    await refused.passAfter(page.getByRole('button', { name: 'Try again' }).first());
    await page.getByText('Net position · AUD').waitFor();
    await close();
  });
});
