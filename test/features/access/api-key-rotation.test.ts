import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ApiKeyAuthenticator } from '../../../src/features/access/api-key-authenticator.ts';
import { ApiKeys } from '../../../src/features/access/api-keys.ts';
import { Authentication } from '../../../src/features/access/authentication.ts';
import type { EventTrigger } from '../../../src/features/events/event-log.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { Notices } from '../../../src/storage/notices.ts';
import { type OwnerId, parsePublicId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { LEGACY_SCOPES } from '../../../src/vocabulary/scopes.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { withBrokenTable } from '../../operations/broken-table.ts';
import { noEvents } from '../../support/no-events.ts';
import { withPatience } from '../../support/patience.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { type Answer, type Json, v2Client } from '../../support/v2-client.ts';

const DAY = 86_400_000;
let service: TestService;
let owner: TestOwner;

before(async () => {
  service = await startService({ TRUST_PROXY: '127.0.0.0/8' });
  owner = await service.owner();
});
after(() => service.close());

const create = async (more: object = {}): Promise<Json> =>
  (await owner.v2('POST', '/v2/api_keys', { name: 'books', scopes: ['data:read'], ...more })).body;
const rotate = (id: string, body?: object, by = owner): Promise<Answer> =>
  by.v2('POST', `/v2/api_keys/${id}/rotate`, body);
const read = async (id: string): Promise<Json> => (await owner.v2('GET', `/v2/api_keys/${id}`)).body;
const refusal = ({ status, body }: Answer) => [status, body.error?.code, body.error?.param];
const works = async (secret: string): Promise<boolean> =>
  (await v2Client(service.url, secret)('GET', '/v2/me')).status === 200;

describe('rotating a key', () => {
  test('gives a replacement with everything but the secret, and the old key goes on for seven days', async () => {
    const old = await create({
      allowed_ips: ['127.0.0.0/8'],
      metadata: { team: 'books' },
      expires_at: new Date(Date.now() + 90 * DAY).toISOString(),
    });
    const before = Date.now();
    const { status, body } = await rotate(old.id);
    assert.equal(status, 201);
    const { id, secret, prefix, rotated_from, created, updated, ...same } = body;
    assert.notEqual(id, old.id);
    assert.equal(secret.slice(0, 16), prefix);
    assert.equal(rotated_from, old.id);
    for (const [field, value] of Object.entries(same)) assert.deepEqual(value, old[field], field);
    const ending = await read(old.id);
    assert.equal(ending.status, 'expiring');
    const grace = Date.parse(ending.expiring_at) - before;
    assert.ok(grace >= 7 * DAY && grace < 7 * DAY + 60_000);
    assert.deepEqual([await works(old.secret), await works(secret)], [true, true]);
  });

  test('with grace 0 ends the old key with the answer', async () => {
    const old = await create();
    assert.ok(await works(old.secret));
    const { body } = await rotate(old.id, { grace: '0' });
    assert.deepEqual([await works(old.secret), await works(body.secret)], [false, true]);
    assert.equal((await read(old.id)).status, 'expired');
  });

  test('takes minutes, hours and days up to seven days, and nothing else', async () => {
    for (const [grace, ms] of [
      ['90m', 90 * 60_000],
      ['12h', 12 * 3_600_000],
      ['7d', 7 * DAY],
      ['168h', 7 * DAY],
    ] as const) {
      const { id } = await create();
      const before = Date.now();
      assert.equal((await rotate(id, { grace })).status, 201);
      const kept = Date.parse((await read(id)).expiring_at) - before;
      assert.ok(kept >= ms && kept < ms + 60_000, grace);
    }
    const { id } = await create();
    for (const grace of ['8d', '169h', '10081m', '7', '-1d', '1.5d', '7 d', '7D', 'P7D', '', '01d', '1w']) {
      assert.deepEqual(refusal(await rotate(id, { grace })), [400, 'parameter_invalid', 'grace'], grace);
    }
    assert.deepEqual(refusal(await rotate(id, { grace: 7 })), [400, 'parameter_invalid', 'grace']);
    assert.equal((await read(id)).status, 'active');
  });

  test('many times at once gives one replacement', async () => {
    const old = await create();
    const answers = await Promise.all(Array.from({ length: 6 }, () => rotate(old.id)));
    const refused = answers.filter(({ status }) => status !== 201).map(refusal);
    assert.deepEqual(refused, Array(5).fill([409, 'key_already_rotated', null]));
    const keys = (await owner.v2('GET', '/v2/api_keys?limit=100')).body.data;
    assert.equal(keys.filter((key: Json) => key.rotated_from === old.id).length, 1);
  });

  test('is refused for a revoked, a rotated and an expired key; revoking the replacement revives nothing', async () => {
    const revoked = await create();
    await owner.v2('DELETE', `/v2/api_keys/${revoked.id}`);
    assert.deepEqual(refusal(await rotate(revoked.id)), [409, 'key_revoked', null]);

    const rotated = await create();
    const { body } = await rotate(rotated.id, { grace: '0' });
    await owner.v2('DELETE', `/v2/api_keys/${body.id}`);
    assert.deepEqual(refusal(await rotate(rotated.id)), [409, 'key_already_rotated', null]);
    assert.deepEqual([await works(rotated.secret), await works(body.secret)], [false, false]);

    await withPatience([60, 8000], async (ms) => {
      const soon = await create({ expires_at: new Date(Date.now() + ms).toISOString() });
      await new Promise((resolve) => setTimeout(resolve, ms + 10));
      assert.deepEqual(refusal(await rotate(soon.id)), [409, 'key_expired', null]);
    });
  });

  test('needs every scope of the key; another owner finds no such key', async () => {
    const { id } = await create({ scopes: ['data:read', 'syncs:write'] });
    const { secret } = await create({ scopes: ['keys:write', 'data:read'] });
    const lesser = { ...owner, v2: v2Client(service.url, secret) };
    const refused = await rotate(id, undefined, lesser);
    assert.deepEqual(refusal(refused), [403, 'scope_not_held', null]);
    assert.match(refused.body.error.message, /syncs:write/);
    assert.equal((await read(id)).status, 'active');
    const stranger = await service.owner();
    const foreign = await rotate(id, undefined, stranger);
    const absent = await rotate('key_0000000000000000000000', undefined, stranger);
    assert.deepEqual({ ...foreign.body.error, request_id: 0 }, { ...absent.body.error, request_id: 0 });
    assert.deepEqual(refusal(foreign), [404, 'resource_missing', null]);
  });

  test('of a legacy key gives a key that names its read scopes', async () => {
    const { apiKeys } = service.app.services;
    const old = await apiKeys.create(owner.record.id, { name: 'old', scopes: [], legacy: true }, null);
    const { key } = await apiKeys.rotate(owner.record.id, old.key.id, null, null);
    assert.deepEqual([key.legacy, key.scopes], [false, [...LEGACY_SCOPES]]);
  });

  test('that storage refuses leaves the old key as it was', async () => {
    const { id, secret } = await create();
    await withBrokenTable(service, 'api_keys', async () => {
      assert.deepEqual(refusal(await rotate(id)), [409, 'api_key_rotate_failed', null]);
    });
    assert.equal((await read(id)).status, 'active');
    assert.ok(await works(secret));
    assert.equal((await rotate(id)).status, 201);
  });
});

describe('on a clock that is moved', () => {
  const clock = new SimulatedClock(Date.now());
  const seen: string[] = [];
  const events: EventTrigger = async (_trx, _owner, kind, subject) => void seen.push(`${kind} ${subject}`);
  const keysOn = (limits: object = {}) =>
    new ApiKeys({
      db: service.app.database.db,
      clock,
      notices: service.app.notices,
      limits: { ...DEFAULT_LIMITS, ...limits },
      events,
    });
  const make = (keys: ApiKeys, more: object = {}, of: OwnerId = owner.record.id) =>
    keys.create(of, { name: 'k', scopes: ['data:read'], ...more }, null);

  test('the old key stops at its expiring_at, in a process that remembers it too', async () => {
    const notices = new Notices(service.app.database);
    await notices.start();
    const { attempts } = service.app.rateLimits;
    const elsewhere = new Authentication({
      authenticators: [new ApiKeyAuthenticator({ db: service.app.database.db, clock, notices })],
      attempts,
    });
    const accepts = async (secret: string): Promise<boolean> => {
      try {
        await elsewhere.authenticate({ authorization: `Bearer ${secret}` }, '127.0.0.1');
        return true;
      } catch (error) {
        assert.ok(error instanceof ServiceError && error.code === 'api_key_invalid');
        return false;
      }
    };
    const keys = keysOn();
    const [first, second] = [await make(keys), await make(keys)];
    assert.ok((await accepts(first.secret)) && (await accepts(second.secret)));
    await keys.rotate(owner.record.id, first.key.id, '0', null);
    while (await accepts(first.secret)) await new Promise((resolve) => setTimeout(resolve, 5));
    await keys.rotate(owner.record.id, second.key.id, '1d', null);
    const { expiring_at } = await keys.find(owner.record.id, second.key.id);
    assert.ok(expiring_at);
    // Word of the rotation has come once the second key, looked up again or not, ends in time.
    clock.advance(DAY - 1);
    assert.ok(await accepts(second.secret));
    clock.advance(1);
    while (await accepts(second.secret)) await new Promise((resolve) => setTimeout(resolve, 5));
    await notices.stop();
  });

  test('a replacement keeps the end of the old key, and the old key does not outlive it', async () => {
    const keys = keysOn();
    const end = new Date(clock.now() + DAY);
    const { key } = await make(keys, { expiresAt: end });
    const replaced = await keys.rotate(owner.record.id, key.id, '7d', null);
    assert.deepEqual(replaced.key.expires_at, end);
    assert.deepEqual((await keys.find(owner.record.id, key.id)).expiring_at, end);
  });

  test('a full house rotates every key it has, but does not pile up keys in their grace', async () => {
    const { record } = await service.owner();
    const keys = keysOn({ api_keys: 2 });
    const { key } = await make(keys, {}, record.id);
    await assert.rejects(make(keys, {}, record.id), { code: 'key_limit_reached' });
    const second = await keys.rotate(record.id, key.id, '7d', null);
    const third = await keys.rotate(record.id, second.key.id, '7d', null);
    await assert.rejects(keys.rotate(record.id, third.key.id, '7d', null), { code: 'key_limit_reached' });
    await keys.rotate(record.id, third.key.id, '0', null);
  });

  test('the rotation that commits tells of the expiring key once; one that is refused tells nothing', async () => {
    const keys = keysOn();
    const { key } = await make(keys);
    seen.length = 0;
    const both = [0, 1].map(() => keys.rotate(owner.record.id, key.id, null, null));
    await Promise.allSettled(both);
    assert.deepEqual(seen, [`api_key.expiring ${key.id}`]);
  });
});

describe('the last free place for a key', () => {
  test('is given once, however many ask at the same time', async () => {
    const { record } = await service.owner();
    const { db } = service.app.database;
    const limits = { ...DEFAULT_LIMITS, api_keys: 2 };
    const keys = new ApiKeys({
      db,
      clock: service.app.clock,
      notices: service.app.notices,
      limits,
      events: noEvents,
    });
    const asked = Array.from({ length: 5 }, () =>
      keys.create(record.id, { name: 'k', scopes: ['data:read'] }, null),
    );
    const refused = (await Promise.allSettled(asked)).flatMap((one) =>
      one.status === 'rejected' ? [one.reason.code] : [],
    );
    assert.deepEqual(refused, Array(4).fill('key_limit_reached'));
  });
});

describe('a key with an allow-list, behind a proxy that is trusted', () => {
  test('is decided by the address the proxy saw, not by what the caller says it is', async () => {
    const { secret } = await create({ allowed_ips: ['203.0.113.0/24', '2001:db8::1'] });
    const from = async (forwarded: string) => {
      const headers = { 'x-forwarded-for': forwarded };
      return (await v2Client(service.url, secret)('GET', '/v2/me', undefined, headers)).status;
    };
    assert.equal(await from('203.0.113.9'), 200);
    assert.equal(await from('2001:db8:0::1'), 200);
    assert.equal(await from('203.0.113.9:4711'), 200, 'some proxies write the port, too');
    assert.equal(await from('[2001:db8::1]:4711'), 200);
    assert.equal(await from('::ffff:cb00:7109'), 200);
    assert.equal(await from('198.51.100.7'), 403);
    assert.equal(await from('198.51.100.7:4711'), 403);
    assert.equal(await from('203.0.113.9:x'), 403);
    assert.equal(await from('203.0.113.9, 198.51.100.7'), 403, 'the caller wrote the first one itself');
    assert.equal(await from('198.51.100.7, 203.0.113.9'), 200);
  });
});

describe('what never changes on a key', () => {
  test('is refused with a message that says so', async () => {
    const { id } = await create();
    for (const [field, value] of [
      ['scopes', ['data:read']],
      ['allowed_ips', null],
      ['expires_at', null],
    ] as const) {
      const answer = await owner.v2('POST', `/v2/api_keys/${id}`, { [field]: value });
      assert.deepEqual(refusal(answer), [400, 'parameter_invalid', field]);
      assert.match(answer.body.error.message, new RegExp(`^${field} cannot be changed\\.`));
    }
    assert.ok(parsePublicId('api_key', id));
  });

  test('IPv4 addresses and ranges and exact IPv6 addresses are taken; an IPv6 range is not', async () => {
    for (const [entry, status] of [
      ['203.0.113.7', 201],
      ['203.0.113.0/24', 201],
      ['2001:db8::1', 201],
      ['2001:db8::/32', 400],
      ['2001:db8::1/128', 400],
      ['::ffff:203.0.113.7', 400],
      ['0:0:0:0:0:ffff:203.0.113.7', 400],
      ['203.0.113.7:443', 400],
      ['203.0.113.0/33', 400],
      ['example.com', 400],
    ] as const) {
      const body = { name: 'k', scopes: ['data:read'], allowed_ips: [entry] };
      const answer = await owner.v2('POST', '/v2/api_keys', body);
      assert.equal(answer.status, status, entry);
      if (status === 400) assert.equal(answer.body.error.param, 'allowed_ips[0]');
      else await owner.v2('DELETE', `/v2/api_keys/${answer.body.id}`);
    }
  });
});
