import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { addPerson, PASSWORD } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';
import { newVisitor, openChromium } from './chromium.ts';
import { linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';
import { SETTINGS_SCENES } from './scenes/settings.ts';

const NOTHING_SIDEWAYS = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
const SMALL_TARGETS = `[...document.querySelectorAll('button, .button, input:not([type=hidden]), select, .top a, .tabs a')]
  .filter((element) => element.checkVisibility())
  // The label of a box is part of what can be touched.
  .map((element) => (element.matches('[type=checkbox], [type=radio]') ? element.closest('label') ?? element : element))
  .filter((element) => element.getBoundingClientRect().height < 44)
  .map((element) => element.outerHTML)`;

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

describe('The settings, in a browser', () => {
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

  test('are reached from the application and lead back to it', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    const navigation = page.getByRole('navigation', { name: 'Main' });
    assert.equal(await navigation.locator('[aria-current]:visible').innerText(), 'Settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Security' }).click();
    await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor();
    await page.getByText('Your account').click();
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor();
    await navigation.getByRole('link', { name: 'Connections' }).click();
    await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('change the time zone and download the export without script', async () => {
    const owner = await linkedOwner(service);
    const person = await addPerson(service, owner);
    const { page, context, complaints } = await newVisitor(browser, { script: false });
    await page.goto(new URL('/settings', service.url).href);
    await signIn(page, person.email);
    await page.getByLabel('Time zone').selectOption('Pacific/Auckland');
    await page.getByRole('button', { name: 'Save the time zone' }).click();
    await page.getByText('The time zone is changed.').waitFor();
    assert.equal(await page.getByLabel('Time zone').inputValue(), 'Pacific/Auckland');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the export' }).click(),
    ]);
    const document = JSON.parse(await readFile(await download.path(), 'utf8'));
    assert.equal(document.connections.length, 1);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('delete everything after typing what to delete, and say what happens now', async () => {
    const owner = await linkedOwner(service);
    const person = await addPerson(service, owner);
    const { page, context, complaints } = await newVisitor(browser, { script: false, phone: true });
    await page.goto(new URL('/settings', service.url).href);
    await signIn(page, person.email);
    await page.getByRole('link', { name: 'Delete everything…' }).click();
    await page.getByText('1 connection with').waitFor();
    await page.getByRole('textbox').fill('delete');
    await page.getByRole('button', { name: 'Delete everything for good' }).click();
    await page.getByRole('alert').getByText('Nothing was deleted').waitFor();
    await page.getByRole('textbox').fill(owner.record.email);
    await page.getByRole('button', { name: 'Delete everything for good' }).click();
    await page.getByRole('heading', { name: 'Your account record is being deleted' }).waitFor();
    await page.goto(new URL('/settings', service.url).href);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(page, person.email);
    await page.getByText('The e-mail address or the password is wrong.').waitFor();
    // The browser itself notes answers of 400 and 401.
    assert.deepEqual(
      complaints.filter((text) => !text.startsWith('Failed to load resource')),
      [],
    );
    await context.close();
  });

  test('let an operator arm a fault, see it in the health, and clear it', async () => {
    const owner = await linkedOwner(service);
    const as = await addPerson(service, owner, { operator: true });
    const path = '/settings/operator/sandbox';
    const { page, complaints, close } = await signedInAt(path, { browser, service, owner, as });
    await page.getByLabel('Simulator').selectOption('au_banking');
    await page.getByLabel('What goes wrong').selectOption('server-error');
    await page.getByLabel('For how many requests').fill('40');
    await page.getByRole('button', { name: 'Arm the fault' }).click();
    await page.getByText('The fault is armed.').waitFor();
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByText('Failing').first().waitFor();
    await page.getByRole('link', { name: 'Sandbox' }).click();
    await page.getByRole('button', { name: 'Clear: au_banking' }).click();
    await page.getByText('No fault is armed').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('fit a phone: nothing scrolls sideways, and everything can be touched', async () => {
    for (const [name, scene] of Object.entries(SETTINGS_SCENES)) {
      const { owner, path, as, ready } = await scene(service);
      assert.ok(as !== 'signed-out');
      const { page, close } = await signedInAt(path, { browser, service, owner, as, phone: true });
      await ready(page);
      assert.equal(await page.evaluate(NOTHING_SIDEWAYS), true, name);
      assert.deepEqual(await page.evaluate(SMALL_TARGETS), [], name);
      await close();
    }
  });
});
