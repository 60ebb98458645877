import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { addPerson, Browser } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';

const clock = new ShiftedClock();
let service: TestService;
let owner: TestOwner;
before(async () => {
  service = await startService({}, { clock });
  owner = await service.owner();
});
after(() => service.close());

const KEY = { name: 'Mine', scopes: ['data:read'] };

let receivers = 0;

/** What opens a way to the data, each with an API key that it may replace. */
async function waysIn(): Promise<readonly (readonly [path: string, body: unknown])[]> {
  const { body } = await owner.v2('POST', '/v2/api_keys', KEY);
  receivers += 1;
  const url = `https://receiver.example.test/${receivers}`;
  return [
    ['/v2/api_keys', KEY],
    [`/v2/api_keys/${body.id}/rotate`, {}],
    ['/v2/simplefin_setup_tokens', { name: 'Budget' }],
    ['/v2/destinations', { type: 'webhook', name: 'Rows', target: { url } }],
    ['/v2/event_destinations', { name: 'Events', webhook_endpoint: { url }, enabled_events: ['*'] }],
  ];
}

test('a session opens ways to the data soon after its person signed in, and no longer', async () => {
  const { email } = await addPerson(service, owner);
  const person = new Browser(service.url);
  await person.signIn(email);
  for (const [path, body] of await waysIn()) {
    await opened(person.v2('POST', path, body), path);
  }
  clock.advance(15 * 60_000);
  const later = await waysIn();
  for (const [path, body] of later) {
    const refused = await person.v2('POST', path, body);
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'fresh_sign_in_required'], path);
    assert.match(refused.body.error.message, /sign in again/);
  }
  assert.equal((await person.v2('GET', '/v2/api_keys')).status, 200);
  await person.signIn(email);
  for (const [path, body] of later) {
    await opened(person.v2('POST', path, body), path);
  }
});

test('an API key opens them at any time', async () => {
  clock.advance(60 * 60_000);
  for (const [path, body] of await waysIn()) await opened(owner.v2('POST', path, body), path);
});

interface Receivers {
  readonly destination: string;
  readonly events: string;
}

async function receiversMade(): Promise<Receivers> {
  receivers += 1;
  const url = `https://receiver.example.test/${receivers}`;
  const rows = await owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'Rows', target: { url } });
  const events = { name: 'Events', webhook_endpoint: { url }, enabled_events: ['*'] };
  return {
    destination: `/v2/destinations/${rows.body.id}`,
    events: `/v2/event_destinations/${(await owner.v2('POST', '/v2/event_destinations', events)).body.id}`,
  };
}

const ELSEWHERE = 'https://elsewhere.example.test/';

test('an old session aims no receiver elsewhere, and still renames it', async () => {
  const { email } = await addPerson(service, owner);
  const { destination, events } = await receiversMade();
  const person = new Browser(service.url);
  await person.signIn(email);
  clock.advance(15 * 60_000);
  const aims = [
    ['PATCH', destination, { target: { url: ELSEWHERE } }, 'target'],
    ['POST', destination, { name: 'Mine', target: { url: ELSEWHERE } }, 'target'],
    ['POST', destination, { secret: 'postgres://me@elsewhere.example.test/rows' }, 'secret'],
    ['PATCH', events, { webhook_endpoint: { url: ELSEWHERE } }, 'webhook_endpoint'],
    ['POST', `${destination}/create_target`, { name: 'Mine' }, null],
    ['POST', '/v2/destination_links', { type: 'sheets', return_url: `${service.url}/back` }, null],
  ] as const;
  for (const [method, path, body, param] of aims) {
    const { status, body: answer } = await person.v2(method, path, body);
    assert.deepEqual(
      [status, answer.error?.code, answer.error?.param ?? null],
      [403, 'fresh_sign_in_required', param],
      `${method} ${path} ${JSON.stringify(body)}`,
    );
  }
  assert.notEqual((await owner.v2('GET', destination)).body.target.url, ELSEWHERE);
  assert.notEqual((await owner.v2('GET', events)).body.webhook_endpoint.url, ELSEWHERE);
  for (const path of [destination, events]) {
    const renamed = await person.v2('PATCH', path, { name: 'Renamed' });
    assert.deepEqual([renamed.status, renamed.body.name], [200, 'Renamed'], path);
  }
  await person.signIn(email);
  await opened(person.v2('PATCH', destination, { target: { url: ELSEWHERE } }), destination);
  await opened(person.v2('PATCH', events, { webhook_endpoint: { url: ELSEWHERE } }), events);
});

test('a refusal for an old session is no answer that its Idempotency-Key repeats', async () => {
  const { email } = await addPerson(service, owner);
  const { events } = await receiversMade();
  const person = new Browser(service.url);
  await person.signIn(email);
  clock.advance(15 * 60_000);
  const ask = () =>
    person.v2('PATCH', events, { webhook_endpoint: { url: ELSEWHERE } }, { 'idempotency-key': 'aim' });
  assert.equal((await ask()).body.error.code, 'fresh_sign_in_required');
  await person.signIn(email);
  await opened(ask(), events);
  clock.advance(15 * 60_000);
  assert.equal((await ask()).body.error.code, 'fresh_sign_in_required');
});

async function opened(answer: ReturnType<TestOwner['v2']>, path: string): Promise<void> {
  const { status, body } = await answer;
  assert.ok(status < 300, `${path}: ${JSON.stringify(body)}`);
}
