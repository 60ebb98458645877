import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { readCsv } from '../features/exports/csv-reader.ts';
import { startService, type TestService } from '../support/service.ts';
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

/** Saves a file as a person does; its text. */
async function saved(page: Page, format: string): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('radio', { name: format, exact: true }).check();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save file' }).click(),
  ]);
  await page.getByText('File saved').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  return readFile(await download.path(), 'utf8');
}

describe('files of transactions', () => {
  test('are named after their account record', async () => {
    const owner = await linkedOwner(service, { customer: 'rows:20' });
    await service.app.services.accountRecords.update(owner.record.id, { name: 'Harbour Café' });
    const { page, close } = await signedInAt('/transactions', { browser, service, owner });
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save file' }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^harbour-café-transactions-[\d-]+-to-[\d-]+\.csv$/);
    await close();
  });

  test('a filtered file has exactly what is shown, of the whole period, and no formula', async () => {
    const formula = '=HYPERLINK("https://x.example","click")';
    newCustomer(service, 'formulas', [{ amount: '-12.34', description: formula }]);
    const owner = await linkedOwner(service, { customer: 'formulas' });
    const { page, complaints, close } = await signedInAt('/transactions?kind=out', {
      browser,
      service,
      owner,
    });
    const count = await page.getByText(/^\d+ of \d+ transactions$/).innerText();
    const shown = Number(/^\d+/.exec(count)?.[0]);
    const [names = [], ...lines] = readCsv((await saved(page, 'CSV')).replace(/^\uFEFF/, ''));
    assert.equal(lines.length, shown);
    const column = (name: string) => lines.map((line) => line[names.indexOf(name)] ?? '');
    assert.ok(column('Amount').every((amount) => amount.startsWith('-')));
    assert.ok(column('Description').includes(`'${formula}`));
    const objects = (await saved(page, 'JSON lines'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      objects.map(({ id }) => id),
      column('Transaction ID'),
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('without a filter the rest of the period is read first, and OFX is the statement of the service', async () => {
    const owner = await linkedOwner(service, { customer: 'rows:6000' });
    const { page, close } = await signedInAt('/transactions?from=2026-01-01', { browser, service, owner });
    await page.getByText(/transactions read so far$/).waitFor();
    const lines = (await saved(page, 'JSON lines')).trimEnd().split('\n');
    assert.equal(new Set(lines.map((line) => JSON.parse(line).id)).size, 6000);
    const ofx = await saved(page, 'OFX');
    assert.equal(ofx.split('<STMTTRN>').length - 1, 6000);
    assert.ok(ofx.trimEnd().endsWith('</OFX>'));
    assert.match(await saved(page, 'OFX 1.02'), /^OFXHEADER:100\r\n/);
    assert.equal((await saved(page, 'QIF')).match(/^\^$/gm)?.length, 6000);
    await close();
  });

  test('a file that cannot be read completely is not saved, and the page says so', async () => {
    const owner = await linkedOwner(service, { customer: 'rows:6000' });
    const { page, close } = await signedInAt('/transactions?from=2026-01-01', { browser, service, owner });
    await page.getByText(/transactions read so far$/).waitFor();
    await page.route('**/v2/transactions/export**', (route) => route.abort());
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('radio', { name: 'OFX', exact: true }).check();
    let downloads = 0;
    page.on('download', () => {
      downloads += 1;
    });
    await page.getByRole('button', { name: 'Save file' }).click();
    await page.getByRole('alert').getByText('The file could not be made').waitFor();
    assert.equal(downloads, 0);
    await close();
  });
});
