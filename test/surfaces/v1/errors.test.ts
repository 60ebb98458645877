import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { FaultSpec } from '../../../sandbox/shared/faults.ts';
import { SCOPES, type Scope } from '../../../src/vocabulary/scopes.ts';
import { importedConnection, linkBank, until } from '../../features/linking/person.ts';
import { withReadDeadline } from '../../support/read-deadline.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { departures, goldenOf } from './support/golden.ts';
import { linkAll } from './support/linked.ts';
import { type V1Client, type V1TestAnswer, v1Client } from './support/v1-client.ts';

const NOBODYS = '01900000-0000-7000-8000-000000000001';
const WRONG_KEY = 'trib_live_00000000000000000000000000000000000000';
const golden = goldenOf('error');

let service: TestService;
let owner: TestOwner;
let v1: V1Client;
let bank: Json;
let broker: Json;
let nz: Json;

before(async () => {
  service = await startService({
    LIMIT_TRANSACTIONS_CACHE_MINUTES: '0',
    METRICS_PORT: '0',
  });
  owner = await service.owner();
  v1 = v1Client(service, owner);
  await linkAll(service, owner, [
    { provider: 'au_banking', customer: 'dormant' },
    { provider: 'brokerage', customer: 'cash-only' },
    { provider: 'nz_banking', customer: 'dormant' },
  ]);
  const accounts = (await v1('/accounts')).body.data;
  const at = (name: string): Json =>
    accounts.find(({ provider }: Json) => provider === name) ?? assert.fail(name);
  bank = at('au_banking');
  broker = at('brokerage');
  nz = at('nz_banking');
});
after(() => service.close());

const transactions = ({ id, connectionId } = bank): string =>
  `/transactions?connectionId=${connectionId}&accountId=${id}`;

/** In the form of v1, with this status and code, and with nothing that is unset. */
function assertRefused(
  answer: V1TestAnswer,
  status: number,
  code: string | null,
  details?: readonly string[],
): void {
  const { error } = answer.body;
  assert.deepEqual(departures(golden, answer.body), [], answer.text);
  const wanted = [
    'message',
    ...(code === null ? [] : ['code']),
    ...(details === undefined ? [] : ['details']),
  ];
  assert.deepEqual(
    [answer.status, error.code ?? null, Object.keys(error)],
    [status, code, wanted],
    answer.text,
  );
  if (details !== undefined) assert.deepEqual(Object.keys(error.details), details);
  assert.ok(error.message.length > 5);
  assert.match(answer.headers.get('request-id') ?? '', /^req_/);
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
}

/** What the bank answers to anyone who reads an account while it is at fault. */
async function whileFaulty(fault: Omit<FaultSpec, 'route'>, path: string): Promise<V1TestAnswer> {
  const control = sandboxBank(service.app);
  control.addFault({ count: 10, ...fault, route: 'GET /v1/banking/*' });
  try {
    return await v1(path);
  } finally {
    control.clearFaults();
    // One fault must not open the breaker for the next.
    await v1(transactions());
  }
}

async function keyWith(scopes: readonly Scope[], more: { allowedIps?: string[] } = {}): Promise<V1Client> {
  const { secret } = await service.app.services.apiKeys.create(
    owner.record.id,
    { name: 'n', scopes, ...more },
    null,
  );
  return v1Client(service, { key: secret });
}

describe("each row of v1's table of errors", () => {
  test('400 without a code: a missing connectionId, with the field in details', async () => {
    for (const path of ['/transactions', '/holdings', '/trades', '/transactions?connectionId=']) {
      assertRefused(await v1(path), 400, null, ['connectionId']);
    }
  });

  test('400 without a code: a schema failure, with every field at fault in details', async () => {
    assertRefused(await v1(`${transactions()}&limit=x&offset=-1`), 400, null, ['limit', 'offset']);
    assertRefused(await v1('/accounts?limit=1&limit=2'), 400, null, ['limit']);
    assertRefused(await v1('/transactions?limit=501'), 400, null, ['connectionId', 'limit']);
  });

  test('400 without a code: an invalid date format', async () => {
    assertRefused(await v1(`${transactions()}&from=31-01-2026`), 400, null, ['from']);
  });

  test('400 without a code: missing and empty accountIds', async () => {
    for (const path of [
      '/balances',
      '/account-details',
      '/balances?accountIds=',
      '/account-details?accountIds=',
    ]) {
      assertRefused(await v1(path), 400, null, ['accountIds']);
    }
  });

  test('400 invalid_params: accountIds present but empty after trimming', async () => {
    for (const path of [
      '/balances?accountIds=%20',
      '/account-details?accountIds=,',
      '/balances?accountIds=%20,%09,',
    ]) {
      assertRefused(await v1(path), 400, 'invalid_params');
    }
  });

  test('400 too_many_accounts: more than 100 after deduplication', async () => {
    const ids = Array.from(
      { length: 101 },
      (_none, n) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    );
    assertRefused(await v1(`/balances?accountIds=${ids.join(',')}`), 400, 'too_many_accounts');
  });

  test('400 invalid_date_range: from after to', async () => {
    assertRefused(await v1(`${transactions()}&from=2026-03-01&to=2026-02-01`), 400, 'invalid_date_range');
  });

  test('400 wrong_endpoint_for_category: the wrong category of connection for the endpoint', async () => {
    for (const path of [
      transactions(broker),
      `/balances?accountIds=${broker.id}`,
      `/account-details?accountIds=${bank.id},${broker.id}`,
      `/holdings?connectionId=${bank.connectionId}`,
      `/trades?connectionId=${bank.connectionId}`,
    ]) {
      assertRefused(await v1(path), 400, 'wrong_endpoint_for_category');
    }
  });

  test('401 without a code: a missing or invalid bearer token', async () => {
    for (const authorization of ['', 'Bearer', `Bearer ${WRONG_KEY}`, `Basic ${btoa('a:b')}`, WRONG_KEY]) {
      assertRefused(await v1('/accounts', { authorization }), 401, null);
    }
  });

  test('403 plan_upgrade_required: a plan without API access', async () => {
    const saver = await service.owner();
    await service.app.services.accountRecords.update(saver.record.id, { plan: 'saver' });
    assertRefused(await v1Client(service, saver)('/accounts'), 403, 'plan_upgrade_required');
  });

  test('403 professional_required: a Developer key on a brokerage endpoint, before its parameters', async () => {
    const developer = await service.owner();
    await service.app.services.accountRecords.update(developer.record.id, { plan: 'developer' });
    const ask = v1Client(service, developer);
    for (const path of ['/holdings', '/trades']) assertRefused(await ask(path), 403, 'professional_required');
    assert.equal((await ask('/accounts')).status, 200);
  });

  test('404 connection_not_found: a connection that is not there, not theirs, or no UUID', async () => {
    const stranger = v1Client(service, await service.owner());
    for (const path of ['/transactions', '/holdings', '/trades']) {
      const at = (id: string): string => `${path}?connectionId=${id}&accountId=${NOBODYS}`;
      for (const id of [NOBODYS, 'nonsense', 'conn_0000000000000000000001']) {
        assertRefused(await v1(at(id)), 404, 'connection_not_found');
      }
      assertRefused(await stranger(at(bank.connectionId)), 404, 'connection_not_found');
    }
  });

  test('404 account_not_found: an account that is not there, no UUID, or on another connection', async () => {
    for (const id of [NOBODYS, 'nonsense', nz.id]) {
      assertRefused(
        await v1(transactions({ id, connectionId: bank.connectionId })),
        404,
        'account_not_found',
      );
      assertRefused(
        await v1(`/holdings?connectionId=${broker.connectionId}&accountId=${id}`),
        404,
        'account_not_found',
      );
    }
  });

  test('404 without a code: an account of balances or account details', async () => {
    for (const path of ['/balances', '/account-details']) {
      for (const id of [NOBODYS, 'nonsense'])
        assertRefused(await v1(`${path}?accountIds=${bank.id},${id}`), 404, null);
    }
  });

  test('410 account_id_required: transactions without accountId', async () => {
    assertRefused(await v1(`/transactions?connectionId=${bank.connectionId}`), 410, 'account_id_required');
  });

  test('501 without a code: a provider without account details', async () => {
    assertRefused(await v1(`/account-details?accountIds=${nz.id}`), 501, null);
  });

  test('503 without a code: a provider that is unavailable for now, with Retry-After', async () => {
    for (const kind of ['server-error', 'connection-reset', 'hang'] as const) {
      const ask = () => whileFaulty({ kind }, transactions());
      const answer = await (kind === 'hang' ? withReadDeadline(service, 1500, ask) : ask());
      assertRefused(answer, 503, null);
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
    }
  });
});

describe('codes that the table has no row for', () => {
  test('upstream_bad_request is 400, as in v2, with the reason of the provider', async () => {
    assertRefused(
      await whileFaulty({ kind: 'refusal', status: 400 }, transactions()),
      400,
      'upstream_bad_request',
    );
  });

  test('upstream_failed is 424, as in v2', async () => {
    assertRefused(await whileFaulty({ kind: 'malformed-json' }, transactions()), 424, 'upstream_failed');
  });

  test('upstream_rate_limited has no code, as every 429, and says when to come back in two headers', async () => {
    // An account of its own, since the bank is left alone until these seconds are over.
    const other = await service.owner();
    await importedConnection(other, await linkBank(other, { customer: 'credit-card' }));
    const ask = v1Client(service, other);
    const [account] = (await ask('/accounts')).body.data;
    const control = sandboxBank(service.app);
    const before = Math.floor(service.app.clock.now() / 1000);
    control.addFault({ kind: 'rate-limit', retryAfterSeconds: 7, count: 10, route: 'GET /v1/banking/*' });
    const answer = await ask(transactions(account));
    control.clearFaults();
    assertRefused(answer, 429, null);
    assert.equal(answer.headers.get('retry-after'), '7');
    const reset = Number(answer.headers.get('x-ratelimit-reset'));
    assert.ok(reset >= before + 7 && reset <= before + 30, String(reset));
  });

  test('upstream_breaker_open is 503, while calls to the provider are paused', async () => {
    const other = await startService({ LIMIT_TRANSACTIONS_CACHE_MINUTES: '0' });
    try {
      const somebody = await other.owner();
      await linkAll(other, somebody, [{ provider: 'au_banking', customer: 'dormant' }]);
      const ask = v1Client(other, somebody);
      const [{ id, connectionId }] = (await ask('/accounts')).body.data;
      sandboxBank(other.app).addFault({ route: 'GET /v1/banking/*', kind: 'server-error', count: 1000 });
      let answer = await ask(transactions({ id, connectionId }));
      for (let reads = 1; reads < 50 && answer.body.error.code === undefined; reads++) {
        assertRefused(answer, 503, null);
        answer = await ask(transactions({ id, connectionId }));
      }
      assertRefused(answer, 503, 'upstream_breaker_open');
    } finally {
      await other.close();
    }
  });

  test('client_disconnected is 499, which no one receives and the metrics count', async () => {
    const control = sandboxBank(service.app);
    control.addFault({ route: 'GET /v1/banking/*', kind: 'hang', count: 1000 });
    const { port } = new URL(service.url);
    let waitMs = 50;
    const leave = async (): Promise<void> => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `GET /v1${transactions()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.key}\r\n\r\n`,
      );
      // A busy machine may not have read the request by then, so it gets longer each time.
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = Math.min(2 * waitMs, 1000);
      socket.destroy();
    };
    await until(
      async () => {
        await leave();
        return (await fetch(`${service.metricsUrl}`)).text();
      },
      (figures) => /_count\{operation="v1_list_transactions",status="499"\} [1-9]/.test(figures),
    );
    control.clearFaults();
  });

  test('account_unavailable is 404 and upstream_auth_failed 424, as in v2', async () => {
    const other = await service.owner();
    const linked = await importedConnection(other, await linkBank(other, { customer: 'credit-card' }));
    const ask = v1Client(service, other);
    const [account] = (await ask('/accounts')).body.data;
    const control = sandboxBank(service.app);
    const consent = control.consents().at(-1) ?? assert.fail();
    for (const id of consent.accountIds) control.setAccountState(id, 'GONE');
    assertRefused(await ask(transactions(account)), 404, 'account_unavailable');
    for (const id of consent.accountIds) control.setAccountState(id, 'OPEN');
    control.revokeConsent(consent.arrangementId);
    assertRefused(await ask(transactions(account)), 424, 'upstream_auth_failed');
    assert.ok(linked.id);
    const shown = (await ask('/connections')).body.data[0];
    assert.equal(shown.status, 'invalidated');
  });

  test('insufficient_scope is 403, and /v1/connections and /v1/accounts take either of two scopes', async () => {
    const lists = ['/connections', '/accounts'];
    const data = [
      `/balances?accountIds=${bank.id}`,
      `/account-details?accountIds=${bank.id}`,
      transactions(),
      '/categories',
      `/holdings?connectionId=${broker.connectionId}`,
      `/trades?connectionId=${broker.connectionId}`,
    ];
    const statuses = async (scopes: readonly Scope[], paths: readonly string[]): Promise<unknown[]> => {
      const ask = await keyWith(scopes);
      const answers = await Promise.all(paths.map((path) => ask(path)));
      for (const answer of answers)
        if (answer.status !== 200) assertRefused(answer, 403, 'insufficient_scope');
      return [...new Set(answers.map(({ status }) => status))];
    };
    assert.deepEqual(await statuses(['data:read'], [...lists, ...data]), [200]);
    assert.deepEqual(await statuses(['connections:read'], lists), [200]);
    assert.deepEqual(await statuses(['connections:write'], lists), [200]);
    assert.deepEqual(await statuses(['connections:read'], data), [403]);
    const others = SCOPES.filter((scope) => scope !== 'data:read' && !scope.startsWith('connections:'));
    assert.deepEqual(await statuses(others, [...lists, ...data]), [403]);
  });

  test('a legacy key reads all of v1', async () => {
    const { secret } = await service.app.services.apiKeys.create(
      owner.record.id,
      { name: 'old', scopes: [], legacy: true },
      null,
    );
    const ask = v1Client(service, { key: secret });
    for (const path of ['/connections', '/accounts', transactions(), `/balances?accountIds=${bank.id}`]) {
      assert.equal((await ask(path)).status, 200, path);
    }
  });

  test('ip_not_allowed is 403', async () => {
    assertRefused(
      await (await keyWith(SCOPES, { allowedIps: ['192.0.2.1'] }))('/accounts'),
      403,
      'ip_not_allowed',
    );
  });

  test('route_missing is 404, for whatever is not an endpoint of v1, and for another method', async () => {
    for (const path of ['/nothing', '/accounts/1', '/me', '/'])
      assertRefused(await v1(path), 404, 'route_missing');
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(`${service.url}/v1/accounts`, {
        method,
        headers: { authorization: `Bearer ${owner.key}` },
      });
      assert.equal(response.status, 404);
      assert.deepEqual(departures(golden, await response.json()), []);
    }
  });

  test('parameters that v1 does not know change nothing, nor does a version header', async () => {
    const { status, body } = await v1('/accounts?limit=1&cache_buster=7&account=x', {
      'service-version': 'nonsense',
    });
    assert.deepEqual([status, body.data.length], [200, 1]);
  });
});
