import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { addPerson, PASSWORD, signedIn } from '../support/people.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import { assertAccessible } from './accessibility.ts';
import { openChromium } from './chromium.ts';
import { signedInAt } from './people.ts';
import { addRuleset } from './rulesets.ts';

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

const notice = (page: Page) => page.getByRole('alert').filter({ hasText: 'You are signed out' });

/** A new rule, half written, whose session ends. */
async function halfWritten(owner: TestOwner) {
  const ruleset = await addRuleset(owner);
  const visitor = await signedInAt(`/rulesets/${ruleset.id}?rule=new`, { browser, service, owner });
  const { page } = visitor;
  page.setDefaultTimeout(20_000);
  await page.getByLabel('Name', { exact: true }).fill('Coffee with friends');
  await page.getByLabel('Value').fill('coffee');
  await page.context().clearCookies();
  return { ruleset, ...visitor };
}

/** As the tab that the link opens does. */
async function signInElsewhere(page: Page, owner: TestOwner): Promise<void> {
  const person = await addPerson(service, owner);
  const { cookies } = await signedIn(service, person);
  await page.context().addCookies(
    [...cookies].map(([name, value]) => ({
      name,
      value,
      url: service.url,
      httpOnly: true,
      sameSite: 'Lax',
    })),
  );
}

describe('a session that ends while a page is shown', () => {
  test('leaves what was typed where it is, and the write is pressed again after signing in', async () => {
    const owner = await service.owner();
    const { ruleset, page, close } = await halfWritten(owner);
    await page.getByRole('button', { name: 'Add rule' }).click();
    await notice(page).waitFor();
    await page.getByRole('alert').filter({ hasText: 'The rule was not saved' }).waitFor();
    assert.equal(new URL(page.url()).pathname, `/rulesets/${ruleset.id}`);
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Coffee with friends');
    await assertAccessible(page, 'a session that has ended');

    await page.getByRole('button', { name: 'I have signed in' }).click();
    await notice(page).getByText('You are not signed in yet.').waitFor();

    const { email } = await addPerson(service, owner);
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      notice(page).getByRole('link', { name: 'Sign in again in a new tab' }).click(),
    ]);
    await tab.getByLabel('E-mail address').fill(email);
    await tab.getByLabel('Password').fill(PASSWORD);
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
    await tab.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.bringToFront();
    // Reading again on its own may have found out already.
    await page
      .getByRole('button', { name: 'I have signed in' })
      .click({ timeout: 3_000 })
      .catch(() => null);
    await notice(page).waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Coffee with friends');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('link', { name: 'Coffee with friends' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Coffee with friends' }).count(), 1, 'once');
    await close();
  });

  test('is said after a read in the background, and ends the notice once a write succeeds', async () => {
    const owner = await service.owner();
    const { page, close } = await halfWritten(owner);
    // What has been read is read again when someone comes back to the page 15 seconds later.
    await page.clock.install();
    await page.clock.fastForward(60_000);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await notice(page).waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Coffee with friends');
    await signInElsewhere(page, owner);
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('link', { name: 'Coffee with friends' }).waitFor();
    await notice(page).waitFor({ state: 'detached' });
    await close();
  });

  test('adds nothing of another account record to what was there', async () => {
    const { page, close } = await halfWritten(await service.owner());
    await page.getByRole('button', { name: 'Add rule' }).click();
    await notice(page).waitFor();
    await page.evaluate('window.oldDocument = true');
    await signInElsewhere(page, await service.owner());
    await page.getByRole('button', { name: 'I have signed in' }).click();
    await page.getByRole('heading', { name: 'Welcome to Tributary' }).waitFor();
    assert.equal(await page.evaluate('window.oldDocument'), undefined, 'the document is another one');
    assert.equal(await notice(page).count(), 0);
    await close();
  });
});
