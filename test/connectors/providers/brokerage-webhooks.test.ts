import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { readNotification } from '../../../src/connectors/providers/brokerage/webhooks.ts';
import type { ProviderSignal } from '../../../src/connectors/providers/provider-contract.ts';
import { KEY, NOW, never } from './brokerage-broker.ts';
import { withScriptedBroker } from './brokerage-script.ts';

const clock = { now: () => NOW, sleep: async () => undefined };
/** Members in the order of their names: what is signed is this text. */
const EVENT = `"eventTimestamp":"${new Date(NOW).toISOString()}","eventType":"USER_DELETED"`;
const SAID: readonly ProviderSignal[] = [{ about: { kind: 'customer', id: 'u-1' }, what: 'ended' }];

const signed = (text: string): string => createHmac('sha256', KEY.consumerKey).update(text).digest('base64');
const read = (text: string, signature = signed(text)) =>
  readNotification({ body: Buffer.from(text), headers: { signature } }, KEY.consumerKey, clock);
const withDetails = (details: string): string => `{"details":${details},${EVENT},"userId":"u-1"}`;

describe('A notification that anyone could have sent to SnapTrade’s address', () => {
  it('is refused where it is larger, deeper or of more values than any of the vendor’s, even if it were signed', () => {
    for (const details of [
      `"${'x'.repeat(16 * 1024)}"`,
      `${'['.repeat(32)}${']'.repeat(32)}`,
      `${'['.repeat(5000)}${']'.repeat(5000)}`,
      `[${'{},'.repeat(500)}{}]`,
    ])
      assert.equal(read(withDetails(details)), null);
    assert.deepEqual(read(withDetails(`${'['.repeat(31)}${']'.repeat(31)}`)), SAID);
    assert.deepEqual(read(withDetails(`[${'{},'.repeat(200)}{}]`)), SAID);
    assert.deepEqual(read(withDetails(`"${'x'.repeat(15_000)}"`)), SAID);
  });

  it('is refused with a signature that cannot be one', () => {
    const text = withDetails('{}');
    for (const signature of [
      '',
      'x'.repeat(44),
      `${signed(text)} `,
      signed(text).slice(0, 43),
      'é'.repeat(44),
    ])
      assert.equal(read(text, signature), null, signature);
  });
});

const at = (ms: number, more = ''): string => {
  const moment = Number.isNaN(ms) ? '"yesterday"' : JSON.stringify(new Date(ms).toISOString());
  return `{"eventTimestamp":${moment},"eventType":"USER_DELETED","userId":"u-1"${more}}`;
};
const ID = ',"webhookId":"wh-1"';
const MINUTE = 60_000;

describe('What SnapTrade signed', () => {
  it('says under which id it was sent', () => {
    assert.deepEqual(read(at(NOW, ID)), [{ ...SAID[0], notification: 'wh-1' }]);
    assert.deepEqual(read(at(NOW, ',"webhookId":""')), SAID);
    assert.deepEqual(read(at(NOW, ',"webhookId":null')), SAID);
  });

  it('is refused when it is older than its last repetition, more than five minutes ahead, or of no moment', () => {
    for (const [ms, more] of [
      [NOW - 6 * 60 * MINUTE - 1, ID],
      [NOW + 5 * MINUTE + 1, ID],
      [NOW - 5 * MINUTE - 1, ''],
      [NOW + 5 * MINUTE + 1, ''],
      [Number.NaN, ID],
    ] as const)
      assert.equal(read(at(ms, more)), null, `${ms - NOW} ${more}`);
    for (const [ms, more] of [
      [NOW - 6 * 60 * MINUTE, ID],
      [NOW + 5 * MINUTE, ID],
      [NOW - 5 * MINUTE, ''],
      [NOW + 5 * MINUTE, ''],
    ] as const)
      assert.equal(read(at(ms, more))?.length, 1, `${ms - NOW} ${more}`);
    assert.equal(read('{"eventType":"USER_DELETED","userId":"u-1"}'), null);
  });

  it('is refused where it is not UTF-8, not JSON, not an object, or carries two signatures', () => {
    const bytes = Buffer.from('{"eventType":"\xff"}', 'latin1');
    const signature = signed(bytes.toString('utf8'));
    assert.equal(
      readNotification({ body: bytes, headers: { signature } }, KEY.consumerKey, clock),
      null,
      'the signature of what a lenient decoder makes of it',
    );
    for (const text of ['', '{', 'null', '[]', '"x"']) assert.equal(read(text), null, text);
    const text = at(NOW, ID);
    assert.equal(read(text, `${signed(text)}, ${signed(text)}`), null);
    assert.equal(readNotification({ body: Buffer.from(text), headers: {} }, KEY.consumerKey, clock), null);
  });

  it('is read with every number as it was written', () => {
    for (const number of ['10.0', '1e2', '-0', '0.10', '12345678901234567890', '1.5E-7'])
      assert.deepEqual(read(withDetails(`[${number}]`)), SAID, number);
  });

  it('is not said by another number', () => {
    const text = withDetails('[10.0]');
    assert.equal(read(text.replace('10.0', '10.1'), signed(text)), null);
  });
});

describe('A notification of SnapTrade that a connection or user changed', () => {
  const event = (eventType: string, member: string, id: string): string =>
    JSON.stringify(
      Object.fromEntries(
        [
          ['eventTimestamp', new Date(NOW).toISOString()],
          ['eventType', eventType],
          [member, id],
        ].toSorted(),
      ),
    );

  it('has that connection looked at again, and no other', async () => {
    await withScriptedBroker(
      () => null,
      async ({ provider, access, asked }) => {
        const looks = async (text: string): Promise<number> => {
          await provider.readHoldings(access, 'acc-1', never);
          const before = asked.length;
          await provider.receiveWebhook({ body: Buffer.from(text), headers: { signature: signed(text) } });
          await provider.readHoldings(access, 'acc-1', never);
          return asked.slice(before).filter(({ pathname }) => pathname === '/authorizations/con-1').length;
        };
        assert.equal(await looks(event('CONNECTION_BROKEN', 'brokerageAuthorizationId', 'con-2')), 0);
        assert.equal(await looks(event('USER_DELETED', 'userId', 'user-2')), 0);
        assert.equal(await looks(event('ACCOUNT_HOLDINGS_UPDATED', 'accountId', 'acc-1')), 0);
        assert.equal(await looks(event('CONNECTION_BROKEN', 'brokerageAuthorizationId', 'con-1')), 1);
        assert.equal(await looks(event('USER_DELETED', 'userId', 'user-1')), 1);
      },
    );
  });
});
