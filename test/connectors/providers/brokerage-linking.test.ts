import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { failureReason } from '../../../src/connectors/providers/brokerage/linking.ts';
import { agreement, isSignedIn } from '../../../src/connectors/providers/brokerage/map-connection.ts';
import { NO_SECRET } from '../../../src/connectors/providers/customer-secret.ts';
import { completeConsent } from '../../support/consent-client.ts';
import { type Brokerage, KEY, NOW, never, openBrokerage } from './brokerage-broker.ts';

const SENT = { redirectUri: 'https://app.example/connect/return?x=1', verifier: 'v'.repeat(43) };

async function within(
  options: Parameters<typeof openBrokerage>[0],
  body: (brokerage: Brokerage) => Promise<void>,
): Promise<void> {
  const brokerage = await openBrokerage(options);
  try {
    await body(brokerage);
  } finally {
    await brokerage.shut();
  }
}

const request = (who: Awaited<ReturnType<Brokerage['register']>>) => ({
  customer: who.customer,
  secret: who.secret,
  institution: null,
  renew: null,
  ...SENT,
});

describe('A link at SnapTrade', () => {
  it('leads to the vendor’s page for five minutes, for reading, and back with our state', async () => {
    await within({}, async ({ provider, register, simulator, time }) => {
      const who = request(await register());
      const begun = await provider.beginLink({ ...who, state: 'st ate' }, never);
      assert.equal(begun.expiresAt, NOW + 5 * 60_000);
      const returned = await completeConsent(begun.url, { customer: 'self-directed' });
      assert.equal(returned.origin + returned.pathname, 'https://app.example/connect/return');
      assert.deepEqual([returned.searchParams.get('x'), returned.searchParams.get('state')], ['1', 'st ate']);
      const late = await provider.beginLink({ ...who, state: 's' }, never);
      time.now += 5 * 60_000 + 1;
      assert.equal((await fetch(late.url)).status, 410);
      assert.equal(simulator.control.connections().length, 1);
    });
  });

  it('is identified by the connections of its user, whatever the query says', async () => {
    await within({}, async ({ provider, register, linked }) => {
      const theirs = await linked('cash-only');
      const who = request(await register());
      const begun = await provider.beginLink({ ...who, state: 's' }, never);
      const forged = { status: 'SUCCESS', connection_id: theirs.consent };
      const outcome = await provider.completeLink({ ...who, memo: begun.memo, query: forged }, never);
      assert.equal(outcome.kind, 'pending');
      await completeConsent(begun.url, { customer: 'self-directed' });
      const came = await provider.completeLink({ ...who, memo: begun.memo, query: forged }, never);
      assert.ok(came.kind === 'linked');
      assert.notEqual(came.grants[0].grant.consent, theirs.consent);
      assert.equal(came.grants.length, 1);
      assert.deepEqual([came.grants[0].consent.state, came.grants[0].consent.expiresAt], ['active', null]);
      assert.match(came.grants[0].institution.id, /^[0-9a-f-]{36}$/);
    });
  });

  it('waits while the broker is not done with the person', async () => {
    await within({ settings: { connectDelayMs: 30_000 } }, async ({ link, provider, register, time }) => {
      assert.equal(await link('self-directed'), 'pending');
      const who = request(await register());
      const begun = await provider.beginLink({ ...who, state: 's' }, never);
      const returned = await completeConsent(begun.url, { customer: 'self-directed' });
      const complete = { ...who, memo: begun.memo, query: Object.fromEntries(returned.searchParams) };
      assert.equal((await provider.completeLink(complete, never)).kind, 'pending');
      time.now += 30_000;
      assert.equal((await provider.completeLink(complete, never)).kind, 'linked');
    });
  });

  it('ends with the reason that the vendor’s page gives', async () => {
    await within({}, async ({ link }) => {
      assert.equal(await link('self-directed', { outcome: 'cancel' }), 'cancelled');
      assert.equal(await link('self-directed', { outcome: 'fail' }), 'authentication_failed');
      assert.equal(await link('invalid-credentials'), 'authentication_failed');
      assert.equal(await link('locked'), 'institution_error');
      assert.equal(typeof (await link('second-factor')), 'object');
    });
    const reasons = ['1066', '3000', '1006', '1012', '1023', '1140', '1086', '0000', undefined].map((code) =>
      failureReason({ status: 'ERROR', ...(code === undefined ? {} : { error_code: code }) }),
    );
    assert.deepEqual(reasons, [
      'authentication_failed',
      'institution_error',
      'session_expired',
      'unknown',
      'not_eligible',
      'not_eligible',
      'authentication_failed',
      'unknown',
      'unknown',
    ]);
    assert.equal(failureReason({ error: 'access_denied' }), 'consent_denied');
    assert.equal(failureReason({ status: 'SUCCESS' }), null);
  });

  it('renews a connection in place, and not by another login', async () => {
    await within({}, async ({ link, linked, simulator, provider }) => {
      const access = await linked('self-directed');
      simulator.control.disable(access.consent);
      assert.equal(await link('multi-currency', { renew: access }), 'not_eligible');
      assert.equal((await provider.readConsent(access, never)).state, 'login_lost');
      const renewed = await linked('self-directed', { renew: access });
      assert.equal(renewed.consent, access.consent);
      assert.equal((await provider.readConsent(access, never)).state, 'active');
    });
  });

  it('with a personal key is what is new since it began, of one user that is never registered or deleted', async () => {
    await within({ personal: true }, async ({ link, linked, provider, simulator }) => {
      const first = await linked('self-directed');
      const second = await linked('cash-only');
      assert.notEqual(first.consent, second.consent);
      assert.equal(provider.personal, true);
      assert.ok(!provider.capabilities.has('customers'));
      const who = { customer: 'k', secret: NO_SECRET, institution: null, renew: null, ...SENT };
      const begun = await provider.beginLink({ ...who, state: 's' }, never);
      const query = { status: 'SUCCESS', connection_id: first.consent };
      assert.equal((await provider.completeLink({ ...who, memo: begun.memo, query }, never)).kind, 'pending');
      await provider.deleteCustomer('k', { customer: 'k', secret: NO_SECRET }, never);
      assert.equal(simulator.control.connections().length, 2);
      simulator.control.disable(first.consent);
      const again = await link('self-directed');
      assert.ok(
        typeof again === 'object' && again.consent === first.consent,
        'the vendor keeps one for each login',
      );
    });
  });
});

describe('A connection under a personal key', () => {
  const row = (more: Record<string, unknown> = {}) => ({
    id: 'con-1',
    disabled: false,
    disabled_date: null,
    updated_date: '2026-01-01T00:00:00Z',
    ...more,
  });
  const later = { updated_date: '2026-01-02T00:00:00Z' };
  const broken = { disabled: true, disabled_date: '2026-01-02T00:00:00Z' };
  const worked = agreement(row());
  const brokenBefore = agreement(row(broken));

  it('was signed in to where it works now and is new, or was disabled when the link began', () => {
    assert.equal(isSignedIn(row(), null, false), true);
    assert.equal(isSignedIn(row(later), brokenBefore, false), true);
    assert.equal(isSignedIn(row(), brokenBefore, false), true, 'whatever the vendor does with its dates');
    assert.equal(isSignedIn(row({ disabled_date: broken.disabled_date }), brokenBefore, false), true);
  });

  it('that worked all along was signed in to only where it changed and the vendor’s page named it', () => {
    assert.equal(isSignedIn(row(later), worked, true), true);
    assert.equal(isSignedIn(row(later), worked, false), false, 'a copy in the background');
    assert.equal(isSignedIn(row(), worked, true), false, 'the query alone proves nothing');
    assert.equal(
      isSignedIn(row({ updated_date: undefined }), agreement(row({ updated_date: undefined })), true),
      false,
    );
  });

  it('was not signed in to where it stopped working, or says that it did', () => {
    for (const before of [null, worked, brokenBefore])
      assert.equal(isSignedIn(row({ ...broken, ...later }), before, true), false);
    for (const before of [null, worked])
      assert.equal(isSignedIn(row({ disabled_date: broken.disabled_date, ...later }), before, true), false);
  });

  it('that breaks while a link is open is not brought by it', async () => {
    await within({ personal: true }, async ({ linked, provider, simulator }) => {
      const { consent } = await linked('self-directed');
      const who = { customer: 'k', secret: NO_SECRET, institution: null, renew: null, ...SENT };
      const begun = await provider.beginLink({ ...who, state: 's' }, never);
      simulator.control.disable(consent);
      for (const query of [{}, { status: 'SUCCESS', connection_id: consent }]) {
        const outcome = await provider.completeLink({ ...who, memo: begun.memo, query }, never);
        assert.equal(outcome.kind, 'pending');
      }
    });
  });
});

describe('A notification of SnapTrade', () => {
  const sent = (text: string, signature: string) => ({ body: Buffer.from(text), headers: { signature } });

  it('says where to look, if it is signed with our key and not too old', async () => {
    await within({}, async ({ provider, simulator, linked, time }) => {
      const { consent, customer } = await linked('self-directed');
      const { control } = simulator;
      const [summary] = control.connections();
      const [accountId = ''] = summary?.accounts ?? [];
      const about = async (eventType: string) => {
        const connection = {
          id: consent,
          userId: customer,
          brokerId: '',
          customer: '',
          createdAt: 0,
          updatedAt: 0,
          disabledAt: null,
          deletedAt: null,
          refreshedAt: 0,
        };
        const { text, signature } = control.notification({
          eventType,
          userId: customer,
          connection,
          accountId,
        });
        return { text, signature, said: await provider.receiveWebhook(sent(text, signature)) };
      };
      const said = async (eventType: string) => {
        const [signal] = (await about(eventType)).said ?? assert.fail('it was refused');
        return signal === undefined ? null : [signal.about.kind, signal.about.id, signal.what];
      };
      assert.deepEqual(await said('CONNECTION_BROKEN'), ['consent', consent, 'login_lost']);
      assert.deepEqual(await said('CONNECTION_FIXED'), ['consent', consent, 'login_works']);
      assert.deepEqual(await said('CONNECTION_DELETED'), ['consent', consent, 'ended']);
      assert.deepEqual(await said('NEW_ACCOUNT_AVAILABLE'), ['consent', consent, 'accounts_changed']);
      assert.deepEqual(await said('ACCOUNT_HOLDINGS_UPDATED'), ['account', accountId, 'data_changed']);
      assert.deepEqual(await said('ACCOUNT_TRANSACTIONS_UPDATED'), ['account', accountId, 'data_changed']);
      assert.deepEqual(await said('USER_DELETED'), ['customer', customer, 'ended']);
      assert.equal(await said('USER_REGISTERED'), null);
      assert.equal(await said('SOMETHING_NEW'), null);
      const { text, signature } = await about('CONNECTION_BROKEN');
      const spaced = JSON.stringify(JSON.parse(text), null, 7);
      assert.ok(await provider.receiveWebhook(sent(spaced, signature)), 'what is signed is the content');
      for (const [body, header] of [
        [text.replace('BROKEN', 'FIXED'), signature],
        [text, ''],
        [text, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`],
        ['[]', signature],
        ['{', signature],
      ] as const)
        assert.equal(await provider.receiveWebhook(sent(body, header)), null, body);
      time.now += 6 * 3_600_000;
      assert.ok(await provider.receiveWebhook(sent(text, signature)), 'the vendor may be repeating it');
      time.now += 1;
      assert.equal(await provider.receiveWebhook(sent(text, signature)), null, 'it is too old');
    });
  });

  it('of other letters may be signed as they are or escaped', async () => {
    await within({}, async ({ provider }) => {
      const event = { eventTimestamp: new Date(NOW).toISOString(), eventType: 'USER_DELETED', userId: 'zoë' };
      const text = JSON.stringify(event);
      for (const signed of [text, text.replace('ë', '\\u00eb')]) {
        const signature = createHmac('sha256', KEY.consumerKey).update(signed).digest('base64');
        assert.equal((await provider.receiveWebhook(sent(text, signature)))?.length, 1);
      }
    });
  });
});
