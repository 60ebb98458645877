import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { BY_OPERATOR } from '../../src/features/audit/audit-log.ts';
import { publicId } from '../../src/vocabulary/ids.ts';
import { CURRENT_RELEASE } from '../../src/vocabulary/service-version.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import { assertAccessible } from './accessibility.ts';
import { openChromium } from './chromium.ts';
import { signedInAt } from './people.ts';
import { refuse } from './refusals.ts';
import { assertForgotten } from './remembered.ts';

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

async function secretOn(page: Page): Promise<string> {
  const shown = await page.locator('pre').first().innerText();
  assert.match(shown, /^trib_live_\w+$/);
  return shown;
}

async function statusWith(key: string, path = '/v2/me'): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'service-version': CURRENT_RELEASE };
  return (await fetch(new URL(path, service.url), { headers })).status;
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function withKey(name: string): Promise<TestOwner & { readonly made: string }> {
  const owner = await service.owner();
  const { body } = await owner.v2('POST', '/v2/api_keys', { name, scopes: ['data:read'] });
  return { ...owner, made: body.secret };
}

describe('API keys in the web application', () => {
  test('the list and the page of a key say who created it, a person, the operator or another key', async () => {
    const owner = await withKey('Made by a key');
    const { page, complaints, close } = await signedInAt('/developer', { browser, service, owner });
    await page.getByText('Created by API key “test”').waitFor();
    await page.getByRole('link', { name: 'Made by a key' }).click();
    await page.getByText('Created by', { exact: true }).waitFor();
    await page.getByText('API key “test”').waitFor();
    const { record } = owner;
    const { key } = await service.app.services.apiKeys.create(
      record.id,
      { name: 'Of the operator', scopes: ['data:read'] },
      null,
    );
    await service.app.services.auditLog.note(record.id, {
      kind: 'api_key.created',
      by: BY_OPERATOR,
      from: null,
      target: publicId('api_key', key.id),
    });
    await page.goto(new URL('/developer', service.url).href);
    await page.getByText('Created by the operator').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a key is created with what was chosen, works, is shown once, and the page forgets its secret', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/developer', { browser, service, owner });
    await page.getByRole('link', { name: 'Create API key' }).click();
    const create = page.getByRole('button', { name: 'Create API key' });
    assert.ok(await create.isDisabled(), 'nothing is chosen yet');
    await page.getByLabel('Name', { exact: true }).fill('Budget script');
    await page.getByLabel('syncs:write').check();
    assert.ok(await page.getByLabel('syncs:read').isDisabled(), 'it comes with the scope that changes');
    await page.getByLabel('data:read').check();
    await page.getByText('2 scopes chosen').waitFor();
    await page.getByLabel('Allowed addresses').fill('127.0.0.1\n203.0.113.0/24\n');
    await page.getByLabel('Expires').fill('2031-01-31');
    await page.getByLabel('Metadata').fill('no pair');
    await page.getByText('“no pair” has no equals sign.').waitFor();
    await page.getByLabel('Metadata').fill('owner=finance=1');
    await create.click();
    await page.getByRole('heading', { name: 'Budget script is created' }).waitFor();
    const secret = await secretOn(page);
    assert.ok((await page.locator('pre').nth(1).innerText()).includes(secret), 'the command uses the key');
    assert.equal(await statusWith(secret, '/v2/syncs'), 200);
    assert.equal(await statusWith(secret, '/v2/rulesets'), 403);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('link', { name: 'Budget script' }).waitFor();
    await assertForgotten(page, secret);
    await page.goBack();
    await page.getByRole('heading', { name: 'Create an API key' }).waitFor();
    await assertForgotten(page, secret);
    const { data } = (await owner.v2('GET', '/v2/api_keys')).body;
    const made = data.find(({ name }: { name: string }) => name === 'Budget script');
    assert.deepEqual(
      [made.scopes, made.allowed_ips, made.expires_at, made.metadata],
      [
        ['data:read', 'syncs:write'],
        ['127.0.0.1', '203.0.113.0/24'],
        '2031-01-31T23:59:59.000Z',
        { owner: 'finance=1' },
      ],
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('leaving by the navigation before the secret is put away forgets it as well', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/developer/keys/new', { browser, service, owner });
    await page.getByLabel('Name', { exact: true }).fill('Short-lived');
    await page.getByRole('button', { name: 'All that read' }).click();
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByText('Copy the secret now').waitFor();
    const secret = await secretOn(page);
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'Welcome to Tributary' }).waitFor();
    await assertForgotten(page, secret);
    await close();
  });

  test('what the service refuses is said in its words, and what was entered stays', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/developer/keys/new', { browser, service, owner });
    await page.getByLabel('Name', { exact: true }).fill('Wrong address');
    await page.getByLabel('data:read').check();
    await page.getByLabel('Allowed addresses').fill('my computer');
    await page.getByRole('button', { name: 'Create API key' }).click();
    const problem = page.getByRole('alert').filter({ hasText: 'The key was not created' });
    const link = problem.getByRole('link', { name: 'What this means' });
    assert.match((await link.getAttribute('href')) ?? '', /#parameter_invalid$/);
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Wrong address');
    await close();
  });

  test('rotating shows the replacement once and ends the old key when the grace period says', async () => {
    const owner = await withKey('Nightly job');
    const { page, complaints, close } = await signedInAt('/developer', { browser, service, owner });
    await choose(page, 'Nightly job', 'Rotate');
    const dialog = page.getByRole('dialog', { name: 'Rotate Nightly job?' });
    await dialog.getByLabel('The old key keeps working for').selectOption('no longer: it stops at once');
    await dialog.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByRole('heading', { name: 'Nightly job is rotated' }).waitFor();
    const secret = await secretOn(page);
    assert.equal(await statusWith(secret), 200);
    assert.equal(await statusWith(owner.made), 401);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('heading', { name: 'Nightly job is rotated' }).waitFor({ state: 'detached' });
    await assertForgotten(page, secret);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('revoking says what it will do, is left by Escape, and is done when confirmed', async () => {
    const owner = await withKey('Old laptop');
    const { page, close } = await signedInAt('/developer', { browser, service, owner });
    await choose(page, 'Old laptop', 'Revoke');
    const dialog = page.getByRole('dialog', { name: 'Revoke Old laptop?' });
    await dialog.getByText(owner.made.slice(0, 16)).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(await statusWith(owner.made), 200);
    await choose(page, 'Old laptop', 'Revoke');
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('status').filter({ hasText: 'Old laptop is revoked' }).waitFor();
    await page.getByText('Revoked', { exact: true }).waitFor();
    assert.equal(await statusWith(owner.made), 401);
    await close();
  });

  test('a name that is a page of its own stays text, in the list, the dialog and the heading', async () => {
    const hostile = '<img src=x onerror="document.title=1">';
    const owner = await withKey('Plain');
    const { page, complaints, close } = await signedInAt('/developer', { browser, service, owner });
    await choose(page, 'Plain', 'Rename');
    await page.getByRole('dialog').getByLabel('Name').fill(hostile);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: hostile }).click();
    await page.getByRole('heading', { name: hostile, level: 1 }).waitFor();
    assert.equal(await page.locator('main img').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a reader is told that owners look after keys, and reads the rest', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/developer', { browser, service, owner, role: 'reader' });
    for (const part of ['API keys', 'Connected apps', 'SimpleFIN bridge']) {
      await page.getByRole('navigation', { name: 'Parts of Developer' }).getByText(part).click();
      await page.getByRole('heading', { name: part, level: 1 }).waitFor();
      await page.getByText('Only an owner can do this').first().waitFor();
      await assertAccessible(page, part);
    }
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByText('No events yet').waitFor();
    await close();
  });

  test('while the service does not answer, the list says so and tries again when asked', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/', { browser, service, owner });
    const refused = await refuse(page, '**/v2/api_keys?**', null);
    await page.getByRole('link', { name: 'Developer' }).click();
    await page.getByText('The service does not answer.').waitFor();
    await refused.passAfter(page.getByRole('button', { name: 'Try again' }));
    await page.getByText('Active').waitFor();
    await close();
  });
});
