import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { moneyText } from '../../web/src/format/money.ts';
import { startService, type TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
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

describe('the page of an account', () => {
  test('an account has the name that its owner gave it everywhere, and one that they leave out of totals is in none', async () => {
    const owner = await linkedOwner(service, { customer: 'mortgage-offset' });
    const accounts: Json[] = (await owner.v2('GET', '/v2/accounts')).body.data;
    const loan = accounts.find(({ type }) => type === 'loan') ?? assert.fail('no loan');
    const query = accounts.map(({ id }) => `account=${id}`).join('&');
    const { data }: { data: Json[] } = (await owner.v2('GET', `/v2/balances?${query}`)).body;
    const { page, complaints, close } = await signedInAt(`/accounts/${loan.id}`, { browser, service, owner });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Name and totals' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Our house');
    await dialog.getByRole('checkbox', { name: 'Count this account in totals' }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Our house' }).waitFor();
    await page.goto(service.url);
    const balances = page.getByRole('region', { name: 'Balances' });
    await balances.getByRole('link', { name: 'Our house' }).waitFor();
    assert.equal(await balances.getByText(/not in totals/).count(), 1);
    const counted = data.filter(({ account }) => account !== loan.id);
    const net = moneyText(
      counted.reduce((sum, { current }) => sum + BigInt(current.amount), 0n),
      counted[0]?.current.currency,
    );
    await balances.locator('dd').getByText(net, { exact: true }).waitFor();
    const slider = page.getByRole('slider', { name: /^Net worth in AUD/ });
    assert.ok((await slider.getAttribute('aria-valuetext'))?.endsWith(net));
    const shown = (await owner.v2('GET', `/v2/accounts/${loan.id}`)).body;
    assert.deepEqual([shown.name, shown.nickname, shown.in_totals], [loan.name, 'Our house', false]);
    assert.deepEqual(complaints, []);
    await close();
  });
});
