import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
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
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner, worker: true });
    await page.evaluate(CONTROLLED);
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
