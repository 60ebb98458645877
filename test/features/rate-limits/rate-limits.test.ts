import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { LIMITS, type LimitName } from '../../../src/vocabulary/limits.ts';
import { startService, type TestService } from '../../support/service.ts';
import { type Answer, v2Client } from '../../support/v2-client.ts';
import { heavyOperation, openSurface } from '../../surfaces/v2/open-surface.ts';

/** The operations that these surfaces serve are this suite's own. */
const UNDESCRIBED = () => undefined;

/** The published numbers, written here a second time. */
const PUBLISHED = {
  rate_cheap_per_minute: 60,
  rate_mid_per_minute: 30,
  rate_heavy_per_minute: 30,
  rate_mutating_per_minute: 30,
  heavy_in_flight: 4,
  auth_failures_per_minute: 60,
  auth_attempts_per_minute: 600,
} satisfies Partial<Record<LimitName, number>>;
const NAMES = [
  'rate_cheap_per_minute',
  'rate_mid_per_minute',
  'rate_heavy_per_minute',
  'rate_mutating_per_minute',
  'heavy_in_flight',
  'auth_failures_per_minute',
  'auth_attempts_per_minute',
] as const;

const clock = new ShiftedClock();
let service: TestService;
before(async () => {
  // The harness sets limits out of the way; this suite is about the defaults.
  const defaults = Object.fromEntries(NAMES.map((name) => [LIMITS[name].env, String(LIMITS[name].default)]));
  service = await startService({ ...defaults, TRUST_PROXY: '127.0.0.0/8' }, { clock });
});
after(() => service.close());

const header = (answer: Answer, name: string): number => Number(answer.headers.get(name) ?? Number.NaN);
const codeOf = (answer: Answer): string | null => answer.body.error?.code ?? null;

test('the defaults are the published numbers', () => {
  for (const name of NAMES) assert.equal(LIMITS[name].default, PUBLISHED[name], name);
});

describe('the requests a minute of a key', () => {
  const asked: readonly (readonly [string, string, string, number])[] = [
    ['cheap [limit rate_cheap_per_minute]', 'GET', '/v2/me', PUBLISHED.rate_cheap_per_minute],
    [
      'mid [limit rate_mid_per_minute]',
      'GET',
      '/v2/accounts/acct_0000000000000000000000/balance',
      PUBLISHED.rate_mid_per_minute,
    ],
    [
      'heavy [limit rate_heavy_per_minute]',
      'GET',
      '/v2/transactions?account=acct_0000000000000000000000',
      PUBLISHED.rate_heavy_per_minute,
    ],
    [
      'mutating [limit rate_mutating_per_minute]',
      'DELETE',
      '/v2/api_keys/key_0000000000000000000000',
      PUBLISHED.rate_mutating_per_minute,
    ],
  ];
  for (const [tier, method, path, limit] of asked) {
    test(`are shown on every response as they run out, and are exactly ${limit} of the tier ${tier}`, async () => {
      const owner = await service.owner();
      const began = clock.now();
      for (let left = limit - 1; left >= 0; left--) {
        const answer = await owner.v2(method, path);
        assert.notEqual(answer.status, 429);
        assert.equal(header(answer, 'x-ratelimit-limit'), limit);
        assert.equal(header(answer, 'x-ratelimit-remaining'), left);
        assert.equal(answer.headers.get('retry-after'), null);
      }
      const refused = await owner.v2(method, path);
      assert.equal(refused.status, 429);
      assert.equal(refused.body.error.type, 'rate_limit_error');
      assert.equal(codeOf(refused), 'rate_limit_exceeded');
      assert.equal(header(refused, 'x-ratelimit-remaining'), 0);
      const [reset, retry] = [header(refused, 'x-ratelimit-reset'), header(refused, 'retry-after')];
      assert.ok(reset * 1000 >= began + 59_000 && reset * 1000 <= clock.now() + 61_000, String(reset));
      assert.ok(Number.isInteger(retry) && retry >= 1 && retry <= 60, String(retry));
    });
  }

  test('are counted for each key and each tier apart', async () => {
    const owner = await service.owner();
    const { body } = await owner.v2('POST', '/v2/api_keys', { name: 'second', scopes: ['account:read'] });
    for (let count = 0; count <= PUBLISHED.rate_cheap_per_minute; count++) await owner.v2('GET', '/v2/me');
    assert.equal((await owner.v2('GET', '/v2/me')).status, 429);
    assert.equal((await v2Client(service.url, body.secret)('GET', '/v2/me')).status, 200);
    const mutating = await owner.v2('DELETE', '/v2/api_keys/key_0000000000000000000000');
    assert.equal(mutating.status, 404);
    assert.equal(header(mutating, 'x-ratelimit-remaining'), PUBLISHED.rate_mutating_per_minute - 2);
  });

  test('are whole again a minute after the first of them', async (t) => {
    const { redisUrl, databaseUrl } = service.app.config;
    if (redisUrl !== null || databaseUrl !== null) return t.skip('a shared store keeps its own time');
    const owner = await service.owner();
    const first = await owner.v2('GET', '/v2/me');
    for (let count = 0; count < PUBLISHED.rate_cheap_per_minute; count++) await owner.v2('GET', '/v2/me');
    const refused = await owner.v2('GET', '/v2/me');
    assert.equal(refused.status, 429);
    assert.equal(header(refused, 'x-ratelimit-reset'), header(first, 'x-ratelimit-reset'));
    clock.advance((header(refused, 'retry-after') - 1) * 1000);
    assert.equal((await owner.v2('GET', '/v2/me')).status, 429);
    clock.advance(1000);
    assert.equal(header(await owner.v2('GET', '/v2/me'), 'x-ratelimit-remaining'), 59);
  });

  test('are spent by requests that are refused afterwards', async () => {
    const owner = await service.owner(['account:read']);
    const left = async (path: string, headers = {}): Promise<readonly [string | null, number]> => {
      const answer = await owner.v2('GET', path, undefined, headers);
      return [codeOf(answer), header(answer, 'x-ratelimit-remaining')];
    };
    assert.deepEqual(await left('/v2/me', { 'service-version': '' }), ['version_required', 59]);
    assert.deepEqual(await left('/v2/connections'), ['insufficient_scope', 58]);
    assert.deepEqual(await left('/v2/me?unknown=1'), ['parameter_invalid', 57]);
    assert.deepEqual(await left('/v2/me'), [null, 56]);
  });

  test('are counted as refused, by code, among the metrics', async () => {
    const found = /tributary_requests_refused_total\{code="rate_limit_exceeded"\} (\d+)/;
    const refused = async (): Promise<number> =>
      Number(found.exec(await service.app.metrics.text())?.[1] ?? 0);
    const owner = await service.owner();
    const before = await refused();
    for (let count = 0; count < 33; count++) await owner.v2('DELETE', '/v2/api_keys/key_0');
    assert.equal((await refused()) - before, 3);
  });
});

describe('heavy requests under way', () => {
  test('are four a key; an end of any kind makes room for the next [limit heavy_in_flight]', async (t) => {
    const ends: (() => void)[] = [];
    const held = heavyOperation('/v2/held', async (signal) => {
      await new Promise<void>((resolve, reject) => {
        ends.push(resolve);
        signal.addEventListener('abort', () => reject(new Error('gone')), { once: true });
      });
    });
    const quick = heavyOperation('/v2/quick', async () => undefined);
    const broken = heavyOperation('/v2/broken', async () => {
      throw new Error('broken on purpose');
    });
    const surface = await openSurface(service.app, [held, quick, broken]);
    t.after(() => surface.close());
    const [owner, other] = [await service.owner(), await service.owner()];
    const ask = v2Client(surface.url, owner.key, UNDESCRIBED);
    const hangUp = new AbortController();
    const callers = [ask('GET', '/v2/held'), ask('GET', '/v2/held'), ask('GET', '/v2/held')];
    const gone = fetch(`${surface.url}/v2/held`, {
      signal: hangUp.signal,
      headers: { authorization: `Bearer ${owner.key}`, 'service-version': '2026-10-01.wattle' },
    });
    while (ends.length < 4) await new Promise(setImmediate);

    const refused = await ask('GET', '/v2/quick');
    assert.equal(refused.status, 429);
    assert.equal(codeOf(refused), 'too_many_concurrent_requests');
    assert.equal(header(refused, 'retry-after'), 1);
    assert.equal(header(refused, 'x-ratelimit-remaining'), PUBLISHED.rate_heavy_per_minute - 5);
    assert.equal((await v2Client(surface.url, other.key, UNDESCRIBED)('GET', '/v2/quick')).status, 200);
    assert.equal((await ask('GET', '/v2/missing')).status, 404);

    hangUp.abort();
    await assert.rejects(gone);
    await roomFor(ask);
    assert.equal((await ask('GET', '/v2/broken')).status, 500);
    assert.equal((await ask('GET', '/v2/quick')).status, 200);
    callers.push(ask('GET', '/v2/held'));
    while (ends.length < 5) await new Promise(setImmediate);
    assert.equal(codeOf(await ask('GET', '/v2/quick')), 'too_many_concurrent_requests');
    ends.at(-1)?.();
    assert.equal((await Promise.race(callers)).status, 200);
    await roomFor(ask);
    for (const end of ends) end();
    for (const answer of await Promise.all(callers)) assert.equal(answer.status, 200);
  });

  test('make room when their connection breaks, whether they still work or wait behind another to be sent', async (t) => {
    const counts = { begun: 0, aborted: 0, done: 0 };
    const held = heavyOperation('/v2/held', async (signal) => {
      counts.begun += 1;
      await new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('gone')), { once: true });
      }).finally(() => {
        counts.aborted += 1;
      });
    });
    const quick = heavyOperation('/v2/quick', async () => {
      counts.done += 1;
    });
    const surface = await openSurface(service.app, [held, quick]);
    t.after(() => surface.close());
    const owner = await service.owner();
    const line = (path: string): string =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.key}\r\nService-Version: 2026-10-01.wattle\r\n\r\n`;
    const socket = connect(Number(new URL(surface.url).port), '127.0.0.1');
    socket.write(`${line('/v2/held').repeat(2)}${line('/v2/quick').repeat(2)}`);
    while (counts.begun < 2 || counts.done < 2) await new Promise(setImmediate);
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
    const ask = v2Client(surface.url, owner.key, UNDESCRIBED);
    await roomFor(ask);
    while (counts.aborted < 2) await new Promise(setImmediate);
    // Each is held until all four are: not one place is still taken.
    const four = Array.from({ length: 4 }, () => ask('GET', '/v2/held').catch(() => null));
    while (counts.begun < 6) await new Promise(setImmediate);
    await surface.close();
    await Promise.all(four);
  });

  /** The caller learns of the end a moment before the place is given back. */
  async function roomFor(ask: ReturnType<typeof v2Client>): Promise<void> {
    for (let attempt = 0; attempt < 12; attempt++) {
      if ((await ask('GET', '/v2/quick')).status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 5 * 2 ** attempt));
    }
    assert.fail('no place became free');
  }
});

describe('before anyone knows who asks', () => {
  const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
  const wrong = (key: string): string => `${key.slice(0, 16)}${'x'.repeat(key.length - 16)}`;

  test('60 failures a minute are allowed to an address with the beginning of a key, and spent by failures alone [limit auth_failures_per_minute]', async () => {
    const [owner, other] = [await service.owner(), await service.owner()];
    const guess = v2Client(service.url, wrong(owner.key));
    const here = from('198.51.100.1');
    for (let count = 0; count < 5; count++)
      assert.equal((await owner.v2('GET', '/v2/me', undefined, here)).status, 200);
    for (let count = 0; count < PUBLISHED.auth_failures_per_minute; count++)
      assert.equal(codeOf(await guess('GET', '/v2/me', undefined, here)), 'api_key_invalid');
    const refused = await guess('GET', '/v2/me', undefined, here);
    assert.equal(refused.status, 429);
    assert.equal(codeOf(refused), 'too_many_auth_attempts');
    assert.ok(header(refused, 'retry-after') >= 1 && header(refused, 'retry-after') <= 60);
    assert.equal(refused.headers.get('x-ratelimit-limit'), null);
    assert.equal(
      codeOf(await owner.v2('GET', '/v2/me', undefined, here)),
      'too_many_auth_attempts',
      'the right key is not even looked at',
    );
    assert.equal((await other.v2('GET', '/v2/me', undefined, here)).status, 200, 'another beginning');
    const elsewhere = await owner.v2('GET', '/v2/me', undefined, from('198.51.100.2'));
    assert.equal(elsewhere.status, 200, 'another address');
  });

  test('60 failures a minute are allowed to requests that come all at once, too', async () => {
    const owner = await service.owner();
    const { body } = await owner.v2('POST', '/v2/api_keys', { name: 'gone', scopes: ['account:read'] });
    await owner.v2('DELETE', `/v2/api_keys/${body.id}`);
    // Only what looks like a key is looked for, which takes its time.
    const { authentication } = service.app;
    const ask = async () =>
      authentication.authenticate({ authorization: `Bearer ${body.secret}` }, '198.51.100.7');
    const asked = await Promise.allSettled(Array.from({ length: 90 }, ask));
    const codes = asked.map((one) => (one.status === 'rejected' ? one.reason.code : null));
    assert.equal(
      codes.filter((code) => code === 'api_key_invalid').length,
      PUBLISHED.auth_failures_per_minute,
    );
    assert.equal(codes.filter((code) => code === 'too_many_auth_attempts').length, 30);
  });

  test('a request without a key, of another scheme, or from where the key is not allowed fails too', async () => {
    const owner = await service.owner();
    const { body } = await owner.v2('POST', '/v2/api_keys', {
      name: 'bound',
      scopes: ['account:read'],
      allowed_ips: ['192.0.2.7'],
    });
    const here = from('198.51.100.3');
    const statuses = async (headers: Record<string, string>): Promise<readonly number[]> => {
      const seen: number[] = [];
      for (let count = 0; count <= PUBLISHED.auth_failures_per_minute; count++)
        seen.push((await fetch(`${service.url}/v2/me`, { headers: { ...here, ...headers } })).status);
      return seen;
    };
    const sixty = (status: number): readonly number[] => [...Array<number>(60).fill(status), 429];
    assert.deepEqual(await statuses({}), sixty(401));
    assert.deepEqual(await statuses({ authorization: 'Basic abc' }), Array(61).fill(429), 'no key either');
    assert.deepEqual(await statuses({ authorization: `Bearer ${body.secret}` }), sixty(403));
  });

  test('all requests have a ceiling of 600 a minute, whatever becomes of them [limit auth_attempts_per_minute]', async () => {
    const owner = await service.owner();
    const here = from('198.51.100.4');
    const seen = new Map<string | null, number>();
    for (let count = 0; count < PUBLISHED.auth_attempts_per_minute; count++) {
      const code = codeOf(await owner.v2('GET', '/v2/me', undefined, here));
      seen.set(code, (seen.get(code) ?? 0) + 1);
    }
    assert.deepEqual([...seen], [[null, 60] as const, ['rate_limit_exceeded', 540] as const]);
    assert.equal(codeOf(await owner.v2('GET', '/v2/me', undefined, here)), 'too_many_auth_attempts');
    const later = await owner.v2('GET', '/v2/me', undefined, from('198.51.100.5'));
    assert.equal(codeOf(later), 'rate_limit_exceeded', 'the ceiling is of one address');
  });

  test('an IPv6 caller is its /64, and a mapped address the IPv4 one', async () => {
    const owner = await service.owner();
    const guess = v2Client(service.url, wrong(owner.key));
    const spend = async (address: string, times: number): Promise<void> => {
      for (let count = 0; count < times; count++)
        assert.equal((await guess('GET', '/v2/me', undefined, from(address))).status, 401);
    };
    const status = async (address: string): Promise<number> =>
      (await owner.v2('GET', '/v2/me', undefined, from(address))).status;
    await spend('2001:db8:1:2::1', 30);
    await spend('2001:db8:1:2:ffff::9', 30);
    assert.equal(await status('2001:db8:1:2:3:4:5:6'), 429);
    assert.equal(await status('2001:db8:1:3::1'), 200);
    await spend('::ffff:198.51.100.6', 30);
    await spend('198.51.100.6', 30);
    assert.equal(await status('198.51.100.6'), 429);
  });

  test('X-Forwarded-For makes no new bucket where no proxy is trusted', async (t) => {
    const surface = await openSurface(service.app, [heavyOperation('/v2/quick', async () => undefined)]);
    t.after(() => surface.close());
    const owner = await service.owner();
    const guess = v2Client(surface.url, wrong(owner.key), UNDESCRIBED);
    const codes: (string | null)[] = [];
    for (let count = 0; count <= PUBLISHED.auth_failures_per_minute; count++)
      codes.push(codeOf(await guess('GET', '/v2/quick', undefined, from(`203.0.113.${count}`))));
    assert.equal(codes[PUBLISHED.auth_failures_per_minute - 1], 'api_key_invalid');
    assert.equal(codes[PUBLISHED.auth_failures_per_minute], 'too_many_auth_attempts');
  });
});
