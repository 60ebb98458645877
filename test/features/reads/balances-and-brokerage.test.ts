import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { INTEGRATIONS } from '../../../src/app/integrations.ts';
import { BalanceReads } from '../../../src/features/reads/balance-reads.ts';
import { BrokerageReads, type TradeQuery } from '../../../src/features/reads/brokerage-reads.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { parsePublicId, type RowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { withPatience } from '../../support/patience.ts';
import { withReadDeadline } from '../../support/read-deadline.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Answer, Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank } from '../linking/person.ts';

const BALANCES = 'GET /v1/banking/balances';
let service: TestService;
let owner: TestOwner;
let accounts: string[];

before(async () => {
  const integrations = INTEGRATIONS.filter(({ row }) => row.name !== 'brokerage');
  service = await startService({}, { integrations });
  owner = await service.owner();
  const connection = await importedConnection(
    owner,
    await linkBank(owner, { customer: 'salaried-household' }),
  );
  accounts = connection.accounts.map(({ id }: Json) => id);
  assert.ok(accounts.length >= 3);
});
after(() => service.close());

const control = () => sandboxBank(service.app);
const list = (ids: readonly string[], by = owner): Promise<Answer> =>
  by.v2('GET', `/v2/balances?${ids.map((id) => `account=${id}`).join('&')}`);
const refusal = ({ status, body }: Answer) => [status, body.error?.code, body.error?.param];
const row = (id: string): RowId<'account'> => parsePublicId('account', id) ?? assert.fail(id);

/** Forgets the cached balances of the accounts, so that the bank is asked. */
const forget = async (): Promise<void> => {
  const { db } = service.app.database;
  const connections = await db.selectFrom('connections').select('id').execute();
  for (const { id } of connections) service.app.gateway.purge(id);
};

describe('the balances of many accounts', () => {
  test('come in the order asked, each account once, on one page, as they are read one by one', async () => {
    const [a, b, c] = accounts;
    assert.ok(a && b && c);
    const { status, body } = await list([c, a, b, a, c]);
    assert.equal(status, 200);
    assert.deepEqual([body.object, body.next_page_url, body.previous_page_url], ['list', null, null]);
    assert.deepEqual(
      body.data.map((balance: Json) => balance.account),
      [c, a, b],
    );
    for (const balance of body.data) {
      assert.deepEqual((await owner.v2('GET', `/v2/accounts/${balance.account}/balance`)).body, balance);
      assert.deepEqual([balance.freshness, balance.retry_after_seconds], ['fresh', null]);
    }
  });

  test('are not lost because one cannot be read, and that one says when to ask again', async () => {
    await forget();
    const [a, b] = accounts;
    assert.ok(a && b);
    assert.equal((await list([b])).status, 200);
    control().addFault({ route: BALANCES, kind: 'rate-limit', retryAfterSeconds: 33 });
    const { status, body } = await list([a, b]);
    assert.equal(status, 200);
    const [failed, read] = body.data;
    assert.deepEqual(failed, {
      object: 'balance',
      account: a,
      current: null,
      available: null,
      currency: 'aud',
      observed_at: null,
      freshness: 'unavailable',
      retry_after_seconds: 33,
      unreadable: null,
      balance_sign: null,
      livemode: true,
    });
    assert.equal(read.freshness, 'fresh');
    const alone = await owner.v2('GET', `/v2/accounts/${a}/balance`);
    assert.deepEqual(refusal(alone), [429, 'provider_wait', null], 'it is still to be left alone');
  });

  test('are unavailable, without a time to ask again, where the consent ended', async () => {
    const leaver = await service.owner();
    const connection = await importedConnection(leaver, await linkBank(leaver, { customer: 'sole-trader' }));
    const id = parsePublicId('connection', connection.id);
    assert.ok(id);
    const { db } = service.app.database;
    await db.updateTable('connections').set({ invalidated_at: new Date() }).where('id', '=', id).execute();
    const { body } = await list([connection.accounts[0].id], leaver);
    const [{ freshness, retry_after_seconds }] = body.data;
    assert.deepEqual([freshness, retry_after_seconds], ['unavailable', null]);
  });

  test('have the time of one read together; what is late is unavailable', async () => {
    const other = await service.owner();
    const linked = await importedConnection(other, await linkBank(other, { customer: 'salaried-household' }));
    const ids = linked.accounts.slice(0, 3).map(({ id }: Json) => id);
    await withPatience([1500, 6000], async (ms) => {
      await forget();
      control().addFault({ route: BALANCES, kind: 'hang', count: 9 });
      const started = performance.now();
      const { body } = await withReadDeadline(service, ms, () => list(ids, other));
      const took = performance.now() - started;
      control().clear();
      assert.ok(took < 2.5 * ms, `${took} ms`);
      assert.deepEqual(
        body.data.map((balance: Json) => balance.freshness),
        ['unavailable', 'unavailable', 'unavailable'],
      );
    });
  });

  test('are read where the bank answers while others hang', async () => {
    const { accounts: linked } = service.app.linking;
    const hanging = 20;
    let begun = 0;
    const readsWithin = (ms: number) =>
      new BalanceReads({
        // The same accounts over and over: what hangs is the bank behind the first of them.
        accounts: {
          resolveAll: async (of, ids, param, accept) => {
            const [found] = await linked.resolveAll(of, ids, param, accept);
            return found === undefined ? [] : Array.from({ length: hanging + 5 }, () => found);
          },
        },
        gateway: {
          accounts: {
            balance: (account, options, within) => {
              begun += 1;
              if (begun > hanging) return service.app.gateway.accounts.balance(account, options, within);
              return new Promise((_, reject) => {
                if (within.aborted) reject(within.reason);
                within.addEventListener('abort', () => reject(within.reason), { once: true });
              });
            },
          },
        },
        clock: service.app.clock,
        limits: { ...DEFAULT_LIMITS, read_deadline_ms: ms },
      });
    // Another than the first, which its bank wants to be left alone by now.
    const last = row(accounts.at(-1) ?? assert.fail());
    await withPatience([1500, 15_000], async (ms) => {
      begun = 0;
      const listed = await readsWithin(ms).list(owner.record.id, [last], AbortSignal.timeout(60_000));
      assert.deepEqual(
        listed.map(({ read }) => read !== null),
        [...Array(hanging).fill(false), ...Array(5).fill(true)],
      );
    });
  });

  test('refuse an id that is not the callers, text that is no id, and none at all', async () => {
    const [a] = accounts;
    assert.ok(a);
    const stranger = await service.owner();
    const absent = 'acct_0000000000000000000000';
    const foreign = await list([a], stranger);
    assert.deepEqual(refusal(foreign), [404, 'resource_missing', 'account']);
    const missing = await list([absent], stranger);
    assert.deepEqual({ ...foreign.body.error, request_id: 0 }, { ...missing.body.error, request_id: 0 });
    assert.deepEqual(refusal(await list([a, absent])), [404, 'resource_missing', 'account']);
    assert.deepEqual(refusal(await list([a, 'conn_1'])), [404, 'resource_missing', 'account']);
    assert.deepEqual(refusal(await owner.v2('GET', '/v2/balances')), [400, 'parameter_missing', 'account']);
    const bracketed = await owner.v2('GET', `/v2/balances?account[]=${a}`);
    assert.deepEqual(refusal(bracketed), [400, 'parameter_invalid', 'account[]']);
  });

  test('are of as many accounts as the limit says, duplicates not counted [limit balance_accounts]', async () => {
    const reads = new BalanceReads({
      accounts: service.app.linking.accounts,
      gateway: service.app.gateway,
      clock: service.app.clock,
      limits: { ...DEFAULT_LIMITS, balance_accounts: 1 },
    });
    const [first, second] = accounts.map(row);
    assert.ok(first && second);
    const signal = AbortSignal.timeout(5_000);
    assert.equal((await reads.list(owner.record.id, [first, first], signal)).length, 1);
    const refused = { code: 'parameter_invalid', param: 'account' };
    await assert.rejects(reads.list(owner.record.id, [first, second], signal), refused);
  });

  test('are rationed one by one where the owner allows no caching', async () => {
    const live = await service.owner();
    await service.app.services.accountRecords.update(live.record.id, { caching: false });
    const linked = await importedConnection(live, await linkBank(live, { customer: 'salaried-household' }));
    const [a, b] = linked.accounts.map(({ id }: Json) => id);
    assert.equal((await live.v2('GET', `/v2/accounts/${a}/balance`)).status, 200);
    const again = await live.v2('GET', `/v2/accounts/${a}/balance`);
    assert.deepEqual(refusal(again), [429, 'balance_refresh_limited', null]);
    const { body } = await list([a, b], live);
    const [waiting, read] = body.data;
    assert.deepEqual([waiting.freshness, read.freshness], ['unavailable', 'fresh']);
    assert.ok(waiting.retry_after_seconds > 800 && waiting.retry_after_seconds <= 900);
  });
});

describe('brokerage data', () => {
  test('does not exist for a banking account', async () => {
    for (const path of ['holdings', 'trades']) {
      const answer = await owner.v2('GET', `/v2/${path}?account=${accounts[0]}`);
      assert.deepEqual(refusal(answer), [400, 'wrong_endpoint_for_category', 'account']);
      const stranger = await service.owner();
      const foreign = await stranger.v2('GET', `/v2/${path}?account=${accounts[0]}`);
      assert.deepEqual(refusal(foreign), [404, 'resource_missing', 'account']);
    }
  });

  test('of a brokerage account is unavailable while no brokerage is set up; it has no balance', async () => {
    const investor = await service.owner();
    const linked = await importedConnection(investor, await linkBank(investor, { customer: 'sole-trader' }));
    const { db } = service.app.database;
    for (const table of ['connections', 'accounts', 'consents'] as const) {
      const own = db.updateTable(table).set({ provider: 'brokerage' });
      await own.where('account_record', '=', investor.record.id).execute();
    }
    const [{ id }] = linked.accounts;
    for (const path of ['holdings', 'trades']) {
      const answer = await investor.v2('GET', `/v2/${path}?account=${id}`);
      assert.deepEqual(refusal(answer), [503, 'gateway_unavailable', null]);
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
    }
    const wrong = [400, 'wrong_endpoint_for_category'];
    const balance = await investor.v2('GET', `/v2/accounts/${id}/balance`);
    assert.deepEqual(refusal(balance), [...wrong, null]);
    assert.deepEqual(refusal(await list([id], investor)), [...wrong, 'account']);
    const transactions = await investor.v2('GET', `/v2/transactions?account=${id}`);
    assert.deepEqual(refusal(transactions), [...wrong, 'account']);
  });

  test('asks for trades of the days the caller named, in the zone of the account', async () => {
    const [account] = accounts;
    assert.ok(account);
    const asked: unknown[] = [];
    const { accounts: linked } = service.app.linking;
    const reads = new BrokerageReads({
      // The one account there is, as if it were of a broker.
      accounts: { resolve: (of, id) => linked.resolve(of, id) },
      gateway: {
        positions: {
          holdings: async () => [],
          trades: async (_account, range) => {
            asked.push(range);
          },
        },
      },
      clock: new SimulatedClock(Date.parse('2026-11-20T20:00:00Z')),
      limits: DEFAULT_LIMITS,
    });
    const none = { account: row(account), from: null, to: null };
    const page = { limit: 20, after: null, before: null };
    const trades = (query: TradeQuery) =>
      reads.trades(owner.record.id, query, page, new AbortController().signal);
    await trades(none);
    assert.partialDeepStrictEqual(asked, [{ from: localDate('2026-10-22'), to: localDate('2026-11-21') }]);
    const reversed = { ...none, from: '2026-11-02', to: '2026-11-01' };
    await assert.rejects(trades(reversed), { code: 'invalid_date_range' });
    const old = { ...none, from: '2019-01-01' };
    await assert.rejects(trades(old), { code: 'from_too_old' });
  });
});
