import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addDays, isLocalDate, localDateAt } from '../../../src/vocabulary/moments.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { linkAll } from './support/linked.ts';
import { type V1Client, type V1TestAnswer, v1Client } from './support/v1-client.ts';

const ZONE = 'Australia/Sydney';

let service: TestService;
let owner: TestOwner;
let v1: V1Client;
let accounts: readonly Json[];

before(async () => {
  service = await startService();
  owner = await service.owner();
  v1 = v1Client(service, owner);
  await linkAll(service, owner, [
    { provider: 'au_banking', customer: 'pending-heavy' },
    { provider: 'au_banking', customer: 'ten-thousand-rows' },
    { provider: 'nz_banking', customer: 'rows:900' },
    { provider: 'brokerage', customer: 'self-directed' },
  ]);
  const connections = (await v1('/connections')).body.data.toReversed();
  accounts = (await v1('/accounts')).body.data.map((one: Json) => ({
    ...one,
    at: connections.findIndex(({ id }: Json) => id === one.connectionId),
  }));
});
after(() => service.close());

const accountOf = (at: number): Json => accounts.find((one) => one.at === at) ?? assert.fail();
const ask = (query: string, { id, connectionId }: Json = accountOf(0)): Promise<V1TestAnswer> =>
  v1(`/transactions?connectionId=${connectionId}&accountId=${id}${query === '' ? '' : `&${query}`}`);
const daysAgo = (days: number): string => addDays(localDateAt(service.app.clock.now(), ZONE), -days);
const day = (text: string) => (isLocalDate(text) ? text : assert.fail(text));
const idsOf = ({ body }: V1TestAnswer): string[] => body.data.map(({ id }: Json) => id);

describe('the window of GET /v1/transactions', () => {
  test('is the last 30 days up to now, unless it is said', async () => {
    const usual = await ask('');
    assert.equal(usual.status, 200, usual.text);
    assert.ok(usual.body.data.length > 5);
    assert.deepEqual(idsOf(usual), idsOf(await ask(`from=${daysAgo(30)}&to=${daysAgo(0)}`)));
    const days = usual.body.data.map(({ date }: Json) => date);
    assert.deepEqual(days, days.toSorted().toReversed(), 'newest first');
  });

  test('begins 30 days ago whatever its end, so an end before that is invalid_date_range', async () => {
    const { status, body } = await ask(`to=${daysAgo(40)}`);
    assert.deepEqual([status, body.error.code], [400, 'invalid_date_range']);
    const reversed = await ask(`from=${daysAgo(5)}&to=${daysAgo(6)}`);
    assert.deepEqual([reversed.status, reversed.body.error.code], [400, 'invalid_date_range']);
  });

  test('includes both of its days, each judged by the transaction date in the zone of the account', async () => {
    const all = (await ask(`from=${daysAgo(60)}`)).body.data;
    const [{ date: last }] = all;
    const { date: first } = all.at(-1);
    assert.deepEqual(
      idsOf(await ask(`from=${first}&to=${last}`)),
      all.map(({ id }: Json) => id),
    );
    const one = await ask(`from=${last}&to=${last}`);
    assert.ok(one.body.data.length > 0);
    assert.ok(one.body.data.every(({ date }: Json) => date === last));
    for (const row of all) {
      const at = Date.parse(row.datetime ?? row.postDatetime);
      assert.equal(localDateAt(at, ZONE), row.date, 'the day is that of the account, not of UTC');
    }
  });

  test('takes moments of ISO 8601 in every form, as the day they fall on in the zone of the account', async () => {
    const to = day(daysAgo(10));
    const next = addDays(to, 1);
    const same = async (moment: string, wanted: string): Promise<void> => {
      const answer = await ask(`from=${daysAgo(60)}&to=${encodeURIComponent(moment)}`);
      assert.equal(answer.status, 200, `${moment}: ${answer.text}`);
      assert.deepEqual(idsOf(answer), idsOf(await ask(`from=${daysAgo(60)}&to=${wanted}`)), moment);
    };
    await same(`${to}T01:00:00Z`, to);
    // Past midnight in Sydney, in summer and in winter.
    await same(`${to}T14:30:00.000Z`, next);
    await same(`${to}T14:30Z`, next);
    await same(`${to}T23:30:00+10:00`, localDateAt(Date.parse(`${to}T13:30:00Z`), ZONE));
    await same(`${to}T23:30:00+1000`, localDateAt(Date.parse(`${to}T13:30:00Z`), ZONE));
    await same(`${to}T23:59:59`, to);
    await same(`${to}T00:00`, to);
  });

  test('refuses what is no day and no moment without a code, naming it in details', async () => {
    for (const text of [
      'yesterday',
      '2026-02-30',
      '2026-13-01',
      '20260101',
      '2026-01-01T25:00:00Z',
      '1700000000',
      '',
    ]) {
      for (const name of ['from', 'to']) {
        const { status, body } = await ask(`${name}=${encodeURIComponent(text)}`);
        assert.deepEqual(
          [status, Object.keys(body.error), Object.keys(body.error.details)],
          [400, ['message', 'details'], [name]],
          text,
        );
      }
    }
  });

  test('reaches about seven years back and no further', async () => {
    assert.equal((await ask('from=2021-01-01')).status, 200);
    const { status, body } = await ask('from=1999-01-01');
    assert.deepEqual([status, body.error.code], [400, 'from_too_old']);
  });
});

describe('the rows of GET /v1/transactions', () => {
  test('leave out those that are pending, unless they are asked for', async () => {
    const [without, posted, withThem] = [
      await ask(''),
      await ask('includePending=false'),
      await ask('includePending=true'),
    ];
    assert.deepEqual(idsOf(without), idsOf(posted));
    assert.ok(without.body.data.every(({ status }: Json) => status === 'posted'));
    const pending = withThem.body.data.filter(({ status }: Json) => status === 'pending');
    assert.ok(pending.length > 0);
    for (const row of pending) {
      assert.match(row.date, /^\d{4}-\d{2}-\d{2}$/);
      assert.ok(!idsOf(posted).includes(row.id), 'a pending row has an id of its own');
    }
    assert.equal((await ask('includePending=yes')).status, 400);
  });

  test('are signed decimals whose direction agrees, of the account named', async () => {
    const account = accountOf(0);
    for (const row of (await ask(`from=${daysAgo(90)}&includePending=true`)).body.data) {
      assert.match(row.amount, /^-?\d+\.\d{2}$/);
      assert.equal(row.direction, row.amount.startsWith('-') ? 'debit' : 'credit');
      assert.deepEqual([row.accountId, row.accountName], [account.id, account.name]);
      assert.ok(!/^txn_/.test(row.id), 'ids are those of the provider');
    }
  });

  test('come 200 on a page unless limit says otherwise, which is 1 to 500', async () => {
    const busy = accountOf(1);
    const usual = await ask(`from=${daysAgo(365)}`, busy);
    assert.deepEqual(
      [usual.body.data.length, usual.body.pagination.limit, usual.body.pagination.offset],
      [200, 200, 0],
    );
    assert.equal((await ask(`from=${daysAgo(365)}&limit=500`, busy)).body.data.length, 500);
    for (const limit of [0, 501]) {
      const { status, body } = await ask(`limit=${limit}`);
      assert.deepEqual([status, Object.keys(body.error.details)], [400, ['limit']]);
    }
  });

  test('are complete over pages by offset, each once', async () => {
    const whole = await ask(`from=${daysAgo(30)}&limit=500`);
    const { total, hasMore } = whole.body.pagination;
    assert.deepEqual([whole.body.data.length, hasMore], [total, false]);
    const paged: string[] = [];
    for (let offset = 0; ; offset += 7) {
      const page = await ask(`from=${daysAgo(30)}&limit=7&offset=${offset}`);
      paged.push(...idsOf(page));
      assert.equal(page.body.pagination.total, total);
      if (!page.body.pagination.hasMore) break;
    }
    assert.deepEqual(paged, idsOf(whole));
  });

  test('end at the ceiling of 5,000 with the header, hasMore and a total that is a lower bound [limit transaction_rows]', async () => {
    const answer = await ask('from=2021-01-01&limit=500&offset=3000', accountOf(1));
    assert.equal(answer.headers.get('x-service-truncated'), 'true');
    assert.deepEqual(answer.body.pagination, { total: 5000, limit: 500, offset: 3000, hasMore: true });
    const last = await ask('from=2021-01-01&limit=500&offset=4800', accountOf(1));
    assert.deepEqual([last.body.data.length, last.body.pagination.hasMore], [200, true]);
    assert.equal(last.headers.get('x-service-truncated'), 'true');
  });

  test('end for a client that follows hasMore, past the ceiling with an empty page that still has the header', async () => {
    for (const offset of [5000, 9000]) {
      const { headers, body } = await ask(`from=2021-01-01&limit=500&offset=${offset}`, accountOf(1));
      assert.deepEqual(body, { data: [], pagination: { total: 5000, limit: 500, offset, hasMore: false } });
      assert.equal(headers.get('x-service-truncated'), 'true');
    }
    let offset = 0;
    for (let more = true; more; offset += 500) {
      assert.ok(offset <= 5000);
      more = (await ask(`from=2021-01-01&limit=500&offset=${offset}`, accountOf(1))).body.pagination.hasMore;
    }
    assert.equal(offset, 5500);
  });

  test('are read from so many pages of the provider as offset and limit need, and two more, without that header', async () => {
    const path = '/v1/banking/transactions';
    const asked = (): number =>
      sandboxBank(service.app)
        .requests()
        .filter((one) => one.path.startsWith(path)).length;
    for (const [query, pages] of [
      ['limit=200&offset=0', 3],
      ['limit=500&offset=1500', 4],
    ] as const) {
      const before = asked();
      const answer = await ask(`from=2021-02-0${pages}&${query}`, accountOf(1));
      assert.equal(asked() - before, pages, query);
      assert.equal(answer.headers.get('x-service-truncated'), null);
      const { total, hasMore } = answer.body.pagination;
      assert.ok(total <= pages * 1000 && total > (pages - 1) * 1000, `total ${total} of more rows`);
      assert.equal(hasMore, true);
    }
  });

  test('are not cut short where the pages of a provider are small', async () => {
    const { body } = await ask(`from=2021-01-01&limit=500`, accountOf(2));
    assert.ok(body.pagination.total > 700, `only ${body.pagination.total}`);
    assert.equal(body.pagination.hasMore, true);
  });
});

describe('what GET /v1/transactions remembers', () => {
  test('is what v2 has read, and the other way about; a read that its cap ended serves only itself', async () => {
    const { id, connectionId } = accountOf(0);
    const from = daysAgo(25);
    const v2Id = (await owner.v2('GET', '/v2/accounts?limit=100')).body.data.find(
      ({ name, account_number }: Json) =>
        name === accountOf(0).name && account_number === accountOf(0).accountNumber,
    ).id;
    await owner.v2('GET', `/v2/transactions?account=${v2Id}&from=${from}`);
    const path = `/transactions?connectionId=${connectionId}&accountId=${id}&from=${from}`;
    assert.equal((await v1(path)).headers.get('x-cache'), 'HIT');
    assert.equal((await v1(`${path}&limit=5&offset=3`)).headers.get('x-cache'), 'HIT');
    assert.equal((await v1(`${path}&includePending=true`)).headers.get('x-cache'), 'MISS');
    const busy = accountOf(1);
    const window = 'from=2021-03-01';
    assert.equal((await ask(`${window}&limit=1`, busy)).headers.get('x-cache'), 'MISS');
    assert.equal((await ask(`${window}&limit=1&offset=10`, busy)).headers.get('x-cache'), 'HIT');
    const deeper = await ask(`${window}&limit=500&offset=4000`, busy);
    assert.deepEqual([deeper.headers.get('x-cache'), deeper.body.data.length], ['MISS', 500]);
    // What the ceiling ended is whole as far as anyone is shown, so less of it needs no other read.
    assert.equal((await ask(`${window}&limit=2`, busy)).body.pagination.total, 5000);
  });

  test('is purged at once when the connection is deleted, and its account is gone', async () => {
    const other = await service.owner();
    await linkAll(service, other, [{ provider: 'au_banking', customer: 'dormant' }]);
    const mine = v1Client(service, other);
    const [{ id, connectionId }] = (await mine('/accounts')).body.data;
    const path = `/transactions?connectionId=${connectionId}&accountId=${id}`;
    assert.equal((await mine(path)).status, 200);
    const [{ id: connection }] = (await other.v2('GET', '/v2/connections')).body.data;
    assert.equal((await other.v2('DELETE', `/v2/connections/${connection}`)).status, 200);
    const { status, body } = await mine(path);
    assert.deepEqual([status, body.error.code], [404, 'connection_not_found']);
  });
});

describe('GET /v1/transactions without accountId', () => {
  test('is gone: 410 with account_id_required, Deprecation, Sunset and a Link', async () => {
    const { connectionId } = accountOf(0);
    for (const query of [`connectionId=${connectionId}`, `connectionId=${connectionId}&accountId=`]) {
      const { status, body, headers } = await v1(`/transactions?${query}`);
      assert.deepEqual(
        [status, body.error.code, Object.keys(body.error)],
        [410, 'account_id_required', ['message', 'code']],
      );
      assert.equal(headers.get('deprecation'), 'true');
      assert.equal(headers.get('sunset'), 'Tue, 30 Jun 2026 23:59:59 GMT');
      const [, address = '', rel] = /^<([^>]+)>; rel="([^"]+)"/.exec(headers.get('link') ?? '') ?? [];
      assert.equal(rel, 'deprecation');
      const page = await fetch(address.replace(/^https?:\/\/[^/]+/, service.url));
      assert.equal(page.status, 200);
      assert.match(await page.text(), /id="transactions"/);
    }
  });
});
