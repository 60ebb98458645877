import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { addPerson, PASSWORD } from '../support/people.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import {
  askV2,
  type JsonAnswer,
  newVerifier,
  PUBLIC_APP,
  postToken,
  register,
  request,
} from '../surfaces/oauth/stage.ts';
import { newVisitor, openChromium } from './chromium.ts';

/** A program on the loopback interface that waits for the redirect. */
interface Program {
  readonly server: Server;
  readonly redirect: string;
}

async function listening(text = 'You can close this window.'): Promise<Program> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(isPlace(address));
  return { server, redirect: `http://127.0.0.1:${address.port}/callback` };
}

function isPlace(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

describe('a person lets an app in, in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let owner: TestOwner;
  let program: Program;
  let client: string;
  before(async () => {
    service = await startService();
    owner = await service.owner();
    browser = await openChromium();
    program = await listening();
    // Registered without the port, like editors that use any free one.
    const redirect_uris = ['http://127.0.0.1/callback', 'test.tributary:/done'];
    client = (await register(service, { ...PUBLIC_APP, redirect_uris })).body.client_id;
  });
  after(async () => {
    program?.server.close();
    await browser?.close();
    await service?.close();
  });

  /** Signs in where the request has led to, as someone new. */
  async function signInAt(page: Page): Promise<void> {
    const { email } = await addPerson(service, owner);
    await page.waitForURL(/\/sign-in/);
    await page.locator('input[name=email]').fill(email);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.locator('input[name=password]').press('Enter');
    await page.waitForURL(/\/oauth\/consent\//);
  }

  function exchange(url: string, verifier: string): Promise<JsonAnswer> {
    return postToken(service, {
      grant_type: 'authorization_code',
      client_id: client,
      code: new URL(url).searchParams.get('code') ?? '',
      redirect_uri: program.redirect,
      code_verifier: verifier,
    });
  }

  for (const script of [true, false]) {
    test(`signs in, ticks one thing more, and the app reads what was ticked, ${script ? 'with' : 'without'} script`, async () => {
      const { page, complaints } = await newVisitor(browser, { script, phone: !script });
      const { verifier, challenge } = newVerifier();
      const resource = `${service.url}/v2`;
      const scope = 'data:read syncs:read syncs:write brokerage:read';
      const more = { redirect_uri: program.redirect, resource, scope };
      await page.goto(service.url + request(client, challenge, more));
      await signInAt(page);
      assert.ok(await page.getByText('It returns to a program on this computer').isVisible());
      const box = (name: string) => page.locator(`input[value="${name}"]`);
      assert.ok(await box('data:read').isChecked());
      for (const off of ['syncs:write', 'brokerage:read']) assert.ok(!(await box(off).isChecked()), off);
      await box('brokerage:read').check();
      await box('syncs:read').uncheck();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL(`${program.redirect}**`);
      const answer = await exchange(page.url(), verifier);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.deepEqual(answer.body.scope.split(' ').toSorted(), ['brokerage:read', 'data:read']);
      assert.equal((await askV2(service, answer.body.access_token)).status, 200);
      assert.deepEqual(complaints, []);
    });
  }

  test('denies, and the app hears so', async () => {
    const { page } = await newVisitor(browser);
    const path = request(client, newVerifier().challenge, { redirect_uri: program.redirect });
    await page.goto(service.url + path);
    await signInAt(page);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(`${program.redirect}**`);
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');
  });

  test('an app with a scheme of its own is opened: the policy of the page is not in the way', async () => {
    const { page, complaints } = await newVisitor(browser);
    const path = request(client, newVerifier().challenge, { redirect_uri: 'test.tributary:/done' });
    await page.goto(service.url + path);
    await signInAt(page);
    const opened = page.waitForRequest((sent) => sent.url().startsWith('test.tributary:'), {
      timeout: 5_000,
    });
    const left = opened.then(
      (sent) => sent.url(),
      () => null,
    );
    await page.getByRole('button', { name: 'Allow' }).click();
    await left;
    // No program on this machine has the scheme; the test is that nothing was refused on the way.
    assert.deepEqual(
      complaints.filter((text) => /content security policy/i.test(text)),
      [],
    );
  });

  test('an app whose callback sends the person on to another origin is reached', async () => {
    const { page, complaints } = await newVisitor(browser);
    const end = await listening('The end.');
    const passing = createServer((_request, response) =>
      response.writeHead(302, { location: end.redirect }).end(),
    );
    await new Promise<void>((resolve) => passing.listen(0, '127.0.0.1', resolve));
    const address = passing.address();
    assert.ok(isPlace(address));
    const redirect_uri = `http://127.0.0.1:${address.port}/callback`;
    await page.goto(service.url + request(client, newVerifier().challenge, { redirect_uri }));
    await signInAt(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${end.redirect}**`, { timeout: 10_000 });
    assert.deepEqual(complaints, []);
    for (const server of [passing, end.server]) server.close();
  });

  test('the page is shown in no frame of another site', async () => {
    const { page, complaints } = await newVisitor(browser);
    const path = request(client, newVerifier().challenge, { redirect_uri: program.redirect });
    await page.goto(service.url + path);
    await signInAt(page);
    const framing = await listening(`<iframe src="${page.url()}"></iframe>`);
    await page.goto(framing.redirect);
    await page.waitForTimeout(500);
    const shown = await Promise.all(page.frames().map((frame) => frame.content()));
    assert.ok(!shown.join('').includes('Connect an app?'));
    assert.ok(complaints.some((text) => /frame-ancestors|X-Frame-Options/i.test(text)));
    framing.server.close();
  });
});
