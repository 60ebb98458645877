import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { landedConnection, linkBank, startSession, until } from '../linking/person.ts';
import {
  type Answer,
  type Json,
  startService,
  type TestOwner,
  type TestService,
} from '../support/service.ts';
import { ShiftedClock } from '../support/shifted-clock.ts';
import { Receiver } from '../sync/support/receiver.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const clock = new ShiftedClock();
let service: TestService;
let owner: TestOwner;
let account: string;

/** Each limit as small as a test can show both sides of it. */
before(async () => {
  service = await startService(
    {
      LIMIT_PAGE_SIZE_MAX: '4',
      LIMIT_PAGE_SIZE_DEFAULT: '2',
      LIMIT_TRANSACTION_ROWS: '3',
      LIMIT_HISTORY_MONTHS: '12',
      LIMIT_TRANSACTION_DEFAULT_DAYS: '1',
      LIMIT_SYNC_DEFAULT_MONTHS: '2',
      LIMIT_SYNC_TRIAL_MONTHS: '1',
      LIMIT_RUN_HISTORY_DAYS: '3',
      LIMIT_BODY_BYTES: '4096',
      LIMIT_LINK_SESSION_MINUTES: '7',
      LIMIT_API_KEYS: '3',
      LIMIT_KEY_GRACE_DAYS: '2',
      LIMIT_ALLOWED_IPS: '2',
      LIMIT_METADATA_PAIRS: '2',
      LIMIT_SYNC_ACCOUNTS: '1',
      LIMIT_WEBHOOK_CHUNK_ROWS: '2',
      LIMIT_SYNC_INTERVAL_MINUTES: '90',
      LIMIT_IDEMPOTENCY_DAYS: '2',
    },
    { clock },
  );
  owner = await service.owner();
  account = (await accountsOf(owner))[0];
});
after(() => service.close());

async function accountsOf(someone: TestOwner): Promise<Json> {
  const connection = await landedConnection(
    someone,
    await linkBank(someone, { customer: 'salaried-household' }),
  );
  return connection.accounts.map((one: Json) => one.id);
}

const refusal = ({ status, body }: Answer) => [status, body.error?.code, body.error?.param];
const key = (more: object = {}) => ({ name: 'reader', scopes: ['data:read'], ...more });
const day = (ago: number): string => new Date(clock.now() - ago * DAY).toISOString().slice(0, 10);

async function webhook(url: string): Promise<Json> {
  const answer = await owner.v2('POST', '/v2/destinations', {
    type: 'webhook',
    name: 'books',
    target: { url },
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

let hooks = 0;
async function newSync(more: object = {}, someone = owner): Promise<Answer> {
  hooks += 1;
  const target = { url: `http://127.0.0.1:9/hook/${hooks}` };
  const destination = await someone.v2('POST', '/v2/destinations', { type: 'webhook', name: 'b', target });
  return someone.v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'All',
    destination: destination.body.id,
    accounts: [account],
    mapping_mode: 'bulk',
    run_now: false,
    ...more,
  });
}

const ended = (run: string): Promise<Json> =>
  until(
    async () => (await owner.v2('GET', `/v2/sync_runs/${run}`)).body,
    ({ completed_at }) => completed_at !== null,
  );

describe('a list', () => {
  test('has as many items as limit asks for, up to the most a page may have [limit page_size_max]', async () => {
    assert.equal((await owner.v2('GET', '/v2/institutions?limit=4')).body.data.length, 4);
    assert.deepEqual(refusal(await owner.v2('GET', '/v2/institutions?limit=5')), [
      400,
      'parameter_invalid',
      'limit',
    ]);
    assert.deepEqual(refusal(await owner.v2('GET', '/v2/institutions?limit=0')), [
      400,
      'parameter_invalid',
      'limit',
    ]);
  });

  test('has the usual number of items where limit is not sent [limit page_size_default]', async () => {
    const { body } = await owner.v2('GET', '/v2/institutions');
    assert.equal(body.data.length, 2);
    assert.ok(body.next_page_url);
  });
});

describe('a read of transactions', () => {
  const read = (query: string) => owner.v2('GET', `/v2/transactions?account=${account}&${query}`);

  test('shows the newest rows up to the ceiling and says that there are more [limit transaction_rows]', async () => {
    const first = await read(`from=${day(200)}&limit=2`);
    const second = await owner.v2(
      'GET',
      new URL(first.body.next_page_url).pathname + new URL(first.body.next_page_url).search,
    );
    assert.deepEqual(
      [first.body.data.length, second.body.data.length, second.body.next_page_url],
      [2, 1, null],
    );
    assert.equal(second.headers.get('x-service-truncated'), 'true');
  });

  test('reaches back as far as the history kept and no day further [limit history_months]', async () => {
    const today = new Date(clock.now());
    const around = (days: number) =>
      new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 12, today.getUTCDate() + days))
        .toISOString()
        .slice(0, 10);
    const { status } = await read(`from=${around(2)}&to=${around(3)}`);
    assert.equal(status, 200);
    assert.deepEqual(refusal(await read(`from=${around(-2)}&to=${around(3)}`)), [
      400,
      'from_too_old',
      'from',
    ]);
  });

  test('covers the usual days where from is not sent [limit transaction_default_days]', async () => {
    const idsOf = async (query: string): Promise<string[]> =>
      (await read(`limit=4&${query}`)).body.data.map((row: Json) => row.id);
    let narrower = 0;
    for (let ago = 30; ago < 50; ago++) {
      const usual = await idsOf(`to=${day(ago)}`);
      assert.deepEqual(usual, await idsOf(`from=${day(ago + 1)}&to=${day(ago)}`));
      if (usual.length < (await idsOf(`from=${day(ago + 2)}&to=${day(ago)}`)).length) narrower += 1;
    }
    assert.ok(narrower > 0, 'a day more would have shown');
  });
});

describe('a sync', () => {
  const monthsAgo = (months: number): string => {
    const today = new Date(clock.now() + 11 * 60 * MINUTE);
    return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - months, today.getUTCDate()))
      .toISOString()
      .slice(0, 7);
  };
  const begins = async (options: object, someone = owner, accounts = [account]): Promise<string> => {
    const made = await newSync({ options, accounts }, someone);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.options.data_from.slice(0, 7);
  };

  test('begins the usual months back, and no further than history reaches [limit sync_default_months]', async () => {
    assert.equal(await begins({}), monthsAgo(2));
    assert.equal(await begins({ data_from: '1999-01-01' }), monthsAgo(12));
  });

  test('begins fewer months back on a trial [limit sync_trial_months]', async () => {
    const trial = await service.owner();
    const accounts = await accountsOf(trial);
    await service.app.services.accountRecords.update(trial.record.id, {
      trial_ends_at: new Date(clock.now() + DAY),
    });
    assert.equal(await begins({}, trial, accounts.slice(0, 1)), monthsAgo(1));
  });

  test('takes as many accounts as it may and not one more [limit sync_accounts]', async () => {
    const two = await accountsOf(owner);
    assert.equal((await newSync({ accounts: two.slice(0, 1) })).status, 201);
    assert.deepEqual(refusal(await newSync({ accounts: two.slice(0, 2) })), [
      400,
      'parameter_invalid',
      'accounts',
    ]);
  });

  test('has its scheduled runs one interval apart [limit sync_interval_minutes]', async () => {
    const { body: sync } = await newSync();
    clock.advance(90 * MINUTE);
    await owner.v2('PATCH', `/v2/syncs/${sync.id}`, { enabled: false });
    const { body: later } = await owner.v2('PATCH', `/v2/syncs/${sync.id}`, { enabled: true });
    assert.equal(Date.parse(later.next_run_at) - Date.parse(sync.next_run_at), 90 * MINUTE);
    assert.ok(Date.parse(later.next_run_at) > clock.now());
  });

  test('delivers in chunks of the size set [limit webhook_chunk_rows]', async () => {
    const receiver = await new Receiver().open();
    try {
      const destination = await webhook(receiver.url);
      receiver.secrets = [destination.config.signing_secret];
      const { body: sync } = await newSync({ destination: destination.id, run_now: true });
      assert.equal((await ended(sync.latest_run.id)).status, 'succeeded');
      const sizes = receiver.events.map(({ data }) => data.new.length);
      assert.equal(Math.max(...sizes), 2);
      assert.ok(
        sizes.slice(0, -1).every((size) => size === 2),
        sizes.join(' '),
      );
    } finally {
      await receiver.close();
    }
  });

  test('shows its runs for the days set [limit run_history_days]', async () => {
    const { body: sync } = await newSync({ run_now: true });
    await ended(sync.latest_run.id);
    await owner.v2('PATCH', `/v2/syncs/${sync.id}`, { enabled: false });
    const runs = async () => (await owner.v2('GET', `/v2/syncs/${sync.id}/runs`)).body.data.length;
    clock.advance(3 * DAY - MINUTE);
    assert.equal(await runs(), 1);
    clock.advance(2 * MINUTE);
    assert.equal(await runs(), 0);
  });
});

describe('a request', () => {
  test('may be as large as it may be and not a byte larger [limit body_bytes]', async () => {
    const of = (bytes: number): string => {
      const empty = JSON.stringify({ ...key(), name: '' });
      return JSON.stringify({ ...key(), name: 'n'.repeat(bytes - empty.length) });
    };
    assert.deepEqual(refusal(await owner.v2('POST', '/v2/api_keys', of(4096))), [
      400,
      'parameter_invalid',
      'name',
    ]);
    assert.deepEqual(refusal(await owner.v2('POST', '/v2/api_keys', of(4097))), [
      413,
      'body_too_large',
      null,
    ]);
  });

  test('is answered as before under its idempotency key for the days set, then anew [limit idempotency_days]', async () => {
    const someone = await service.owner();
    const headers = { 'idempotency-key': 'once' };
    const make = async () => (await someone.v2('POST', '/v2/api_keys', key(), headers)).body.id;
    const first = await make();
    clock.advance(2 * DAY - MINUTE);
    assert.equal(await make(), first);
    clock.advance(2 * MINUTE);
    assert.notEqual(await make(), first);
  });
});

describe('a link session', () => {
  test('lives for the minutes set [limit link_session_minutes]', async () => {
    const session = await startSession(owner);
    const status = async () => (await owner.v2('GET', `/v2/link_sessions/${session.id}`)).body.status;
    assert.equal(Date.parse(session.expires_at) - Date.parse(session.created), 7 * MINUTE);
    clock.advance(7 * MINUTE - 30_000);
    assert.equal(await status(), 'pending');
    clock.advance(30_000);
    assert.equal(await status(), 'expired');
  });
});

describe('an API key', () => {
  test('is made until there are as many as allowed [limit api_keys]', async () => {
    const someone = await service.owner();
    assert.equal((await someone.v2('POST', '/v2/api_keys', key())).status, 201);
    assert.equal((await someone.v2('POST', '/v2/api_keys', key())).status, 201);
    assert.deepEqual(refusal(await someone.v2('POST', '/v2/api_keys', key())), [
      409,
      'key_limit_reached',
      null,
    ]);
  });

  test('goes on after a rotation for the days set at most, and by default [limit key_grace_days]', async () => {
    const someone = await service.owner();
    const { body: old } = await someone.v2('POST', '/v2/api_keys', key());
    const rotate = (body?: object) => someone.v2('POST', `/v2/api_keys/${old.id}/rotate`, body);
    const [status, code] = refusal(await rotate({ grace_period: '49h' }));
    assert.deepEqual([status, code], [400, 'parameter_invalid']);
    assert.equal((await rotate()).status, 201);
    const { body } = await someone.v2('GET', `/v2/api_keys/${old.id}`);
    assert.ok(Math.abs(Date.parse(body.expiring_at) - clock.now() - 2 * DAY) < MINUTE, body.expiring_at);
  });

  const kept = async (more: object): Promise<readonly [number, string | undefined]> => {
    const someone = await service.owner();
    const { status, body } = await someone.v2('POST', '/v2/api_keys', key(more));
    return [status, body.error?.param];
  };
  const pairs = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));

  test('may be tied to as many addresses as allowed [limit allowed_ips]', async () => {
    assert.deepEqual(await kept({ allowed_ips: ['192.0.2.1', '192.0.2.2'] }), [201, undefined]);
    assert.deepEqual(await kept({ allowed_ips: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] }), [
      400,
      'allowed_ips',
    ]);
  });

  test('carries as many pairs of metadata as allowed [limit metadata_pairs]', async () => {
    assert.deepEqual(await kept({ metadata: pairs(2) }), [201, undefined]);
    assert.deepEqual(await kept({ metadata: pairs(3) }), [400, 'metadata']);
  });

  test('has metadata with keys of 40 characters at most [limit metadata_key_characters]', async () => {
    assert.deepEqual(await kept({ metadata: { ['k'.repeat(40)]: 'v' } }), [201, undefined]);
    const [status] = await kept({ metadata: { ['k'.repeat(41)]: 'v' } });
    assert.equal(status, 400);
  });

  test('has metadata with values of 500 characters at most [limit metadata_value_characters]', async () => {
    assert.deepEqual(await kept({ metadata: { k: 'v'.repeat(500) } }), [201, undefined]);
    assert.deepEqual(await kept({ metadata: { k: 'v'.repeat(501) } }), [400, 'metadata.k']);
  });

  test('has a name of 1 to 100 characters [limit key_name_characters]', async () => {
    assert.deepEqual(await kept({ name: 'n'.repeat(100) }), [201, undefined]);
    assert.deepEqual(await kept({ name: 'n'.repeat(101) }), [400, 'name']);
    assert.deepEqual(await kept({ name: '' }), [400, 'name']);
  });

  test('may be made under an idempotency key of 255 characters at most [limit idempotency_key_characters]', async () => {
    const someone = await service.owner();
    const under = (length: number) =>
      someone.v2('POST', '/v2/api_keys', key(), { 'idempotency-key': 'i'.repeat(length) });
    assert.equal((await under(255)).status, 201);
    assert.deepEqual(refusal(await under(256)), [400, 'idempotency_key_invalid', 'Idempotency-Key']);
  });
});

describe('what a caller names', () => {
  test('has a name of 200 characters at most [limit name_characters]', async () => {
    assert.equal((await newSync({ name: 'n'.repeat(200) })).status, 201);
    assert.deepEqual(refusal(await newSync({ name: 'n'.repeat(201) })), [400, 'parameter_invalid', 'name']);
  });

  test('has an address of 2048 characters at most [limit url_characters]', async () => {
    const url = (length: number) => 'http://127.0.0.1:9/'.padEnd(length, 'u');
    const make = (length: number) =>
      owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'n', target: { url: url(length) } });
    assert.equal((await make(2048)).status, 200);
    assert.deepEqual(refusal(await make(2049)), [400, 'parameter_invalid', 'target.url']);
  });
});
