import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { EVENTS, signatureOf } from '../../../sandbox/au-banking/notifications.ts';
import { addressOf, shut } from '../../../sandbox/shared/listener.ts';
import { readWebhook } from '../../../src/connectors/providers/au-banking/webhooks.ts';
import type { ProviderSignal } from '../../../src/connectors/providers/provider-contract.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { withSimulator } from '../../sandbox/visitor.ts';
import { NOW, openAuBanking } from './au-banking-bank.ts';

const SECRET = Buffer.from('a secret of the console').toString('base64');
const HOUR_MS = 3_600_000;
const DATA = {
  event: 'banking.transactions.sync.completed',
  end_user_id: 'eu_1',
  client_id: 'client-1',
  institution_id: '88888',
  consent_id: 'arr-1',
};

const bodyOf = (more: object = {}, data: object = {}): string =>
  JSON.stringify({
    delivery_attempt: 1,
    publish_time: new Date(NOW - 60_000).toISOString(),
    message_id: 'm-1',
    data: { ...DATA, ...data },
    ...more,
  });

function read(
  body: string,
  headers: Record<string, string> = { 'x-fiskil-signature': signatureOf(body, SECRET) },
): readonly ProviderSignal[] | null {
  const check = { secret: SECRET, now: NOW, limits: DEFAULT_LIMITS };
  return readWebhook({ body: Buffer.from(body), headers }, check);
}

describe('A notification of the au_banking vendor', () => {
  it('says what it is about, and under which id it came', () => {
    assert.deepEqual(read(bodyOf()), [
      { about: { kind: 'consent', id: 'arr-1' }, what: 'data_changed', notification: 'm-1' },
    ]);
    assert.deepEqual(read(bodyOf({}, { consent_id: null })), [
      { about: { kind: 'customer', id: 'eu_1' }, what: 'data_changed', notification: 'm-1' },
    ]);
  });

  it('interprets each event as the vendor does, and ignores events that are not read', () => {
    const meant = EVENTS.map((event) => [event, read(bodyOf({}, { event }))?.[0]?.what ?? null]);
    assert.deepEqual(Object.fromEntries(meant), {
      'consent.received': 'login_works',
      'consent.updated': 'login_works',
      'consent.revoked': 'ended',
      'common.identity.sync.completed': null,
      'banking.accounts.sync.completed': 'accounts_changed',
      'banking.balances.sync.completed': 'data_changed',
      'banking.transactions.basic.sync.completed': 'data_changed',
      'banking.transactions.recent.sync.completed': 'data_changed',
      'banking.transactions.sync.completed': 'data_changed',
      'banking.payees.sync.completed': null,
      'banking.directdebits.sync.completed': null,
      'banking.scheduledpayments.sync.completed': null,
      'banking.products.sync.completed': null,
    });
    assert.deepEqual(read(bodyOf({}, { event: 'consent.invented' })), []);
    assert.deepEqual(read(bodyOf({ data: null })), []);
  });

  it('is refused where its signature does not hold over the bytes as sent', () => {
    const body = bodyOf();
    const signature = signatureOf(body, SECRET);
    assert.equal(read(`${body} `, { 'x-fiskil-signature': signature }), null);
    assert.equal(read(body, {}), null);
    for (const wrong of [
      '',
      'x',
      signature.slice(4),
      signature.slice(0, -4),
      `${signature}${signature}`,
      'x'.repeat(100_000),
      signatureOf(body, Buffer.from('other').toString('base64')),
    ])
      assert.equal(read(body, { 'x-fiskil-signature': wrong }), null);
  });

  it('is refused when it was published more than an hour ago, in the future, or at no moment', () => {
    const at = (ms: number) => read(bodyOf({ publish_time: new Date(ms).toISOString() }));
    assert.equal(at(NOW - 59 * 60_000)?.length, 1);
    assert.equal(at(NOW - HOUR_MS), null);
    assert.equal(at(NOW + 4 * 60_000)?.length, 1);
    assert.equal(at(NOW + 6 * 60_000), null);
    assert.equal(read(bodyOf({ publish_time: Math.floor(NOW / 1000) }))?.length, 1);
    for (const publish_time of [null, '', 'yesterday', {}])
      assert.equal(read(bodyOf({ publish_time })), null);
  });

  it('is refused where it is no JSON object, or beyond the bounds of an answer', () => {
    const deep = (levels: number) =>
      bodyOf({ more: JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) });
    for (const body of [
      '',
      'null',
      '[]',
      '{"publish_time":',
      `${'['.repeat(5000)}${']'.repeat(5000)}`,
      deep(32),
    ])
      assert.equal(read(body), null);
    assert.equal(read(deep(31))?.length, 1);
    assert.equal(read(bodyOf({ more: Array(200_000).fill(0) })), null);
  });

  it('is refused where its bytes are not UTF-8, anyone who signed them', () => {
    const latin1 = Buffer.from(bodyOf({}, { consent_id: 'arr-\xe9' }), 'latin1');
    const signature = createHmac('sha256', Buffer.from(SECRET, 'base64')).update(latin1).digest('base64');
    const check = { secret: SECRET, now: NOW, limits: DEFAULT_LIMITS };
    assert.equal(readWebhook({ body: latin1, headers: { 'x-fiskil-signature': signature } }, check), null);
  });

  it('is not accepted without the secret of the endpoint', async () => {
    const { provider, shut: close } = await openAuBanking();
    try {
      assert.equal(provider.capabilities.has('webhooks'), false);
      assert.equal(await provider.receiveWebhook({ body: Buffer.from(bodyOf()), headers: {} }), null);
    } finally {
      await close();
    }
  });
});

describe('The simulated vendor', () => {
  const received: { readonly body: string; readonly headers: IncomingHttpHeaders }[] = [];
  const statuses: number[] = [];
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers });
    response.writeHead(statuses.shift() ?? 200).end();
  });
  before(() => new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', () => resolve())));
  after(() => shut(receiver));
  const webhooks = (automatic: boolean) => ({
    url: addressOf(receiver, '127.0.0.1'),
    automatic,
    secret: SECRET,
    delaysMs: [1, 1, 1, 1],
  });
  const signals = () =>
    received.map(({ body, headers }) =>
      read(body, { 'x-fiskil-signature': String(headers['x-fiskil-signature']) }),
    );

  it('tries five times, numbering and signing each try, and stops once it is taken', async () => {
    await withSimulator({ webhooks: webhooks(false) }, async (visitor, { control }) => {
      await visitor.link(await visitor.endUser(), { customer: 'sole-trader' });
      const [consent] = control.consents();
      assert.ok(consent);
      const send = async (answers: readonly number[]) => {
        received.length = 0;
        statuses.splice(0, statuses.length, ...answers);
        control.notify('banking.transactions.sync.completed', consent.arrangementId);
        await control.notificationsSent();
        return received.map(({ body }) => JSON.parse(body).delivery_attempt);
      };
      assert.deepEqual(await send([503, 500, 429, 503, 503, 503]), [1, 2, 3, 4, 5]);
      assert.equal(new Set(received.map(({ body }) => JSON.parse(body).message_id)).size, 1);
      for (const said of signals())
        assert.deepEqual(said?.[0]?.about, { kind: 'consent', id: consent.arrangementId });
      assert.deepEqual(await send([503, 200]), [1, 2]);
      assert.deepEqual(
        control
          .notifications()
          .map(({ attempt, status }) => [attempt, status])
          .slice(-2),
        [
          [1, 503],
          [2, 200],
        ],
      );
    });
  });

  it('tells on its own of consents, of the first data and of new rows, where it is asked to', async () => {
    received.length = 0;
    statuses.length = 0;
    await withSimulator({ webhooks: webhooks(true) }, async (visitor, { control }) => {
      await visitor.link(await visitor.endUser(), { customer: 'sole-trader' });
      const [consent] = control.consents();
      assert.ok(consent);
      const events = () => received.map(({ body }) => JSON.parse(body).data.event);
      while (!events().includes('banking.transactions.sync.completed'))
        await new Promise((resolve) => setTimeout(resolve, 5));
      await control.notificationsSent();
      assert.deepEqual(events().toSorted(), [
        'banking.accounts.sync.completed',
        'banking.balances.sync.completed',
        'banking.transactions.recent.sync.completed',
        'banking.transactions.sync.completed',
        'consent.received',
      ]);
      received.length = 0;
      control.appendTransactions(consent.accountIds[0] ?? '', [{ amount: '-1.00', description: 'Tea' }]);
      control.revokeConsent(consent.arrangementId);
      control.appendTransactions(consent.accountIds[0] ?? '', [{ amount: '-2.00', description: 'Late' }]);
      await control.notificationsSent();
      assert.deepEqual(events().toSorted(), [
        'banking.balances.sync.completed',
        'banking.transactions.sync.completed',
        'consent.revoked',
      ]);
    });
  });
});
