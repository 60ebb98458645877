import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { SimplefinControl } from '../../../sandbox/simplefin/control.ts';
import { sandboxSimplefin } from '../../support/sandbox-simplefin.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { Browser, type Visit } from './browser.ts';
import { importedConnection, openCallback, RETURN_URL } from './person.ts';
import { dump } from './world.ts';

let service: TestService;
let owner: TestOwner;
let control: SimplefinControl;

before(async () => {
  service = await startService();
  owner = await service.owner();
  control = sandboxSimplefin(service.app);
});
after(() => service.close());

async function start(by: TestOwner = owner, more: Json = {}): Promise<Json> {
  const asked = { provider: 'simplefin', return_url: RETURN_URL, ...more };
  const { status, body } = await by.v2('POST', '/v2/link_sessions', asked);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Presses Continue with that in the field. */
const enter = (url: string, entered: string, browser = new Browser()): Promise<Visit> =>
  browser.visit(url, 'POST', {}, null, { entered });

/** Enters a token and follows to the end; where the person is sent. */
async function walk({ url }: Json, token: string): Promise<string> {
  const browser = new Browser();
  const begun = await enter(url, token, browser);
  assert.equal(begun.status, 303, begun.html);
  assert.ok(begun.location.startsWith(`${service.url}/connect/return?state=`), begun.location);
  assert.ok(!begun.location.includes(token));
  return (await openCallback(begun.location, browser)).location;
}

async function connectionsOf(by: TestOwner): Promise<Json[]> {
  const { body } = await by.v2('GET', '/v2/connections');
  return Promise.all(body.data.map(({ id }: Json) => importedConnection(by, id)));
}

describe('A link for which the person enters a setup token', () => {
  it('asks for it on the page, which leads to where it is made', async () => {
    const { url } = await start();
    const { html, headers } = await new Browser().visit(url);
    assert.match(html, /<input id="entered" name="entered" type="text" required[^>]*autocomplete="off"/);
    assert.match(
      html,
      new RegExp(`href="${service.url}/sandbox/simplefin/simplefin/create" target="_blank"`),
    );
    assert.match(headers.get('referrer-policy') ?? '', /^(?:no-referrer|same-origin|strict-origin)$/);
  });

  it('says what is wrong with what was entered, and stays open until it is right', async () => {
    const session = await start();
    const own = Buffer.from(`${service.url}/simplefin/claim/abcdefghijklmnop`).toString('base64');
    const insecure = Buffer.from('http://money.example/claim/abcdefghijklmnop').toString('base64');
    for (const [entered, notice, says] of [
      ['', 'nothing', /enter it below/],
      ['hello', 'unreadable', /not a setup token/],
      ['x'.repeat(2_001), 'nothing', /enter it below/],
      [insecure, 'insecure', /without encryption/],
      [own, 'own', /one of this service/],
    ] as const) {
      const refused = await enter(session.url, entered);
      assert.equal(refused.status, 303);
      assert.equal(refused.location, `${session.url}?notice=${notice}`);
      assert.match((await new Browser().visit(refused.location)).html, says);
    }
    assert.match(await walk(session, control.createToken('everyday~2')), /link_session=completed/);
  });

  it('ends with the reason where the token was used before', async () => {
    const token = control.createToken('everyday~3');
    assert.match(await walk(await start(), token), /link_session=completed/);
    assert.match(await walk(await start(), token), /reason=authentication_failed/);
  });

  it('refuses a form that is too large, and one of another site', async () => {
    const { url } = await start();
    assert.equal((await enter(url, 'x'.repeat(9_000))).status, 413);
    const elsewhere = await new Browser().visit(url, 'POST', { origin: 'https://evil.example' }, null, {
      entered: control.createToken('everyday'),
    });
    assert.ok(elsewhere.location !== '' && url.endsWith(elsewhere.location));
  });

  it('uses the last of two tokens that were entered', async () => {
    const by = await service.owner();
    const session = await start(by);
    await enter(session.url, control.createToken('cards'));
    assert.match(await walk(session, control.createToken('quiet')), /link_session=completed/);
    const [connection, ...more] = await connectionsOf(by);
    assert.deepEqual([connection.institution.name, more.length], ['Prairie Credit Union', 0]);
  });
});

describe('What a setup token shares', () => {
  let by: TestOwner;
  let connections: Json[];
  const named = (name: RegExp): Json =>
    connections.find(({ institution }) => name.test(institution.name)) ?? assert.fail(String(name));

  before(async () => {
    by = await service.owner();
    assert.match(await walk(await start(by), control.createToken('two-banks~4')), /link_session=completed/);
    connections = await connectionsOf(by);
  });

  it('becomes a connection of each institution, with its accounts', () => {
    assert.deepEqual(
      connections.map(({ institution, accounts }) => [institution.name, accounts.length]).toSorted(),
      [
        ['Harbor National Bank', 1],
        ['Prairie Credit Union', 2],
      ],
    );
    const [card] = named(/Harbor/).accounts;
    assert.deepEqual([card.type, card.currency, card.account_number], ['credit-card', 'usd', 'xxxx9034']);
  });

  it('is read: balances, and rows with pending ones', async () => {
    const checking = named(/Prairie/).accounts.find(({ type }: Json) => type === 'transaction');
    const balance = await by.v2('GET', `/v2/accounts/${checking.id}/balance`);
    assert.equal(balance.status, 200, JSON.stringify(balance.body));
    const query = `account=${checking.id}&from=2026-01-01&to=2027-12-31&include_pending=true&limit=100`;
    const rows = await by.v2('GET', `/v2/transactions?${query}`);
    assert.equal(rows.status, 200, JSON.stringify(rows.body));
    assert.ok(rows.body.data.length > 50);
    for (const { id } of rows.body.data) assert.match(id, /^txn_sf_/);
    const holdings = await by.v2('GET', `/v2/holdings?account=${checking.id}`);
    assert.equal(holdings.body.error.code, 'wrong_endpoint_for_category');
  });

  it('says of one institution alone that its login is lost', async () => {
    control.setLoginLost('harbor', true);
    const [card] = named(/Harbor/).accounts;
    const lost = await by.v2('GET', `/v2/accounts/${card.id}/balance`, undefined, {
      'cache-control': 'no-cache',
    });
    assert.equal(lost.body.error.code, 'upstream_auth_failed');
    const statuses = (await by.v2('GET', '/v2/connections')).body.data.map((one: Json) => [
      one.institution.name,
      one.status,
    ]);
    assert.deepEqual(statuses.toSorted(), [
      ['Harbor National Bank', 'invalidated'],
      ['Prairie Credit Union', 'active'],
    ]);
    control.setLoginLost('harbor', false);
  });

  it('continues under the access of a new token once the old one was disabled, with the same accounts', async () => {
    const accounts = (all: Json[]) => all.flatMap((one) => one.accounts.map(({ id }: Json) => id)).toSorted();
    const before = accounts(connections);
    control.disableAccess('two-banks~4');
    for (const { accounts: own } of connections)
      await by.v2('GET', `/v2/accounts/${own[0].id}/balance`, undefined, { 'cache-control': 'no-cache' });
    // Linked again rather than renewed: both connections no longer work, and both do afterwards.
    assert.match(await walk(await start(by), control.createToken('two-banks~4')), /link_session=completed/);
    connections = await connectionsOf(by);
    assert.deepEqual(
      connections.map(({ status }) => status),
      ['active', 'active'],
    );
    assert.deepEqual(accounts(connections), before);
    for (const { accounts: own } of connections) {
      const read = await by.v2('GET', `/v2/accounts/${own[0].id}/balance`, undefined, {
        'cache-control': 'no-cache',
      });
      assert.equal(read.status, 200, JSON.stringify(read.body));
    }
  });

  it('is renewed by entering another token', async () => {
    const { id } = named(/Prairie/);
    const { status, body } = await by.v2('POST', `/v2/connections/${id}/reauthorize`, {
      return_url: RETURN_URL,
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(await walk(body, control.createToken('two-banks~4')), /link_session=completed/);
    assert.equal((await by.v2('GET', '/v2/connections')).body.data.length, 2);
  });
});

describe('A setup token and the access it gives', () => {
  it('are in no log, event, metric, address or answer, and in the database only sealed', async (t) => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const noisy = await startService({ LOG_LEVEL: 'debug' }, { destination });
    t.after(() => noisy.close());
    const by = await noisy.owner();
    const token = sandboxSimplefin(noisy.app).createToken('two-banks');
    const session = await start(by);
    const browser = new Browser();
    const begun = await enter(session.url, token, browser);
    const end = await openCallback(begun.location, browser);
    assert.match(end.location, /link_session=completed/);
    const connections = await connectionsOf(by);
    for (const { accounts } of connections) await by.v2('GET', `/v2/accounts/${accounts[0].id}/balance`);
    sandboxSimplefin(noisy.app).addFault({
      route: 'GET /simplefin/accounts',
      kind: 'malformed-json',
      count: 3,
    });
    const [{ accounts }] = connections;
    await by.v2('GET', `/v2/transactions?account=${accounts[0].id}&from=2026-01-01&to=2027-12-31`);
    const state = JSON.parse(await readFile(join(noisy.dataDir, 'sandbox', 'simplefin.json'), 'utf8'));
    const secrets = [
      token,
      Buffer.from(token, 'base64').toString().split('/').at(-1) ?? assert.fail(),
      ...Object.entries(state.accesses).flatMap(([user, access]) =>
        typeof access === 'object' && access !== null && 'password' in access
          ? [user, String(access.password)]
          : [],
      ),
    ];
    assert.equal(secrets.length, 4);
    const { db } = noisy.app.database;
    const shown = {
      log: lines.join(''),
      metrics: noisy.metricsUrl === null ? '' : await (await fetch(`${noisy.metricsUrl}/metrics`)).text(),
      events: JSON.stringify((await by.v2('GET', '/v2/events')).body),
      session: JSON.stringify((await by.v2('GET', `/v2/link_sessions/${session.id}`)).body),
      connections: JSON.stringify(connections),
      addresses: `${begun.location} ${end.location} ${end.html}`,
      database: await dump(db),
    };
    assert.ok(shown.log !== '' && shown.database.includes('link_sessions'));
    for (const [where, text] of Object.entries(shown))
      for (const secret of secrets) assert.ok(!text.includes(secret), `the ${where} holds a secret`);
  });
});

describe('The list of institutions', () => {
  it('names SimpleFIN, and choosing it counts as choosing none', async () => {
    const { body } = await owner.v2('GET', '/v2/institutions?provider=simplefin');
    assert.deepEqual(
      body.data.map(({ id, name }: Json) => [id, name]),
      [['inst_sf_simplefin', 'SimpleFIN']],
    );
    const by = await service.owner();
    const session = await start(by, { chosen_institution: body.data[0].id });
    const end = await walk(session, control.createToken('quiet~5'));
    assert.ok(end.startsWith(RETURN_URL.split('?')[0] ?? ''), end);
    const [connection] = await connectionsOf(by);
    assert.equal(connection.chosen_institution, null);
  });
});
