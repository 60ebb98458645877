import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { request } from 'undici';
import { RowSet, WebhookReceiver } from '../../src/app/demo/receiver.ts';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

async function started(t: TestContext): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start();
  t.after(() => receiver.close());
  receiver.expect(SECRET);
  return receiver;
}

type Rows = { new?: object[]; updated?: object[]; removed?: string[] };

function event(id: string, { new: added = [], updated = [], removed = [] }: Rows): string {
  return JSON.stringify({ id, type: 'transactions.synced', data: { new: added, updated, removed } });
}

/** Signs with the library that others verify with, so that the receiver is not checked with our own signer. */
async function deliver(
  receiver: WebhookReceiver,
  id: string,
  body: string,
  change: (headers: Record<string, string>) => Record<string, string> = (headers) => headers,
): Promise<number> {
  const now = new Date();
  const time = String(Math.floor(now.getTime() / 1000));
  const headers = change({
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': new Webhook(SECRET).sign(id, now, body),
    'x-service-delivery-id': id,
    'x-service-timestamp': time,
    'x-service-signature': `sha256=${createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex')}`,
  });
  const answer = await request(receiver.url, { method: 'POST', headers, body });
  await answer.body.dump();
  return answer.statusCode;
}

const row = (id: string, replaces: string | null = null) => ({ id, account_id: 'a', replaces });

test('Rows of well signed events are counted once, an event that comes again not at all', async (t) => {
  const receiver = await started(t);
  const body = event('e1', { new: [row('1'), row('2')] });
  assert.equal(await deliver(receiver, 'e1', body), 204);
  assert.equal(await deliver(receiver, 'e1', body), 204);
  assert.deepEqual(receiver.counts(), { deliveries: 2, redelivered: 1, refused: 0, rows: 2, duplicates: 0 });
});

test('A row that a second event brings as new is a duplicate', async (t) => {
  const receiver = await started(t);
  await deliver(receiver, 'e1', event('e1', { new: [row('1')] }));
  await deliver(receiver, 'e2', event('e2', { new: [row('1'), row('2')] }));
  assert.equal(receiver.counts().duplicates, 1);
  assert.equal(receiver.counts().rows, 2);
});

test('A posted row replaces the pending one, and a removed row is no longer there', async (t) => {
  const receiver = await started(t);
  await deliver(receiver, 'e1', event('e1', { new: [row('p1'), row('p2'), row('3')] }));
  await deliver(receiver, 'e2', event('e2', { updated: [row('1', 'p1')], removed: ['p2'] }));
  assert.equal(receiver.counts().rows, 2);
  assert.equal(receiver.counts().duplicates, 0);
});

test('A delivery is refused when either signature, the time or the body does not hold', async (t) => {
  const receiver = await started(t);
  const body = event('e1', { new: [row('1')] });
  const changes: ((headers: Record<string, string>) => Record<string, string>)[] = [
    (headers) => ({ ...headers, 'webhook-signature': `v1,${randomBytes(32).toString('base64')}` }),
    (headers) => ({ ...headers, 'x-service-signature': `sha256=${'0'.repeat(64)}` }),
    (headers) => ({ ...headers, 'x-service-signature': '' }),
    (headers) => ({ ...headers, 'webhook-timestamp': '1000000000' }),
    (headers) => ({ ...headers, 'x-service-timestamp': '1000000000' }),
    (headers) => ({ ...headers, 'x-service-delivery-id': 'e2' }),
    (headers) => ({ ...headers, 'webhook-id': 'e2' }),
  ];
  for (const change of changes) assert.equal(await deliver(receiver, 'e1', body, change), 400);
  assert.equal(await deliver(receiver, 'e1', '{"id":"e1"}'), 400);
  assert.equal(await deliver(receiver, 'e1', event('other', {})), 400);
  assert.equal(receiver.counts().rows, 0);
  assert.equal(receiver.counts().refused, changes.length + 2);
});

test('An additional signature of another secret does no harm, as during a rotation', async (t) => {
  const receiver = await started(t);
  const other = `v1,${randomBytes(32).toString('base64')}`;
  const status = await deliver(receiver, 'e1', event('e1', { new: [row('1')] }), (headers) => ({
    ...headers,
    'webhook-signature': `${other} ${headers['webhook-signature']}`,
  }));
  assert.equal(status, 204);
});

test('A row set answers as a set of the ids does', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 4 }), { maxLength: 3000 }), (ids) => {
      const rows = new RowSet();
      const expected = new Set<string>();
      for (const id of ids) {
        assert.equal(rows.add(id), !expected.has(id));
        expected.add(id);
        assert.ok(rows.has(id));
      }
      assert.equal(rows.size, expected.size);
    }),
    { numRuns: 50 },
  );
});
