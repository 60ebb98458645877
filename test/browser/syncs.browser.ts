import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { sandboxSheets } from '../support/sandbox-sheets.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
import { changeAnswers } from './changed-answers.ts';
import { openChromium } from './chromium.ts';
import { answering, spreadsheet, webhookWithRun } from './destination-lives.ts';
import { linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';
import { chooseAccounts } from './scenes/syncs.ts';
import { budget, sheetWithRun } from './sync-lives.ts';

const HOSTILE = '<img src=x onerror="document.title=1"> & "rows"';

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

const accountsOf = (owner: { readonly connection: Json }): Json[] => owner.connection.accounts;
const idsOf = (owner: { readonly connection: Json }): string[] => accountsOf(owner).map(({ id }) => id);

async function onlySync(owner: TestOwner): Promise<Json> {
  const { body } = await owner.v2('GET', '/v2/syncs?include[]=latest_run');
  assert.equal(body.data.length, 1);
  return body.data[0];
}

/** The ids in the first column of a tab. */
function idsIn(sheet: Json, tab = Number(sheet.target.sheet_id)): string[] {
  const [, ...rows] = sandboxSheets(service.app).grid(sheet.target.spreadsheet_id, tab);
  return rows.map(([id = '']) => id).filter((id) => id !== '');
}

describe('syncs in the web application', () => {
  test('a person sets up a sync to a spreadsheet, looks at the rows first, starts it and follows the run without reloading', async () => {
    const owner = await linkedOwner(service);
    const sheet = await spreadsheet(owner, HOSTILE);
    const { page, complaints, close } = await signedInAt('/syncs', { browser, service, owner });
    await page.getByRole('heading', { name: 'Nothing is copied yet' }).waitFor();
    await page.getByRole('link', { name: 'New sync' }).first().click();
    const next = page.getByRole('button', { name: 'Continue', exact: true });
    await next.click();
    await next.click();
    await page.getByRole('alert').filter({ hasText: 'Choose at least one account.' }).waitFor();
    await chooseAccounts(page);
    await next.click();
    await page.getByRole('radio').first().check();
    await next.click();
    await page.getByRole('radio', { name: 'All into one tab' }).waitFor();
    // Back and a reload lose nothing.
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.reload();
    assert.ok(await page.getByRole('radio').first().isChecked());
    await next.click();
    await next.click();
    await next.click();
    await page.getByRole('textbox', { name: 'Name' }).fill(HOSTILE);
    await next.click();
    await page.getByRole('button', { name: 'Show what would happen' }).click();
    await page.getByRole('list', { name: 'Rows' }).getByRole('listitem').first().waitFor();
    const paused = await onlySync(owner);
    assert.deepEqual([paused.enabled, paused.latest_run, paused.name], [false, null, HOSTILE]);
    assert.deepEqual(idsIn(sheet), []);
    await page.getByRole('button', { name: 'Start now' }).click();
    await page.waitForURL(/\/sync-runs\//);
    await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor();
    await page.getByText('Delivered', { exact: true }).first().waitFor();
    const { latest_run: run, options, id } = await onlySync(owner);
    assert.deepEqual([run.trigger, id], ['dashboard', paused.id]);
    const rows: string[] = [];
    for (const account of idsOf(owner)) {
      let path = `/v2/transactions?account=${account}&from=${options.data_from}&limit=100`;
      while (path !== '') {
        const { body } = await owner.v2('GET', path);
        rows.push(...body.data.map((row: Json) => row.id));
        path = body.next_page_url === null ? '' : `/v2/transactions${new URL(body.next_page_url).search}`;
      }
    }
    assert.ok(rows.length > 0);
    assert.deepEqual(idsIn(sheet).toSorted(), rows.toSorted());
    await page.getByRole('heading', { name: `Run of ${HOSTILE}`, level: 1 }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a tab for each account is made in the first run, with the rows of that account alone', async () => {
    const owner = await linkedOwner(service);
    const sheet = await spreadsheet(owner, 'Our money');
    const { page, close } = await signedInAt('/syncs/new', { browser, service, owner });
    const next = page.getByRole('button', { name: 'Continue', exact: true });
    await next.click();
    await chooseAccounts(page);
    await next.click();
    await page.getByRole('radio').first().check();
    await next.click();
    await page.getByRole('radio', { name: 'A tab for each account' }).check();
    for (const { name } of accountsOf(owner)) await page.getByLabel(`Tab for ${name}`).waitFor();
    for (let step = 0; step < 3; step++) await next.click();
    await page.getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor();
    const { account_mappings: places } = await onlySync(owner);
    assert.deepEqual(places.map(({ account }: Json) => account).toSorted(), idsOf(owner).toSorted());
    for (const { account, sheet_id: tab } of places) {
      const { body } = await owner.v2('GET', `/v2/transactions?account=${account}&limit=100`);
      const there = new Set(idsIn(sheet, Number(tab)));
      assert.ok(body.data.every(({ id, status }: Json) => status === 'pending' || there.has(id)));
    }
    await close();
  });

  test('a budgeting app asks for an account of the budget for each account, and is given categories', async () => {
    const owner = await linkedOwner(service);
    await budget(owner);
    const { page, close } = await signedInAt('/syncs/new', { browser, service, owner });
    const next = page.getByRole('button', { name: 'Continue', exact: true });
    await next.click();
    await page.getByRole('checkbox', { name: accountsOf(owner)[0].name }).check();
    await next.click();
    await page.getByRole('radio').first().check();
    await next.click();
    const place = page.getByLabel(`Budget account for ${accountsOf(owner)[0].name}`);
    await place.waitFor();
    await next.click();
    await page.getByRole('alert').filter({ hasText: 'Choose a place for every account.' }).waitFor();
    await place.selectOption({ index: 1 });
    await page.getByLabel('Food & Drink', { exact: true }).selectOption({ index: 1 });
    for (let step = 0; step < 3; step++) await next.click();
    await page.getByRole('button', { name: 'Create without running' }).click();
    await page.waitForURL(/\/syncs\/sync_/);
    await page.getByText('1 category mapped').waitFor();
    const { id, account_mappings: places, latest_run: run, enabled } = await onlySync(owner);
    assert.deepEqual([places.length, run, enabled], [1, null, true]);
    const { body } = await owner.v2('GET', `/v2/syncs/${id}/category_mappings`);
    assert.deepEqual(
      body.data.map((one: Json) => one.provider_category),
      ['FOOD_AND_DRINK'],
    );
    await close();
  });

  test('what v2 refuses is explained at the step where it can be mended', async () => {
    const owner = await linkedOwner(service);
    await spreadsheet(owner, 'Our money');
    const { page, close } = await signedInAt('/syncs/new?step=accounts', { browser, service, owner });
    const next = page.getByRole('button', { name: 'Continue', exact: true });
    await chooseAccounts(page);
    await next.click();
    await page.getByRole('radio').first().check();
    for (let step = 0; step < 3; step++) await next.click();
    await page.getByRole('radio', { name: 'At times of day' }).check();
    await page.getByRole('button', { name: 'Add a time' }).click();
    await page.getByLabel('Time 2').fill('09:00');
    await next.click();
    await page.getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('alert').filter({ hasText: 'runs 60 minutes apart' }).waitFor();
    await page.getByLabel('Time 2').fill('20:00');
    await next.click();
    await page.getByRole('button', { name: 'Start now' }).click();
    await page.waitForURL(/\/sync-runs\//);
    assert.deepEqual((await onlySync(owner)).schedule.times, ['08:00', '20:00']);
    await close();
  });

  test('a failing destination: the run says why and what to do, the list has one action, and the runs can be filtered', async () => {
    const owner = await linkedOwner(service);
    const receiver = await answering({ status: 500, body: 'out of order' });
    const { sync } = await webhookWithRun(owner, receiver, idsOf(owner));
    const { page, close } = await signedInAt('/syncs', { browser, service, owner });
    await page.getByText('The last run failed').waitFor();
    receiver.answer = { status: 200, body: '' };
    await page.getByRole('link', { name: 'Household ledger' }).click();
    const chart = page.getByRole('figure', { name: 'The latest 1 run' });
    await chart.getByText('1 run, 1 failed.').waitFor();
    await chart.getByRole('link', { name: /: Failed, 0 rows, / }).waitFor();
    await chart.getByText('Show as a table').click();
    await chart.getByRole('cell', { name: 'Failed' }).waitFor();
    await page.getByLabel('Show runs').selectOption('failed');
    await page.waitForURL(/status=failed/);
    const history = page.getByRole('region', { name: 'Run history' });
    await history.getByRole('listitem').getByRole('link').first().click();
    await page.getByRole('alert').filter({ hasText: 'The run failed' }).waitFor();
    await page.getByRole('link', { name: 'Deliveries of this webhook' }).waitFor();
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor();
    const { body } = await owner.v2('GET', `/v2/syncs/${sync.id}`);
    assert.equal(body.attention, null);
    await close();
  });

  test('the page of a run shows what it has delivered so far, and how it ends, without reloading', async () => {
    const owner = await linkedOwner(service, { customer: 'rows:2000' });
    const receiver = await answering({ status: 200, body: '' });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    receiver.wait = (request) => (request <= 2 ? Promise.resolve() : released);
    const destination = await owner.v2('POST', '/v2/destinations', {
      type: 'webhook',
      name: 'Ledger service',
      target: { url: receiver.url },
    });
    const { body: sync } = await owner.v2('POST', '/v2/syncs', {
      type: 'transactions',
      name: 'Household ledger',
      destination: destination.body.id,
      accounts: idsOf(owner),
      mapping_mode: 'bulk',
      run_now: false,
    });
    const { body: run } = await owner.v2('POST', `/v2/syncs/${sync.id}/run`);
    const { page, complaints, close } = await signedInAt(`/sync-runs/${run.id}`, { browser, service, owner });
    const count = (name: string) =>
      page
        .locator('dl > div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('dd');
    await page.getByText('Running', { exact: true }).first().waitFor();
    await page.evaluate('globalThis.notReloaded = true');
    await count('Added').filter({ hasText: '1,000' }).waitFor();
    assert.ok(await page.getByText('Running', { exact: true }).first().isVisible());
    release();
    await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor();
    await count('Added').filter({ hasText: '2,000' }).waitFor();
    assert.equal(await page.evaluate('globalThis.notReloaded'), true);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a run that ends while its page is open is shown as it ends, by the stream or, where there is none, by polling', async () => {
    const owner = await linkedOwner(service);
    const { sync } = await sheetWithRun(owner, idsOf(owner));
    for (const streams of [true, false]) {
      const { page, close } = await signedInAt('/connections', { browser, service, owner });
      if (!streams) await page.route('**/v2/events/stream', (route) => route.abort());
      const opened = streams ? page.waitForResponse('**/v2/events/stream') : null;
      await page.goto(new URL('/syncs', service.url).href);
      await page.getByText('Up to date', { exact: true }).waitFor();
      assert.match(
        (await opened)?.headers()['content-type'] ?? 'none',
        streams ? /^text\/event-stream/ : /none/,
      );
      await page.evaluate('globalThis.notReloaded = true');
      await owner.v2('POST', `/v2/syncs/${sync.id}`, { name: `Renamed ${streams}` });
      await owner.v2('POST', `/v2/syncs/${sync.id}/run`);
      await page.getByRole('link', { name: `Renamed ${streams}` }).waitFor({ timeout: 30_000 });
      assert.equal(await page.evaluate('globalThis.notReloaded'), true);
      await close();
    }
  });

  test('a dry run and a verification show row by row what differs, and a resync fixes it', async () => {
    const owner = await linkedOwner(service);
    const { sheet, sync } = await sheetWithRun(owner, idsOf(owner));
    const { spreadsheet_id: book, sheet_id: tab } = sheet.target;
    sandboxSheets(service.app).edit(book, [
      {
        deleteDimension: {
          range: { sheetId: Number(tab), dimension: 'ROWS', startIndex: 1, endIndex: 2 },
        },
      },
    ]);
    const { page, complaints, close } = await signedInAt(`/syncs/${sync.id}`, { browser, service, owner });
    await page.getByRole('button', { name: 'Start the dry run' }).click();
    await page.getByText('The next run would change nothing').waitFor();
    await page.getByRole('button', { name: 'Start verifying' }).click();
    await page.getByText('1 difference', { exact: true }).waitFor();
    const problems = page.getByRole('list', { name: 'Differences' });
    await problems.getByText('It was delivered and has been removed there.').waitFor();
    await page.getByRole('button', { name: 'Resync', exact: true }).click();
    await page.getByRole('button', { name: 'Send everything again' }).click();
    await page.waitForURL(/\/sync-runs\//);
    await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor();
    const { body } = await owner.v2('POST', `/v2/syncs/${sync.id}/verify`);
    assert.deepEqual(body.problems, { missing: 0, extra: 0, different: 0, doubled: 0 });
    assert.deepEqual(complaints, []);
    await close();
  });

  test('settings are changed one by one, days are filled in, and rows are downloaded as v2 exports them', async () => {
    const owner = await linkedOwner(service);
    const { sync } = await sheetWithRun(owner, idsOf(owner));
    const { page, close } = await signedInAt(`/syncs/${sync.id}`, { browser, service, owner });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Change runs' }).click();
    await dialog.getByRole('radio', { name: 'At an interval' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Every day').first().waitFor();
    await page.getByRole('button', { name: 'Change name' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill(HOSTILE);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: HOSTILE, level: 1 }).waitFor();
    const { body } = await owner.v2('GET', `/v2/syncs/${sync.id}`);
    assert.deepEqual([body.schedule, body.name], [{ interval_minutes: 1440 }, HOSTILE]);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const arrives = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await arrives).createReadStream()) chunks.push(chunk);
    const exported = await fetch(new URL(`/v2/syncs/${sync.id}/export`, service.url), {
      headers: { authorization: `Bearer ${owner.key}`, 'service-version': '2026-10-01.wattle' },
    });
    assert.equal(Buffer.concat(chunks).toString(), await exported.text());
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Fill in days', exact: true }).click();
    await dialog.getByRole('button', { name: 'Fill in these days' }).click();
    await page.waitForURL(/\/sync-runs\//);
    await page.getByRole('status').filter({ hasText: 'Everything was up to date already.' }).waitFor();
    await close();
  });

  test('a sync is paused, resumed and deleted, and the dialog says what stays', async () => {
    const owner = await linkedOwner(service);
    const { sync, sheet } = await sheetWithRun(owner, idsOf(owner));
    const { page, complaints, close } = await signedInAt('/syncs', { browser, service, owner });
    const menu = page.getByRole('button', { name: 'Actions for Household' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByRole('status').filter({ hasText: 'Household is paused' }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('status').filter({ hasText: 'Household is resumed' }).waitFor();
    const enabled = async () => (await owner.v2('GET', `/v2/syncs/${sync.id}`)).body.enabled;
    assert.equal(await enabled(), true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    assert.equal(await enabled(), false);
    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Household?' });
    await dialog.getByText(`Rows that were delivered stay in ${sheet.name}`).waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Nothing is copied yet' }).waitFor();
    assert.ok(idsIn(sheet).length > 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a run that waits is cancelled from its page', async () => {
    const owner = await linkedOwner(service);
    const { run } = await sheetWithRun(owner, idsOf(owner));
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    let status = 'queued';
    // A worker takes a queued run at once; the page is shown one that waits.
    await changeAnswers(page, `**/v2/sync_runs/${run.id}?**`, (body) =>
      JSON.stringify({ ...JSON.parse(body), status, started_at: null, completed_at: null }),
    );
    await page.route(`**/v2/sync_runs/${run.id}/cancel`, async (route) => {
      status = 'cancelled';
      await route.fulfill({ json: { ...run, status } });
    });
    await page.goto(new URL(`/sync-runs/${run.id}`, service.url).href);
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await page.getByRole('status').filter({ hasText: 'This run was cancelled.' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    const refused = await owner.v2('POST', `/v2/sync_runs/${run.id}/cancel`);
    assert.equal(refused.body.error.code, 'run_not_cancellable');
    await close();
  });

  test('a missing sync and a missing run are reported, with what it means', async () => {
    const owner = await service.owner();
    for (const path of ['/syncs/sync_nothing', '/sync-runs/run_nothing']) {
      const { page, close } = await signedInAt(path, { browser, service, owner });
      await page.getByRole('alert').getByRole('link', { name: 'What this means' }).waitFor();
      await close();
    }
  });
});
