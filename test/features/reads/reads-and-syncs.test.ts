import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Answer, Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank, until } from '../linking/person.ts';
import { Receiver } from '../sync-engine/support/receiver.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const clock = new ShiftedClock();
let service: TestService;
let owner: TestOwner;
let account: string;

/** Each limit as small as a test can show both sides of it. */
before(async () => {
  service = await startService(
    {
      LIMIT_TRANSACTION_ROWS: '3',
      LIMIT_HISTORY_MONTHS: '12',
      LIMIT_TRANSACTION_DEFAULT_DAYS: '1',
      LIMIT_SYNC_DEFAULT_MONTHS: '2',
      LIMIT_SYNC_TRIAL_MONTHS: '1',
      LIMIT_RUN_HISTORY_DAYS: '3',
      LIMIT_SYNC_ACCOUNTS: '1',
      LIMIT_WEBHOOK_CHUNK_ROWS: '2',
      LIMIT_SYNC_INTERVAL_MINUTES: '90',
      LIMIT_BALANCE_CACHE_MINUTES: '2',
      LIMIT_DETAILS_CACHE_MINUTES: '3',
      LIMIT_TRANSACTIONS_CACHE_MINUTES: '4',
      LIMIT_LIVE_BALANCE_MINUTES: '5',
      // Days pass at once here, and a scheduler would ask the bank in the middle of a test.
      ROLES: 'api,worker',
      // A Redis server counts time by a clock of its own, which no test can move.
      REDIS_URL: '',
    },
    { clock },
  );
  owner = await service.owner();
  account = (await accountsOf(owner))[0];
});
after(() => service.close());

async function accountsOf(someone: TestOwner): Promise<Json> {
  const connection = await importedConnection(
    someone,
    await linkBank(someone, { customer: 'salaried-household' }),
  );
  return connection.accounts.map((one: Json) => one.id);
}

const refusal = ({ status, body }: Answer) => [status, body.error?.code, body.error?.param];
const day = (ago: number): string => new Date(clock.now() - ago * DAY).toISOString().slice(0, 10);

let hooks = 0;
async function newSync(more: object = {}, someone = owner): Promise<Answer> {
  hooks += 1;
  const target = { url: `http://127.0.0.1:9/hook/${hooks}` };
  const destination = await someone.v2('POST', '/v2/destinations', { type: 'webhook', name: 'b', target });
  return someone.v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'All',
    destination: destination.body.id,
    accounts: [account],
    mapping_mode: 'bulk',
    run_now: false,
    ...more,
  });
}

const ended = (run: string): Promise<Json> =>
  until(
    async () => (await owner.v2('GET', `/v2/sync_runs/${run}`)).body,
    ({ completed_at }) => completed_at !== null,
  );

describe('a read of transactions', () => {
  const read = (query: string) => owner.v2('GET', `/v2/transactions?account=${account}&${query}`);

  test('shows the newest rows up to the ceiling and says that there are more [limit transaction_rows]', async () => {
    const first = await read(`from=${day(200)}&limit=2`);
    const second = await owner.v2(
      'GET',
      new URL(first.body.next_page_url).pathname + new URL(first.body.next_page_url).search,
    );
    assert.deepEqual(
      [first.body.data.length, second.body.data.length, second.body.next_page_url],
      [2, 1, null],
    );
    assert.equal(second.headers.get('x-service-truncated'), 'true');
  });

  test('reaches back as far as the history limit and no day further [limit history_months]', async () => {
    const today = new Date(clock.now());
    const around = (days: number) =>
      new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 12, today.getUTCDate() + days))
        .toISOString()
        .slice(0, 10);
    const { status } = await read(`from=${around(2)}&to=${around(3)}`);
    assert.equal(status, 200);
    assert.deepEqual(refusal(await read(`from=${around(-2)}&to=${around(3)}`)), [
      400,
      'from_too_old',
      'from',
    ]);
  });

  test('goes on to its end when the history begins a day later meanwhile', async () => {
    const today = new Date(clock.now());
    const oldest = (days: number): string =>
      new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 12, today.getUTCDate() + days))
        .toISOString()
        .slice(0, 10);
    // The account's own day may be the next one already.
    const walks = await Promise.all([0, 1].map((days) => read(`from=${oldest(days)}&limit=1`)));
    const first = walks.find(({ status }) => status === 200) ?? assert.fail();
    clock.advance(DAY);
    assert.equal((await owner.v2('GET', first.body.next_page_url)).status, 200);
    clock.advance(DAY);
    const late = await owner.v2('GET', first.body.next_page_url);
    assert.deepEqual(refusal(late), [400, 'from_too_old', 'from'], 'a list takes no two days');
  });

  test('reaches to where the history begins when the usual days would reach further', async () => {
    const begins = (days: number): string => {
      const today = new Date(clock.now());
      const [year, month, date] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
      return new Date(Date.UTC(year, month - 12, date + days)).toISOString().slice(0, 10);
    };
    // The account's own day may be the next one already.
    const { today, floor } = { today: begins(0), floor: begins(1) };
    const reached = (await Promise.all([today, floor].map((to) => read(`to=${to}`)))).map(
      ({ status }) => status,
    );
    assert.ok(reached.includes(200), `${reached}`);
    for (const to of [begins(-2), '0001-01-02', '0001-01-01'])
      assert.deepEqual(refusal(await read(`to=${to}`)), [400, 'from_too_old', 'from'], to);
  });

  test('covers the usual days where from is not sent [limit transaction_default_days]', async () => {
    const idsOf = async (query: string): Promise<string[]> =>
      (await read(`limit=4&${query}`)).body.data.map((row: Json) => row.id);
    let narrower = 0;
    for (let ago = 30; ago < 50; ago++) {
      const usual = await idsOf(`to=${day(ago)}`);
      assert.deepEqual(usual, await idsOf(`from=${day(ago + 1)}&to=${day(ago)}`));
      if (usual.length < (await idsOf(`from=${day(ago + 2)}&to=${day(ago)}`)).length) narrower += 1;
    }
    assert.ok(narrower > 0, 'a day more would have shown');
  });
});

describe('what a bank has answered', () => {
  const bankIsAsked = async (path: string): Promise<boolean> => {
    const control = sandboxBank(service.app);
    control.clearRequests();
    assert.equal((await owner.v2('GET', path)).status, 200);
    return control.requests().some((request) => request.path.startsWith('/v1/banking/'));
  };
  const isKeptFor = async (path: string, minutes: number): Promise<void> => {
    clock.advance(DAY);
    assert.ok(await bankIsAsked(path));
    clock.advance((minutes - 0.5) * MINUTE);
    assert.ok(!(await bankIsAsked(path)));
    clock.advance(MINUTE);
    assert.ok(await bankIsAsked(path));
  };

  test('of a balance is cached for the minutes set [limit balance_cache_minutes]', () =>
    isKeptFor(`/v2/accounts/${account}/balance`, 2));

  test('of an account is cached for the minutes set [limit details_cache_minutes]', () =>
    isKeptFor(`/v2/accounts/${account}/details`, 3));

  test('of transactions is cached for the minutes set [limit transactions_cache_minutes]', () =>
    isKeptFor(`/v2/transactions?account=${account}&from=${day(20)}&to=${day(10)}`, 4));

  test('is requested again once in the minutes set where nothing is cached [limit live_balance_minutes]', async () => {
    const someone = await service.owner();
    const [mine] = await accountsOf(someone);
    await service.app.services.accountRecords.update(someone.record.id, { caching: false });
    const read = () => someone.v2('GET', `/v2/accounts/${mine}/balance`);
    assert.equal((await read()).status, 200);
    await pass(4.5 * MINUTE);
    const refused = await read();
    assert.deepEqual([refused.status, refused.body.error?.code], [429, 'balance_refresh_limited']);
    await pass(MINUTE);
    assert.equal((await read()).status, 200);
  });

  /** A Postgres server counts turns by a clock of its own: there, what was taken is moved into the past. */
  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    await sql`
      update heavy_slots set leases =
        (select coalesce(jsonb_object_agg(lease.key, lease.value::numeric - ${ms}::integer), '{}')
         from jsonb_each_text(leases) lease)`.execute(service.app.database.db);
  }
});

describe('a sync', () => {
  const monthsAgo = (months: number): string => {
    const today = new Date(clock.now() + 11 * 60 * MINUTE);
    return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - months, today.getUTCDate()))
      .toISOString()
      .slice(0, 7);
  };
  const begins = async (options: object, someone = owner, accounts = [account]): Promise<string> => {
    const made = await newSync({ options, accounts }, someone);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.options.data_from.slice(0, 7);
  };

  test('begins the usual months back, and no further than history reaches [limit sync_default_months]', async () => {
    assert.equal(await begins({}), monthsAgo(2));
    assert.equal(await begins({ data_from: '1999-01-01' }), monthsAgo(12));
  });

  test('begins fewer months back on a trial [limit sync_trial_months]', async () => {
    const trial = await service.owner();
    const accounts = await accountsOf(trial);
    await service.app.services.accountRecords.update(trial.record.id, {
      trial_ends_at: new Date(clock.now() + DAY),
    });
    assert.equal(await begins({}, trial, accounts.slice(0, 1)), monthsAgo(1));
  });

  test('takes as many accounts as it may and not one more [limit sync_accounts]', async () => {
    const two = await accountsOf(owner);
    assert.equal((await newSync({ accounts: two.slice(0, 1) })).status, 201);
    assert.deepEqual(refusal(await newSync({ accounts: two.slice(0, 2) })), [
      400,
      'parameter_invalid',
      'accounts',
    ]);
  });

  test('has its scheduled runs one interval apart [limit sync_interval_minutes]', async () => {
    const { body: sync } = await newSync();
    clock.advance(90 * MINUTE);
    await owner.v2('PATCH', `/v2/syncs/${sync.id}`, { enabled: false });
    const { body: later } = await owner.v2('PATCH', `/v2/syncs/${sync.id}`, { enabled: true });
    assert.equal(Date.parse(later.next_run_at) - Date.parse(sync.next_run_at), 90 * MINUTE);
    assert.ok(Date.parse(later.next_run_at) > clock.now());
  });

  /** A sync that has run once, and the sizes of the chunks it delivered. */
  async function delivered(): Promise<{ readonly id: string; readonly sizes: readonly number[] }> {
    const receiver = await new Receiver().open();
    try {
      const target = { url: receiver.url };
      const { body } = await owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'books', target });
      receiver.secrets = [body.config.signing_secret];
      const { body: sync } = await newSync({ destination: body.id, run_now: true });
      assert.equal((await ended(sync.latest_run.id)).status, 'succeeded');
      return { id: sync.id, sizes: receiver.events.map(({ data }) => data.new.length) };
    } finally {
      await receiver.close();
    }
  }

  test('delivers in chunks of the size set [limit webhook_chunk_rows]', async () => {
    const { sizes } = await delivered();
    assert.equal(Math.max(...sizes), 2);
    assert.ok(
      sizes.slice(0, -1).every((size) => size === 2),
      sizes.join(' '),
    );
  });

  test('shows its runs for the days set [limit run_history_days]', async () => {
    const { id } = await delivered();
    await owner.v2('PATCH', `/v2/syncs/${id}`, { enabled: false });
    const runs = async () => (await owner.v2('GET', `/v2/syncs/${id}/runs`)).body.data.length;
    clock.advance(3 * DAY - MINUTE);
    assert.equal(await runs(), 1);
    clock.advance(2 * MINUTE);
    assert.equal(await runs(), 0);
  });
});
