import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { ShiftedClock } from '../../src/platform/clock.ts';
import { publicId } from '../../src/vocabulary/ids.ts';
import { addPerson, joinRecord, PASSWORD } from '../support/people.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import { assertAccessible } from './accessibility.ts';
import { openChromium } from './chromium.ts';
import { signedInAt } from './people.ts';

const clock = new ShiftedClock();
let service: TestService;
let browser: Browser;
before(async () => {
  service = await startService({}, { clock });
  browser = await openChromium();
});
after(async () => {
  await browser?.close();
  await service?.close();
});

/** Two clients of a bookkeeper, each with a name. */
async function clients() {
  const [first, second] = [await service.owner(), await service.owner()];
  const { accountRecords } = service.app.services;
  await accountRecords.update(first.record.id, { name: 'Harbour Cafe' });
  await accountRecords.update(second.record.id, { name: 'Ridge Builders' });
  const person = await addPerson(service, first);
  await joinRecord(service, second, person);
  return { first, second, person };
}

/** Switches the session of the browser as another tab does. */
async function switchTo(page: Page, { record }: TestOwner): Promise<void> {
  const account = publicId('account_record', record.id);
  const origin = new URL(service.url).origin;
  const options = { form: { account }, headers: { origin, 'sec-fetch-site': 'same-origin' } };
  await page.request.post(new URL('/settings/account', service.url).href, options);
}

describe('someone with several account records', () => {
  test('signs in again in a new tab while a form stays, and the key is created in the record of the form', async () => {
    const { first, second, person } = await clients();
    const visitor = await signedInAt('/settings', { browser, service, owner: first, as: person });
    const { page, close } = visitor;
    await switchTo(page, second);
    await page.goto(new URL('/developer/keys/new', service.url).href);
    await page.getByLabel('Name', { exact: true }).fill('Nightly books');
    await page.getByLabel('data:read').check();
    clock.advance(20 * 60_000);
    const create = page.getByRole('button', { name: 'Create API key' });
    await create.click();
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Sign in again in a new tab' }).click(),
    ]);
    await tab.getByLabel('E-mail address').fill(person.email);
    await tab.getByLabel('Password').fill(PASSWORD);
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
    await tab.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.bringToFront();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Nightly books');
    await create.click();
    await page.getByRole('heading', { name: 'Nightly books is created' }).waitFor();
    assert.equal(await page.getByText('You now see another account').count(), 0);
    const names = async ({ v2 }: TestOwner) =>
      (await v2('GET', '/v2/api_keys')).body.data.map(({ name }: { name: string }) => name);
    assert.ok((await names(second)).includes('Nightly books'));
    assert.ok(!(await names(first)).includes('Nightly books'));
    await close();
  });

  test('sees in the header and the tab which one is shown, and switches from the menu on the same kind of page', async () => {
    const { first, second, person } = await clients();
    for (const phone of [false, true]) {
      const visitor = await signedInAt('/settings', { browser, service, owner: first, as: person, phone });
      const { page, complaints, close } = visitor;
      await switchTo(page, first);
      await page.goto(new URL('/rulesets', service.url).href);
      await page.getByRole('link', { name: 'Account record: Harbour Cafe' }).waitFor();
      await page.waitForFunction("document.title.includes('Harbour Cafe')");
      await assertAccessible(page, 'the name of the account record');
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Ridge Builders' }).click();
      await page.getByRole('link', { name: 'Account record: Ridge Builders' }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/rulesets');
      const { body: ruleset } = await second.v2('POST', '/v2/rulesets', { name: 'Tidy' });
      await page.goto(new URL(`/rulesets/${ruleset.id}`, service.url).href);
      await page.getByRole('heading', { name: 'Tidy' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Search, or say what to do').fill('harbour');
      await page.getByRole('option', { name: 'Switch to Harbour Cafe' }).click();
      await page.getByRole('link', { name: 'Account record: Harbour Cafe' }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/', 'that ruleset is not of this one');
      assert.deepEqual(complaints, []);
      await close();
    }
  });

  test('is offered to switch where a link is to a thing of another one, and a stranger is not', async () => {
    const { first, second, person } = await clients();
    const { body: ruleset } = await second.v2('POST', '/v2/rulesets', { name: 'Tidy' });
    const path = `/rulesets/${ruleset.id}`;
    const visitor = await signedInAt(path, { browser, service, owner: first, as: person });
    await visitor.page.getByRole('button', { name: 'Switch to Ridge Builders' }).click();
    await visitor.page.getByRole('heading', { name: 'Tidy' }).waitFor();
    assert.equal(new URL(visitor.page.url()).pathname, path);
    await visitor.close();
    const stranger = await addPerson(service, first);
    await joinRecord(service, await service.owner(), stranger);
    const other = await signedInAt(path, { browser, service, owner: first, as: stranger });
    await other.page.getByRole('alert').waitFor();
    await other.page.waitForLoadState('networkidle');
    assert.equal(await other.page.getByRole('button', { name: /Switch to/ }).count(), 0);
    await other.close();
  });

  test('sees all of them with what each needs, also on a phone; someone with one sees nothing new', async () => {
    const { first, person } = await clients();
    const visitor = await signedInAt('/', { browser, service, owner: first, as: person, phone: true });
    await visitor.page.getByRole('link', { name: 'Account record: Harbour Cafe' }).click();
    await visitor.page.getByRole('heading', { name: /Ridge Builders/ }).waitFor();
    await assertAccessible(visitor.page, 'all account records');
    await visitor.page.getByRole('button', { name: /^Switch: .*Ridge Builders/ }).click();
    await visitor.page.getByRole('link', { name: 'Account record: Ridge Builders' }).waitFor();
    await visitor.close();
    const alone = await signedInAt('/', { browser, service, owner: await service.owner() });
    await alone.page.getByRole('heading', { name: 'Welcome to Tributary' }).waitFor();
    await alone.page.getByRole('button', { name: 'Your account' }).click();
    await alone.page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    assert.equal(await alone.page.getByText('Account record').count(), 0);
    assert.equal(await alone.page.getByText('account record').count(), 0);
    await alone.close();
  });
});
