import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { draftAt, putInto, secretOf, spreadsheet } from './destination-lives.ts';
import { failedSync, linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';
import { refuse } from './refusals.ts';

const HOSTILE = '<img src=x onerror="document.title=1"> & "money"';

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

/** From the application's own page through the service's to the vendor's, where the person answers. */
async function signInAt(page: Page, vendor: string, answer: 'Allow' | 'Deny'): Promise<void> {
  await page.getByRole('button', { name: `Continue to ${vendor}` }).click();
  await page.waitForURL(/\/connect\//);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('button', { name: answer, exact: true }).click();
}

describe('destinations in the web application', () => {
  test('a person adds a spreadsheet: disclosure, sign-in at Google, a new spreadsheet, and a link to it', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/destinations', { browser, service, owner });
    await page.getByRole('heading', { name: 'No destination yet' }).waitFor();
    await page.getByRole('link', { name: 'Add a destination' }).first().click();
    await page.getByRole('link', { name: /^Google Sheets/ }).click();
    await page.getByText('The spreadsheet and its rows stay in your Drive.').waitFor();
    await page.getByText('The Consumer Data Right no longer protects it.').waitFor();
    await signInAt(page, 'Google Sheets', 'Allow');
    await page.getByRole('status').filter({ hasText: 'You are signed in' }).waitFor();
    await page.getByText('Not finished', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('');
    await page.getByRole('button', { name: 'Make the spreadsheet' }).click();
    await page.getByText('Give it a name.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill(HOSTILE);
    await page.getByRole('button', { name: 'Make the spreadsheet' }).click();
    await page.getByRole('status').filter({ hasText: 'Ready to be written to' }).waitFor();
    await page.getByText('Active', { exact: true }).waitFor();
    const [made] = (await owner.v2('GET', '/v2/destinations')).body.data;
    assert.deepEqual([made.status, made.target.spreadsheet_name], ['active', HOSTILE]);
    await page.getByText(`${HOSTILE} · ${made.target.sheet_name}`, { exact: true }).waitFor();
    const address = await page.getByRole('link', { name: 'Open in Google Sheets' }).getAttribute('href');
    assert.match(address ?? '', new RegExp(`/spreadsheets/d/${made.target.spreadsheet_id}/`));
    // It had the vendor's name, which does not distinguish it from others of the vendor.
    await page.getByRole('heading', { name: HOSTILE, level: 1 }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a person who refuses at the vendor is back where they began and reads why', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/destinations/new?type=notion', { browser, service, owner });
    await signInAt(page, 'Notion', 'Deny');
    await page.getByRole('alert').filter({ hasText: 'Access was refused there' }).waitFor();
    await page.getByRole('button', { name: 'Continue to Notion' }).waitFor();
    assert.deepEqual((await owner.v2('GET', '/v2/destinations')).body.data, []);
    await close();
  });

  test('a draft is aimed at a tab that is there, found by search', async () => {
    const owner = await service.owner();
    for (let made = 1; made <= 9; made++) await spreadsheet(owner, `Budget ${made}`);
    const draft = await draftAt(owner, 'sheets');
    const { page, complaints, close } = await signedInAt(`/destinations/${draft.id}`, {
      browser,
      service,
      owner,
    });
    await page.getByRole('radio', { name: /that is there already/ }).check();
    const use = page.getByRole('button', { name: 'Use this tab' });
    await page.getByRole('searchbox', { name: 'Search spreadsheets' }).fill('nothing of this name');
    await page.getByText('Nothing of this name.').waitFor();
    await page.getByRole('searchbox', { name: 'Search spreadsheets' }).fill('budget 7');
    assert.equal(await use.isDisabled(), true);
    await page.getByRole('button', { name: 'Budget 7' }).click();
    await page.getByRole('group', { name: 'Choose a tab in Budget 7' }).getByRole('radio').first().check();
    await use.click();
    await page.getByRole('status').filter({ hasText: 'Ready to be written to' }).waitFor();
    const { body } = await owner.v2('GET', `/v2/destinations/${draft.id}`);
    assert.deepEqual([body.status, body.target.spreadsheet_name], ['active', 'Budget 7']);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a database connects by its address once that is right, and gets a table', async () => {
    const owner = await service.owner();
    const secret = await secretOf(service, 'postgres');
    // The simulated server starts with its first visitor, which takes seconds.
    await (await service.owner()).v2('POST', '/v2/destinations', { type: 'postgres', secret });
    const { page, close } = await signedInAt('/destinations/new?type=postgres', { browser, service, owner });
    const address = page.getByRole('textbox', { name: 'Connection address' });
    await address.fill('postgres://nobody');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'Postgres was not connected' }).waitFor();
    await address.fill(secret);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: 'Choose what it writes to' }).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Money 2026');
    await page.getByRole('combobox', { name: 'It will hold' }).selectOption('Trades');
    await page.getByRole('button', { name: 'Make the table' }).click();
    await page.getByRole('status').filter({ hasText: 'Ready to be written to' }).waitFor();
    const [made] = (await owner.v2('GET', '/v2/destinations')).body.data;
    assert.equal(made.target.table, 'money_2026');
    await page.getByText(`${made.target.schema}.money_2026`).first().waitFor();
    await close();
  });

  test('an Actual server connects by address and password, and a budget on it is chosen', async () => {
    const owner = await service.owner();
    const secret = new URL(await secretOf(service, 'actual'));
    const { page, complaints, close } = await signedInAt('/destinations/new?type=actual', {
      browser,
      service,
      owner,
    });
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('This is no address. It starts with https://').waitFor();
    await page.getByLabel('Address of the sync server').fill(`${secret.origin}${secret.pathname}`);
    await page.getByLabel('Password of the server').fill(decodeURIComponent(secret.password));
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('group', { name: 'Choose a budget' }).getByRole('radio').first().check();
    await page.getByRole('button', { name: 'Use this budget' }).click();
    await page.getByRole('status').filter({ hasText: 'Ready to be written to' }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('the list says what each needs, and signing in again leads to the vendor and back into the same destination', async () => {
    const owner = await service.owner();
    const sheet = await spreadsheet(owner, 'My money');
    await putInto(service, sheet, 'reauth_required');
    await draftAt(owner, 'airtable');
    const { page, complaints, close } = await signedInAt('/destinations', { browser, service, owner });
    await page.getByText('Sign-in needed', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Finish setting up' }).waitFor();
    await page.getByText('No sync writes here').first().waitFor();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.waitForURL(/\/connect\//);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.waitForURL((url) => url.pathname === `/destinations/${sheet.id}`);
    await page.getByText('You are signed in').waitFor();
    await page.getByText('Active', { exact: true }).waitFor();
    assert.equal((await owner.v2('GET', '/v2/destinations')).body.data.length, 2);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('renaming is shown, and a name of markup stays text', async () => {
    const owner = await service.owner();
    const sheet = await spreadsheet(owner, 'My money');
    const { page, complaints, close } = await signedInAt(`/destinations/${sheet.id}`, {
      browser,
      service,
      owner,
    });
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(HOSTILE);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: HOSTILE, level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Destinations' }).first().click();
    await page.getByRole('link', { name: HOSTILE, exact: true }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('what a sync writes to cannot be moved, and deleting says what goes with it and what stays', async () => {
    const owner = await linkedOwner(service);
    const sync = await failedSync(owner, [owner.connection.accounts[0].id]);
    const webhook = sync.destination.id;
    const { page, close } = await signedInAt(`/destinations/${webhook}`, { browser, service, owner });
    await page.getByText('Household ledger').first().waitFor();
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('delete the sync Household ledger, with the history of runs').waitFor();
    await page.route('**/v2/destinations/*', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({
            status: 409,
            json: {
              error: { code: 'destination_in_use', message: 'A run is writing to the destination.' },
            },
          })
        : route.fallback(),
    );
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('A run is writing to the destination.').waitFor();
    await dialog.getByText('Wait until it ends').waitFor();
    await page.unroute('**/v2/destinations/*');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No destination yet' }).waitFor();
    assert.deepEqual((await owner.v2('GET', '/v2/syncs')).body.data, []);
    await close();
  });

  test('a member who only reads sees a destination, and is offered nothing that changes it', async () => {
    const owner = await service.owner();
    const sheet = await spreadsheet(owner, 'My money');
    const { page, complaints, close } = await signedInAt(`/destinations/${sheet.id}`, {
      browser,
      service,
      owner,
      role: 'reader',
    });
    await page.getByText(`My money · ${sheet.target.sheet_name}`, { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Actions for/ }).count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a missing destination is reported, and a list that does not load is requested again', async () => {
    const owner = await service.owner();
    await spreadsheet(owner, 'My money');
    const { page, close } = await signedInAt('/destinations/dest_nothing', { browser, service, owner });
    await page.getByRole('alert').getByRole('link', { name: 'What this means' }).waitFor();
    const refused = await refuse(page, '**/v2/destinations?**', null);
    await page.getByRole('link', { name: 'Destinations' }).first().click();
    await page.getByText('The service does not answer.').waitFor();
    await refused.passAfter(page.getByRole('button', { name: 'Try again' }));
    await page.getByRole('link', { name: 'Google Sheets' }).waitFor();
    await close();
  });

  test('a vendor that does not answer is named where its things would be listed, and asked again', async () => {
    const owner = await service.owner();
    const draft = await draftAt(owner, 'ynab');
    const { page, close } = await signedInAt('/destinations', { browser, service, owner });
    const refused = await refuse(page, '**/v2/destinations/*/resources?**', {
      status: 503,
      json: { error: { code: 'upstream_unavailable', message: 'YNAB is not available.' } },
    });
    await page.getByRole('link', { name: draft.name, exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'YNAB is not available.' }).waitFor();
    await refused.passAfter(page.getByRole('button', { name: 'Try again' }));
    await page.getByRole('group', { name: 'Choose a budget' }).waitFor();
    await close();
  });
});
