import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { ofxOf, STATEMENT, upload } from '../features/documents/statements.ts';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';
import { drop, GERMAN_CSV, overlappingFile, UNGUESSED_CSV } from './statement-lives.ts';

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

const files = '/connections/files';

describe('statement files in the web application', () => {
  test('a person drops a CSV, corrects how it is read, takes it, sees its rows, undoes it, and deletes the file', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/connections/new', { browser, service, owner });
    await page.getByRole('link', { name: 'Upload its statements as files instead.' }).click();
    await page.getByRole('heading', { name: 'No statement file yet' }).waitFor();
    await page.getByText('with this one exception').waitFor();
    await drop(page, [{ name: 'umsaetze.csv', text: GERMAN_CSV }]);
    await page.getByRole('heading', { name: 'umsaetze.csv', level: 1 }).waitFor();
    await page.getByText('whether the day or the month comes first').waitFor();

    const order = page.getByLabel('Order of dates');
    await order.selectOption('Month, day, year');
    const rows = page.getByRole('group', { name: 'Rows of the file' });
    await rows.getByRole('row', { name: /9 Mar 2026|Mar 9, 2026/ }).waitFor();
    await order.selectOption('Day, month, year');
    await rows.getByRole('row', { name: /3 Sept? 2026|Sep 3, 2026/ }).waitFor();
    await page.getByLabel('What Notiz holds').selectOption('Description');
    await rows.getByText('Corner Coffee Flat white').waitFor();
    await rows.getByText(/-.*1,023\.95/).waitFor();
    const [uploaded] = (await owner.v2('GET', '/v2/documents')).body.data;
    assert.deepEqual(
      [uploaded.layout.columns.description, uploaded.layout.date_order, uploaded.layout.decimal_sign],
      [[1, 2], 'dmy', ','],
    );

    await page.getByLabel('Delete the file').selectOption('7 days after it is delivered');
    await page.getByRole('button', { name: 'Take 3 new rows' }).click();
    await page.getByText('3 rows in Statement').waitFor();
    await page.getByText('Deleted 7 days after delivery').waitFor();
    await page.getByRole('link', { name: 'umsaetze.csv' }).click();
    await page.getByRole('link', { name: '3 rows in Statement' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Book shop Atlas' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('No transactions yet.').waitFor();
    assert.equal((await owner.v2('GET', '/v2/documents')).body.data[0].status, 'undone');

    await page.getByRole('link', { name: 'All files' }).click();
    await page.getByText('Taken out', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Actions for umsaetze.csv' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No statement file yet' }).waitFor();
    assert.deepEqual((await owner.v2('GET', '/v2/documents')).body.data, []);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('of a file for an account that is linked live, rows that the feed has are left out, and the page says which', async () => {
    const owner = await linkedOwner(service);
    const account = owner.connection.accounts[0];
    const { id } = await overlappingFile(owner, account.id);
    const { page, complaints, close } = await signedInAt(`${files}?file=${id}`, { browser, service, owner });
    const rows = page.getByRole('group', { name: 'Rows of the file' });
    await rows.getByRole('row', { name: /Cash at the market.*Is added/ }).waitFor();
    assert.equal(await rows.getByRole('row', { name: /Left out: the bank’s feed has it/ }).count(), 2);
    await page.getByText('is linked live as well').waitFor();
    await page.getByRole('button', { name: 'Take 1 new row' }).click();
    await page.getByText('2 rows left out, which the bank’s feed has').waitFor();
    const [taken] = (await owner.v2('GET', '/v2/documents')).body.data;
    assert.deepEqual([taken.parts[0].rows, taken.parts[0].live_rows], [1, 2]);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('of several files each has its own line: one that is too large is not sent, one that is no statement says so', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt(files, { browser, service, owner });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/v2/documents'))
        sent.push(JSON.parse(request.postData() ?? '{}').name);
    });
    await page.locator('input[type="file"]').setInputFiles([
      { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]) },
      { name: 'all-years.csv', mimeType: 'text/csv', buffer: Buffer.alloc(10_000_001, 'a') },
      { name: 'september.ofx', mimeType: 'text/plain', buffer: Buffer.from(ofxOf(STATEMENT)) },
    ]);
    const lines = page.getByRole('list', { name: 'Uploads' });
    await lines.getByText('It has 10 MB; a file may have up to 10 MB.').waitFor();
    await lines.getByRole('alert').filter({ hasText: 'photo.png was not uploaded' }).waitFor();
    await page.getByRole('link', { name: 'september.ofx', exact: true }).waitFor();
    assert.deepEqual(sent, ['photo.png', 'september.ofx']);
    await page.getByRole('button', { name: 'Remove all-years.csv from this list' }).click();
    await lines.getByText('all-years.csv').waitFor({ state: 'detached' });
    await close();
  });

  test('an upload or a take whose answer was lost is tried again, and done once', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt(files, { browser, service, owner });
    let lost = 0;
    await page.route(/\/v2\/documents(?:\/[^/]+\/take)?$/, async (route) => {
      if (route.request().method() !== 'POST' || lost === 2) return route.continue();
      const isTake = route.request().url().endsWith('/take');
      if (isTake !== (lost === 1)) return route.continue();
      lost += 1;
      await route.fetch();
      await route.abort();
    });
    await drop(page, [{ name: 'september.ofx', text: ofxOf(STATEMENT) }]);
    const failed = page.getByRole('alert').filter({ hasText: 'september.ofx was not uploaded' });
    await failed.getByText('The service does not answer.').waitFor();
    await failed.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Review: september.ofx' }).click();
    const take = page.getByRole('button', { name: 'Take 3 new rows' });
    await take.click();
    await page.getByRole('alert').filter({ hasText: 'september.ofx was not taken' }).waitFor();
    await close();
    const { data } = (await owner.v2('GET', '/v2/documents')).body;
    assert.deepEqual(
      data.map(({ name, status }: { name: string; status: string }) => [name, status]),
      [['september.ofx', 'taken']],
    );
    assert.equal(lost, 2);
  });

  test('columns that cannot be guessed are named by the person, below the cells of the file', async () => {
    const owner = await service.owner();
    const { id } = await upload(owner, 'strange.csv', UNGUESSED_CSV);
    const { page, close } = await signedInAt(`${files}?file=${id}`, { browser, service, owner });
    await page.getByText('Still to be chosen: the column of dates, a description, the amounts.').waitFor();
    await page.getByRole('cell', { name: 'third of September' }).waitFor();
    await page.getByLabel('What Was holds').selectOption('Description');
    await page.getByLabel('What Wann holds').selectOption('Date');
    await page.getByText('Still to be chosen: the amounts.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Take the rows' }).isDisabled());
    await page.getByLabel('What Wieviel holds').selectOption('Amount');
    await page.getByText('2 rows cannot be read').waitFor();
    await page.getByText('Row 2: neither a date nor an amount').waitFor();
    await close();
  });
});
