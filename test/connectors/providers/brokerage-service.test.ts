import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BrokerageControl } from '../../../sandbox/brokerage/control.ts';
import { link } from '../../../src/surfaces/cli/commands/link.ts';
import { parsePublicId, publicId } from '../../../src/vocabulary/ids.ts';
import { Browser } from '../../features/linking/browser.ts';
import {
  consentAtBank,
  importedConnection,
  openCallback,
  RETURN_URL,
  until,
} from '../../features/linking/person.ts';
import type { ConsentChoices } from '../../support/consent-client.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';

/** The whole way at the broker; the session as it ended. */
async function walk(owner: TestOwner, session: Json, choices: ConsentChoices): Promise<Json> {
  const browser = new Browser();
  const returned = await openCallback(await consentAtBank(session.url, choices, browser), browser);
  assert.equal(returned.status, 303, returned.html);
  return (await owner.v2('GET', `/v2/link_sessions/${session.id}`)).body;
}

async function linkBroker(owner: TestOwner, customer: string): Promise<Json> {
  const asked = { provider: 'brokerage', return_url: RETURN_URL };
  const session = await owner.v2('POST', '/v2/link_sessions', asked);
  assert.equal(session.status, 200, JSON.stringify(session.body));
  const ended = await walk(owner, session.body, { customer });
  assert.equal(ended.status, 'completed', JSON.stringify(ended));
  return importedConnection(owner, ended.connection);
}

describe('A brokerage through the service', () => {
  let service: TestService;
  let control: BrokerageControl;
  before(async () => {
    service = await startService();
    const found = service.app.sandbox?.simulators.get('brokerage')?.control;
    assert.ok(found instanceof BrokerageControl);
    control = found;
    control.settings.requestsPerMinute = 1_000_000;
    control.aimWebhooks(`${service.url}/provider-webhooks/brokerage`);
  });
  after(() => service.close());

  const rows = async (owner: TestOwner, path: string): Promise<Json[]> => {
    const answer = await owner.v2('GET', path);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data;
  };

  it('is linked, read and told apart from banks', async () => {
    const owner = await service.owner();
    const connection = await linkBroker(owner, 'derivatives');
    assert.equal(connection.status, 'active');
    assert.equal(connection.provider, 'brokerage');
    assert.equal(connection.institution.name, 'Sandbox Brokerage');
    assert.equal(connection.consent.expires_at, null);
    const [{ id }] = connection.accounts;
    const holdings = await rows(owner, `/v2/holdings?account=${id}`);
    const bitcoin = holdings.find(({ symbol }) => symbol === 'BTC');
    assert.equal(bitcoin.quantity, '0.012345678901234567');
    assert.equal(bitcoin.current_price_decimal, '61234.567890123');
    assert.deepEqual(bitcoin.current_price, { amount: 6_123_457, currency: 'usd' });
    const trades = await rows(owner, `/v2/trades?account=${id}&from=2024-01-01&limit=100`);
    assert.ok(trades.length > 50);
    const balance = await owner.v2('GET', `/v2/accounts/${id}/balance`);
    assert.equal(balance.body.error.code, 'wrong_endpoint_for_category');
  });

  it('shows every trade of a window once over its pages, and names none truncated', async () => {
    const owner = await service.owner();
    const [{ id }] = (await linkBroker(owner, 'rows:1234')).accounts;
    const walked: string[] = [];
    let path: string | null = `/v2/trades?account=${id}&from=2026-01-01&limit=100`;
    let pages = 0;
    for (; path !== null; pages++) {
      const answer = await owner.v2('GET', path);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.equal(answer.headers.get('x-service-truncated'), null);
      walked.push(...answer.body.data.map((trade: Json) => `${trade.trade_date} ${trade.id}`));
      const next: string | null = answer.body.next_page_url;
      path = next === null ? null : next.slice(service.url.length);
    }
    assert.deepEqual([walked.length, new Set(walked).size, pages], [1234, 1234, 13]);
    assert.deepEqual(walked, walked.toSorted().reverse());
  });

  it('is invalidated when its login is lost, and works again under its ids once the person signed in again', async () => {
    const owner = await service.owner();
    const connection = await linkBroker(owner, 'self-directed');
    const [summary] = control.connections().slice(-1);
    assert.ok(summary);
    control.disable(summary.id);
    const lost = await until(
      async () => (await owner.v2('GET', `/v2/connections/${connection.id}`)).body,
      ({ status }) => status === 'invalidated',
    );
    assert.equal(lost.consent.status, 'active', 'the consent stands');
    const [{ id }] = connection.accounts;
    const refused = await owner.v2('GET', `/v2/holdings?account=${id}`);
    assert.equal(refused.body.error.code, 'upstream_auth_failed');
    const session = await owner.v2('POST', `/v2/connections/${connection.id}/reauthorize`, {
      return_url: RETURN_URL,
    });
    assert.equal((await walk(owner, session.body, { customer: 'self-directed' })).connection, connection.id);
    const again = await importedConnection(owner, connection.id);
    assert.equal(again.status, 'active');
    assert.deepEqual(
      again.accounts.map((one: Json) => one.id).toSorted(),
      connection.accounts.map((one: Json) => one.id).toSorted(),
    );
    assert.ok((await rows(owner, `/v2/holdings?account=${id}`)).length > 0);
  });

  it('has a notification that comes again passed over, by the id that SnapTrade gives it', async () => {
    const owner = await service.owner();
    const connection = await linkBroker(owner, 'cash-only');
    const [summary] = control.connections().slice(-1);
    const [accountId] = summary?.accounts ?? [];
    assert.ok(summary !== undefined && accountId !== undefined);
    const { db } = service.app.database;
    const row = parsePublicId('connection', connection.id) ?? assert.fail();
    /** Whether the notification had the connection looked at. */
    const acted = async (sent: { readonly text: string; readonly signature: string }): Promise<boolean> => {
      await db.updateTable('connections').set({ signalled_at: null }).where('id', '=', row).execute();
      const response = await fetch(`${service.url}/provider-webhooks/brokerage`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', signature: sent.signature },
        body: sent.text,
      });
      assert.equal(response.status, 200);
      const { signalled_at: at } = await db
        .selectFrom('connections')
        .select('signalled_at')
        .where('id', '=', row)
        .executeTakeFirstOrThrow();
      return at !== null;
    };
    const notice = { eventType: 'ACCOUNT_HOLDINGS_UPDATED', userId: 'user-1', accountId };
    const sent = control.notification(notice);
    assert.equal(await acted(sent), true);
    assert.equal(await acted(sent), false);
    assert.equal(await acted(control.notification(notice)), true);
  });

  it('is refused while its first copy is under way, with a moment to come back', async () => {
    control.settings.firstSyncDelayMs = 3_600_000;
    try {
      const owner = await service.owner();
      const session = await owner.v2('POST', '/v2/link_sessions', {
        provider: 'brokerage',
        return_url: RETURN_URL,
      });
      const ended = await walk(owner, session.body, { customer: 'self-directed' });
      assert.equal(ended.status, 'completed');
      const connection = await owner.v2('GET', `/v2/connections/${ended.connection}`);
      assert.equal(connection.body.status, 'pending');
    } finally {
      control.settings.firstSyncDelayMs = 0;
    }
  });

  it('is deleted at the vendor with its user, and shows nothing to anyone else', async () => {
    const owner = await service.owner();
    const stranger = await service.owner();
    const connection = await linkBroker(owner, 'cash-only');
    const user = control.connections().at(-1)?.userId ?? assert.fail();
    assert.ok(control.users().includes(user));
    const [{ id }] = connection.accounts;
    for (const path of [`/v2/holdings?account=${id}`, `/v2/trades?account=${id}`])
      assert.equal((await stranger.v2('GET', path)).body.error.code, 'resource_missing');
    assert.equal((await owner.v2('DELETE', `/v2/connections/${connection.id}`)).status, 200);
    await until(
      async () => control.connections(),
      (all) => all.every(({ userId }) => userId !== user),
    );
    assert.equal((await owner.v2('GET', `/v2/connections/${connection.id}`)).body.status, 'revoked');
  });

  it('is linked by the command line, whose own page asks for the broker', async () => {
    const owner = await service.owner();
    const { app, url } = service;
    const account = publicId('account_record', owner.record.id);
    const args = { account, provider: 'brokerage', persona: 'second-factor' };
    const linked = link.parse(await link.run({ app, url, signal: AbortSignal.timeout(30_000) }, args));
    assert.equal(linked.status, 'active');
    assert.equal(linked.institution, 'Sandbox Brokerage');
    assert.equal(linked.accounts.length, 1);
  });

  it('gives the reason why a person could not sign in', async () => {
    const owner = await service.owner();
    const session = await owner.v2('POST', '/v2/link_sessions', {
      provider: 'brokerage',
      return_url: RETURN_URL,
    });
    const ended = await walk(owner, session.body, { customer: 'invalid-credentials' });
    assert.deepEqual([ended.status, ended.failure_reason], ['failed', 'authentication_failed']);
  });

  it('caps the window of trades at its length: it keeps its end [limit trade_window_days]', async () => {
    const owner = await service.owner();
    const connection = await linkBroker(owner, 'day-trader');
    const [{ id }] = connection.accounts;
    const upstream = control.connections().at(-1)?.accounts[0] ?? assert.fail();
    control.appendActivities(
      upstream,
      ['2025-01-01', '2025-01-02', '2026-01-02'].map((tradeDate) => ({
        type: 'FEE',
        amount: '-1',
        tradeDate,
      })),
    );
    const days = async (from: string) =>
      (await rows(owner, `/v2/trades?account=${id}&from=${from}&to=2026-01-02&limit=100`))
        .filter(({ type }) => type === 'fee')
        .map(({ trade_date: day }) => day);
    assert.deepEqual(await days('2020-01-01'), ['2026-01-02', '2025-01-02']);
    assert.deepEqual(await days('2025-01-02'), ['2026-01-02', '2025-01-02']);
    assert.deepEqual(await days('2025-01-03'), ['2026-01-02']);
  });
});
