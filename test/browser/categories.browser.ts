import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
import { openChromium } from './chromium.ts';
import { signedInAt } from './people.ts';
import { refuse } from './refusals.ts';
import { categoryId } from './rulesets.ts';

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

const HOSTILE = '<img src=x onerror="document.title=\'taken\'"> & <b>bold</b>';

async function opened(owner: TestOwner) {
  const visitor = await signedInAt('/categories', { browser, service, owner });
  await visitor.page.getByRole('heading', { name: 'Categories', level: 1 }).waitFor();
  return visitor;
}

async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** The names in a group, as v2 has them in order. */
async function namesIn(owner: TestOwner, group: string): Promise<string[]> {
  const { body } = await owner.v2('GET', `/v2/categories?parent=${await categoryId(owner, group)}`);
  return body.data.map(({ name }: Json) => name);
}

/** Counts changes that the page asks for from now on. */
function writesOf(page: Page): string[] {
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v2/') && request.method() !== 'GET') writes.push(request.url());
  });
  return writes;
}

const FOOD = ['Groceries', 'Eating Out', 'Coffee', 'Alcohol', 'Other Food & Drink'];

describe('categories in the web application', () => {
  test('a group and a category are created, edited, archived, restored and deleted', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await opened(owner);
    await page.getByRole('button', { name: 'New group' }).click();
    await page.getByLabel('Name').fill('Side business');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Side business' }).waitFor();
    await page.getByRole('button', { name: 'New category in Side business' }).click();
    await page.getByLabel('Name').fill('Stock');
    await page.getByRole('radio', { name: 'Pink' }).check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'Actions for Stock', exact: true }).waitFor();
    await choose(page, 'Stock', 'Edit');
    await page.getByLabel('Name').fill('Materials');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Actions for Materials', exact: true }).waitFor();
    const id = await categoryId(owner, 'Materials');
    assert.equal((await owner.v2('GET', `/v2/categories/${id}`)).body.color, '#c2255c');

    await choose(page, 'Materials', 'Archive');
    await page.getByRole('status').filter({ hasText: 'Materials is archived' }).waitFor();
    await page
      .getByRole('button', { name: 'Actions for Materials', exact: true })
      .waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Show archived (1)' }).check();
    await choose(page, 'Materials', 'Restore');
    await page.getByRole('status').filter({ hasText: 'Materials is restored' }).waitFor();
    assert.equal((await owner.v2('GET', `/v2/categories/${id}`)).body.archived, false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    assert.equal((await owner.v2('GET', `/v2/categories/${id}`)).body.archived, true);

    await choose(page, 'Side business', 'Delete');
    await page.getByText('This group contains 1 category.').waitFor();
    await page.getByRole('checkbox', { name: 'Delete the 1 category in it as well' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('status').filter({ hasText: 'Side business is deleted' }).waitFor();
    assert.equal((await owner.v2('GET', `/v2/categories/${id}`)).status, 404);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a category is dragged by keyboard alone: each step is said, and one write stores the place', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await opened(owner);
    const grip = page.getByRole('button', { name: 'Move Coffee', exact: true });
    await grip.focus();
    const writes = writesOf(page);
    const said = page.locator('[role=status][aria-live=assertive]');
    await page.keyboard.press('Space');
    assert.match(await said.innerText(), /^Coffee is lifted\. Place 3 of 5 in Food\./);
    for (let press = 0; press < 2; press++) await page.keyboard.press('ArrowUp');
    assert.equal(await said.innerText(), 'Place 1 of 5 in Food.');
    await page.keyboard.press('ArrowUp');
    assert.equal(await said.innerText(), 'Place 6 of 6 in Housing.');
    assert.equal(await grip.getAttribute('aria-pressed'), 'true');
    assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Move Coffee');
    assert.deepEqual(writes, [], 'nothing is stored before it is dropped');
    await page.keyboard.press('Escape');
    assert.match(await said.innerText(), /^Coffee is back\. Place 3 of 5 in Food\.$/);
    assert.deepEqual(writes, []);

    await page.keyboard.press('Space');
    for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowUp');
    const stored = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await page.keyboard.press('Space');
    assert.match(await said.innerText(), /^Coffee is dropped\. Place 6 of 6 in Housing\.$/);
    assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Move Coffee');
    assert.equal((await stored).status(), 200);
    assert.equal(writes.length, 1);
    assert.equal((await namesIn(owner, 'Housing')).at(-1), 'Coffee');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a category is dragged by pointer into another group, and a group among groups', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await opened(owner);
    const drag = async (name: string, onto: string, down: number) => {
      const grip = page.getByRole('button', { name: `Move ${name}`, exact: true });
      await grip.scrollIntoViewIfNeeded();
      const from = await grip.boundingBox();
      assert.ok(from !== null);
      const stored = page.waitForResponse((answer) => answer.request().method() === 'POST');
      await page.mouse.move(from.x + 5, from.y + from.height / 2);
      await page.mouse.down();
      const to = await page.getByRole('button', { name: `Move ${onto}`, exact: true }).boundingBox();
      assert.ok(to !== null);
      await page.mouse.move(from.x + 5, to.y + to.height / 2 + down, { steps: 12 });
      await page.mouse.up();
      assert.equal((await stored).status(), 200);
    };
    await drag('Salary', 'Rent', 8);
    assert.deepEqual((await namesIn(owner, 'Housing')).slice(0, 3), ['Rent', 'Salary', 'Mortgage']);
    await drag('Housing', 'Income', -12);
    const { body } = await owner.v2('GET', '/v2/categories?parent=none');
    assert.deepEqual(
      body.data.slice(0, 2).map(({ name }: Json) => name),
      ['Housing', 'Income'],
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('menus move a category up, down and to another group, without dragging', async () => {
    const owner = await service.owner();
    const { page, close } = await opened(owner);
    const said = page.locator('[role=status][aria-live=assertive]');
    const stored = () => page.waitForResponse((answer) => answer.request().method() === 'POST');
    let next = stored();
    await choose(page, 'Coffee', 'Move up');
    await next;
    assert.match(await said.innerText(), /Place 2 of 5 in Food/);
    next = stored();
    await choose(page, 'Groceries', 'Move down');
    await next;
    assert.deepEqual((await namesIn(owner, 'Food')).slice(0, 3), ['Coffee', 'Groceries', 'Eating Out']);
    await choose(page, 'Coffee', 'Move to a group');
    await page.getByRole('dialog').getByLabel('Group').selectOption({ label: '🎈 Lifestyle' });
    next = stored();
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
    await next;
    assert.equal((await namesIn(owner, 'Lifestyle')).at(-1), 'Coffee');
    await close();
  });

  test('a move that the service refuses is taken back, with its reason', async () => {
    const owner = await service.owner();
    const { page, close } = await opened(owner);
    await page.getByRole('button', { name: 'Actions for Coffee', exact: true }).waitFor();
    const { body } = await owner.v2('DELETE', `/v2/categories/${await categoryId(owner, 'Coffee')}`);
    assert.equal(body.deleted, true);
    await choose(page, 'Coffee', 'Move up');
    const problem = page.getByRole('alert').filter({ hasText: 'Coffee was not moved' });
    await problem.getByRole('link', { name: 'What this means' }).waitFor();
    await page
      .getByRole('button', { name: 'Actions for Coffee', exact: true })
      .waitFor({ state: 'detached' });
    assert.deepEqual(
      await namesIn(owner, 'Food'),
      FOOD.filter((name) => name !== 'Coffee'),
    );
    await close();
  });

  test('codes are searched, claimed and released, and it is said from whom', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await opened(owner);
    await choose(page, 'Groceries', 'Choose codes');
    const dialog = page.getByRole('dialog', { name: 'Codes of Groceries' });
    await dialog.getByRole('searchbox', { name: 'Search codes' }).fill('no such code');
    await dialog.getByText('No code matches.').waitFor();
    await dialog.getByRole('searchbox', { name: 'Search codes' }).fill('food & drink');
    await dialog.getByText('Now in Coffee').waitFor();
    await dialog.getByText('Falls back to Other Food & Drink').waitFor();
    await dialog.getByRole('checkbox', { name: 'Coffee' }).check();
    await dialog.getByText('Saving releases 1 code from Coffee.').waitFor();
    await dialog.getByRole('button', { name: 'Save codes' }).click();
    await page.getByRole('status').filter({ hasText: 'Groceries claims 2 codes now' }).waitFor();
    await page.getByText('Released from Coffee.').waitFor();
    const read = async (name: string) =>
      (await owner.v2('GET', `/v2/categories/${await categoryId(owner, name)}`)).body.sources;
    assert.deepEqual((await read('Groceries')).toSorted(), [
      'FOOD_AND_DRINK_COFFEE',
      'FOOD_AND_DRINK_GROCERIES',
    ]);
    assert.deepEqual(await read('Coffee'), []);

    const { body } = await owner.v2('POST', `/v2/categories/${await categoryId(owner, 'Travel')}/sources`, {
      sources: [],
    });
    assert.deepEqual(body.sources, []);
    await page.reload();
    await page.getByLabel('Category for Flights').selectOption({ label: '✈ Travel' });
    await page.getByRole('button', { name: 'Claim Flights' }).click();
    await page.getByRole('status').filter({ hasText: 'Travel claims 1 code now' }).waitFor();
    assert.deepEqual(await read('Travel'), ['TRAVEL_FLIGHTS']);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('deleting gives the codes to the category that is chosen', async () => {
    const owner = await service.owner();
    const { page, close } = await opened(owner);
    await choose(page, 'Coffee', 'Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete Coffee?' });
    await dialog.getByRole('radio', { name: 'Give them to another category' }).check();
    await dialog.getByLabel('Category that takes them over').selectOption({ label: '🍜 Eating Out' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Eating Out has taken over its codes.').waitFor();
    const taker = await owner.v2('GET', `/v2/categories/${await categoryId(owner, 'Eating Out')}`);
    assert.ok(taker.body.sources.includes('FOOD_AND_DRINK_COFFEE'));
    await close();
  });

  test('a group that is not empty is not deleted until that is chosen as well, and the service says why', async () => {
    const owner = await service.owner();
    const { page, close } = await opened(owner);
    await choose(page, 'Food', 'Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete Food?' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    const problem = dialog.getByRole('alert').filter({ hasText: 'Food was not deleted' });
    const link = problem.getByRole('link', { name: 'What this means' });
    assert.match((await link.getAttribute('href')) ?? '', /#category_has_children$/);
    assert.deepEqual(await namesIn(owner, 'Food'), FOOD);
    await close();
  });

  test('a category that has become a group in the meantime claims nothing, and the service says why', async () => {
    const owner = await service.owner();
    const id = await categoryId(owner, 'Coffee');
    const { page, close } = await opened(owner);
    await choose(page, 'Coffee', 'Choose codes');
    await owner.v2('POST', `/v2/categories/${id}/sources`, { sources: [] });
    assert.equal((await owner.v2('POST', `/v2/categories/${id}`, { parent: null })).status, 200);
    await page.getByRole('button', { name: 'Save codes' }).click();
    const problem = page.getByRole('alert').filter({ hasText: 'The codes of Coffee were not changed' });
    const link = problem.getByRole('link', { name: 'What this means' });
    assert.match((await link.getAttribute('href')) ?? '', /#category_is_group$/);
    await close();
  });

  test('a reset asks first, and anyone who has no categories gets the default ones', async () => {
    const owner = await service.owner();
    const groups = (await owner.v2('GET', '/v2/categories?parent=none')).body.data;
    for (const { id } of groups) await owner.v2('DELETE', `/v2/categories/${id}?cascade=true`);
    const { page, complaints, close } = await opened(owner);
    await page.getByRole('button', { name: 'Create the default categories' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('status').filter({ hasText: 'The default categories are back' }).waitFor();
    assert.deepEqual(await namesIn(owner, 'Food'), FOOD);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Reset to the default categories' }).click();
    await page.getByText(/^Your \d+ categories and their claims are deleted/).waitFor();
    const before = await categoryId(owner, 'Coffee');
    await page.keyboard.press('Escape');
    assert.equal(await categoryId(owner, 'Coffee'), before);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('markup in a name or an icon stays text', async () => {
    const owner = await service.owner();
    const { body } = await owner.v2('POST', '/v2/categories', { name: HOSTILE, icon: '<b>x</b>' });
    await owner.v2('POST', '/v2/categories', { name: `in ${HOSTILE}`, parent: body.id });
    const { page, complaints, close } = await opened(owner);
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    await choose(page, HOSTILE, 'Delete');
    await page.getByRole('dialog').waitFor();
    assert.equal(await page.locator('main img, main b, dialog b').count(), 0);
    assert.notEqual(await page.title(), 'taken');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('while the service does not answer, the page says so and loads when asked again', async () => {
    const owner = await service.owner();
    const { page, close } = await opened(owner);
    await page.getByRole('heading', { name: 'Food' }).waitFor();
    const refused = await refuse(page, '**/v2/categories', null);
    await page.reload();
    await page.getByText('The service does not answer.').waitFor();
    await refused.passAfter(page.getByRole('button', { name: 'Try again' }));
    await page.getByRole('heading', { name: 'Food' }).waitFor();
    await close();
  });
});
