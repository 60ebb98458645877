import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { welcomeText } from '../../src/surfaces/cli/welcome.ts';
import { startService, type TestService } from '../support/service.ts';
import { newVisitor, openChromium } from './chromium.ts';
import { linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';
import { refuse } from './refusals.ts';

const PASSWORD = 'correct horse battery';
const MOST_MS = 60_000;
const MOST_CLICKS = 10;

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

/** What a start of the service prints. */
async function printed({ app, url, dataDir }: TestService): Promise<string> {
  const firstRun = await app.operator.firstStart.link(true);
  return welcomeText({
    url,
    appUrl: url,
    sandbox: true,
    linkable: null,
    dataDir,
    first: null,
    firstRun,
    accounts: [],
  });
}

/** The ids in the column of the spreadsheet that is shown. */
function idsShown(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    `(() => {
      const [, head, ...rows] = [...document.querySelectorAll('table.cells tr')].map((line) =>
        [...line.querySelectorAll('th, td')].map((cell) => cell.textContent));
      return rows.map((row) => row[head.indexOf('Transaction ID')]);
    })()`,
  );
}

describe('the tour of the web application', () => {
  test('from the printed link to rows in a spreadsheet: under a minute, in few clicks, and the rows are those of v2', async (t) => {
    const { page, complaints } = await newVisitor(browser);
    const link = /http:\S+\/first-run\/\S+/.exec(await printed(service))?.[0] ?? assert.fail('no link');
    await page.goto(link);
    const began = Date.now();
    let clicks = 0;
    const click = async (name: RegExp | string): Promise<void> => {
      clicks += 1;
      await page.getByRole('button', { name }).first().click();
    };
    await page.getByLabel('Your e-mail address').fill('first@example.test');
    await page.getByLabel('Choose a password').fill(PASSWORD);
    await click('Start');
    await page.getByRole('heading', { name: 'Take the tour', level: 1 }).waitFor();
    await click(/^Link .*Sandbox/);
    await click('Continue');
    await click('Log in');
    await click('Consent');
    await page.waitForURL(/\/welcome\?/);
    // What v2 says there is decides where the tour goes on, not how this page was reached.
    await page.goto(new URL('/welcome', service.url).href);
    await click('Connect sandbox spreadsheets');
    await click('Continue');
    await click('Allow');
    await page.waitForURL(/\/welcome\?/);
    await click('Make the spreadsheet and copy');
    const open = page.getByRole('link', { name: 'Open the spreadsheet' });
    await open.and(page.locator('[href]')).waitFor({ timeout: MOST_MS });
    await page.getByText(/^\d[\d,]* rows copied\.$/).waitFor();
    const popup = page.waitForEvent('popup');
    clicks += 1;
    await open.click();
    const sheet = await popup;
    await sheet.locator('table.cells').waitFor();
    const took = Date.now() - began;
    assert.ok(took < MOST_MS, `${took} ms`);
    assert.ok(clicks <= MOST_CLICKS, `${clicks} clicks`);

    const v2 = async (path: string) =>
      (
        await page.request.get(new URL(`/v2/${path}`, service.url).href, {
          headers: { 'service-version': '2026-10-01.wattle' },
        })
      ).json();
    const [sync] = (await v2('syncs')).data;
    const expected: string[] = [];
    for (const account of sync.accounts) {
      let path = `transactions?limit=100&account=${account}&from=${sync.options.data_from}`;
      while (path !== '') {
        const list = await v2(path);
        for (const row of list.data) expected.push(row.id);
        path = list.next_page_url === null ? '' : list.next_page_url.replace(/^.*\/v2\//, '');
      }
    }
    const shown: string[] = [];
    for (;;) {
      shown.push(...(await idsShown(sheet)));
      const next = sheet.getByRole('link', { name: 'Next' });
      if ((await next.count()) === 0) break;
      await next.click();
    }
    assert.ok(shown.length > 50, `${shown.length} rows`);
    assert.deepEqual(shown.toSorted(), expected.toSorted());
    assert.deepEqual(complaints, []);
    t.diagnostic(`${clicks} clicks, ${took} ms`);
  });

  test('who cancels at the bank is back and reads why, and can leave the tour', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/welcome', { browser, service, owner });
    await page.getByRole('button', { name: /^Link .*Sandbox/ }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').filter({ hasText: 'You cancelled. Nothing was shared.' }).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.waitForURL((url) => url.search === '');
    await page.getByRole('link', { name: 'Skip to home' }).click();
    await page.getByRole('heading', { name: 'Welcome to Tributary' }).waitFor();
    await page.getByRole('link', { name: 'Show me how' }).click();
    await page.getByRole('heading', { name: 'Take the tour' }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('who denies at the spreadsheets is back at that step, and a copy that was refused makes no second spreadsheet', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/welcome', { browser, service, owner });
    await page.getByRole('button', { name: 'Connect sandbox spreadsheets' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('alert').filter({ hasText: 'The spreadsheets were not connected' }).waitFor();
    await page.getByRole('button', { name: 'Connect sandbox spreadsheets' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    const copy = page.getByRole('button', { name: 'Make the spreadsheet and copy' });
    // Chromium may not intercept the requests of a page that it is still opening.
    await copy.waitFor();
    const refused = await refuse(page, '**/v2/syncs', {
      status: 503,
      json: { error: { message: 'Not now.', code: 'sync_create_failed' } },
    });
    await copy.click();
    await page.getByRole('alert').filter({ hasText: 'Not now.' }).waitFor();
    await refused.passAfter(copy);
    await page.getByRole('link', { name: 'Open the spreadsheet' }).waitFor();
    assert.equal((await owner.v2('GET', '/v2/destinations')).body.data.length, 1, 'one spreadsheet');
    await close();
  });

  test('where v2 cannot be read the page says so, and goes on when asked again', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    const refused = await refuse(page, '**/v2/destinations?**', {
      status: 403,
      json: { error: { message: 'Not for you.', code: 'insufficient_scope' } },
    });
    await page.goto(new URL('/welcome', service.url).href);
    await page.getByRole('alert').filter({ hasText: 'Not for you.' }).waitFor();
    await refused.passAfter(page.getByRole('button', { name: 'Try again' }));
    await page.getByText('Link a sandbox bank').waitFor();
    await close();
  });
});

describe('outside the sandbox', () => {
  test('the same page leads to the pages that link a bank, add a destination and create a sync', async () => {
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt('/connections', { browser, service, owner });
    // As the service writes the page if every integration is real.
    await page.route('**/welcome', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace(/(<meta name="simulated" content=")[^"]+/, '$1');
      await route.fulfill({ response: answer, body });
    });
    await page.goto(new URL('/welcome', service.url).href);
    await page.getByRole('heading', { name: 'Get started', level: 1 }).waitFor();
    await page.getByText('3 accounts').waitFor();
    const leads = await page.evaluate(
      `[...document.querySelectorAll('ol a')].map((link) => new URL(link.href).pathname)`,
    );
    assert.deepEqual(leads, ['/destinations/new', '/syncs/new']);
    assert.deepEqual(complaints, []);
    await close();
  });
});
