import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { moneyText } from '../../web/src/format/money.ts';
import { until } from '../features/linking/person.ts';
import { startService, type TestService } from '../support/service.ts';
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

  test('accounts at a broker are named apart, with the way to what they hold', async () => {
    const owner = await investor(service, 'self-directed');
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    await page.getByText('is not part of the net position here').waitFor();
    await page.getByRole('link', { name: 'See holdings' }).click();
    await page.getByRole('heading', { name: 'Holdings', level: 1 }).waitFor();
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
    // The list of balances, and what is computed from them; the second asks once more when it appears.
    await page.getByRole('alert').filter({ hasText: 'Refused.' }).nth(1).waitFor();
    await page.getByRole('heading', { name: 'Recent runs' }).waitFor();
    await refused.passAfter(page.getByRole('button', { name: 'Try again' }).first());
    await page.getByText('Net position · AUD').waitFor();
    await close();
  });
});
