import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ShiftedClock } from '../../src/platform/clock.ts';
import { startSession } from '../features/linking/person.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import type { Answer } from '../support/v2-client.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const clock = new ShiftedClock();
let service: TestService;
let owner: TestOwner;

/** Each limit as small as a test can show both sides of it. */
before(async () => {
  service = await startService(
    {
      LIMIT_PAGE_SIZE_MAX: '4',
      LIMIT_PAGE_SIZE_DEFAULT: '2',
      LIMIT_BODY_BYTES: '4096',
      LIMIT_LINK_SESSION_MINUTES: '7',
      LIMIT_API_KEYS: '3',
      LIMIT_KEY_GRACE_DAYS: '2',
      LIMIT_ALLOWED_IPS: '2',
      LIMIT_METADATA_PAIRS: '2',
      LIMIT_IDEMPOTENCY_DAYS: '2',
    },
    { clock },
  );
  owner = await service.owner();
});
after(() => service.close());

const refusal = ({ status, body }: Answer) => [status, body.error?.code, body.error?.param];
const key = (more: object = {}) => ({ name: 'reader', scopes: ['data:read'], ...more });

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

  test('is answered as before under its idempotency key for the days set, then again [limit idempotency_days]', async () => {
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

describe('a destination', () => {
  const make = (name: string, url: string) =>
    owner.v2('POST', '/v2/destinations', { type: 'webhook', name, target: { url } });

  test('has a name of 200 characters at most [limit name_characters]', async () => {
    const url = 'http://127.0.0.1:9/named';
    assert.deepEqual(refusal(await make('n'.repeat(201), url)), [400, 'parameter_invalid', 'name']);
    assert.equal((await make('n'.repeat(200), url)).status, 200);
  });

  test('has an address of 2048 characters at most [limit url_characters]', async () => {
    const url = (length: number) => 'http://127.0.0.1:9/'.padEnd(length, 'u');
    assert.deepEqual(refusal(await make('n', url(2049))), [400, 'parameter_invalid', 'target.url']);
    assert.equal((await make('n', url(2048))).status, 200);
  });
});
