import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { askBridge, claimAddress } from '../support/bridge.ts';
import { startService, type TestService } from '../support/service.ts';
import { letIn, refresh, signIn } from '../surfaces/oauth/stage.ts';
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

describe('agents and apps in the web application', () => {
  test('each agent is connected to the address at which this installation answers', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/developer/agents', { browser, service, owner });
    const address = await page
      .getByRole('region', { name: 'Address of the MCP server' })
      .locator('pre')
      .innerText();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    assert.equal((await fetch(address, { method: 'POST', headers, body })).status, 401);
    await page.getByText('This address can be reached only from this machine or its network.').waitFor();
    for (const agent of ['Claude Code', 'Cursor', 'VS Code']) {
      await page.getByLabel('Agent', { exact: true }).selectOption(agent);
      await page.getByRole('button', { name: `Copy: Configuration for ${agent}`, exact: true }).waitFor();
      const shown = await page.getByRole('region', { name: 'Set up' }).locator('pre').first().innerText();
      assert.ok(shown.includes(address), shown);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('an installation that does not say where its MCP server is says so, and is asked again', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/', { browser, service, owner });
    const refused = await refuse(page, '**/.well-known/**', null);
    await page.goto(new URL('/developer/agents', service.url).href);
    await page.getByText('The service does not answer.').waitFor();
    await refused.passAfter(page.getByRole('button', { name: 'Try again' }));
    await page.getByRole('region', { name: 'Address of the MCP server' }).waitFor();
    await close();
  });

  test('a connected app shows in words what it may do, and is disconnected', async () => {
    const owner = await service.owner();
    const app = await letIn(service, await signIn(service, owner));
    const { page, complaints, close } = await signedInAt('/developer/apps', { browser, service, owner });
    await page.getByText('read accounts, balances, transactions and product details').waitFor();
    await page.getByRole('button', { name: 'Disconnect Test app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disconnect Test app?' });
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('status').filter({ hasText: 'Test app is disconnected' }).waitFor();
    assert.equal((await refresh(service, app.client, app.refresh)).status, 400);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a setup token is created, forgotten by the page, claimed, and its program changed and revoked', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/developer/simplefin', { browser, service, owner });
    await page.getByText('No program is connected yet.').waitFor();
    await page.getByRole('button', { name: 'Create setup token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the program').fill('Actual');
    await dialog.getByLabel('Round amounts to two decimals').check();
    await dialog.getByLabel('Leave out ids and categories').check();
    await dialog.getByRole('button', { name: 'Create setup token' }).click();
    await page.getByRole('heading', { name: 'The setup token for Actual' }).waitFor();
    const token = await page.locator('pre').first().innerText();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('Not used yet').first().waitFor();
    await assertForgotten(page, token);
    const claimed = await fetch(claimAddress(token), { method: 'POST' });
    const { username, password } = new URL(await claimed.text());
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    await page.reload();
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Actions for Actual' }).click();
    const programs = page.getByRole('region', { name: 'Programs' });
    await programs.getByText('Two decimals').waitFor();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Actual at home');
    const rounded = dialog.getByLabel('Round amounts to two decimals');
    assert.equal(await rounded.isChecked(), true);
    await rounded.uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Actions for Actual at home' }).click();
    assert.equal(await programs.getByText('Two decimals').count(), 0);
    const [app] = (await owner.v2('GET', '/v2/simplefin_apps')).body.data;
    assert.deepEqual([app.name, app.two_decimals, app.leave_out_extra], ['Actual at home', false, true]);
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('status').filter({ hasText: 'Actual at home is revoked' }).waitFor();
    assert.equal((await askBridge(service.url, '/accounts', { headers: { authorization } })).status, 403);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a setup token that no one used is revoked, and cannot be claimed', async () => {
    const owner = await service.owner();
    const { body } = await owner.v2('POST', '/v2/simplefin_setup_tokens', { name: 'Lost' });
    const { page, close } = await signedInAt('/developer/simplefin', { browser, service, owner });
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    assert.equal((await fetch(claimAddress(body.setup_token), { method: 'POST' })).status, 403);
    await close();
  });

  test('a setup token that cannot be made says why, in the dialog', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/developer/simplefin', { browser, service, owner });
    await page.route('**/v2/simplefin_setup_tokens', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Create setup token' }).click();
    await page.getByRole('dialog').getByLabel('Name of the program').fill('Actual');
    await page.getByRole('dialog').getByRole('button', { name: 'Create setup token' }).click();
    await page.getByRole('dialog').getByText('The setup token was not created').waitFor();
    await close();
  });
});
