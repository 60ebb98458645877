import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeCursor } from '../../sandbox/au-banking/paging.ts';
import { FAULT_KINDS, type FaultKind } from '../../sandbox/shared/faults.ts';
import { list, nextOf, text, type Visitor, withSimulator } from './visitor.ts';

const ROUTE = 'GET /v1/banking/transactions';

async function prepared(visitor: Visitor, customer = 'rows:25'): Promise<string> {
  const user = await visitor.endUser();
  await visitor.link(user, { customer });
  return `/v1/banking/transactions?end_user_id=${user}&page[size]=10`;
}

const raw = (visitor: Visitor, path: string, signal?: AbortSignal): Promise<Response> =>
  fetch(visitor.simulator.url + path, {
    headers: { authorization: `Bearer ${visitor.token}` },
    signal: signal ?? null,
  });

type Check = (visitor: Visitor, path: string) => Promise<void>;

const status =
  (code: number, retryAfter: string | null): Check =>
  async (visitor, path) => {
    const answer = await visitor.get(path);
    assert.equal(answer.status, code);
    assert.equal(answer.headers.get('retry-after'), retryAfter);
  };

const CHECKS: Readonly<Record<FaultKind, Check>> = {
  override: async (visitor, path) => {
    const rows = list((await visitor.get(path)).body, 'transactions');
    assert.ok(rows.length > 0 && rows.every((row) => row.amount !== '1,234.56'));
  },
  latency: async (visitor, path) => {
    const start = performance.now();
    assert.equal((await visitor.get(path)).status, 200);
    assert.ok(performance.now() - start >= 45);
  },
  hang: async (visitor, path) => {
    await assert.rejects(raw(visitor, path, AbortSignal.timeout(100)), { name: 'TimeoutError' });
  },
  'slow-header': async (visitor, path) => {
    await assert.rejects(raw(visitor, path, AbortSignal.timeout(100)), { name: 'TimeoutError' });
  },
  'slow-body': async (visitor, path) => {
    const leaving = new AbortController();
    const answer = await raw(visitor, path, leaving.signal);
    assert.equal(answer.status, 200);
    setTimeout(() => leaving.abort(), 300);
    await assert.rejects(answer.text(), { name: 'AbortError' });
  },
  'connection-reset': async (visitor, path) => {
    await assert.rejects(raw(visitor, path), TypeError);
  },
  'rate-limit': status(429, '7'),
  refusal: status(400, '7'),
  'server-error': status(500, null),
  unavailable: status(503, '7'),
  'expired-token': async (visitor, path) => {
    assert.equal((await visitor.get(path)).status, 401);
    assert.equal((await visitor.get(path)).status, 401);
    await visitor.authenticate();
  },
  'malformed-json': async (visitor, path) => {
    await assert.rejects((await raw(visitor, path)).json(), SyntaxError);
  },
  'truncated-body': async (visitor, path) => {
    await assert.rejects(
      raw(visitor, path).then((response) => response.text()),
      TypeError,
    );
  },
  'wrong-content-type': async (visitor, path) => {
    assert.match((await visitor.get(path)).headers.get('content-type') ?? '', /^text\/html/);
  },
  'html-page': async (visitor, path) => {
    const answer = await raw(visitor, path);
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /^<!doctype html>/);
  },
  'oversized-body': async (visitor, path) => {
    const answer = await raw(visitor, path);
    let bytes = 0;
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length;
      if (bytes > 20_000_000) break;
    }
    assert.ok(bytes > 20_000_000);
  },
  'drop-answer': async (visitor, path) => {
    await assert.rejects(raw(visitor, path), TypeError);
  },
  'duplicate-row': async (visitor, path) => {
    const first = (await visitor.get(path)).body;
    const second = (await visitor.get(nextOf(first) ?? '')).body;
    assert.equal(list(second, 'transactions')[0]?.fiskil_id, list(first, 'transactions').at(-1)?.fiskil_id);
  },
  'empty-page': async (visitor, path) => {
    const first = (await visitor.get(path)).body;
    assert.deepEqual(list(first, 'transactions'), []);
    const second = (await visitor.get(nextOf(first) ?? '')).body;
    assert.equal(list(second, 'transactions')[0]?.reference, '0');
  },
  'endless-pages': async (visitor, path) => {
    const first = (await visitor.get(path)).body;
    const second = (await visitor.get(nextOf(first) ?? '')).body;
    assert.deepEqual(list(second, 'transactions'), list(first, 'transactions'));
  },
  'stale-cursor': async (visitor, path) => {
    assert.equal((await visitor.get(`${path}&page[after]=${encodeCursor(null)}`)).status, 503);
  },
  'foreign-row': async (visitor, path) => {
    const accounts = new Set(
      list((await visitor.get(path)).body, 'transactions').map((row) => row.account_id),
    );
    assert.equal(accounts.size, 2);
  },
  'row-without-id': async (visitor, path) => {
    assert.equal('fiskil_id' in (list((await visitor.get(path)).body, 'transactions')[0] ?? {}), false);
  },
};

for (const kind of FAULT_KINDS) {
  test(`fault ${kind} strikes once and then the service is whole again`, async () => {
    await withSimulator({}, async (visitor, simulator) => {
      const path = await prepared(visitor);
      simulator.control.addFault({ route: ROUTE, kind, count: 1, latencyMs: 50, retryAfterSeconds: 7 });
      await CHECKS[kind](visitor, path);
      assert.deepEqual(simulator.control.faults(), []);
      const whole = await visitor.get(path);
      assert.equal(whole.status, 200);
      assert.match(whole.headers.get('content-type') ?? '', /^application\/json/);
      assert.equal(list(whole.body, 'transactions').length, 10);
    });
  });
}

test('an override gives one member of one row another value until it is removed', async () => {
  await withSimulator({}, async (visitor, simulator) => {
    const path = await prepared(visitor);
    const row = text(list((await visitor.get(path)).body, 'transactions')[0], 'fiskil_id');
    const fault = { route: ROUTE, kind: 'override', row, member: 'amount', value: '1,234.56' } as const;
    const id = simulator.control.addFault(fault);
    const amounts = async () =>
      list((await visitor.get(path)).body, 'transactions').filter(({ amount }) => amount === '1,234.56')
        .length;
    assert.deepEqual([await amounts(), await amounts()], [1, 1]);
    simulator.control.removeFault(id);
    assert.equal(await amounts(), 0);
  });
});

test('a fault whose route names a query hits only requests with it', async () => {
  await withSimulator({}, async (visitor, simulator) => {
    const path = await prepared(visitor);
    simulator.control.addFault({ route: `${ROUTE}?*page[size]=10*`, kind: 'server-error', count: 2 });
    assert.equal((await visitor.get(path.replace('=10', '=11'))).status, 200);
    assert.equal((await visitor.get(path)).status, 500);
    assert.equal((await visitor.get(`${path}&status=PENDING`)).status, 500);
  });
});

test('a 429 can come without Retry-After', async () => {
  await withSimulator({}, async (visitor, simulator) => {
    const path = await prepared(visitor);
    simulator.control.addFault({ route: ROUTE, kind: 'rate-limit' });
    await status(429, null)(visitor, path);
  });
});

test('drop-answer applies the write before the connection ends', async () => {
  await withSimulator({}, async (visitor, simulator) => {
    simulator.control.addFault({ route: 'POST /v1/end-users', kind: 'drop-answer' });
    await assert.rejects(visitor.post('/v1/end-users', { email: 'kept@example.test' }), TypeError);
    const { body } = await visitor.get('/v1/end-users?email=kept%40example.test');
    assert.ok(Array.isArray(body) && body.length === 1 && text(body[0], 'id').startsWith('eu_'));
  });
});

test('a fault hits only its route, after the spared requests, as often as asked; a share is drawn from the seed', async () => {
  const outcome = async (seed: number): Promise<string> => {
    let result = '';
    await withSimulator({ seed }, async (visitor, simulator) => {
      const path = await prepared(visitor);
      simulator.control.addFault({ route: 'GET /v1/banking/*', kind: 'server-error', after: 2, count: 2 });
      assert.equal((await visitor.get('/v1/end-users')).status, 200);
      const first = [];
      for (let call = 0; call < 5; call++) first.push((await visitor.get(path)).status);
      assert.deepEqual(first, [200, 200, 500, 500, 200]);
      simulator.control.addFault({ route: '*', kind: 'unavailable', probability: 0.5 });
      for (let call = 0; call < 30; call++) result += (await visitor.get(path)).status === 503 ? 'x' : '.';
    });
    return result;
  };
  const first = await outcome(5);
  assert.ok(first.includes('x') && first.includes('.'));
  assert.equal(await outcome(5), first);
  assert.notEqual(await outcome(6), first);
});
