import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { insertMembership } from '../../src/storage/memberships.ts';
import { addPerson, PASSWORD } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';
import { assertAccessible } from './accessibility.ts';
import { openChromium } from './chromium.ts';
import { signedInAt, signedOutAt } from './people.ts';

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

describe('the frame of the web application', () => {
  test('who is not signed in signs in first and then is where they wanted to be', async () => {
    const owner = await service.owner();
    const { email } = await addPerson(service, owner);
    const { page, complaints, close } = await signedOutAt('/connections/new?a=b', {
      browser,
      service,
      owner,
    });
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Link a bank', level: 1 }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/connections/new');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a session that ends while a page is open leads to the sign-in page', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/', { browser, service, owner });
    await page.getByRole('heading', { name: 'Welcome to Tributary' }).waitFor();
    // As if it had ended: the cookie is still of the right form.
    const cookies = await page.context().cookies();
    const ended = cookies.map((cookie) => ({ ...cookie, value: cookie.value.replace(/.{8}$/, 'AAAAAAAA') }));
    await page.context().addCookies(ended);
    await page.goto(new URL('/connections', service.url).href);
    await page.waitForURL(/\/sign-in\?next=%2Fconnections$/);
    await close();
  });

  test('a tab that shows one account does nothing to the other that a second tab has switched to, and says so', async () => {
    const [first, second] = [await service.owner(), await service.owner()];
    const person = await addPerson(service, first);
    const { page, close } = await signedInAt('/rulesets', { browser, service, owner: first, as: person });
    await page.getByRole('button', { name: 'New ruleset' }).first().click();
    await page.getByLabel('Name').fill('Meant for the first');
    const now = new Date();
    await insertMembership(service.app.database.db, {
      account_record: second.record.id,
      user_id: person.id,
      role: 'owner',
      created: now,
      updated: now,
    });
    const tab = await page.context().newPage();
    await tab.goto(new URL('/settings', service.url).href);
    await tab.getByRole('button', { name: 'Switch' }).click();
    await tab.getByText('You now see the other account record.').waitFor();
    await page.getByRole('button', { name: 'Create ruleset' }).click();
    await page.getByText('You now see another account').waitFor();
    assert.equal(new URL(page.url()).pathname, '/');
    for (const { v2 } of [first, second])
      assert.deepEqual((await v2('GET', '/v2/rulesets')).body.data, [], 'nothing was made anywhere');
    await close();
  });

  test('a menu that is pressed before its script has arrived opens once it has, and its button keeps the focus', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/menus-*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.reload();
    const button = page.getByRole('button', { name: 'Your account' });
    await button.click();
    assert.equal(await page.getByRole('menu').count(), 0);
    release();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('signing out from the menu ends the session', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/', { browser, service, owner });
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You have signed out.').waitFor();
    await page.goto(new URL('/', service.url).href);
    await page.waitForURL(/\/sign-in/);
    await close();
  });

  test('it is used by keyboard alone: skip link first, then the product, the search, the account and the places', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/', { browser, service, owner });
    const focused = () => page.evaluate('document.activeElement?.textContent?.trim() ?? ""');
    const names = [];
    for (let press = 0; press < 6; press++) {
      await page.keyboard.press('Tab');
      names.push(await focused());
    }
    assert.deepEqual(names, [
      'Skip to content',
      'Tributary',
      'SearchCtrl K',
      'Your account',
      'Home',
      'Connections',
    ]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
    assert.equal(await focused(), 'Connections', 'the heading of the new page has the focus');
    await close();
  });

  test('the theme that a person chooses stays, and no page begins in another', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    assert.equal(await scheme(), 'light');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    assert.equal(await scheme(), 'dark');
    await page.goto(new URL('/connections', service.url).href, { waitUntil: 'commit' });
    await page.locator('head script[type=module]').waitFor({ state: 'attached' });
    assert.equal(await scheme(), 'dark');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('the theme that a person chooses is that of the pages without script as well', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner, scheme: 'dark' });
    const choose = async (name: string) => {
      await page.goto(new URL('/', service.url).href);
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitemradio', { name, exact: true }).click();
    };
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const shown: unknown[] = [];
    for (const name of ['Light', 'Dark', 'Light', 'System']) {
      await choose(name);
      const app = await background();
      for (const path of ['/settings', '/docs/guides', '/sign-out']) {
        await page.goto(new URL(path, service.url).href);
        assert.equal(await background(), app, `${name}: ${path}`);
      }
      shown.push(app);
    }
    const [light, dark] = shown;
    assert.notEqual(light, dark);
    assert.deepEqual(shown, [light, dark, light, dark]);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('an address that leads nowhere is answered by the service, and within the application by a page', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/', { browser, service, owner });
    const answer = await page.goto(new URL('/nowhere', service.url).href);
    assert.equal(answer?.status(), 404);
    await close();
  });

  for (const scheme of ['light', 'dark'] as const) {
    test(`the menu has no violation of accessibility, ${scheme}`, async () => {
      const owner = await service.owner();
      const { page, close } = await signedInAt('/', { browser, service, owner, scheme });
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      await assertAccessible(page, scheme);
      await close();
    });
  }
});
