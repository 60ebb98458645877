import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { failedSync, linkedOwner } from './lives.ts';
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

describe('what can go wrong around a page', () => {
  test('a write whose answer was lost is done once, however often it is tried', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/rulesets', { browser, service, owner });
    let lost = 0;
    await page.route('**/v2/rulesets', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'New ruleset' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Once');
    const save = dialog.getByRole('button', { name: 'Create' });
    await save.click();
    await dialog.getByText('The service does not answer.').waitFor();
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    const { data } = (await owner.v2('GET', '/v2/rulesets')).body;
    assert.deepEqual(
      data.map(({ name }: { name: string }) => name),
      ['Once'],
    );
    assert.equal(lost, 1);
    await close();
  });

  test('a page that the browser restores from memory is loaded again, so that nothing of a former session is shown', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/', { browser, service, owner });
    await page.getByText('Balances in AUD, less what is owed').waitFor();
    await page.context().clearCookies();
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await page.waitForURL(/\/sign-in/);
    await close();
  });

  test('a day can be typed digit by digit, and the bank is not asked for the years that this passes through', async () => {
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt('/transactions', { browser, service, owner });
    await page.getByRole('listitem').nth(5).waitFor();
    const from = page.getByLabel('From', { exact: true });
    const year = (await from.inputValue()).slice(0, 4);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/transactions/export')) asked.push(searchParams.get('from') ?? '');
    });
    await from.focus();
    await page.keyboard.type(`0101${year}`);
    await page.getByText(/^[1-9]\d* transactions/).waitFor();
    assert.equal(await from.inputValue(), `${year}-01-01`);
    assert.equal(new URL(page.url()).searchParams.get('from'), `${year}-01-01`);
    assert.ok(
      asked.every((day) => day >= `${year}-01-01`),
      asked.join(),
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('an address with a day that does not exist, or an unknown reason, still opens its page', async () => {
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt('/transactions?from=2026-02-31&to=9999-99-99', {
      browser,
      service,
      owner,
    });
    await page.getByRole('listitem').nth(5).waitFor();
    await page.goto(new URL('/connections?link_session=failed&reason=__proto__', service.url).href);
    await page.getByText('Nothing was shared. You can start again at any time.').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a bank is not deleted before it is said which syncs stop, or that this cannot be looked up', async () => {
    const owner = await linkedOwner(service);
    await failedSync(owner, [owner.connection.accounts[0].id]);
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    const refused = await refuse(page, '**/v2/syncs?**', {
      status: 400,
      json: { error: { message: 'Refused.', code: 'parameter_invalid' } },
    });
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('stop every sync that reads it').waitFor();
    await refused.passAfter(dialog.getByRole('button', { name: 'Try again' }));
    await dialog.getByText(/^stop the sync /).waitFor();
    await close();
  });

  test('a category that is changed under Categories is changed in transactions that were read before', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/transactions?q=groceries', { browser, service, owner });
    await page.getByText(/^[1-9]\d* of \d+ transactions$/).waitFor();
    const { data } = (await owner.v2('GET', '/v2/categories')).body;
    const coffee = data.find(({ name }: { name: string }) => name === 'Coffee');
    await page.getByRole('link', { name: 'Categories' }).click();
    await page.getByRole('button', { name: 'Actions for Coffee' }).click();
    await page.getByRole('menuitem', { name: 'Choose codes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('searchbox').fill('FOOD_AND_DRINK_GROCERIES');
    await dialog.getByRole('checkbox', { name: /Groceries/ }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('searchbox', { name: 'Search' }).fill('coffee');
    await page.getByText(/^[1-9]\d* of \d+ transactions$/).waitFor();
    await page.getByText('No transaction matches').waitFor({ state: 'detached' });
    await page.getByRole('listitem').filter({ hasText: 'Coffee' }).first().waitFor();
    const after = (await owner.v2('GET', `/v2/categories/${coffee.id}`)).body;
    assert.ok(after.sources.includes('FOOD_AND_DRINK_GROCERIES'));
    await close();
  });
});
