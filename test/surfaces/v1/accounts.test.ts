import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type Clock, systemClock } from '../../../src/platform/clock.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { importedConnection, linkBank } from '../../features/linking/person.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { linkAll } from './support/linked.ts';
import { type V1Client, v1Client } from './support/v1-client.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DAY_MS = 86_400_000;
const BALANCES = 'GET /v1/banking/balances';

const MINUTE_MS = 60_000;
let later = 0;
const clock: Clock = { now: () => systemClock.now() + later, sleep: systemClock.sleep };
let service: TestService;
let owner: TestOwner;
let v1: V1Client;
let accounts: readonly Json[];
let au: readonly string[];

before(async () => {
  service = await startService({}, { clock });
  owner = await service.owner();
  v1 = v1Client(service, owner);
  await linkAll(service, owner, [
    { provider: 'au_banking', customer: 'salaried-household' },
    { provider: 'nz_banking', customer: 'salaried-household' },
    { provider: 'brokerage', customer: 'self-directed' },
  ]);
  accounts = (await v1('/accounts')).body.data;
  au = accounts.filter(({ provider }) => provider === 'au_banking').map(({ id }) => id);
  assert.ok(au.length >= 3);
});
after(() => service.close());

const ids = (...list: readonly string[]): string => `accountIds=${list.join(',')}`;
const accountAt = (provider: string): Json =>
  accounts.find((one) => one.provider === provider) ?? assert.fail();
const forget = async (): Promise<void> => {
  const rows = await service.app.database.db.selectFrom('connections').select('id').execute();
  for (const { id } of rows) service.app.gateway.purge(id);
};

describe('GET /v1/connections', () => {
  test('lists them newest first, under raw UUIDs, with category, institution and moments', async () => {
    const { status, body } = await v1('/connections');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['data']);
    const created = body.data.map(({ createdAt }: Json) => createdAt);
    assert.deepEqual(created, created.toSorted().toReversed());
    assert.deepEqual(
      body.data.map(({ provider, category }: Json) => [provider, category]),
      [
        ['brokerage', 'brokerage'],
        ['nz_banking', 'banking'],
        ['au_banking', 'banking'],
      ],
    );
    for (const one of body.data) {
      assert.match(one.id, UUID);
      assert.equal(new Date(one.createdAt).toISOString(), one.createdAt);
      assert.equal(new Date(one.lastRefreshedAt).toISOString(), one.lastRefreshedAt);
    }
    assert.match(body.data[2].institutionId, /^\d+$/);
    assert.match(body.data[0].institutionId, /^[0-9a-f-]{36}$/);
  });

  test('says active, invalidated and pending_mfa for the six statuses of v2, and leaves out what is being deleted', async () => {
    const other = await service.owner();
    const connection = await importedConnection(other, await linkBank(other));
    const mine = v1Client(service, other);
    const { db } = service.app.database;
    const now = service.app.clock.now();
    const shown = async (): Promise<string | undefined> => (await mine('/connections')).body.data[0]?.status;
    const expire = (at: number) =>
      sql`update consents set expires_at = ${new Date(at)} where account_record = ${other.record.id}`.execute(
        db,
      );
    const change = (column: string, at: number | null) =>
      sql`update connections set ${sql.ref(column)} = ${at === null ? null : new Date(at)} where account_record = ${other.record.id}`.execute(
        db,
      );
    const v2 = async (): Promise<string> =>
      (await other.v2('GET', `/v2/connections/${connection.id}`)).body.status;

    await expire(now + 300 * DAY_MS);
    assert.deepEqual([await v2(), await shown()], ['active', 'active']);
    await expire(now + 3 * DAY_MS);
    assert.deepEqual([await v2(), await shown()], ['expiring', 'active']);
    await expire(now - DAY_MS);
    assert.deepEqual([await v2(), await shown()], ['expired', 'invalidated']);
    await expire(now + 300 * DAY_MS);
    await change('invalidated_at', now);
    assert.deepEqual([await v2(), await shown()], ['invalidated', 'invalidated']);
    await change('invalidated_at', null);
    const landed = connection.created;
    await change('landed_at', null);
    assert.deepEqual([await v2(), await shown()], ['pending', 'pending_mfa']);
    await change('landed_at', Date.parse(landed));
    assert.equal((await mine('/accounts')).body.pagination.total, connection.accounts.length);
    const [{ id }] = (await mine('/accounts')).body.data;
    await change('revoked_at', now);
    assert.deepEqual([await v2(), await shown()], ['revoked', undefined]);
    assert.deepEqual((await mine('/accounts')).body, {
      data: [],
      pagination: { total: 0, limit: 50, offset: 0, hasMore: false },
    });
    assert.equal((await mine(`/balances?${ids(id)}`)).status, 404);
    assert.equal((await mine(`/account-details?${ids(id)}`)).status, 404);
  });

  test('stays a list of at most 1,000 for one greedy owner', async () => {
    const greedy = await service.owner();
    const [row] = await service.app.database.db.selectFrom('connections').selectAll().limit(1).execute();
    assert.ok(row);
    const columns = Object.keys(row).filter((name) => !['id', 'account_record', 'end_user'].includes(name));
    const list = sql.join(columns.map((name) => sql.ref(name)));
    await sql`insert into connections (id, account_record, ${list})
      select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${greedy.record.id}, ${list}
      from connections, generate_series(1, 1100) n where connections.id = ${row.id}`.execute(
      service.app.database.db,
    );
    const { body } = await v1Client(service, greedy)('/connections');
    assert.equal(body.data.length, 1000);
    assert.equal(body.data[0].id, '01900000-0000-7000-8000-000000001100');
  });
});

describe('GET /v1/accounts', () => {
  test('lists them by name, with 50 on a page by default', async () => {
    const { body } = await v1('/accounts');
    const names = body.data.map(({ name }: Json) => name);
    assert.deepEqual(names, names.toSorted());
    assert.deepEqual(body.pagination, { total: names.length, limit: 50, offset: 0, hasMore: false });
  });

  test('pages by limit and offset, and says whether there are more', async () => {
    const paged: Json[] = [];
    for (let offset = 0; ; offset += 2) {
      const { body } = await v1(`/accounts?limit=2&offset=${offset}`);
      assert.deepEqual(
        [body.pagination.limit, body.pagination.offset, body.pagination.total],
        [2, offset, accounts.length],
      );
      paged.push(...body.data);
      if (!body.pagination.hasMore) break;
    }
    assert.deepEqual(paged, accounts);
    const beyond = await v1('/accounts?offset=1000');
    assert.deepEqual([beyond.body.data, beyond.body.pagination.hasMore], [[], false]);
  });

  test('takes a limit of 1 to 200 and no other', async () => {
    for (const limit of [1, 200]) assert.equal((await v1(`/accounts?limit=${limit}`)).status, 200);
    for (const limit of ['0', '201', '-1', '1.5', 'ten', '']) {
      const { status, body } = await v1(`/accounts?limit=${limit}`);
      assert.deepEqual(
        [status, Object.keys(body.error), Object.keys(body.error.details)],
        [400, ['message', 'details'], ['limit']],
      );
    }
    assert.equal((await v1('/accounts?offset=-1')).status, 400);
  });

  test('shows each under a raw UUID, with a masked number and its currency in upper case', async () => {
    for (const one of accounts) {
      assert.match(one.id, UUID);
      assert.match(one.connectionId, UUID);
      assert.match(one.accountNumber, /^xxxx\d{1,4}$/);
      assert.match(one.currency, /^[A-Z]{3}$/);
    }
  });
});

describe('GET /v1/balances', () => {
  test('reads several at once, in provider order whatever the order asked, each account once', async () => {
    const nz = accountAt('nz_banking').id;
    const asked = [nz, ...au.toReversed(), nz.toUpperCase(), ` ${nz} `];
    const { status, body } = await v1(`/balances?${ids(...asked.map(encodeURIComponent))}`);
    assert.equal(status, 200);
    const inOrder = [...au, nz].toSorted();
    assert.deepEqual(
      body.data.map(({ accountId }: Json) => accountId),
      inOrder,
    );
    for (const one of body.data) assert.match(one.currentBalance, /^-?\d+\.\d{2}$/);
  });

  test('shows null for both amounts of an account whose provider fails, and the others anyway', async () => {
    await forget();
    const [first, ...rest] = au.toSorted();
    const bank = sandboxBank(service.app);
    const upstream = await service.app.database.db
      .selectFrom('accounts')
      .select('upstream_id')
      .where('id', '=', rowId('account', first ?? ''))
      .executeTakeFirstOrThrow();
    bank.addFault({
      route: `${BALANCES}?*account_id=${upstream.upstream_id}*`,
      kind: 'server-error',
      count: 10,
    });
    const { status, body } = await v1(`/balances?${ids(...au)}`);
    bank.clearFaults();
    assert.equal(status, 200);
    assert.deepEqual(body.data[0], {
      accountId: first,
      currentBalance: null,
      availableBalance: null,
      currency: 'AUD',
    });
    assert.equal(body.data.length, rest.length + 1);
    for (const one of body.data.slice(1)) assert.notEqual(one.currentBalance, null);
  });

  test('says in X-Cache what holds for all of them, and is kept for 30 minutes', async () => {
    await forget();
    const [one = '', ...others] = au;
    assert.equal((await v1(`/balances?${ids(one)}`)).headers.get('x-cache'), 'MISS');
    assert.equal((await v1(`/balances?${ids(one)}`)).headers.get('x-cache'), 'HIT');
    assert.equal((await v1(`/balances?${ids(one, ...others)}`)).headers.get('x-cache'), 'MISS');
    assert.equal((await v1(`/balances?${ids(one, ...others)}`)).headers.get('x-cache'), 'HIT');
  });

  test('and the others are kept as long as their lifetimes say', async () => {
    await forget();
    const [{ id, connectionId }] = accounts.filter(({ provider }) => provider === 'au_banking');
    const lifetimes: readonly (readonly [string, number])[] = [
      [`/balances?${ids(id)}`, 30],
      [`/account-details?${ids(id)}`, 15],
      [`/transactions?connectionId=${connectionId}&accountId=${id}&from=2026-10-01&to=2026-10-30`, 60],
    ];
    for (const [path, minutes] of lifetimes) {
      const cacheAfter = async (passed: number): Promise<string | null> => {
        later += passed * MINUTE_MS;
        return (await v1(path)).headers.get('x-cache');
      };
      assert.equal(await cacheAfter(0), 'MISS', path);
      assert.equal(await cacheAfter(minutes - 1), 'HIT', path);
      assert.equal(await cacheAfter(2), 'MISS', path);
    }
  });

  test('is live for anyone who opted out of caching, and says BYPASS', async () => {
    const other = await service.owner();
    const { accounts: listed } = await importedConnection(other, await linkBank(other));
    assert.ok(listed.length > 0);
    await service.app.services.accountRecords.update(other.record.id, { caching: false });
    const mine = v1Client(service, other);
    const [{ id, connectionId }] = (await mine('/accounts')).body.data;
    const answers = [
      await mine(`/balances?${ids(id)}`),
      await mine(`/account-details?${ids(id)}`),
      await mine(`/account-details?${ids(id)}`),
      await mine(`/transactions?connectionId=${connectionId}&accountId=${id}`),
    ];
    assert.deepEqual(
      answers.map(({ headers }) => headers.get('x-cache')),
      ['BYPASS', 'BYPASS', 'BYPASS', 'BYPASS'],
    );
    // A second live balance within 15 minutes is not to be had, and the bulk route says so by null.
    const again = await mine(`/balances?${ids(id)}`);
    assert.deepEqual(
      [again.status, again.body.data[0].currentBalance, again.headers.get('x-cache')],
      [200, null, null],
    );
  });

  test('reads up to 100 accounts a request, counted after deduplication', async () => {
    const [one = ''] = au;
    const unknown = (n: number): string => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
    const repeated = Array.from({ length: 150 }, () => one);
    assert.equal((await v1(`/balances?${ids(...repeated)}`)).status, 200);
    const many = Array.from({ length: 101 }, (_none, n) => unknown(n));
    for (const path of ['/balances', '/account-details']) {
      const { status, body } = await v1(`${path}?${ids(...many)}`);
      assert.deepEqual([status, body.error.code], [400, 'too_many_accounts']);
      assert.equal((await v1(`${path}?${ids(...many.slice(1))}`)).status, 404);
    }
  });
});

describe('GET /v1/account-details', () => {
  test('shows rates as fractions, tiers, fees and features, in provider order', async () => {
    const { status, body, headers } = await v1(`/account-details?${ids(...au.toReversed())}`);
    assert.equal(status, 200);
    assert.ok(['HIT', 'MISS'].includes(headers.get('x-cache') ?? ''));
    assert.deepEqual(
      body.data.map(({ accountId }: Json) => accountId),
      au.toSorted(),
    );
    const saver = body.data.find(({ depositRate }: Json) => depositRate !== null);
    assert.match(saver.depositRate, /^0\.\d+$/);
    assert.ok(Object.hasOwn(saver.depositRates[1].tiers[0], 'maximumValue'));
    assert.ok(!Object.hasOwn(saver.depositRates[0], 'comparisonRate'), 'lending only');
  });

  test('leaves out an account that has none beside those that have', async () => {
    const nz = accountAt('nz_banking').id;
    const { status, body } = await v1(`/account-details?${ids(nz, ...au)}`);
    assert.deepEqual([status, body.data.length], [200, au.length]);
  });

  test('is banking only, and one brokerage id fails the whole request, as for balances', async () => {
    const broker = accountAt('brokerage').id;
    for (const path of ['/balances', '/account-details']) {
      const { status, body } = await v1(`${path}?${ids(...au, broker)}`);
      assert.deepEqual([status, body.error.code], [400, 'wrong_endpoint_for_category']);
    }
  });

  test('fails when a bank fails for now: an account that is missing has no details', async () => {
    await forget();
    sandboxBank(service.app).addFault({
      route: 'GET /v1/banking/accounts*',
      kind: 'server-error',
      count: 20,
    });
    const { status, body } = await v1(`/account-details?${ids(...au)}`);
    sandboxBank(service.app).clearFaults();
    assert.deepEqual([status, Object.keys(body.error)], [503, ['message']]);
  });
});

describe('GET /v1/categories', () => {
  test('lists the 16 codes with their labels, and may be kept for an hour', async () => {
    const { status, body, headers } = await v1('/categories');
    assert.equal(status, 200);
    assert.equal(body.categories.length, 16);
    assert.deepEqual(body.categories[2], { key: 'FOOD_AND_DRINK', label: 'Food & Drink' });
    assert.equal(headers.get('cache-control'), 'public, max-age=3600');
    assert.equal(headers.get('vary'), 'authorization');
  });
});
