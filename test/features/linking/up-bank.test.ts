import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { link } from '../../../src/surfaces/cli/commands/link.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { sandboxUp } from '../../support/sandbox-up.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { Receiver } from '../sync-engine/support/receiver.ts';
import { Browser } from './browser.ts';
import { importedConnection, openCallback, RETURN_URL, until } from './person.ts';

let service: TestService;
let owner: TestOwner;
let connection: Json;

const WINDOW = 'from=2026-01-01&to=2027-12-31&include_pending=true';

/** Opens the session's page, presses Continue, and comes straight back. */
async function walk(session: Json): Promise<string> {
  const browser = new Browser();
  const begun = await browser.visit(session.url, 'POST');
  assert.equal(begun.status, 303, begun.html);
  assert.ok(begun.location.startsWith(`${service.url}/connect/return?state=`), begun.location);
  const returned = await openCallback(begun.location, browser);
  assert.equal(returned.status, 303, returned.html);
  return returned.location;
}

const start = (by: TestOwner) =>
  by.v2('POST', '/v2/link_sessions', { provider: 'up_bank', return_url: RETURN_URL });
const accountIds = (): string[] => connection.accounts.map(({ id }: Json) => id);

before(async () => {
  service = await startService();
  owner = await service.owner();
});
after(() => service.close());

describe('Up, linked by the only account record', () => {
  it('is linked without a page of the bank, and becomes one connection with its accounts', async () => {
    const session = await start(owner);
    assert.equal(session.status, 200, JSON.stringify(session.body));
    assert.match(await walk(session.body), /link_session=completed/);
    const { body } = await owner.v2('GET', `/v2/link_sessions/${session.body.id}`);
    connection = await importedConnection(owner, body.connection);
    assert.deepEqual(
      [connection.status, connection.institution.id, connection.account_count],
      ['active', 'inst_up_up', 2],
    );
    assert.deepEqual(
      connection.accounts.map(({ type, account_number }: Json) => [type, account_number]).toSorted(),
      [
        ['savings', null],
        ['transaction', null],
      ],
    );
    assert.equal(connection.consent.expires_at, null);
  });

  it('is read: balances and rows, held ones among them, in Australian dollars', async () => {
    const statuses = new Set<string>();
    for (const id of accountIds()) {
      const balance = await owner.v2('GET', `/v2/accounts/${id}/balance`);
      assert.equal(balance.status, 200, JSON.stringify(balance.body));
      assert.equal(balance.body.currency, 'aud');
      const rows = await owner.v2('GET', `/v2/transactions?account=${id}&${WINDOW}&limit=100`);
      assert.equal(rows.status, 200, JSON.stringify(rows.body));
      assert.ok(rows.body.data.length > 20);
      for (const row of rows.body.data) {
        statuses.add(row.status);
        assert.match(row.id, /^txn_up_/);
      }
    }
    assert.deepEqual([...statuses].toSorted(), ['pending', 'posted']);
  });

  it('linked again is the same connection', async () => {
    const again = await start(owner);
    assert.match(await walk(again.body), /link_session=completed/);
    const { body } = await owner.v2('GET', `/v2/link_sessions/${again.body.id}`);
    assert.equal(body.connection, connection.id);
    assert.equal((await owner.v2('GET', '/v2/connections')).body.data.length, 1);
  });

  it('is linked by the command line as anyone who the sandbox has, and by no one it does not have', async () => {
    const { app, url } = service;
    const context = { app, url, signal: AbortSignal.timeout(30_000) };
    const by = { account: publicId('account_record', owner.record.id), provider: 'up_bank' };
    await assert.rejects(link.run(context, { ...by, persona: 'nobody' }), /no customer "nobody"/);
    const linked = link.parse(await link.run(context, { ...by, persona: 'everyday' }));
    assert.equal(linked.connection, connection.id);
  });

  it('offers no details and no refresh of its own, and says so', async () => {
    const [id] = accountIds();
    const details = await owner.v2('GET', `/v2/accounts/${id}/details`);
    assert.equal(details.body.error.code, 'not_supported');
    assert.equal((await owner.v2('POST', `/v2/connections/${connection.id}/refresh`)).status, 202);
  });
});

describe('A notification of Up', () => {
  it('that is signed runs the syncs of the connection, once however often it comes, and one that is not does nothing', async () => {
    const [account = ''] = accountIds();
    const receiver = await new Receiver().open();
    try {
      const made = await owner.v2('POST', '/v2/destinations', {
        type: 'webhook',
        name: 'books',
        target: { url: receiver.url },
      });
      receiver.secrets = [made.body.config.signing_secret];
      const sync = await owner.v2('POST', '/v2/syncs', {
        type: 'transactions',
        name: 'All',
        destination: made.body.id,
        accounts: [account],
        mapping_mode: 'bulk',
      });
      assert.equal(sync.status, 201, JSON.stringify(sync.body));
      const latest = async (): Promise<Json> =>
        (await owner.v2('GET', `/v2/syncs/${sync.body.id}?include[]=latest_run`)).body.latest_run;
      await until(latest, ({ status }) => status === 'succeeded');

      const control = sandboxUp(service.app);
      const address = `${service.url}/provider-webhooks/up_bank`;
      const forged = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-up-authenticity-signature': '0'.repeat(64) },
        body: '{"data":{"attributes":{"eventType":"TRANSACTION_CREATED"}}}',
      });
      assert.equal(forged.status, 401);
      assert.notEqual((await latest()).trigger, 'webhook');

      control.registerWebhook(address);
      const upstream = control.customers().at(-1)?.accounts[0]?.accountId ?? '';
      control.appendTransactions(upstream, [
        { amount: '-4.20', description: 'Cup' },
        { amount: '-4.30', description: 'Another cup' },
      ]);
      await control.webhooksSent();
      const run = await until(
        latest,
        ({ trigger, status }) => trigger === 'webhook' && status === 'succeeded',
      );
      assert.ok(run);
      const { body } = await owner.v2('GET', `/v2/syncs/${sync.body.id}/runs`);
      assert.equal(body.data.filter(({ trigger }: Json) => trigger === 'webhook').length, 1);
    } finally {
      await receiver.close();
    }
  });
});

describe('Up, once there is another account record', () => {
  let stranger: TestOwner;
  before(async () => {
    stranger = await service.owner();
  });

  it('is shown to neither, linked by neither, and read by the one who linked it alone', async () => {
    for (const one of [owner, stranger]) {
      const refused = await start(one);
      assert.deepEqual(
        [refused.status, refused.body.error.code, refused.body.error.param],
        [400, 'parameter_invalid', 'provider'],
      );
      assert.match(refused.body.error.message, /PERSONAL_ACCOUNT/);
      const { data } = (await one.v2('GET', '/v2/institutions?limit=100')).body;
      assert.ok(data.length > 0 && data.every(({ provider }: Json) => provider !== 'up_bank'));
      const asked = await one.v2('GET', '/v2/institutions?provider=up_bank');
      assert.equal(asked.body.error.code, 'gateway_unavailable');
    }
    for (const id of accountIds()) {
      const path = `/v2/transactions?account=${id}&${WINDOW}`;
      assert.equal((await owner.v2('GET', path)).status, 200);
      assert.equal((await stranger.v2('GET', path)).body.error.code, 'resource_missing');
      const balance = await stranger.v2('GET', `/v2/accounts/${id}/balance`);
      assert.equal(balance.body.error.code, 'resource_missing');
    }
    for (const list of ['connections', 'accounts', 'consents'])
      assert.deepEqual((await stranger.v2('GET', `/v2/${list}`)).body.data, []);
  });
});

describe('Up, when the token ends', () => {
  it('is invalidated with the next read, and its consent is withdrawn', async () => {
    sandboxUp(service.app).revokeToken();
    const [id] = accountIds();
    const read = await owner.v2('GET', `/v2/transactions?account=${id}&from=2026-02-01&to=2026-02-20`);
    assert.equal(read.body.error.code, 'upstream_auth_failed');
    const found = await until(
      async () => (await owner.v2('GET', `/v2/connections/${connection.id}`)).body,
      ({ status, consent }) => status === 'invalidated' && consent.status === 'withdrawn',
    );
    assert.equal(found.id, connection.id);
  });

  it('is deleted here for good, without a word to the bank', async () => {
    const control = sandboxUp(service.app);
    control.renewToken();
    control.clearRequests();
    const gone = await owner.v2('DELETE', `/v2/connections/${connection.id}`);
    assert.ok(gone.status < 300, JSON.stringify(gone.body));
    const [id] = accountIds();
    assert.equal((await owner.v2('GET', `/v2/accounts/${id}`)).status, 404);
    assert.ok(control.requests().every(({ method }) => method === 'GET'));
  });
});
