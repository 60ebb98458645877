import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { failedSync, linkedOwner } from './lives.ts';
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

/** A navigation that should not happen would follow the answer at once. */
const NO_LONGER_COMES_MS = 500;

/** Holds back what the page writes at an address. Returns what sends it on and waits until it is answered. */
async function held(page: Page, { method, address }: { readonly method: string; readonly address: string }) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (route.request().method() === method) await released;
    await route.continue();
  });
  return async () => {
    const answer = page.waitForResponse((response) => response.request().method() === method);
    release();
    const answered = await answer;
    assert.ok(answered.ok(), String(answered.status()));
    await answered.finished();
  };
}

describe('what finishes after its page was left opens no other page', () => {
  test('a run that is started on the page of a sync', async () => {
    const owner = await linkedOwner(service);
    const sync = await failedSync(owner, [owner.connection.accounts[0].id]);
    const { page, complaints, close } = await signedInAt(`/syncs/${sync.id}`, { browser, service, owner });
    const answered = await held(page, { method: 'POST', address: '**/v2/syncs/*/run' });
    const sent = page.waitForRequest('**/v2/syncs/*/run');
    await page.getByRole('button', { name: 'Run now', exact: true }).first().click();
    await sent;
    await page.getByRole('link', { name: 'Categories' }).first().click();
    await page.getByRole('heading', { name: 'Categories', level: 1 }).waitFor();
    await answered();
    await page.waitForTimeout(NO_LONGER_COMES_MS);
    assert.match(page.url(), /\/categories$/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a bank that is chosen, whose page for signing in is then prepared', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/connections/new', { browser, service, owner });
    const address = '**/v2/link_sessions';
    const answered = await held(page, { method: 'POST', address });
    const sent = page.waitForRequest(address);
    await page
      .getByRole('button', { name: /Sandbox Data Holder/ })
      .first()
      .click();
    await sent;
    await page.getByRole('link', { name: 'Syncs' }).first().click();
    await page.getByRole('heading', { name: 'Syncs', level: 1 }).waitFor();
    await answered();
    await page.waitForTimeout(NO_LONGER_COMES_MS);
    assert.match(page.url(), /\/syncs$/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('but what is deleted is left, also once the dialog that asked was closed', async () => {
    const owner = await linkedOwner(service);
    const sync = await failedSync(owner, [owner.connection.accounts[0].id]);
    const path = `/destinations/${sync.destination.id}`;
    const { page, close } = await signedInAt(path, { browser, service, owner });
    const answered = await held(page, { method: 'DELETE', address: '**/v2/destinations/*' });
    await page.getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const sent = page.waitForRequest((request) => request.method() === 'DELETE');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await sent;
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await answered();
    await page.getByRole('heading', { name: 'Destinations', level: 1 }).waitFor();
    await close();
  });
});
