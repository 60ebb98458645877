import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { OutgoingChunk } from '../../../src/connectors/destinations/delivery-rows.ts';
import { DestinationFailure } from '../../../src/connectors/destinations/destination-failure.ts';
import {
  WEBHOOK_DELAYS_MS,
  WebhookConnector,
} from '../../../src/connectors/destinations/webhook/connector.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import { newSigningSecret } from '../../../src/platform/webhook-signature.ts';
import { validateWebhookUrl } from '../../../src/platform/webhook-url.ts';
import { publicId, rowId } from '../../../src/vocabulary/ids.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { Receiver } from '../../features/sync-engine/support/receiver.ts';
import { HOSTILE_LITERALS, HOSTILE_URLS, LOCAL_NAMES } from '../../support/hostile-addresses.ts';
import { withPatience } from '../../support/patience.ts';
import { openedSync } from './support/opened-sync.ts';

const account = rowId('account', '0192f0c4-0000-7000-8000-000000000002');
const chunk: OutgoingChunk = {
  eventId: '2b0e3c7e-5b0c-5a43-8a38-0f1f4ad3a111',
  run: rowId('sync_run', '0192f0c4-0000-7000-8000-000000000001'),
  number: 1,
  total: 1,
  rowForm: 1,
  created: Date.now(),
  again: false,
  added: [
    {
      id: 'txn_fk_1',
      account,
      replaces: null,
      text: '{"id":"1","transaction":"txn_fk_1","replaces":null,"replaces_transaction":null,"description":"é"}',
      remoteRef: null,
    },
  ],
  updated: [],
  removed: [{ id: 'txn_fk_0', account, text: null, replaces: null, remoteRef: null }],
};

let receiver: Receiver;
let http: OutgoingHttp;
let clock: SimulatedClock;
const secret = newSigningSecret();
const never = new AbortController().signal;

beforeEach(async () => {
  receiver = await new Receiver().open();
  receiver.secrets = [secret];
  http = new OutgoingHttp({ guard: new AddressGuard(['127.0.0.0/8']) });
  clock = new SimulatedClock(Date.now());
});
afterEach(async () => {
  await http.close();
  await receiver.close();
});

async function write(
  options: {
    secrets?: string[];
    delaysMs?: number[];
    client?: OutgoingHttp;
    url?: string;
    signal?: AbortSignal;
    deadlineMs?: number;
  } = {},
) {
  const {
    secrets = [secret],
    delaysMs = [],
    client = http,
    url = receiver.url,
    signal = never,
    deadlineMs = 30_000,
  } = options;
  const connector = new WebhookConnector({ http: client, clock, chunkRows: 500, delaysMs, deadlineMs });
  const writer = await connector.open({
    owner: 'acc',
    target: { url },
    secrets,
    access: null,
    recorded: async () => new Set<string>(),
    accountsWithRows: async () => null,
    sync: openedSync(),
  });
  return writer.write(chunk, signal);
}

async function failure(work: Promise<unknown>): Promise<DestinationFailure> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DestinationFailure) return error;
    throw error;
  }
  return assert.fail('it was delivered');
}

test('a trade is sent with decimals as the broker wrote them, in an event of its own kind', async () => {
  const connector = new WebhookConnector({ http, clock, chunkRows: 500, delaysMs: [] });
  const writer = await connector.open({
    owner: 'acc',
    target: { url: receiver.url },
    secrets: [secret],
    access: null,
    recorded: async () => new Set<string>(),
    accountsWithRows: async () => null,
    sync: openedSync({ type: 'trades' }),
  });
  const exact = (decimal: string) => ({ money: { amount: 0, currency: 'usd' }, decimal });
  const text = writer.encode(
    {
      kind: 'trade',
      account: { id: account, name: 'Shares', institution: 'Broker', type: 'investment', maskedNumber: null },
      trade: {
        id: 'trd_st_7',
        symbol: 'ACME',
        name: null,
        type: 'buy',
        quantity: '0.5',
        price: exact('33.1234'),
        currency: 'usd',
        total_amount: exact('-16.5617'),
        fees: null,
        trade_date: localDate('2026-11-20'),
        trade_datetime: null,
        settlement_date: null,
        settlement_datetime: null,
        description: null,
      },
    },
    1,
  );
  const added = [{ id: 'trd_st_7', account, text, replaces: null, remoteRef: null }];
  await writer.write({ ...chunk, added, removed: [] }, never);
  const event = JSON.parse(receiver.requests[0]?.body ?? '');
  assert.equal(event.type, 'trades.synced');
  assert.deepEqual(event.data.new, [
    {
      id: '7',
      object: 'trade',
      trade: 'trd_st_7',
      symbol: 'ACME',
      name: null,
      type: 'buy',
      quantity: '0.5',
      price: '33.1234',
      currency: 'usd',
      total_amount: '-16.5617',
      fees: null,
      account_id: account,
      account_name: 'Shares',
      account: 'Shares',
      account_item: publicId('account', account),
      trade_date: '2026-11-20',
      settlement_date: null,
      description: null,
    },
  ]);
});

describe('a delivery', () => {
  test('is signed in both schemes and says what was promised', async () => {
    await write();
    const [request] = receiver.requests;
    assert.deepEqual(receiver.faults, []);
    assert.equal(request?.headers['content-type'], 'application/json');
    assert.equal(request?.headers['user-agent'], 'Tributary-Webhook/1.0');
    assert.deepEqual(JSON.parse(request?.body ?? ''), {
      id: chunk.eventId,
      object: 'event',
      type: 'transactions.synced',
      api_version: '2026-03-15',
      created: Math.floor(chunk.created / 1000),
      account_record: publicId('account_record', openedSync().account_record),
      data: {
        new: [
          { id: '1', transaction: 'txn_fk_1', replaces: null, replaces_transaction: null, description: 'é' },
        ],
        updated: [],
        removed: ['0'],
        removed_transactions: ['txn_fk_0'],
        removed_account_items: [publicId('account', account)],
      },
      metadata: {
        sync_run_id: chunk.run,
        sync_run: publicId('sync_run', chunk.run ?? assert.fail()),
        new_count: 1,
        updated_count: 0,
        chunk: 1,
        total_chunks: 1,
      },
    });
  });

  test('during a rotation is signed with both secrets', async () => {
    const old = secret;
    const fresh = newSigningSecret();
    receiver.secrets = [fresh];
    await write({ secrets: [fresh, old] });
    assert.deepEqual(receiver.faults, []);
    const [request] = receiver.requests;
    const headers = {
      'webhook-id': chunk.eventId,
      'webhook-timestamp': String(request?.headers['webhook-timestamp']),
      'webhook-signature': String(request?.headers['webhook-signature']),
    };
    new Webhook(old).verify(request?.body ?? '', headers);
    assert.throws(() => new Webhook(newSigningSecret()).verify(request?.body ?? '', headers));
  });

  test('of a body changed on the way does not verify', async () => {
    await write();
    const [request] = receiver.requests;
    const tampered = (request?.body ?? '').replace('txn_fk_1', 'txn_fk_2');
    const hex = createHmac('sha256', secret)
      .update(`${request?.headers['x-service-timestamp']}.${tampered}`)
      .digest('hex');
    assert.notEqual(request?.headers['x-service-signature'], `sha256=${hex}`);
  });

  test('is tried at 0, 1, 3 and 9 seconds with one event id and a new timestamp each time', async () => {
    assert.deepEqual(WEBHOOK_DELAYS_MS, [1000, 3000, 9000]);
    receiver.behave = (request) => (request < 3 ? { status: 503 } : 'ok');
    const delivery = write({ delaysMs: [...WEBHOOK_DELAYS_MS] });
    const waits: number[] = [];
    for (let attempt = 1; attempt < 4; attempt++) {
      while (clock.sleeping === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      let waited = 0;
      while (clock.sleeping > 0) {
        clock.advance(100);
        waited += 100;
      }
      waits.push(waited);
    }
    await delivery;
    assert.equal(receiver.requests.length, 4);
    for (const [index, wait] of waits.entries()) {
      const full = WEBHOOK_DELAYS_MS[index] ?? 0;
      assert.ok(wait >= full / 2 && wait <= full + 100, `${wait} for ${full}`);
    }
    assert.equal(new Set(receiver.requests.map(({ event }) => event.id)).size, 1);
    assert.ok(new Set(receiver.requests.map(({ headers }) => headers['webhook-timestamp'])).size > 1);
    assert.deepEqual(receiver.faults, []);
  });

  test('waits as long as Retry-After asks, and gives up when that is too long', async () => {
    receiver.behave = (request) => (request === 0 ? { status: 429, headers: { 'retry-after': '30' } } : 'ok');
    const delivery = write({ delaysMs: [1000] });
    while (clock.sleeping === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    clock.advance(29_000);
    assert.equal(clock.sleeping, 1);
    clock.advance(1000);
    await delivery;
    receiver.behave = () => ({ status: 429, headers: { 'retry-after': '3600' } });
    assert.equal((await failure(write({ delaysMs: [1000] }))).code, 'rate_limited');
    assert.equal(receiver.requests.length, 3);
  });

  test('that is called off stops waiting at once', async () => {
    receiver.behave = () => ({ status: 503 });
    const calling = new AbortController();
    const delivery = write({ delaysMs: [1000], signal: calling.signal });
    while (clock.sleeping === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    calling.abort(new Error('called off'));
    await assert.rejects(delivery, /called off/);
    assert.equal(clock.sleeping, 0);
  });

  const answers: [number, string, string, boolean, number][] = [
    [301, 'run_failed', 'refused', false, 1],
    [400, 'run_failed', 'refused', false, 1],
    [401, 'destination_auth_failed', 'refused', false, 1],
    [403, 'destination_auth_failed', 'refused', false, 1],
    [404, 'destination_resource_missing', 'refused', false, 1],
    [410, 'destination_resource_missing', 'refused', false, 1],
    [422, 'run_failed', 'refused', false, 1],
    [429, 'rate_limited', 'refused', true, 2],
    [500, 'run_failed', 'unknown', true, 2],
    [503, 'run_failed', 'unknown', true, 2],
  ];
  for (const [status, code, outcome, retryable, attempts] of answers) {
    test(`answered ${status} is ${code}, ${outcome}, after ${attempts} attempts`, async () => {
      receiver.behave = () => ({ status });
      const failed = await failure(write({ delaysMs: [0] }));
      assert.deepEqual(
        [failed.code, failed.outcome, failed.retryable, failed.disables],
        [code, outcome, retryable, status === 410],
      );
      assert.equal(receiver.requests.length, attempts);
      assert.ok(!failed.message.includes('/hook'), 'a path may hold a secret');
    });
  }

  test('without an answer is a timeout whose outcome is unknown; without a receiver nothing was sent', async () => {
    receiver.behave = () => 'hang';
    await withPatience([200, 8000], async (deadlineMs) => {
      const hung = await failure(write({ deadlineMs }));
      assert.deepEqual([hung.code, hung.outcome], ['timeout', 'unknown']);
    });
    receiver.behave = () => 'drop_before';
    const reset = await failure(write());
    assert.deepEqual([reset.code, reset.outcome], ['run_failed', 'unknown']);
    const nobody = await failure(write({ url: 'http://127.0.0.1:1/hook' }));
    assert.deepEqual([nobody.code, nobody.outcome, nobody.retryable], ['run_failed', 'refused', true]);
  });

  test('to an address that is not permitted is refused at delivery too, and not tried again', async () => {
    const guarded = new OutgoingHttp({ guard: new AddressGuard([]) });
    const failed = await failure(write({ client: guarded, delaysMs: [0, 0] }));
    assert.deepEqual([failed.code, failed.outcome, failed.retryable], ['run_failed', 'refused', false]);
    assert.equal(receiver.requests.length, 0);
    await guarded.close();
  });
});

describe('the address of a webhook', () => {
  const closed = new AddressGuard([]);
  const refused = [
    'not a url',
    ...[...HOSTILE_LITERALS, ...LOCAL_NAMES].map(({ host }) => `https://${host}/hook`),
    ...HOSTILE_URLS.map(({ url }) => url),
    `https://example.com/${'a'.repeat(2048)}`,
  ];
  for (const url of refused) {
    test(`${url.slice(0, 60)} is refused`, () => {
      assert.ok('refusal' in validateWebhookUrl(closed, url));
    });
  }

  test('is stored in one spelling, without its fragment', () => {
    assert.deepEqual(validateWebhookUrl(closed, 'HTTPS://Example.COM:443/hook#part'), {
      url: 'https://example.com/hook',
    });
  });

  test('may be plain http inside the network the operator permits', () => {
    assert.deepEqual(validateWebhookUrl(new AddressGuard(['127.0.0.0/8']), 'http://127.0.0.1:8080/hook'), {
      url: 'http://127.0.0.1:8080/hook',
    });
  });
});
