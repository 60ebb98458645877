import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestService } from '../../support/service.ts';
import { Browser } from './browser.ts';
import { startSession } from './person.ts';

async function served(
  environment: Record<string, string>,
  work: (service: TestService) => Promise<void>,
): Promise<void> {
  const service = await startService(environment);
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

test('a link is asked for so often a minute from all addresses together, and others go on [limit hosted_link_per_minute]', () =>
  served({ LIMIT_HOSTED_LINK: '20', TRUST_PROXY: '1' }, async (service) => {
    const owner = await service.owner();
    const [session, other] = [await startSession(owner), await startSession(owner)];
    const from = (at: number) => ({ 'x-forwarded-for': `203.0.113.${at}` });
    const asked = await Promise.all(
      Array.from({ length: 300 }, (_, at) => new Browser().visit(session.url, 'POST', from(at % 250))),
    );
    const statuses = Map.groupBy(asked, ({ status }) => status);
    assert.equal(statuses.get(303)?.length, 20);
    const refused = statuses.get(429) ?? [];
    assert.equal(refused.length, 280);
    assert.match(refused[0]?.headers.get('retry-after') ?? '', /^\d+$/);
    assert.match(refused[0]?.html ?? '', /Too many requests from this link/);
    assert.doesNotMatch(refused[0]?.html ?? '', /http-equiv="refresh"/, 'a form is not sent again');
    assert.equal((await new Browser().visit(other.url, 'GET', from(1))).status, 200);
    const control = sandboxBank(service.app);
    const made = control.requests().filter(({ path }) => path === '/v1/auth/session');
    assert.equal(made.length, 1);
  }));

test('an address asks so often a minute whatever it asks for, and others go on [limit hosted_address_per_minute]', () =>
  served({ LIMIT_HOSTED_ADDRESS: '10', TRUST_PROXY: '1' }, async (service) => {
    const owner = await service.owner();
    const [session, second] = [await startSession(owner), await startSession(owner)];
    const busy = { 'x-forwarded-for': '203.0.113.7' };
    const paths = ['/link/x', '/connect/x', '/connect/return', '/connect/return?state=x', '/link/y'];
    for (let at = 0; at < 10; at++) {
      const answer = await new Browser().visit(`${service.url}${paths[at % paths.length]}`, 'GET', busy);
      assert.equal(answer.status, 404);
    }
    const strange = await new Browser().visit(`${service.url}/link/x`, 'GET', busy);
    assert.equal(strange.status, 429);
    for (let at = 0; at < 10; at++) {
      const { url } = at % 2 === 0 ? session : second;
      const answer = await new Browser().visit(url, 'GET', busy);
      assert.equal(answer.status, 200, 'a stranger in the same network locked out who was given a link');
    }
    const refused = await new Browser().visit(session.url, 'GET', busy);
    assert.equal(refused.status, 429);
    assert.match(refused.html, /Too many requests from your network/);
    const wait = refused.headers.get('retry-after');
    assert.ok(
      refused.html.includes(`<meta http-equiv="refresh" content="${wait}">`),
      'the page goes on by itself',
    );
    const other = { 'x-forwarded-for': '203.0.113.8' };
    assert.equal((await new Browser().visit(session.url, 'GET', other)).status, 200);
  }));

test('over https the cookie belongs to the host alone, over http to the one address that needs it', async () => {
  for (const [publicUrl, wanted] of [
    [
      'https://hub.example.test/tributary',
      /^__Host-link_ls_[0-9A-Za-z]{22}=[^;]+; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax; Secure$/,
    ],
    [
      'http://hub.example.test',
      /^link_ls_[0-9A-Za-z]{22}=[^;]+; Path=\/connect\/return; Max-Age=1800; HttpOnly; SameSite=Lax$/,
    ],
  ] as const) {
    await served({ PUBLIC_URL: publicUrl, APP_URL: new URL(publicUrl).origin }, async (service) => {
      const session = await startSession(await service.owner());
      const path = `/link/${session.url.split('/').at(-1)}`;
      const begun = await new Browser().visit(`${service.url}${path}`, 'POST');
      assert.equal(begun.status, 303);
      assert.match(begun.headers.getSetCookie()[0] ?? '', wanted);
    });
  }
});
