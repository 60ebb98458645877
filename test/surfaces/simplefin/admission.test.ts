import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { importedConnection, linkBank, until } from '../../features/linking/person.ts';
import { askBridge, type BridgeAnswer, basicOf, connectApp, newSetupToken } from '../../support/bridge.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { checkAccountSet } from '../../support/simplefin/import-client.ts';

const BASIC = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('Who is let into the bridge', () => {
  let service: TestService;
  let owner: TestOwner;

  before(async () => {
    service = await startService();
    owner = await service.owner();
  });
  after(() => service.close());

  const ask = (authorization?: string) =>
    askBridge(service.url, '/accounts', {
      headers: authorization === undefined ? {} : { authorization },
    });

  it('only an app with both its credentials; everyone else is answered 403 and one word', async () => {
    const app = await connectApp(service, owner);
    const { username, password } = new URL(app.accessUrl);
    const refused = [
      undefined,
      '',
      'Basic',
      'Basic !',
      `Basic ${'A'.repeat(4000)}`,
      BASIC(''),
      BASIC(':'),
      BASIC(`${username}:`),
      BASIC(`${username}:${password}x`),
      BASIC(`${password}:${username}`),
      BASIC(`${username}:${password.replace(/./g, 'a')}`),
      BASIC(`${username.toLowerCase()}:${password}`),
      `Bearer ${owner.key}`,
      BASIC(`${owner.key}:`),
      `Digest ${username}`,
    ];
    for (const authorization of refused) {
      const answer = await ask(authorization);
      assert.deepEqual([answer.status, answer.text], [403, 'Forbidden'], authorization);
      assert.equal(answer.headers.get('www-authenticate'), null, 'no browser asks its person for a password');
    }
    assert.equal((await ask(basicOf(app.accessUrl))).status, 200);
    assert.equal((await ask(basicOf(app.accessUrl).replace('Basic', 'basic '))).status, 200);
  });

  it('an app opens nothing but the bridge', async () => {
    const app = await connectApp(service, owner);
    const answer = await owner.v2('GET', '/v2/accounts', undefined, {
      authorization: basicOf(app.accessUrl),
    });
    assert.equal(answer.status, 401);
  });

  it('an app sees the accounts of its owner and of no one else', async () => {
    const [one, other] = [await service.owner(), await service.owner()];
    await importedConnection(one, await linkBank(one, { customer: 'sole-trader' }));
    const theirs = await importedConnection(other, await linkBank(other, { customer: 'credit-card' }));
    const app = await connectApp(service, one);
    const all = (await app.accounts('balances-only=1')).text;
    for (const { id } of theirs.accounts) {
      assert.ok(!all.includes(id));
      const foreign = await app.accounts(`account=${id}`);
      const nobodys = await app.accounts('account=acct_0000000000000000000001');
      assert.deepEqual([foreign.status, foreign.text], [nobodys.status, nobodys.text]);
    }
  });

  it('an app of a plan without the bridge is answered 402 with an account set, as soon as the plan changes', async () => {
    const person = await service.owner();
    const app = await connectApp(service, person);
    assert.equal((await app.accounts()).status, 200);
    await service.app.services.accountRecords.update(person.record.id, { plan: 'saver' });
    const refused = await app.accounts();
    assert.equal(refused.status, 402);
    checkAccountSet(refused.body);
    assert.match(refused.body.errors[0], /^Payment required/);
    await service.app.services.accountRecords.update(person.record.id, { plan: 'professional' });
    assert.equal((await app.accounts()).status, 200);
  });

  it('the allow-lists of keys do not concern apps', async () => {
    const key = await owner.v2('POST', '/v2/api_keys', {
      name: 'elsewhere',
      scopes: ['data:read'],
      allowed_ips: ['203.0.113.9'],
    });
    assert.equal(key.status, 201);
    const app = await connectApp(service, owner);
    assert.equal((await app.accounts()).status, 200);
  });

  it('what is sent beside it is looked at as little as it should be', async () => {
    const app = await connectApp(service, owner);
    const hostile = [
      `account=${'a'.repeat(3000)}`,
      'account=%00&account=%ff&account=..%2f',
      `start-date=${'9'.repeat(300)}`,
      'start-date=%00',
      'start-date=NaN&end-date=Infinity',
      "account=' or 1=1 --",
      Array.from({ length: 500 }, () => 'account=x').join('&'),
      '__proto__=1&constructor=2&account[]=3',
      'start-date=-62000000001',
      'end-date=253402214400',
      'start-date=-62000000000&end-date=253402214400&pending=1',
    ];
    for (const query of hostile) {
      const answer = await app.accounts(query);
      assert.ok([200, 400].includes(answer.status), `${query.slice(0, 80)}: ${answer.status}`);
      checkAccountSet(answer.body);
    }
  });
});

describe('How much of the bridge one may use', () => {
  let service: TestService;
  before(async () => {
    service = await startService({
      LIMIT_RATE_BRIDGE: '5',
      LIMIT_HEAVY_IN_FLIGHT: '2',
      LIMIT_AUTH_FAILURES: '3',
      LIMIT_READ_DEADLINE_MS: '8000',
    });
  });
  after(() => service.close());

  const limited = (answer: BridgeAnswer) => {
    assert.equal(answer.status, 429);
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    checkAccountSet(answer.body);
    assert.match(answer.body.errors[0], /^Rate limit: make fewer requests\./);
  };

  it('so many requests a minute by one app; other apps of its owner have theirs [limit rate_bridge_per_minute]', async () => {
    const owner = await service.owner();
    const [greedy, modest] = [await connectApp(service, owner), await connectApp(service, owner)];
    const answers: BridgeAnswer[] = [];
    for (let asked = 0; asked < 30; asked += 1) answers.push(await greedy.accounts());
    assert.deepEqual(
      answers.slice(0, 5).map(({ status, headers }) => [status, headers.get('x-ratelimit-remaining')]),
      [4, 3, 2, 1, 0].map((left) => [200, String(left)]),
    );
    for (const answer of answers.slice(5)) limited(answer);
    assert.equal((await modest.accounts()).status, 200);
    assert.equal((await owner.v2('GET', '/v2/me')).status, 200);
    const other = await connectApp(service, await service.owner());
    assert.equal((await other.accounts()).status, 200);
  });

  it('so many at a time, the next one in its turn; a bank that hangs for one owner keeps no other waiting', async () => {
    const [greedy, modest] = [await service.owner(), await service.owner()];
    await importedConnection(greedy, await linkBank(greedy, { customer: 'sole-trader' }));
    await importedConnection(
      modest,
      await linkBank(modest, { customer: 'credit-card', at: 'inst_fk_90002' }),
    );
    const theirs = await connectApp(service, modest);
    assert.equal((await theirs.accounts()).body.errors.length, 0);
    const apps = [await connectApp(service, greedy), await connectApp(service, greedy)];
    const control = sandboxBank(service.app);
    control.addFault({ route: '*', kind: 'hang', count: 1000 });
    try {
      control.clearRequests();
      const hanging = apps.flatMap((app) => [app.accounts(), app.accounts()]);
      await until(
        async () => control.requests().length,
        (count) => count > 0,
      );
      const [app] = apps;
      assert.ok(app);
      const next = app.accounts();
      const begun = performance.now();
      const answer = await theirs.accounts();
      assert.ok(performance.now() - begun < 4000, 'what is cached does not wait behind what hangs');
      assert.deepEqual([answer.status, answer.body.errors], [200, []]);
      for (const asked of hanging) assert.equal((await asked).status, 200);
      control.clearFaults();
      assert.equal((await next).status, 200);
    } finally {
      control.clearFaults();
    }
  });

  it('a minute of requests sent at once by one owner is answered, and slows no other owner', async (t) => {
    const service = await startService({ LIMIT_RATE_BRIDGE: '300', LIMIT_HEAVY_IN_FLIGHT: '4' });
    t.after(() => service.close());
    const [greedy, modest] = [await service.owner(), await service.owner()];
    for (const [owner, customer] of [
      [greedy, 'sole-trader'],
      [modest, 'credit-card'],
    ] as const)
      await importedConnection(owner, await linkBank(owner, { customer }));
    const [busy, other] = [await connectApp(service, greedy), await connectApp(service, modest)];
    const timed = async () => {
      const begun = performance.now();
      assert.equal((await other.accounts()).status, 200);
      return performance.now() - begun;
    };
    await timed();
    const alone = Math.max(await timed(), await timed(), await timed());
    let answered = 0;
    const asked = Array.from({ length: 299 }, async () => {
      const { status } = await busy.accounts();
      answered += 1;
      return status;
    });
    const during: number[] = [];
    while (answered < 250 && during.length < 100) during.push(await timed());
    assert.deepEqual([...new Set(await Promise.all(asked))], [200]);
    const median = during.toSorted((a, b) => a - b)[Math.floor(during.length / 2)] ?? 0;
    // Four requests of the greedy one are answered beside each of the other's, not hundreds.
    assert.ok(median < alone * 20 + 300, `${median} ms among them, ${alone} ms alone`);
    limited(await busy.accounts().then(async (first) => (first.status === 429 ? first : busy.accounts())));
  });

  it('more of them than may wait are refused at once [limit bridge_waiting]', async (t) => {
    const service = await startService({ LIMIT_HEAVY_IN_FLIGHT: '1', LIMIT_BRIDGE_WAITING: '2' });
    t.after(() => service.close());
    const owner = await service.owner();
    await importedConnection(owner, await linkBank(owner, { customer: 'sole-trader' }));
    const app = await connectApp(service, owner);
    const control = sandboxBank(service.app);
    control.addFault({ route: '*', kind: 'hang', count: 1000 });
    try {
      const asked = Array.from({ length: 8 }, () => app.accounts());
      const refused = await Promise.any(
        asked.map(async (one) => {
          const answer = await one;
          assert.equal(answer.status, 429);
          return answer;
        }),
      );
      limited(refused);
      control.clearFaults();
      const answers = await Promise.all(asked);
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
        200,
        200,
        200,
        ...Array.from({ length: 5 }, () => 429),
      ]);
    } finally {
      control.clearFaults();
    }
  });

  it('windows before the history take nothing from the minute, and are answered when it is used up', async () => {
    const app = await connectApp(service, await service.owner());
    const before = `start-date=0&end-date=${Math.floor(Date.now() / 1000) - 8 * 366 * 86_400}`;
    for (let asked = 0; asked < 20; asked += 1) {
      const answer = await app.accounts(before);
      assert.deepEqual([answer.status, answer.body.accounts], [200, []]);
      assert.equal(answer.headers.get('x-ratelimit-remaining'), null);
    }
    const answer = await app.accounts();
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '4');
    for (let asked = 0; asked < 4; asked += 1) await app.accounts();
    limited(await app.accounts());
    assert.equal((await app.accounts(before)).status, 200);
    // What asks a bank, what cannot be read and what only may lie before it is counted.
    for (const query of [`${before}&balances-only=1`, `${before}x`, 'end-date=', 'start-date=0']) {
      limited(await app.accounts(query));
    }
  });

  it('a place is free again as soon as its app has hung up', async (t) => {
    const service = await startService({ LIMIT_HEAVY_IN_FLIGHT: '2' });
    t.after(() => service.close());
    const owner = await service.owner();
    await importedConnection(owner, await linkBank(owner, { customer: 'sole-trader' }));
    const app = await connectApp(service, owner);
    const headers = { authorization: basicOf(app.accessUrl) };
    const control = sandboxBank(service.app);
    control.addFault({ route: '*', kind: 'hang', count: 1000 });
    try {
      control.clearRequests();
      const leaving = new AbortController();
      const asked = [1, 2].map(() =>
        askBridge(service.url, '/accounts', { headers, signal: leaving.signal }).catch(() => null),
      );
      await until(
        async () => control.requests().length,
        (count) => count > 0,
      );
      leaving.abort();
      assert.deepEqual(await Promise.all(asked), [null, null]);
      control.clearFaults();
      await until(
        async () => (await app.accounts('balances-only=1')).status,
        (status) => status === 200,
      );
    } finally {
      control.clearFaults();
    }
  });

  it('so many wrong credentials and claims from one address, and no one else is locked out', async () => {
    const owner = await service.owner();
    const app = await connectApp(service, owner);
    const { username } = new URL(app.accessUrl);
    const wrong = BASIC(`${username}:${'x'.repeat(40)}`);
    const guess = () => askBridge(service.url, '/accounts', { headers: { authorization: wrong } });
    for (let at = 0; at < 3; at += 1) assert.equal((await guess()).status, 403);
    limited(await guess());
    const other = await connectApp(service, owner);
    assert.equal((await other.accounts()).status, 200);
    const claim = () => askBridge(service.url, `/claim/${'y'.repeat(40)}`, { method: 'POST' });
    for (let at = 0; at < 3; at += 1) assert.equal((await claim()).status, 403);
    const last = await claim();
    assert.deepEqual([last.status, last.text], [429, 'Forbidden']);
    assert.ok(last.headers.get('retry-after'));
    const token = await newSetupToken(owner);
    assert.ok(token.setup_token, 'another token can still be claimed');
  });

  it('guesses at the same moment find as much as one after the other, and nothing of what is guessed right after them [limit auth_failures_per_minute]', async (t) => {
    const own = await startService({ LIMIT_AUTH_FAILURES: '3', TRUST_PROXY: '1' });
    t.after(() => own.close());
    const owner = await own.owner();
    const app = await connectApp(own, owner);
    const right = basicOf(app.accessUrl);
    const { username } = new URL(app.accessUrl);
    const asked = (path: string, from: string, init: { authorization?: string; method?: string } = {}) =>
      askBridge(own.url, path, {
        method: init.method ?? 'GET',
        headers: {
          'x-forwarded-for': from,
          ...(init.authorization !== undefined && { authorization: init.authorization }),
        },
      });
    const statuses = async (answers: Promise<BridgeAnswer>[]) =>
      (await Promise.all(answers)).map(({ status }) => status).toSorted();
    const expected = [...Array(3).fill(403), ...Array(9).fill(429)];

    const passwords = Array.from({ length: 12 }, (_, at) =>
      BASIC(`${username}:${String(at).padStart(40, 'x')}`),
    );
    assert.deepEqual(
      await statuses(passwords.map((authorization) => asked('/accounts', '203.0.113.1', { authorization }))),
      expected,
    );
    const afterwards = await asked('/accounts', '203.0.113.1', { authorization: right });
    assert.equal(afterwards.status, 429, 'anyone who guesses on does not learn that they guessed right');
    assert.equal((await asked('/accounts', '203.0.113.2', { authorization: right })).status, 200);

    const shapeless = [
      undefined,
      '',
      'Basic',
      'Basic !',
      BASIC(''),
      BASIC(':'),
      BASIC('user:password'),
      'Digest x',
    ];
    assert.deepEqual(
      await statuses(
        [...shapeless, ...shapeless.slice(0, 4)].map((authorization) =>
          asked('/accounts', '203.0.113.3', authorization === undefined ? {} : { authorization }),
        ),
      ),
      expected,
      'what has no form of ours spends of one budget',
    );

    const token = 'z'.repeat(40);
    assert.deepEqual(
      await statuses(
        Array.from({ length: 12 }, () => asked(`/claim/${token}`, '203.0.113.4', { method: 'POST' })),
      ),
      expected,
    );
  });
});
