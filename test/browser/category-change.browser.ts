import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
import { openChromium } from './chromium.ts';
import { failedSync, linkedOwner, SETTLED } from './lives.ts';
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

describe('changing the category of a transaction', () => {
  test('what the bank calls it goes into another category, here at once and in v2, without reading the bank again', async () => {
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt(`/transactions?q=groceries&${SETTLED}`, {
      browser,
      service,
      owner,
    });
    await rowsOf(page).first().waitFor();
    await page.getByText(/^\d+ of \d+ transactions$/).waitFor();
    await rowsOf(page).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Change category' }).click();
    await dialog.getByLabel('New category', { exact: true }).selectOption({ label: '☕ Coffee' });
    await dialog.getByRole('radio', { name: /^Change what the bank/ }).check();
    const preview = await dialog.getByText(/^\d+ of the \d+ transactions read so far will move/).innerText();
    const moved = Number(/^\d+/.exec(preview)?.[0]);
    assert.ok(moved > 1, preview);
    await dialog.getByText('Groceries loses this bank category.').waitFor();
    const reads: string[] = [];
    page.on('request', (request) => reads.push(request.url()));
    await dialog.getByRole('button', { name: 'Change category' }).click();
    await page.getByText('What the bank calls “Groceries” is now Coffee.').waitFor();
    await page.getByText('No transaction matches').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('coffee');
    await rowsOf(page)
      .nth(Math.min(moved, 5) - 1)
      .waitFor();
    assert.deepEqual(
      reads.filter((url) => url.includes('/transactions')),
      [],
    );
    const { data } = (await owner.v2('GET', '/v2/categories')).body;
    const coffee = data.find(({ name }: { name: string }) => name === 'Coffee');
    assert.ok(coffee.sources.includes('FOOD_AND_DRINK_GROCERIES'));
    assert.deepEqual(complaints, []);
    await close();
  });

  test('one transaction alone goes into another category, and keys undo it after the notice is gone', async () => {
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt(`/transactions?q=groceries&${SETTLED}`, {
      browser,
      service,
      owner,
    });
    await rowsOf(page).first().waitFor();
    const counted = page.getByText(/^\d+ of \d+ transactions$/);
    const before = await counted.innerText();
    await rowsOf(page).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Change category' }).click();
    assert.equal(await dialog.getByRole('radio', { name: 'Only this transaction' }).isChecked(), true);
    await dialog.getByLabel('New category', { exact: true }).selectOption({ label: '☕ Coffee' });
    await dialog.getByRole('button', { name: 'Change category' }).click();
    await page.getByText('1 transaction: Coffee.').waitFor();
    const one = Number(/^\d+/.exec(before)?.[0]);
    await page.getByText(new RegExp(`^${one - 1} of `)).waitFor();
    const stored = async () => (await owner.v2('GET', '/v2/category_assignments')).body.data.length;
    assert.equal(await stored(), 1);
    const notice = page.getByRole('complementary', { name: 'Undo' });
    await notice.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await page.getByText(before, { exact: true }).waitFor();
    assert.equal(await stored(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a rule is made in a new ruleset, matches as many as the page said, and is attached to a sync', async () => {
    const owner = await linkedOwner(service);
    const sync = await failedSync(owner, [owner.connection.accounts[0].id]);
    const { page, complaints, close } = await signedInAt('/transactions?q=greenbox', {
      browser,
      service,
      owner,
    });
    await rowsOf(page).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Change category' }).click();
    await dialog.getByLabel('New category', { exact: true }).selectOption({ label: '🍜 Eating Out' });
    await dialog.getByRole('radio', { name: 'Always do this' }).check();
    await dialog.getByLabel('Compare').selectOption({ label: 'The description contains' });
    await dialog.getByLabel('Text', { exact: true }).fill('greenbox');
    const preview = await dialog.getByText(/^\d+ of the \d+ transactions read so far match/).innerText();
    const promised = Number(/^\d+/.exec(preview)?.[0]);
    assert.ok(promised > 0, preview);
    await dialog.getByRole('button', { name: 'Create rule' }).click();
    await dialog.getByText('Rule created in Categories').waitFor();
    await dialog.getByText('No sync uses this ruleset yet').waitFor();
    await dialog.getByRole('button', { name: 'Attach to Household ledger' }).click();
    await dialog.getByText('Uses this ruleset', { exact: true }).waitFor();
    const read = (await owner.v2('GET', `/v2/syncs/${sync.id}`)).body;
    const { data } = (await owner.v2('GET', '/v2/rulesets?include[]=rules')).body;
    assert.deepEqual(read.rulesets, [data[0].id]);
    assert.deepEqual(data[0].rules[0].actions[0].type, 'set_category');
    const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
    let matched = 0;
    for (const { id } of owner.connection.accounts) {
      const ruled = await owner.v2('POST', `/v2/rulesets/${data[0].id}/preview`, {
        account: id,
        from: day(90),
        include_pending: true,
        limit: 500,
      });
      matched += ruled.body.totals.matched;
    }
    assert.ok(Math.abs(matched - promised) <= 1, `${matched} by the service, ${promised} on the page`);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('rows selected by keyboard and by range change together, the change can be undone, and a rule for their merchant is offered', async () => {
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt(`/transactions?q=groceries&${SETTLED}`, {
      browser,
      service,
      owner,
    });
    await page.getByText(/^\d+ of \d+ transactions$/).waitFor();
    const bar = page.getByRole('region', { name: 'Selected transactions' });
    await rowsOf(page).first().focus();
    await page.keyboard.press('x');
    await bar.getByText('1 selected').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await bar.getByText('2 selected').waitFor();
    await page
      .getByRole('checkbox')
      .nth(3)
      .click({ modifiers: ['Shift'] });
    await bar.getByText('4 selected').waitFor();
    await bar.getByRole('button', { name: /^Select all \d+$/ }).click();
    const all = Number(/^\d+/.exec(await bar.getByRole('status').innerText())?.[0]);
    assert.ok(all > 4);
    const change = async () => {
      await bar.getByRole('button', { name: 'Change category' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('New category', { exact: true }).selectOption({ label: '☕ Coffee' });
      await dialog.getByRole('radio', { name: /^Change what the bank/ }).check();
      await dialog.getByText(/read so far will move/).waitFor();
      await dialog.getByRole('button', { name: 'Change category' }).click();
      await page.getByText('What the bank calls “Groceries” is now Coffee.').waitFor();
      await dialog.waitFor({ state: 'detached' });
    };
    const holder = async () => {
      const { data } = (await owner.v2('GET', '/v2/categories')).body;
      return data.find(({ sources }: Json) => sources.includes('FOOD_AND_DRINK_GROCERIES')).name;
    };
    await change();
    await page.getByText('No transaction matches').waitFor();
    assert.equal(await holder(), 'Coffee');
    await page.keyboard.press('Control+z');
    await page.getByText('Undone').waitFor();
    assert.equal(await holder(), 'Groceries');
    await page.getByText(/^\d+ of \d+ transactions$/).waitFor();
    assert.equal(await bar.count(), 0, 'nothing is selected any more');

    await page.getByRole('checkbox').first().check();
    await change();
    const offered = page.getByRole('button', { name: /^Always do this for/ });
    const merchant = (await offered.innerText()).replace('Always do this for ', '');
    await offered.click();
    const rule = page.getByRole('dialog');
    await rule.getByRole('radio', { name: 'Always do this', checked: true }).waitFor();
    const merchantText = await rule.getByLabel('Text', { exact: true }).inputValue();
    assert.ok(merchant.toLowerCase().includes(merchantText.toLowerCase()), merchantText);
    await rule.getByRole('button', { name: 'Create rule' }).click();
    await rule.getByText('Rule created in Categories').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a phone shows boxes once a person selects', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/transactions', { browser, service, owner, phone: true });
    await rowsOf(page).first().waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 0);
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await page.getByRole('checkbox').first().check();
    await page.getByText('1 selected').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('1 selected').waitFor({ state: 'detached' });
    await close();
  });

  test('a change that v2 refuses is explained, and the form stays to try again', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt(`/transactions?${SETTLED}`, { browser, service, owner });
    await page.route('**/v2/categories/*/sources', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/json',
        body: JSON.stringify({
          error: { code: 'insufficient_scope', message: 'This needs categories:write.' },
        }),
      }),
    );
    await rowsOf(page).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Change category' }).click();
    await dialog.getByLabel('New category', { exact: true }).selectOption({ label: '☕ Coffee' });
    await dialog.getByRole('radio', { name: /^Change what the bank/ }).check();
    await dialog.getByRole('button', { name: 'Change category' }).click();
    await dialog.getByRole('alert').getByText('This needs categories:write.').waitFor();
    await dialog.getByText('Ask an owner').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Change category' }).isEnabled());
    await close();
  });
});

function rowsOf(page: Page): Locator {
  return page.getByRole('list').getByRole('button');
}
