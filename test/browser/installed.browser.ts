import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { until } from '../features/linking/person.ts';
import { SimulatedPushService } from '../support/push-service.ts';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { linkedOwner } from './lives.ts';
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

/** The addresses of everything that the browser's caches hold for this origin. */
const CACHED = `(async () => {
  const all = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const requests = await Promise.all(all.map((cache) => cache.keys()));
  return requests.flat().map(({ url }) => new URL(url).pathname);
})()`;
const CONTROLLED = `(async () => {
  await navigator.serviceWorker.ready;
  if (navigator.serviceWorker.controller !== null) return;
  await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }));
})()`;
/** What other applications of the origin have, among them an installation below another path. */
const OTHERS = `Promise.all(['of another application', 'tributary-offline /money/ 1'].map((name) => caches.open(name)))
  .then(() => null)`;
const CACHES = `(async () => (await caches.keys()).filter((name) => !name.startsWith('tributary-offline / ')))()`;
const FOCUSED = `document.activeElement?.closest('li')?.textContent ?? ''`;

describe('the installed application', () => {
  test('has a manifest whose icons are there, in the sizes it names', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    const named = (await page.locator('link[rel=manifest]').getAttribute('href')) ?? '';
    const address = new URL(named, service.url).href;
    const manifest = JSON.parse(await (await fetch(address)).text());
    assert.equal(manifest.display, 'standalone');
    assert.equal(new URL(manifest.start_url, address).pathname, '/');
    for (const { src, sizes, type } of manifest.icons) {
      const icon = await fetch(new URL(src, address));
      assert.equal(icon.status, 200, src);
      assert.equal(icon.headers.get('content-type'), type);
      if (type !== 'image/png') continue;
      const bytes = Buffer.from(await icon.arrayBuffer());
      assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('says that the service cannot be reached, keeps that page alone, and is itself again afterwards', async () => {
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt('/docs', { browser, service, owner, worker: true });
    await page.evaluate(OTHERS);
    await page.goto(service.url);
    await page.evaluate(CONTROLLED);
    assert.deepEqual(await page.evaluate(CACHES), ['of another application', 'tributary-offline /money/ 1']);
    for (const path of [
      '/transactions',
      '/connections',
      '/settings',
      '/link/nothing',
      '/docs/guides',
      '/v2/openapi.json',
    ]) {
      await page.goto(new URL(path, service.url).href);
      assert.deepEqual(await page.evaluate(CACHED), ['/offline'], path);
    }
    assert.deepEqual(
      complaints.filter((text) => !text.includes('404')),
      [],
    );
    await page.context().setOffline(true);
    for (const path of ['/transactions', '/']) {
      await page.goto(new URL(path, service.url).href);
      await page.getByRole('heading', { name: 'Tributary cannot be reached' }).waitFor();
    }
    for (const path of ['/settings', '/link/nothing', '/v2/me']) {
      await assert.rejects(page.goto(new URL(path, service.url).href), /ERR_INTERNET_DISCONNECTED/, path);
    }
    await page.context().setOffline(false);
    await page.goto(new URL('/connections', service.url).href);
    await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
    await close();
  });
});

/** The scopes and states of every service worker of the origin. */
const WORKERS = `(async () => (await navigator.serviceWorker.getRegistrations())
  .map(({ scope, active }) => new URL(scope).pathname + ' ' + active?.state).sort())()`;
/** Notes what the worker shows: headless browsers show no notifications. */
const NOTE_SHOWN = `self.registration.showNotification = async (title, { body }) => { self.noted = { title, body }; }; 0`;

describe('notifications', () => {
  test('are subscribed to in a browser beside the worker of the application, and shown by their own', async (t) => {
    const push = await SimulatedPushService.open(t);
    const owner = await linkedOwner(service);
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner, worker: true });
    await page.evaluate(CONTROLLED);
    const settings = new URL('/settings/notifications', service.url).href;
    const add = page.getByRole('button', { name: 'Notify me in this browser' });

    await page.goto(settings);
    await add.click();
    await page.getByText('Notifications of this site are blocked').waitFor();

    await page.context().grantPermissions(['notifications']);
    // No push service answers here, so the subscription is a simulated one; all else is the browser's own.
    const subscription = push.subscribe(await service.app.notifying.pushService.publicKey());
    await page.addInitScript(`PushManager.prototype.subscribe = async ({ applicationServerKey }) =>
      applicationServerKey.length === 87 ? ${JSON.stringify(subscription)} : Promise.reject(new Error('no key'));`);
    await page.goto(settings);
    await add.click();
    await page.getByText('This browser now receives notifications.').waitFor();
    assert.deepEqual(await page.evaluate(WORKERS), ['/ activated', '/settings/notifications/ activated']);
    await page.getByRole('button', { name: 'Send a test notification' }).click();
    await page.getByText('A test notification is on its way.').waitFor();
    const [message] = await until(
      async () => push.shownTo(subscription),
      (messages) => messages.length === 1,
    );

    const devtools = await page.context().newCDPSession(page);
    const registrations: { readonly registrationId: string; readonly scopeURL: string }[] = [];
    devtools.on('ServiceWorker.workerRegistrationUpdated', (event) =>
      registrations.push(...event.registrations),
    );
    await devtools.send('ServiceWorker.enable');
    const own = await until(
      async () => registrations.find(({ scopeURL }) => scopeURL === `${settings}/`),
      (found) => found !== undefined,
    );
    const worker = page
      .context()
      .serviceWorkers()
      .find((one) => one.url() === `${settings}/worker.js`);
    assert.ok(worker);
    await worker.evaluate(NOTE_SHOWN);
    await devtools.send('ServiceWorker.deliverPushMessage', {
      origin: new URL(service.url).origin,
      registrationId: own?.registrationId ?? '',
      data: JSON.stringify(message),
    });
    const shown = await until(
      () => worker.evaluate<unknown>('self.noted ?? null'),
      (noted) => noted !== null,
    );
    assert.deepEqual(shown, {
      title: 'A test notification',
      body: 'Notifications of Tributary reach you here.',
    });
    assert.deepEqual(complaints, []);
    await close();
  });

  test('say so where the browser cannot receive them', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/settings', { browser, service, owner });
    await page.addInitScript('delete window.PushManager;');
    await page.goto(new URL('/settings/notifications', service.url).href);
    await page.getByText('This browser cannot receive notifications here').waitFor();
    assert.ok(!(await page.getByRole('button', { name: 'Notify me in this browser' }).isVisible()));
    assert.deepEqual(complaints, []);
    await close();
  });
});

describe('the keys of lists', () => {
  test('move between the rows of a list, open one, list themselves, and can be turned off', async () => {
    const owner = await service.owner();
    for (const name of ['First', 'Second'])
      await owner.v2('POST', '/v2/api_keys', { name, scopes: ['data:read'] });
    const { page, complaints, close } = await signedInAt('/developer', { browser, service, owner });
    const focused = () => page.evaluate(FOCUSED);
    await page.getByText('Second').waitFor();
    const rows = page.locator('main li').filter({ has: page.locator('a, button') });
    assert.ok((await rows.count()) >= 2);
    await page.keyboard.press('j');
    const first = await focused();
    await page.keyboard.press('j');
    const second = await focused();
    assert.ok(first !== '' && second !== '' && first !== second);
    await page.keyboard.press('k');
    assert.equal(await focused(), first);
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByLabel('Use these keys').uncheck();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    assert.equal(await focused(), first, 'the keys are off');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await dialog.getByLabel('Use these keys').check();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    assert.notEqual(await focused(), '');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/developer\/.+/);
    assert.deepEqual(complaints, []);
    await close();
  });
});

describe('on paper', () => {
  test('a list has all its rows, in the order of the page, without the navigation', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/transactions', { browser, service, owner });
    const rows = page.locator('main ol > li[data-index]');
    await rows.nth(5).waitFor();
    const onScreen = await rows.count();
    const all = Number(await rows.first().getAttribute('aria-setsize'));
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    assert.ok((await rows.count()) >= Math.max(all, onScreen));
    assert.ok(!(await page.getByRole('navigation', { name: 'Main' }).isVisible()));
    const boxes = await Promise.all((await rows.all()).slice(0, 12).map((row) => row.boundingBox()));
    for (const [at, box] of boxes.entries()) {
      const above = boxes[at - 1];
      if (box !== null && above != null) assert.ok(box.y >= above.y + above.height - 1, `row ${at}`);
    }
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
    await page.emulateMedia({ media: 'screen' });
    await close();
  });
});
