import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Authentication } from '../../../src/features/access/authentication.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import type { Log } from '../../../src/platform/log.ts';
import { Metrics } from '../../../src/platform/metrics.ts';
import { FailedRequests } from '../../../src/surfaces/http/failed-requests.ts';
import { ERROR_CODES, isErrorCode } from '../../../src/vocabulary/error-codes.ts';
import { FAILURE_CAUSES, type FailureCause, failureCause } from '../../../src/vocabulary/failure-causes.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { StoreUnavailableError } from '../../../src/vocabulary/store-unavailable.ts';
import { until } from '../../features/linking/person.ts';
import { startService, type TestService } from '../../support/service.ts';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly request_id?: string;
  readonly operation?: string;
}

const lines: Line[] = [];
const written = { write: (line: string): void => void lines.push(JSON.parse(line)) };
let service: TestService;
before(async () => {
  service = await startService({ LOG_LEVEL: 'warn' }, { destination: written });
});
after(() => service.close());

/** What is raised, by why the request could not be answered. */
const RAISED: Readonly<Record<FailureCause, () => Error>> = {
  service: () => new Error('a fault of ours'),
  store: () => new StoreUnavailableError('it does not answer'),
  upstream: () => new ServiceError('upstream_timeout'),
};

interface SurfaceCase {
  readonly path: string;
  readonly init?: RequestInit;
  /** What its requests meet first. */
  readonly fail: (t: TestContext, raise: () => never) => void;
}

const authenticating = (of: () => Pick<Authentication, 'authenticate'>): SurfaceCase['fail'] => {
  return (t, raise) => void t.mock.method(of(), 'authenticate', raise);
};
const post = (body: string, type = 'application/json'): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': type, accept: 'application/json, text/event-stream' },
});
const SURFACES: Readonly<Record<string, SurfaceCase>> = {
  v2: { path: '/v2/me', fail: authenticating(() => service.app.v2Authentication) },
  v1: { path: '/v1/accounts', fail: authenticating(() => service.app.authentication) },
  agents: {
    path: '/mcp',
    init: post('{"jsonrpc":"2.0","id":1,"method":"ping"}'),
    fail: authenticating(() => service.app.mcpAuthentication),
  },
  bridge: { path: '/simplefin/accounts', fail: authenticating(() => service.app.bridgeAuthentication) },
  linking: {
    path: '/link/unknown',
    fail: (t, raise) => void t.mock.method(service.app.rateLimits.hosted, 'arrive', raise),
  },
  pages: {
    path: '/sign-in',
    fail: (t, raise) => void t.mock.method(service.app.rateLimits.hosted, 'arrive', raise),
  },
  passkeys: {
    path: '/sign-in/passkey/options',
    init: {
      ...post('{}'),
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    },
    fail: (t, raise) => void t.mock.method(service.app.signIn.passkeys, 'signInOptions', raise),
  },
  'devices for notifications': {
    path: '/settings/notifications/devices',
    init: {
      ...post('{}'),
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    },
    fail: (t, raise) => void t.mock.method(service.app.signIn.webSessions, 'find', raise),
  },
  'lists of accounts': {
    path: '/settings/accounts/list',
    fail: (t, raise) => void t.mock.method(service.app.signIn.webSessions, 'find', raise),
  },
  authorization: {
    path: '/oauth/authorize',
    fail: (t, raise) => void t.mock.method(service.app.rateLimits.oauth, 'arrive', raise),
  },
  notifications: {
    path: '/provider-webhooks/au_banking',
    init: post('{}'),
    fail: (t, raise) => void t.mock.method(service.app.rateLimits.webhooks, 'arrive', raise),
  },
};

/** How many requests the histogram has. */
async function requests(): Promise<number> {
  const text = await service.app.metrics.text();
  const counts = text.matchAll(/^tributary_http_request_seconds_count\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function counted(): Promise<Record<string, number>> {
  const text = await service.app.metrics.text();
  return Object.fromEntries(
    FAILURE_CAUSES.map((cause) => [
      cause,
      Number(
        new RegExp(`^tributary_failed_requests_total\\{cause="${cause}"\\} (\\d+)$`, 'm').exec(text)?.[1] ??
          0,
      ),
    ]),
  );
}

describe('A request that cannot be answered is counted by its cause and logged with its id', () => {
  for (const [name, { path, init, fail }] of Object.entries(SURFACES))
    for (const cause of FAILURE_CAUSES)
      test(`${name}: ${cause}`, async (t) => {
        const before = await counted();
        const observed = await requests();
        fail(t, () => {
          throw RAISED[cause]();
        });
        lines.length = 0;
        const answer = await fetch(`${service.url}${path}`, { ...init, redirect: 'manual' });
        assert.ok(answer.status >= 500, String(answer.status));
        assert.deepEqual(await counted(), { ...before, [cause]: (before[cause] ?? 0) + 1 });
        // The alert divides one by the other.
        await until(requests, (now) => now === observed + 1);
        const id = answer.headers.get('request-id');
        const logged = lines.filter(({ message }) => message.startsWith('A request failed'));
        assert.deepEqual(
          logged.map(({ level }) => level),
          [cause === 'service' ? 'error' : 'warn'],
        );
        // Vendors that notify us and people at pages are given no id.
        if (id !== null) assert.equal(logged[0]?.request_id, id);
      });

  test('a tool of an agent, whose answer has the status 200', async (t) => {
    const { key } = await service.owner();
    const before = await counted();
    t.mock.method(service.app.services.syncs, 'list', () => {
      throw new Error('a fault of ours');
    });
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_syncs', arguments: {} },
    };
    const answer = await fetch(`${service.url}/mcp`, {
      ...post(JSON.stringify(call)),
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
    });
    assert.equal(answer.status, 200, await answer.clone().text());
    assert.match(await answer.text(), /internal_error/);
    assert.deepEqual(await counted(), { ...before, service: (before.service ?? 0) + 1 });
  });

  test('a message of a batch, by the name of a method that exists', async (t) => {
    const { key } = await service.owner();
    const before = await counted();
    const fail = (id: number, method: string) => ({ jsonrpc: '2.0', id, method });
    t.mock.method(service.app.rateLimits.tiers, 'count', () => {
      throw new Error('a fault of ours');
    });
    lines.length = 0;
    await fetch(`${service.url}/mcp`, {
      ...post(JSON.stringify([fail(1, 'ping'), fail(2, 'secret of the caller')])),
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
    });
    assert.deepEqual(
      lines.map(({ operation }) => operation),
      ['mcp ping', 'mcp other'],
    );
    assert.deepEqual(await counted(), { ...before, service: (before.service ?? 0) + 1 });
  });

  test('and no other is', async () => {
    const before = await counted();
    lines.length = 0;
    assert.equal((await fetch(`${service.url}/v2/me`)).status, 401);
    assert.equal((await fetch(`${service.url}/nowhere`)).status, 404);
    const observed = await requests();
    assert.equal((await fetch(`${service.url}/docs/guides`)).status, 200);
    await until(requests, (now) => now === observed + 1);
    assert.deepEqual(await counted(), before);
    assert.deepEqual(lines, []);
  });
});

test('while the database is unreachable, 20 requests a minute are logged and all are counted', async () => {
  const clock = new SimulatedClock(1_000_000);
  const metrics = new Metrics();
  const logged: string[] = [];
  const log = { warn: (message: string) => void logged.push(message), error: () => assert.fail() };
  const failures = new FailedRequests({ log, metrics, clock });
  const many = () => {
    for (let request = 0; request < 500; request++)
      failures.note(new StoreUnavailableError('down'), { id: `req_${request}` }, 'get_me');
  };
  many();
  assert.equal(logged.length, 20);
  clock.advance(60_000);
  many();
  assert.equal(logged.length, 40);
  assert.match(await metrics.text(), /tributary_failed_requests_total\{cause="store"\} 1000/);
});

test('while a bank is down, 20 requests a minute of each account record are logged and all are counted', async () => {
  const clock = new SimulatedClock(1_000_000);
  const metrics = new Metrics();
  const logged: unknown[] = [];
  const warn: Log['warn'] = (_message, fields) => void logged.push(fields?.caller_id);
  const log = { warn, error: () => assert.fail() };
  const failures = new FailedRequests({ log, metrics, clock });
  const many = (record: string, id: string) => {
    const caller = { kind: 'session', id, accountRecord: { id: record } } as const;
    for (let request = 0; request < 30; request++)
      failures.note(new ServiceError('upstream_timeout'), { id: `req_${request}`, caller }, 'get_me');
  };
  const lines = (id: string) => logged.filter((one) => one === id).length;
  many('acct_a', 'one');
  many('acct_a', 'two');
  many('acct_b', 'three');
  assert.deepEqual([lines('one'), lines('two'), lines('three')], [20, 0, 20]);
  clock.advance(60_000);
  many('acct_a', 'two');
  assert.equal(lines('two'), 20);
  assert.match(await metrics.text(), /tributary_failed_requests_total\{cause="upstream"\} 120/);
});

test('only codes of the type api_error are faults of the service', () => {
  const causes = new Map(
    Object.keys(ERROR_CODES)
      .filter(isErrorCode)
      .map((code) => [code, failureCause(new ServiceError(code))]),
  );
  assert.deepEqual(
    [...causes].filter(([, cause]) => cause === 'service').map(([code]) => code),
    ['internal_error', 'sync_dispatch_failed', 'connection_delete_failed'],
  );
  assert.deepEqual(
    [...causes].filter(([, cause]) => cause === 'upstream').map(([code]) => code),
    ['upstream_unavailable', 'gateway_unavailable', 'upstream_timeout'],
  );
  assert.equal(failureCause(new ServiceError('provider_wait', { status: 503 })), 'upstream');
  assert.equal(failureCause(new ServiceError('provider_wait')), null);
});
