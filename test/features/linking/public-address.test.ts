import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestService } from '../../support/service.ts';
import { Browser } from './browser.ts';
import { startSession } from './person.ts';

const BASE = '/tributary';
let service: TestService;
before(async () => {
  service = await startService({
    PUBLIC_URL: `https://hub.example.test${BASE}`,
    APP_URL: 'https://app.example.test',
  });
});
after(() => service.close());

/** What a proxy that serves the service below a path asks for an address. */
const inside = (address: string, page = '/'): string => {
  const { pathname, search } = new URL(address, `https://hub.example.test${page}`);
  assert.ok(pathname.startsWith(`${BASE}/`), `${pathname} belongs to another service on the host`);
  return `${service.url}${pathname.slice(BASE.length)}${search}`;
};

test('below a path of the public host a person can continue, start again, cancel, try again and is sent on', async () => {
  const owner = await service.owner();
  const session = await startSession(owner);
  const page = new URL(session.url).pathname;
  const browser = new Browser();
  const actions = async (html: string, at: string): Promise<string[]> =>
    [...html.matchAll(/(?:action|class="button main" href)="([^"]+)"/g)].map(([, address = '']) =>
      inside(address.replaceAll('&amp;', '&'), at),
    );
  const invited = await actions((await browser.visit(inside(session.url))).html, page);
  assert.equal(invited.length, 2);
  const begun = await browser.visit(invited[0] ?? '', 'POST');
  assert.equal(begun.status, 303, begun.html);
  const again = await actions((await browser.visit(inside(session.url))).html, page);
  assert.equal(again.length, 3);
  assert.equal((await browser.visit(again[2] ?? '', 'POST')).status, 303);
  const foreign = await browser.visit(inside(session.url), 'POST', { 'sec-fetch-site': 'cross-site' });
  assert.equal(inside(foreign.location), inside(session.url));

  const control = sandboxBank(service.app);
  control.addFault({ route: 'POST /v1/auth/session', kind: 'refusal', status: 400 });
  const second = await startSession(owner);
  const failed = await browser.visit(inside(second.url), 'POST');
  assert.notEqual(failed.status, 303);
  const offered = await actions(failed.html, new URL(second.url).pathname);
  assert.deepEqual(offered, [inside(second.url), `${inside(second.url)}/cancel`]);
  const cancelled = await browser.visit(offered[1] ?? '', 'POST');
  assert.match(cancelled.location, /reason=cancelled$/);
});
