import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { CURRENT_RELEASE } from '../../src/vocabulary/service-version.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { newVisitor, openChromium } from './chromium.ts';
import { slownessOf } from './machine-speed.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PASSWORD = 'correct horse battery';
/** From the command to the charts, on a machine with nothing else to do. */
const MOST_MS = 90_000;
const MOST_CLICKS = 12;
const FIELDS = 2;
/** So that the tour shows what a person can tell apart. */
const LEAST_CATEGORIES = 6;

interface Started {
  /** The address that a first start prints, or says where to find. */
  readonly link: string;
}

/** `npm start` in a directory that does not exist yet, with nothing set but where its data is and a free port. */
async function npmStart(t: TestContext): Promise<Started> {
  const dataDir = await scratchDirectory();
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: dataDir, DATA_DIR: `${dataDir}/data`, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  t.after(async () => {
    const ended = once(npm, 'exit');
    npm.kill('SIGTERM');
    if (npm.exitCode === null) await ended;
    await rm(dataDir, { recursive: true, force: true });
  });
  const printed = /the address in the file (\S+), which only you can read/;
  while (!printed.test(said) && npm.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const file = printed.exec(said)?.[1] ?? assert.fail(said);
  return { link: (await readFile(file, 'utf8')).trim() };
}

/** What someone does with a page. Nothing in the tour touches a page otherwise, so nothing is left out of the counts. */
class Hands {
  clicks = 0;
  fields = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The first button or link of this name. */
  async click(role: 'button' | 'link', name: string | RegExp): Promise<void> {
    this.clicks += 1;
    await this.#page.getByRole(role, { name }).first().click();
  }

  /** Types where the cursor is, which has to be in this field. */
  async type(field: Locator, text: string): Promise<void> {
    this.fields += 1;
    await field.and(this.#page.locator(':focus')).waitFor();
    await this.#page.keyboard.type(text);
  }

  /** To the next field. */
  async tab(): Promise<void> {
    await this.#page.keyboard.press('Tab');
  }
}

interface Sheet {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Every row of the spreadsheet that is shown, page by page. */
async function rowsOf(sheet: Page): Promise<Sheet> {
  const shown = async (): Promise<readonly (readonly string[])[]> => {
    const [, ...lines] = await sheet.locator('table.cells tr').all();
    return Promise.all(lines.map((line) => line.locator('th, td').allInnerTexts()));
  };
  const [heads = [], ...rows] = await shown();
  while ((await sheet.getByRole('link', { name: 'Next' }).count()) > 0) {
    await sheet.getByRole('link', { name: 'Next' }).click();
    rows.push(...(await shown()).slice(1));
  }
  return { heads, rows };
}

/** The ids that v2 lists for what the only sync copies, and the names of the person's categories. */
async function expectedOf(page: Page): Promise<{ readonly ids: string[]; readonly categories: Set<string> }> {
  const v2 = async (path: string) => {
    const url = new URL(`/v2/${path}`, page.url()).href;
    return (await page.request.get(url, { headers: { 'service-version': CURRENT_RELEASE } })).json();
  };
  const [sync] = (await v2('syncs')).data;
  const ids: string[] = [];
  for (const account of sync.accounts) {
    let path = `transactions?limit=100&account=${account}&from=${sync.options.data_from}`;
    while (path !== '') {
      const list = await v2(path);
      for (const { id } of list.data) ids.push(id);
      path = list.next_page_url === null ? '' : list.next_page_url.replace(/^.*\/v2\//, '');
    }
  }
  const { data } = await v2('categories');
  return { ids, categories: new Set(data.map(({ name }: { name: string }) => name)) };
}

describe('the tour', () => {
  test('leads someone new from npm start to a synced, categorised and charted bank in at most 12 clicks and 90 seconds', async (t) => {
    const browser = await openChromium();
    t.after(() => browser.close());
    const began = performance.now();
    const { link } = await npmStart(t);
    const { page, complaints } = await newVisitor(browser, { zone: 'Europe/Berlin' });
    const hands = new Hands(page);

    await page.goto(link);
    await hands.type(page.getByLabel('Your e-mail address'), 'first@example.test');
    await hands.tab();
    await hands.type(page.getByLabel('Choose a password'), PASSWORD);
    assert.equal(await page.getByLabel('Your time zone').inputValue(), 'Europe/Berlin');
    await hands.click('button', 'Start');
    await page.getByRole('heading', { name: 'Take the tour', level: 1 }).waitFor();
    await hands.click('button', /^Link .*Sandbox/);
    await hands.click('button', 'Continue');
    await hands.click('button', 'Log in');
    await hands.click('button', 'Consent');
    await hands.click('button', 'Connect sandbox spreadsheets');
    await hands.click('button', 'Continue');
    await hands.click('button', 'Allow');
    await hands.click('button', 'Make the spreadsheet and copy');
    const copied = page.getByText(/^\d[\d,]* rows copied\.$/);
    await copied.waitFor();
    const said = Number((await copied.innerText()).replace(/\D/g, ''));
    const popup = page.waitForEvent('popup');
    await hands.click('link', 'Open the spreadsheet');
    const sheet = await popup;
    await sheet.locator('table.cells').waitFor();
    await hands.click('link', 'See balances and spending');
    await page.getByRole('slider', { name: /^Net worth/ }).waitFor();
    const spending = page.getByRole('region', { name: 'Spending', exact: true });
    await spending.getByRole('listitem').first().waitFor();
    const took = performance.now() - began;
    const slowness = await slownessOf(page);
    t.diagnostic(
      `${hands.clicks} clicks, ${hands.fields} fields, ${Math.round(took / 1000)} s on a machine ${slowness.toFixed(1)} times slower`,
    );
    assert.ok(hands.clicks <= MOST_CLICKS, `${hands.clicks} clicks`);
    assert.equal(hands.fields, FIELDS);
    assert.ok(took / slowness <= MOST_MS, `${took} ms`);

    const { ids, categories } = await expectedOf(page);
    const { heads, rows } = await rowsOf(sheet);
    const column = (name: string) => {
      const at = heads.indexOf(name);
      assert.ok(at >= 0, `${name} is not in ${heads.join(', ')}`);
      return rows.map((row) => row[at] ?? '');
    };
    assert.ok(said > 50, `${said} rows`);
    assert.equal(rows.length, said);
    assert.deepEqual(column('Transaction ID').toSorted(), ids.toSorted());
    const named = new Set(column('Category').filter((name) => categories.has(name)));
    assert.ok(named.size >= LEAST_CATEGORIES, [...named].join(', '));

    const worth = await page.getByRole('slider', { name: /^Net worth/ }).getAttribute('aria-valuetext');
    assert.match(worth ?? '', /\d/);
    const paths = page.getByRole('region', { name: 'Net worth', exact: true }).locator('svg path');
    const drawn = await Promise.all((await paths.all()).map((path) => path.getAttribute('d')));
    assert.ok(
      drawn.some((d) => (d ?? '').length > 500),
      'the net worth is drawn day by day',
    );
    const shares = await spending.getByRole('button', { name: /^What .* is made of/ }).allInnerTexts();
    assert.ok(shares.length >= 3, shares.join(', '));
    assert.ok(
      shares.every((name) => categories.has(name)),
      shares.join(', '),
    );
    assert.deepEqual(complaints, []);
  });
});
