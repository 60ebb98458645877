import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  BANK,
  consentAtBank,
  linkBank,
  openCallback,
  startSession,
  until,
} from '../../features/linking/person.ts';
import {
  HOSTILE_LITERALS,
  HOSTILE_NAMES,
  HOSTILE_URLS,
  LOCAL_NAMES,
} from '../../support/hostile-addresses.ts';
import { openInnerService } from '../../support/inner-service.ts';
import { type NameServer, openNameServer } from '../../support/name-server.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Answer } from '../../support/v2-client.ts';

let names: NameServer;
let service: TestService;
let owner: TestOwner;
let subscribed: string;
let webhook: string;
let connection: string;
before(async () => {
  names = await openNameServer();
  service = await startService({
    OUTBOUND_ALLOW: '',
    LIMIT_OPEN_LINK_SESSIONS: '1000',
    OUTBOUND_DNS: names.address,
  });
  owner = await service.owner();
  subscribed = idOf(await event('POST', '', 'https://hooks.example.com/'));
  webhook = idOf(await rows('POST', '', 'https://hooks.example.com/'));
  connection = await linkBank(owner);
});
after(async () => {
  await service.close();
  names.close();
});

const event = (method: 'POST' | 'PATCH', id: string, url: string): Promise<Answer> =>
  owner.v2(method, `/v2/event_destinations${id}`, {
    webhook_endpoint: { url },
    ...(id === '' && { name: 'Events', enabled_events: ['api_key.*'] }),
  });
const rows = (method: 'POST' | 'PATCH', id: string, url: string): Promise<Answer> =>
  owner.v2(method, `/v2/destinations${id}`, {
    target: { url },
    ...(id === '' && { type: 'webhook', name: 'Rows' }),
  });

function idOf({ status, body }: Answer): string {
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** Where an address of the owner's choice comes in, and the parameter that carries it. */
const DOORS: readonly {
  readonly name: string;
  readonly param: string;
  send(url: string): Promise<Answer>;
}[] = [
  { name: 'a new event destination', param: 'webhook_endpoint.url', send: (url) => event('POST', '', url) },
  {
    name: 'an event destination by POST',
    param: 'webhook_endpoint.url',
    send: (url) => event('POST', `/${subscribed}`, url),
  },
  {
    name: 'an event destination by PATCH',
    param: 'webhook_endpoint.url',
    send: (url) => event('PATCH', `/${subscribed}`, url),
  },
  { name: 'a new webhook destination', param: 'target.url', send: (url) => rows('POST', '', url) },
  {
    name: 'a webhook destination by POST',
    param: 'target.url',
    send: (url) => rows('POST', `/${webhook}`, url),
  },
  {
    name: 'a webhook destination by PATCH',
    param: 'target.url',
    send: (url) => rows('PATCH', `/${webhook}`, url),
  },
];

describe('an address inside the operator’s network is refused before anything is stored', () => {
  const refused = [
    ...[...HOSTILE_LITERALS, ...LOCAL_NAMES].map(({ host, is }) => ({ url: `https://${host}/`, is })),
    ...HOSTILE_URLS,
  ];
  for (const { name, param, send } of DOORS) {
    test(`for ${name}`, async () => {
      for (const { url, is } of refused) {
        const { status, body } = await send(url);
        const found = [status, body.error?.code, body.error?.param];
        assert.deepEqual(found, [400, 'parameter_invalid', param], `${url} (${is})`);
        assert.ok(!body.error.message.includes('s3cret'), 'what was sent is not repeated');
      }
    });
  }

  test('and a name is not looked up then, but at each connection', async () => {
    const url = 'https://hook.alive.test/';
    assert.equal((await rows('PATCH', `/${webhook}`, url)).status, 200);
    assert.equal((await event('PATCH', `/${subscribed}`, url)).status, 200);
    assert.deepEqual(names.asked, []);
    const ping = await owner.v2('POST', `/v2/event_destinations/${subscribed}/ping`);
    const { body } = await until(
      () => owner.v2('GET', `/v2/events/${ping.body.id}/deliveries`),
      (answer) => answer.body.data[0]?.attempts.length === 1,
    );
    const [attempt] = body.data[0].attempts;
    assert.deepEqual([attempt.failure, attempt.status_code, attempt.answer], ['refused_address', null, null]);
    assert.deepEqual([...new Set(names.asked)], ['hook.alive.test']);
  });
});

/** Which of the tricks are none to a browser, that goes to the address it shows. */
const ORDINARY = new Set([
  'https://127.0.0.1#@example.com/',
  'http://example.com/',
  'https:///127.0.0.1/',
  'https://example.com:22/',
  'https://example.com:8443/',
  'https://1.1.1.1/',
]);

const OF_A_PERSON = [...HOSTILE_LITERALS, ...LOCAL_NAMES, ...HOSTILE_NAMES];

/** Where a return URL comes in. */
const RETURNS: readonly { readonly name: string; send(url: string): Promise<Answer> }[] = [
  {
    name: 'a link session',
    send: (url) =>
      owner.v2('POST', '/v2/link_sessions', { provider: 'au_banking', institution: BANK, return_url: url }),
  },
  {
    name: 'a renewal',
    send: (url) => owner.v2('POST', `/v2/connections/${connection}/reauthorize`, { return_url: url }),
  },
  {
    name: 'a destination link',
    send: (url) => owner.v2('POST', '/v2/destination_links', { type: 'sheets', return_url: url }),
  },
];

describe('a return URL', () => {
  const tricks = HOSTILE_URLS.filter(({ url }) => !ORDINARY.has(url));
  for (const { name, send } of RETURNS) {
    test(`of ${name} is refused where it is no web address, or carries a password`, async () => {
      assert.equal(tricks.length, HOSTILE_URLS.length - ORDINARY.size);
      for (const { url, is } of tricks) {
        const { status, body } = await send(url);
        const found = [status, body.error?.code, body.error?.param];
        assert.deepEqual(found, [400, 'parameter_invalid', 'return_url'], `${url} (${is})`);
        assert.ok(!body.error.message.includes('s3cret'), 'what was sent is not repeated');
      }
    });

    test(`of ${name} may be of the person’s own machine or network`, async () => {
      for (const { host, is } of OF_A_PERSON)
        assert.equal((await send(`http://${host}/back`)).status, 200, `${host} (${is})`);
      for (const url of [...ORDINARY, 'https://example.com/#/linked'])
        assert.equal((await send(url)).status, 200, url);
    });
  }

  test('is opened by a browser alone', async (t) => {
    const inner = await openInnerService(t);
    for (const { host, is } of OF_A_PERSON) {
      const session = await startSession(owner, { return_url: `http://${host}:${inner.port}/back` });
      const failed = await openCallback(await consentAtBank(session.url, { outcome: 'deny' }));
      assert.equal(failed.status, 303, `${host} (${is})`);
      assert.match(failed.location, new RegExp(`:${inner.port}/back\\?link_session=failed`));
    }
    const session = await startSession(owner, { return_url: `http://127.0.0.1:${inner.port}/back` });
    const done = await openCallback(await consentAtBank(session.url, { customer: 'sole-trader' }));
    assert.equal(done.location, `http://127.0.0.1:${inner.port}/back?link_session=completed`);
    assert.deepEqual(inner.reached, []);
  });
});
