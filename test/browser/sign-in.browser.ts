import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { addPerson, PASSWORD } from '../support/people.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import { newVisitor, openChromium } from './chromium.ts';

describe('a person at the sign-in pages', () => {
  let service: TestService;
  let owner: TestOwner;
  let browser: Browser;
  let url: string;
  before(async () => {
    service = await startService({ HOST: 'localhost' });
    owner = await service.owner();
    url = service.app.config.appUrl;
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Fills in the form and sends it by the keyboard alone. */
  const signIn = async (page: Page, email: string): Promise<void> => {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/settings/security');
  };

  test('signs in, adds a passkey, signs out and comes back with the passkey alone', async () => {
    const person = await addPerson(service, owner);
    const { page, context, complaints } = await newVisitor(browser);
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(`${url}/sign-in`);
    await signIn(page, person.email);
    await page.getByLabel('Name of a new passkey').fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.waitForURL('**/settings/security?done=passkey_added');
    assert.match((await page.textContent('main')) ?? '', /Laptop, added/);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL('**/sign-in?notice=signed_out');
    await page.goto(`${url}/sign-in?next=${encodeURIComponent('/docs/limits?a=b')}`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL('**/docs/limits?a=b');
    await page.goto(`${url}/settings/security`);
    assert.match((await page.textContent('main')) ?? '', new RegExp(person.email));
    assert.deepEqual(complaints, []);
  });

  test('whose browser runs no script signs in with a password, and is offered no passkey', async () => {
    const person = await addPerson(service, owner);
    const { page } = await newVisitor(browser, { script: false, phone: true });
    await page.goto(`${url}/sign-in`);
    assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0);
    await signIn(page, person.email);
    const wide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
    assert.equal(wide, false, 'nothing is wider than a phone');
  });

  test('invites another person, who joins by the link', async () => {
    const person = await addPerson(service, owner);
    const { page, complaints } = await newVisitor(browser);
    await page.goto(`${url}/sign-in`);
    await signIn(page, person.email);
    await page.locator('#invited').fill('guest@example.test');
    await page.locator('#role').selectOption('reader');
    await page.getByRole('button', { name: 'Invite' }).click();
    const link = await page.getByLabel('The link').inputValue();
    const guest = await newVisitor(browser);
    await guest.page.goto(link);
    await guest.page.getByLabel('Choose a password').fill('another staple entirely');
    await guest.page.getByRole('button', { name: 'Accept', exact: true }).click();
    await guest.page.waitForURL(`${url}/`);
    await guest.page.getByRole('heading', { level: 1 }).waitFor();
    await guest.page.goto(`${url}/settings/security`);
    assert.match((await guest.page.textContent('main')) ?? '', /Signed in as guest@example\.test, reader/);
    assert.deepEqual([...complaints, ...guest.complaints], []);
  });
});
