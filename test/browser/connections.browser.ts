import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { moneyText } from '../../web/src/format/money.ts';
import { rateText } from '../../web/src/format/numbers.ts';
import { sandboxBank } from '../support/sandbox-bank.ts';
import { startService, type TestService } from '../support/service.ts';
import { changeAnswers } from './changed-answers.ts';
import { openChromium } from './chromium.ts';
import { endConsentIn, failedSync, linkedOwner, withdrawnOwner } from './lives.ts';
import { signedInAt } from './people.ts';
import { refuse } from './refusals.ts';

let service: TestService;
let browser: Browser;
before(async () => {
  // What the vendor says of its banks is read again each time.
  service = await startService({ LIMIT_INSTITUTIONS_CACHE_SECONDS: '0' });
  browser = await openChromium();
});
after(async () => {
  await browser?.close();
  await service?.close();
});

/** Presses the first button of each page of the service and of the bank, until the application is back. */
async function consent(page: Page): Promise<void> {
  for (let step = 0; step < 10 && new URL(page.url()).pathname !== '/connections'; step++) {
    const at = page.url();
    await page.locator('main button[type=submit], main form button, main a.button').first().click();
    await page.waitForURL((url) => url.href !== at, { timeout: 30_000 }).catch(() => undefined);
  }
}

describe('connections in the web application', () => {
  test('a person links a bank: search, disclosure, consent, and back to its accounts', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/connections', { browser, service, owner });
    await page.getByRole('heading', { name: 'No bank is linked yet' }).waitFor();
    await page.getByRole('link', { name: 'Link a bank' }).first().click();
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('no bank of this name');
    await page.getByText('Nothing is called').waitFor();
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('sandbox');
    await page
      .getByRole('button', { name: /Sandbox Data Holder/ })
      .first()
      .click();
    await page.waitForURL(/\/link\//);
    assert.match(await page.locator('main').innerText(), /Continue/);
    await consent(page);
    await page.getByRole('status').filter({ hasText: 'Your bank is linked' }).waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
    const [connection] = (await owner.v2('GET', '/v2/connections?include[]=accounts')).body.data;
    for (const { name } of connection.accounts) await page.getByText(name, { exact: true }).first().waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('an account has a page with its balance, its months, its terms and the syncs that read it', async () => {
    const owner = await linkedOwner(service, { customer: 'mortgage-offset' });
    const accounts: { id: string; name: string; type: string }[] = (await owner.v2('GET', '/v2/accounts'))
      .body.data;
    const loan = accounts.find(({ type }) => type === 'loan') ?? assert.fail('no loan');
    await failedSync(owner, [loan.id]);
    const { page, complaints, close } = await signedInAt('/connections', { browser, service, owner });
    await page.getByRole('link', { name: loan.name }).click();
    await page.getByRole('heading', { level: 1, name: loan.name }).waitFor();
    const { current } = (await owner.v2('GET', `/v2/accounts/${loan.id}/balance`)).body;
    const balance = moneyText(BigInt(current.amount), current.currency);
    await page.getByText(balance, { exact: true }).first().waitFor();
    const details = (await owner.v2('GET', `/v2/accounts/${loan.id}/details`)).body;
    await page.getByText(details.product_name).waitFor();
    await page
      .getByRole('table', { name: 'Interest you pay' })
      .getByText(rateText(details.lending_rate))
      .waitFor();
    await page.getByText('Principal and interest').waitFor();
    const months = page.getByRole('group', { name: 'Money in and out by month' });
    await months.getByRole('button').first().click();
    await page.getByRole('button', { name: '12 months' }).click();
    await months.getByRole('button').nth(11).waitFor();
    await page.getByText(/^To /).waitFor();
    await page.getByRole('link', { name: 'All transactions' }).click();
    await page.waitForURL(
      (url) => url.pathname === '/transactions' && url.searchParams.get('account') === loan.id,
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a person who cancels is back and reads why nothing was linked', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/connections/new', { browser, service, owner });
    await page
      .getByRole('button', { name: /Sandbox Data Holder/ })
      .first()
      .click();
    await page.waitForURL(/\/link\//);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').filter({ hasText: 'You cancelled. Nothing was shared.' }).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.waitForURL((url) => url.search === '');
    await close();
  });

  test('the search says which bank is down while it is, and linking it meanwhile ends with the reason', async () => {
    const owner = await service.owner();
    const bank = sandboxBank(service.app);
    const { page, complaints, close } = await signedInAt('/connections/new', { browser, service, owner });
    const search = page.getByRole('searchbox', { name: 'Search by name' });
    const found = page.getByRole('button', { name: /Gumtree Mutual/ });
    await search.fill('gumtree');
    await found.waitFor();
    assert.doesNotMatch(await found.innerText(), /Outage now/);
    bank.setInstitutionStatus('90001', 'OUTAGE');
    await search.fill('gumtree m');
    await found.filter({ hasText: 'Outage now' }).click();
    for (const name of ['Continue', 'Log in', 'Consent']) {
      await page.getByRole('button', { name, exact: true }).click();
    }
    await page.getByRole('alert').filter({ hasText: 'The bank reported an error of its own.' }).waitFor();
    assert.deepEqual((await owner.v2('GET', '/v2/connections')).body.data, []);
    bank.setInstitutionStatus('90001', 'HEALTHY');
    await page.getByRole('link', { name: 'Link a bank' }).first().click();
    await search.fill('gumtree');
    await found.waitFor();
    assert.doesNotMatch(await found.innerText(), /Outage now/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a bank that is not offered cannot be chosen, and one that no longer is says so when it is chosen', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/connections/new', { browser, service, owner });
    const search = page.getByRole('searchbox', { name: 'Search by name' });
    const found = page.getByRole('button', { name: /Members Only Bank/ });
    await search.fill('members');
    await found.filter({ hasText: 'Not offered' }).waitFor();
    assert.equal(await found.isDisabled(), true);
    // As a list that was read before the bank withdrew.
    await changeAnswers(page, '**/v2/institutions?**', (body) =>
      body.replaceAll('"available":false', '"available":true'),
    );
    await search.fill('members only');
    await found.and(page.locator(':enabled')).click();
    const problem = page.getByRole('alert').filter({ hasText: 'cannot be opened now' });
    await problem.getByText('This bank or broker cannot be linked at the moment.').waitFor();
    await close();
  });

  test('deleting says what it will do, does it, and the connection is gone', async () => {
    const owner = await linkedOwner(service);
    await failedSync(owner, [owner.connection.accounts[0].id]);
    const { page, complaints, close } = await signedInAt('/connections', { browser, service, owner });
    const bank: string = owner.connection.institution.name;
    await page.getByRole('button', { name: `Actions for ${bank}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete ${bank}?` });
    await dialog.getByText('stop the sync Household ledger').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.equal((await owner.v2('GET', '/v2/connections')).body.data.length, 1);
    await page.getByRole('button', { name: `Actions for ${bank}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No bank is linked yet' }).waitFor();
    assert.deepEqual((await owner.v2('GET', '/v2/connections')).body.data, []);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a connection whose consent ends soon says when, and reauthorising it leads to the bank and back', async () => {
    const owner = await linkedOwner(service);
    await endConsentIn(service, owner.connection, 12.5);
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    await page.getByText('Expires in 12 days').waitFor();
    await page.getByRole('button', { name: 'Reauthorise' }).click();
    await page.waitForURL(/\/link\//);
    await consent(page);
    await page.getByText('Your bank is linked').waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
    await close();
  });

  test('a consent that ended at the bank says so with its reason, and reauthorising brings it back', async () => {
    const owner = await withdrawnOwner(service, 'Changed my mind');
    const path = `/connections/${owner.connection.id}`;
    const { page, complaints, close } = await signedInAt(path, { browser, service, owner });
    await page.getByText('Sign-in needed', { exact: true }).waitFor();
    const entry = page.getByRole('listitem').filter({ hasText: 'Granted' });
    assert.match(await entry.innerText(), /Ended.*Withdrawn.*Changed my mind/s);
    await page.getByRole('button', { name: 'Reauthorise' }).click();
    await page.waitForURL(/\/link\//);
    await consent(page);
    await page.getByRole('link', { name: owner.connection.institution.name }).click();
    await entry.filter({ hasText: 'Active' }).waitFor();
    // The vendor renews the consent that there was.
    assert.doesNotMatch(await entry.innerText(), /Ended|Reason/);
    await page.getByText('Connected', { exact: true }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('refreshing says that the bank is read again, or when it can be asked again', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt(`/connections/${owner.connection.id}`, {
      browser,
      service,
      owner,
    });
    await page.getByRole('heading', { name: 'Consents' }).waitFor();
    await page.getByText('Granted').waitFor();
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Refresh' }).click();
    await page.getByText(`${owner.connection.institution.name}: read again just now`).waitFor();
    await page.getByText(/^\d+ balances? read\. No enabled sync reads this bank\.$/).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Refresh' }).click();
    await page.getByText(/^Refreshed .+\. The bank can be asked again in 1[45] minutes\.$/).waitFor();
    await close();
  });

  test('a missing connection is reported, with what it means', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/connections/conn_nothing', { browser, service, owner });
    const problem = page.getByRole('alert');
    await problem.getByRole('link', { name: 'What this means' }).waitFor();
    assert.match((await problem.innerText()).trim(), /^This could not be loaded\n/);
    await close();
  });

  test('while the service does not answer, the page says so and tries again when asked', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    await page.getByText('Connected', { exact: true }).waitFor();
    const refused = await refuse(page, '**/v2/connections?**', null);
    await page.reload();
    await page.getByText('The service does not answer.').waitFor();
    await refused.passAfter(page.getByRole('button', { name: 'Try again' }));
    await page.getByText('Connected', { exact: true }).waitFor();
    await close();
  });
});
