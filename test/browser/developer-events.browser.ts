import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type NameServer, openNameServer } from '../support/name-server.ts';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { signedInAt } from './people.ts';
import { assertForgotten } from './remembered.ts';
import { addEventDestination } from './scenes/developer.ts';

let service: TestService;
let browser: Browser;
let names: NameServer;
before(async () => {
  // Says at once that receivers have no address.
  names = await openNameServer();
  service = await startService({ OUTBOUND_DNS: names.address });
  browser = await openChromium();
});
after(async () => {
  await browser?.close();
  await service?.close();
  names?.close();
});

/** Events about the same thing are sent one after another, and each attempt may take 10 seconds. */
const SENT = { timeout: 60_000 } as const;

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe('events in the web application', () => {
  test('what happens appears on its own, is narrowed by kind, and shows its body and its deliveries', async () => {
    const owner = await service.owner();
    const destination = await addEventDestination(owner, 'Ledger');
    const { page, complaints, close } = await signedInAt('/developer/events', { browser, service, owner });
    await owner.v2('POST', `/v2/event_destinations/${destination.id}/ping`);
    await page.reload();
    await page.getByText('Live').waitFor();
    await page.getByRole('listitem').first().waitFor();
    const before = await page.getByRole('link', { name: 'event_destination.ping' }).count();
    assert.equal(before, 1);
    await owner.v2('POST', `/v2/event_destinations/${destination.id}/ping`);
    await page.getByRole('link', { name: 'event_destination.ping' }).nth(1).waitFor();
    await page.getByLabel('Show').selectOption('sync_run.failed');
    await page.getByText('No events of this kind').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('type'), 'sync_run.failed');
    await page.getByLabel('Show').selectOption('Everything about event destinations');
    await page.getByRole('link', { name: 'event_destination.ping' }).first().click();
    const [latest] = (await owner.v2('GET', '/v2/events')).body.data;
    const body = page.getByRole('region', { name: 'Body' });
    assert.deepEqual(JSON.parse(await body.locator('pre').innerText()), latest);
    await page.getByText('The connection broke').waitFor(SENT);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('status').filter({ hasText: 'The event is sent again' }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('an event that no one subscribes to is not sent again, and the page says why', async () => {
    const owner = await service.owner();
    const destination = await addEventDestination(owner, 'Gone soon');
    const { body } = await owner.v2('POST', `/v2/event_destinations/${destination.id}/ping`);
    await owner.v2('DELETE', `/v2/event_destinations/${destination.id}`);
    const { page, close } = await signedInAt(`/developer/events/${body.id}`, { browser, service, owner });
    await page.getByRole('button', { name: 'Send again' }).click();
    const problem = page.getByRole('alert').filter({ hasText: 'The event was not sent again' });
    const link = problem.getByRole('link', { name: 'What this means' });
    assert.match((await link.getAttribute('href')) ?? '', /#no_subscribed_destination$/);
    await close();
  });

  test('a missing event is reported', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/developer/events/evt_nothing', { browser, service, owner });
    await page.getByRole('alert').getByRole('link', { name: 'What this means' }).waitFor();
    await close();
  });
});

describe('event destinations in the web application', () => {
  test('one is added with families of kinds, and its secret is shown once and forgotten', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/developer/event-destinations', {
      browser,
      service,
      owner,
    });
    await page.getByRole('link', { name: 'Add event destination' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Chat <b>room</b>');
    await page.getByLabel('Address').fill('https://receiver.example.test/events');
    await page.getByLabel('Everything that happens').uncheck();
    await page.getByText('Choose at least one.').waitFor();
    await page.getByLabel('sync_run.failed').check();
    await page.getByLabel('Everything about sync runs').check();
    assert.ok(await page.getByLabel('sync_run.failed').isDisabled(), 'the family includes it');
    await page.getByLabel('sync.attention').check();
    await page.getByRole('button', { name: 'Add event destination' }).click();
    await page.getByText('Copy the signing secret now').waitFor();
    const secret = await page.locator('pre').first().innerText();
    assert.match(secret, /^whsec_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('heading', { name: 'Chat <b>room</b>', level: 1 }).waitFor();
    await assertForgotten(page, secret);
    const [made] = (await owner.v2('GET', '/v2/event_destinations')).body.data;
    assert.deepEqual(made.enabled_events, ['sync_run.*', 'sync.attention']);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('an address that is not public is refused in the words of the service', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/developer/event-destinations/new', {
      browser,
      service,
      owner,
    });
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await page.getByLabel('Address').fill('https://10.0.0.1/events');
    await page.getByRole('button', { name: 'Add event destination' }).click();
    const problem = page.getByRole('alert').filter({ hasText: 'The event destination was not added' });
    await problem.getByRole('link', { name: 'What this means' }).waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Mine');
    await close();
  });

  test('the eleventh is refused, and the page says what to do', async () => {
    const owner = await service.owner();
    for (let made = 0; made < 10; made++) await addEventDestination(owner, `Receiver ${made}`);
    const { page, close } = await signedInAt('/developer/event-destinations/new', {
      browser,
      service,
      owner,
    });
    await page.getByLabel('Name', { exact: true }).fill('One more');
    await page.getByLabel('Address').fill('https://receiver.example.test/events');
    await page.getByRole('button', { name: 'Add event destination' }).click();
    const link = page.getByRole('alert').getByRole('link', { name: 'What this means' });
    assert.match((await link.getAttribute('href')) ?? '', /#event_destination_limit_reached$/);
    await close();
  });

  test('a ping says what came of it, whether the receiver fails or answers', async () => {
    const owner = await service.owner();
    const { id } = await addEventDestination(owner, 'Ledger');
    const { page, close } = await signedInAt(`/developer/event-destinations/${id}`, {
      browser,
      service,
      owner,
    });
    await page.getByRole('button', { name: 'Send a ping' }).click();
    await page.getByText('Waiting for an answer to the ping…').waitFor();
    await page.getByRole('alert').filter({ hasText: 'The ping did not arrive' }).waitFor(SENT);
    // A receiver must be at a public address, which no test has: what the log of deliveries would say is in.
    await page.route('**/deliveries', async (route) => {
      const attempt = { attempted: '2026-11-19T21:12:00.000Z', duration_ms: 212, status_code: 204 };
      const delivery = { event_destination: id, attempts: [{ ...attempt, failure: null, answer: null }] };
      await route.fulfill({ json: { data: [delivery], next_page_url: null, previous_page_url: null } });
    });
    await page.getByRole('button', { name: 'Send a ping' }).click();
    await page.getByRole('status').filter({ hasText: 'The ping arrived' }).waitFor();
    await page.getByText('The receiver answered 204 within 212 ms.').waitFor();
    await close();
  });

  test('it is edited, disabled, enabled, given a new secret and deleted', async () => {
    const owner = await service.owner();
    const { id } = await addEventDestination(owner, 'Ledger', ['sync.*']);
    const { page, complaints, close } = await signedInAt(`/developer/event-destinations/${id}`, {
      browser,
      service,
      owner,
    });
    const read = async () => (await owner.v2('GET', `/v2/event_destinations/${id}`)).body;
    await choose(page, 'Ledger', 'Edit');
    await page.getByLabel('Name', { exact: true }).fill('Books');
    await page.getByLabel('consent.withdrawn').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Books', level: 1 }).waitFor();
    assert.deepEqual((await read()).enabled_events, ['sync.*', 'consent.withdrawn']);
    await choose(page, 'Books', 'Disable');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('A member of this account disabled it.').waitFor();
    assert.equal((await read()).status, 'disabled');
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('status').filter({ hasText: 'Books is enabled' }).waitFor();
    await choose(page, 'Books', 'Rotate secret');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('For 24 hours requests are signed with the old and the new one').waitFor();
    const secret = await page.locator('pre').first().innerText();
    assert.match(secret, /^whsec_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await assertForgotten(page, secret);
    await choose(page, 'Books', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No event destination yet').waitFor();
    assert.deepEqual((await owner.v2('GET', '/v2/event_destinations')).body.data, []);
    assert.deepEqual(complaints, []);
    await close();
  });
});
