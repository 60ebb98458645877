import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { readCsv } from '../features/exports/csv-reader.ts';
import { sandboxBank } from '../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
import { openChromium } from './chromium.ts';
import { linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';
import { sheetWithRun } from './sync-lives.ts';

const ROWS = 'GET /v1/banking/transactions';
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
beforeEach(() => sandboxBank(service.app).clearFaults());

/** An owner of whose first account the bank sends two posted rows with an amount that no one can read. */
async function ownerWithBrokenRows(): Promise<{ readonly owner: TestOwner; readonly account: Json }> {
  const owner = await linkedOwner(service);
  const [{ id }] = owner.connection.accounts;
  const account = (await owner.v2('GET', `/v2/accounts/${id}`)).body;
  const { data } = (await owner.v2('GET', `/v2/transactions?account=${id}&limit=100`)).body;
  const posted = data.filter(({ status }: Json) => status === 'posted').slice(0, 2);
  assert.equal(posted.length, 2);
  for (const row of posted) {
    const fault = { route: ROWS, kind: 'override', member: 'amount', value: '1,234.56' } as const;
    sandboxBank(service.app).addFault({ ...fault, row: row.id.replace(/^txn_fk_/, '') });
  }
  return { owner, account };
}

const said = (page: Page, account: Json) =>
  page.getByText(new RegExp(`^2 rows of ${account.name}.* could not be read, so they are missing here$`));

describe('rows of a bank that could not be read', () => {
  test('every figure, list and chart without them says so, and which ones they are, from what is held as well', async () => {
    const { owner, account } = await ownerWithBrokenRows();
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    for (const name of ['Net worth', 'Income and spending', 'Spending'])
      await said(page, account)
        .and(page.getByRole('region', { name, exact: true }).locator('summary'))
        .waitFor();
    const needs = page.getByRole('region', { name: 'Needs you' });
    await needs.getByText('2 rows could not be read, so figures are without them').waitFor();
    await needs.getByRole('link', { name: 'See why' }).click();
    await page.getByRole('heading', { name: account.name, level: 1 }).waitFor();
    for (const name of ['Balance', 'Money in and out', 'Latest transactions'])
      await said(page, account)
        .and(page.getByRole('region', { name, exact: true }).locator('summary'))
        .waitFor();
    await said(page, account).first().click();
    await page.getByText('The amount that the bank sent cannot be read.').first().waitFor();
    await page.getByRole('link', { name: 'Transactions', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor();
    await said(page, account).waitFor();
    for (const tab of ['Recurring', 'Merchants']) {
      await page.getByRole('link', { name: tab, exact: true }).click();
      await page.getByRole('heading', { name: tab, level: 1 }).waitFor();
      await said(page, account).waitFor();
    }
    await page.getByRole('main').getByRole('listitem').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Totals' }).waitFor();
    await said(page, account).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a file names what it lacks once it is saved, whether the page or the service writes it', async () => {
    const { owner, account } = await ownerWithBrokenRows();
    const { page, close } = await signedInAt('/transactions', { browser, service, owner });
    const lacking = new RegExp(`2 rows of ${account.name}.* could not be read, so they are not in the file`);
    for (const format of ['CSV', 'QIF']) {
      await page.getByRole('button', { name: 'Export' }).click();
      const dialog = page.getByRole('dialog');
      assert.equal(await dialog.getByText('All transactions').count(), 0);
      await dialog.getByRole('radio', { name: format, exact: true }).check();
      await dialog.getByRole('button', { name: 'Save file' }).click();
      await dialog.getByText('File saved').waitFor();
      await dialog.getByText(lacking).waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
    }
    await close();
  });

  test('a sync, its runs, its verification and its export put them first, and none of them is a full success', async () => {
    const { owner, account } = await ownerWithBrokenRows();
    const { sync, run } = await sheetWithRun(owner, [account.id]);
    const { page, complaints, close } = await signedInAt('/syncs', { browser, service, owner });
    const main = page.getByRole('main');
    await main.getByText('2 rows rejected', { exact: true }).waitFor();
    assert.equal(await main.getByText('Up to date').count(), 0);
    await main.getByRole('link', { name: 'Household' }).click();
    await page.getByRole('heading', { name: 'Run history' }).waitFor();
    assert.equal(await main.getByText('Succeeded', { exact: true }).and(main.locator('span')).count(), 0);
    await page.getByRole('button', { name: 'Start verifying' }).click();
    await page.getByText('2 rows could not be read and were not compared').first().waitFor();
    assert.equal(await page.getByText('The destination shows what the bank has').count(), 0);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    await page
      .getByText(`2 rows of ${account.name} could not be read, so they are not in the file`)
      .waitFor();
    assert.ok(readCsv(await readFile(await download.path(), 'utf8')).length > 5);
    const { body: again } = await owner.v2('POST', `/v2/syncs/${sync.id}/run`);
    assert.notEqual(again.id, run.id);
    await page.goto(new URL(`/sync-runs/${again.id}`, service.url).href);
    await page.getByText('Everything else was up to date already.').waitFor();
    assert.equal(await page.getByText('Nothing new').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });
});
