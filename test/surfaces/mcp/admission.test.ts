import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import Fastify from 'fastify';
import { median } from '../../../scripts/lib/numbers.ts';
import { Authentication } from '../../../src/features/access/authentication.ts';
import type { Caller } from '../../../src/features/access/caller.ts';
import { AnswerWeights } from '../../../src/surfaces/http/caller-context.ts';
import { FailedRequests } from '../../../src/surfaces/http/failed-requests.ts';
import { outsideSurfaces } from '../../../src/surfaces/http/outside.ts';
import { Surfaces } from '../../../src/surfaces/http/surfaces.ts';
import { registerMcp } from '../../../src/surfaces/mcp/routes.ts';
import type { AgentScope } from '../../../src/vocabulary/oauth-scopes.ts';
import { impliedScopes, type Scope } from '../../../src/vocabulary/scopes.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { type Agent, agentOf, requestIn } from './support/agent.ts';

const NOBODY = '01234567-89ab-7cde-8f01-23456789abcd';

async function withLimits(
  limits: Record<string, string>,
  work: (service: TestService) => Promise<void>,
): Promise<void> {
  const service = await startService(limits);
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

describe('requests are counted as on v1, apart from what the same key asks there', () => {
  const LIMITS = {
    LIMIT_RATE_CHEAP: '3',
    LIMIT_RATE_MID: '2',
    LIMIT_RATE_HEAVY: '2',
    LIMIT_RATE_MUTATING: '1',
  };
  const CALLS = {
    cheap: ['list_accounts', {}],
    mid: ['list_balances', { accountIds: [NOBODY] }],
    heavy: ['list_transactions', { connectionId: NOBODY }],
    mutating: ['create_category', { name: 'x' }],
  } as const;

  describe('on each tier', () => {
    let service: TestService;
    before(async () => {
      service = await startService(LIMITS);
    });
    after(() => service.close());

    for (const [tier, allowed] of [
      ['cheap', 3],
      ['mid', 2],
      ['heavy', 2],
      ['mutating', 1],
    ] as const) {
      test(`${tier}: ${allowed} a minute, then HTTP 429 with a failure of JSON-RPC`, async () => {
        const { key } = await service.owner();
        const agent = agentOf(service.url, key);
        const [name, args] = CALLS[tier];
        for (let left = allowed - 1; left >= 0; left--) {
          const { http } = await agent.call(name, args);
          assert.deepEqual([http.status, http.headers.get('x-ratelimit-remaining')], [200, String(left)]);
        }
        const { http, error } = await agent.call(name, args);
        assert.deepEqual([http.status, error.code, error.data.code], [429, -32_000, 'rate_limit_exceeded']);
        assert.ok(Number(http.headers.get('retry-after')) >= 1);
        assert.deepEqual([error.data.retry, typeof error.data.retry_after_seconds], [true, 'number']);
        const v1 = await fetch(`${service.url}/v1/accounts`, { headers: { authorization: `Bearer ${key}` } });
        assert.equal(v1.status, 200);
      });
    }
  });

  test('what clients ask before they call a tool has an allowance of its own [limit rate_handshake_per_minute]', () =>
    withLimits({ LIMIT_RATE_HANDSHAKE: '5', LIMIT_RATE_CHEAP: '2' }, async (service) => {
      const { key } = await service.owner();
      const agent = agentOf(service.url, key);
      const clientInfo = { name: 'x', version: '1' };
      const handshakes = [
        () => agent.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
        () => agent.send({ jsonrpc: '2.0', method: 'notifications/initialized' }),
        () => agent.ask('ping'),
        () => agent.ask('tools/list'),
        () => agent.ask('prompts/list'),
      ];
      for (const [at, ask] of handshakes.entries()) {
        assert.equal((await ask()).headers.get('x-ratelimit-remaining'), String(4 - at));
      }
      assert.equal((await agent.ask('ping')).status, 429);
      const { status, body } = await agent.ask('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo,
      });
      assert.deepEqual([status, body.error.data.code], [429, 'rate_limit_exceeded']);
      assert.equal((await agent.call('list_accounts')).http.status, 200, 'a tool has its own');
    }));

  test('whatever else calls no tool is cheap, and so is nonsense', () =>
    withLimits({ LIMIT_RATE_CHEAP: '2' }, async (service) => {
      const { key } = await service.owner();
      const agent = agentOf(service.url, key);
      const asked = [
        () => agent.ask('tools/call', { name: 'no_such_tool' }),
        () => agent.ask('no/such/method'),
      ];
      for (const [at, ask] of asked.entries()) {
        assert.equal((await ask()).headers.get('x-ratelimit-remaining'), String(1 - at));
      }
      assert.equal((await agent.ask('no/such/method')).status, 429);
      assert.equal((await agent.ask('ping')).status, 200);
    }));

  test('so many heavy calls at a time, and a place is free again when its answer is out', () =>
    withLimits({ LIMIT_HEAVY_IN_FLIGHT: '1' }, async (service) => {
      const { key } = await service.owner();
      const agent = agentOf(service.url, key);
      const codes = await Promise.all(
        Array.from(
          { length: 6 },
          async () =>
            (await agent.call('list_transactions', { connectionId: NOBODY })).error?.data.code ?? null,
        ),
      );
      assert.ok(codes.includes(null));
      for (const code of codes)
        assert.ok(code === null || code === 'too_many_concurrent_requests', String(code));
      assert.equal((await agent.call('list_transactions', { connectionId: NOBODY })).http.status, 200);
    }));

  test('who fails to authenticate spends the same budget as on v2', () =>
    withLimits({ LIMIT_AUTH_FAILURES: '2' }, async (service) => {
      const stranger = agentOf(service.url, 'trib_live_stranger');
      const statuses = [];
      for (let attempt = 0; attempt < 4; attempt++) statuses.push((await stranger.ask('ping')).status);
      assert.deepEqual(statuses, [401, 401, 429, 429]);
    }));
});

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.close());

describe('who is let in', () => {
  test('a key from another address than it is limited to is 403', async () => {
    const { record } = await service.owner();
    const { secret } = await service.app.services.apiKeys.create(
      record.id,
      { name: 'far', scopes: ['data:read'], allowedIps: ['203.0.113.7'] },
      null,
    );
    const { status, body } = await agentOf(service.url, secret).ask('tools/list');
    assert.deepEqual([status, body.error.data.code], [403, 'ip_not_allowed']);
  });

  test('a plan without API access is 403 for everything, and one without brokerage for its tools', async () => {
    const owner = await service.owner();
    const agent = agentOf(service.url, owner.key);
    const plan = async (values: Record<string, unknown>): Promise<void> => {
      await service.app.services.accountRecords.update(owner.record.id, values);
    };
    await plan({ plan: 'developer', status: 'active', trial_ends_at: null });
    const names = (await agent.ask('tools/list', {}, 'ListToolsResult')).body.result.tools.map(
      ({ name }: { name: string }) => name,
    );
    assert.ok(names.includes('list_transactions') && !names.includes('list_holdings'));
    for (const name of ['list_holdings', 'list_trades', 'list_holdings_v2', 'list_trades_v2']) {
      const { http, error } = await agent.call(name, { connectionId: NOBODY });
      assert.deepEqual([http.status, error.data.code], [403, 'professional_required'], name);
    }
    await plan({ plan: 'free', status: 'active', trial_ends_at: null });
    for (const method of ['ping', 'tools/list', 'initialize']) {
      const { status, body } = await agent.ask(method);
      assert.deepEqual([status, body.error.data.code], [403, 'plan_upgrade_required'], method);
    }
  });

  test('a key that lacks data:read calls no tool that needs it', async () => {
    const { key } = await service.owner(['connections:read']);
    const agent = agentOf(service.url, key);
    assert.equal((await agent.call('list_connections')).http.status, 200);
    assert.equal((await agent.call('list_accounts')).http.status, 200);
    const { http, error } = await agent.call('list_balances', { accountIds: [NOBODY] });
    assert.deepEqual([http.status, error.data.code], [403, 'insufficient_scope']);
    assert.equal(http.headers.get('www-authenticate'), null);
  });
});

describe('an app that a person let in', () => {
  let owner: TestOwner;
  let close: () => Promise<void>;
  let agentWith: (agentScopes: readonly AgentScope[], scopes: readonly Scope[]) => Agent;
  before(async () => {
    owner = await service.owner();
    const callers = new Map<string, Caller>();
    const { services, rateLimits, metrics, config } = service.app;
    const authentication = new Authentication({
      authenticators: [
        {
          credentialIn: ({ authorization }) => /^Bearer (app-.+)$/.exec(authorization ?? '')?.[1] ?? null,
          identify: (id) => callers.get(id) ?? 'oauth_token_invalid',
        },
      ],
      attempts: rateLimits.attempts,
    });
    const failures = new FailedRequests(service.app);
    const surfaces = new Surfaces(outsideSurfaces(failures, '/'));
    const server = Fastify();
    server.setErrorHandler((thrown, request, reply) => surfaces.answerError(thrown, request, reply));
    server.addHook('onRequest', (request, _reply, done) => {
      request.id = `req_${randomUUID()}`;
      done();
    });
    registerMcp(server, surfaces, {
      services,
      authentication,
      rateLimits,
      metrics,
      failures,
      weights: new AnswerWeights(1_000_000),
      mcpUrl: config.mcpUrl,
      ownUrls: [],
      host: '127.0.0.1',
    });
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    close = () => server.close();
    agentWith = (agentScopes, scopes) => {
      const id = `app-${randomUUID()}`;
      callers.set(id, {
        kind: 'oauth_token',
        id,
        accountRecord: owner.record,
        scopes: impliedScopes(scopes),
        agentScopes: new Set(agentScopes),
      });
      return agentOf(url, id);
    };
  });
  after(() => close());

  const challengeOf = (headers: Headers): string => headers.get('www-authenticate') ?? '';

  test('needs mcp:read for everything, and is told so', async () => {
    const { status, headers, body } = await agentWith([], ['data:read']).ask('tools/list');
    assert.deepEqual([status, body.error.data.code], [403, 'insufficient_scope']);
    assert.match(
      challengeOf(headers),
      /^Bearer error="insufficient_scope", scope="mcp:read", resource_metadata="http/,
    );
  });

  test('needs brokerage:read for whatever can show brokerage data', async () => {
    const agent = agentWith(['mcp:read'], ['data:read', 'syncs:write']);
    for (const name of [
      'list_holdings',
      'list_trades',
      'list_holdings_v2',
      'list_trades_v2',
      'dry_run_sync',
      'verify_sync',
    ]) {
      const { http, error } = await agent.call(name, { connectionId: NOBODY });
      assert.deepEqual([http.status, error.data.code], [403, 'insufficient_scope'], name);
      assert.match(
        challengeOf(http.headers),
        /error="insufficient_scope", scope="mcp:read brokerage:read[a-z: ]*"/,
      );
    }
    const allowed = agentWith(['mcp:read', 'brokerage:read'], ['data:read']);
    const { failure } = await allowed.call('list_holdings', { connectionId: NOBODY });
    assert.equal(failure.code, 'connection_not_found');
  });

  test('opens the six tools of the published interface with the scopes of agents alone', async () => {
    const agent = agentWith(['mcp:read', 'brokerage:read'], []);
    assert.equal((await agent.call('list_connections')).http.status, 200);
    assert.equal((await agent.call('list_accounts')).http.status, 200);
    for (const [name, args] of [
      ['list_balances', { accountIds: [NOBODY] }],
      ['list_transactions', { connectionId: NOBODY }],
      ['list_holdings', { connectionId: NOBODY }],
      ['list_trades', { connectionId: NOBODY }],
    ] as const) {
      const { http, failure } = await agent.call(name, args);
      assert.deepEqual([http.status, failure.code === 'insufficient_scope'], [200, false], name);
    }
    const { http, error } = await agent.call('list_accounts_v2');
    assert.deepEqual([http.status, error.data.code], [403, 'insufficient_scope']);
  });

  test('reads with mcp:read and data:read, and writes only with the scope for it', async () => {
    const agent = agentWith(['mcp:read'], ['data:read']);
    assert.equal((await agent.call('list_accounts')).http.status, 200);
    assert.equal((await agent.call('list_connections')).http.status, 200);
    const { http, error } = await agent.call('create_category', { name: 'Coffee' });
    assert.deepEqual([http.status, error.data.code], [403, 'insufficient_scope']);
    assert.match(challengeOf(http.headers), /scope="mcp:read categories:write"/);
  });

  test('of a person who did not grant what a tool needs is not offered the tool', async () => {
    const { body } = await agentWith(['mcp:read'], ['data:read']).ask('tools/list', {}, 'ListToolsResult');
    const names = body.result.tools.map(({ name }: { readonly name: string }) => name);
    assert.ok(
      names.includes('list_balances') && !names.includes('list_trades') && !names.includes('get_sync'),
    );
  });
});

test('an agent that asks as much as it can does not slow another down beyond its own limits', () =>
  withLimits(
    { LIMIT_RATE_CHEAP: '60', LIMIT_RATE_HANDSHAKE: '60', LIMIT_HEAVY_IN_FLIGHT: '4' },
    async (service) => {
      const greedy = agentOf(service.url, (await service.owner()).key);
      const other = agentOf(service.url, (await service.owner()).key);
      const timeOf = async (): Promise<number> => {
        const begun = performance.now();
        assert.equal((await other.call('list_accounts')).http.status, 200);
        return performance.now() - begun;
      };
      await timeOf();
      const storm = Array.from({ length: 8 }, async () => {
        let refused = 0;
        for (let sent = 0; sent < 40; sent++) {
          if ((await greedy.send(requestIn('2025-11-25', 'ping'))).status === 429) refused += 1;
        }
        return refused;
      });
      const times: number[] = [];
      for (let asked = 0; asked < 9; asked++) times.push(await timeOf());
      const refused = (await Promise.all(storm)).reduce((sum, one) => sum + one, 0);
      assert.equal(refused, 8 * 40 - 60);
      assert.ok(median(times) < 1_000, times.join());
    },
  ));
