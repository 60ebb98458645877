import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type ActiveRun, ActiveRuns } from '../../../src/background/runs.ts';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import type { Holding, Trade } from '../../../src/vocabulary/holdings.ts';
import { type RowId, rowId } from '../../../src/vocabulary/ids.ts';
import { addDays } from '../../../src/vocabulary/moments.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { EPOCH, posted } from '../../features/sync-engine/support/bank.ts';
import { runAndDie } from '../../features/sync-engine/support/death.ts';
import { dryRun } from '../../features/sync-engine/support/dry-run.ts';
import { closeDatabase, World } from '../../features/sync-engine/support/world.ts';
import { Scene } from './paperclip/scene.ts';
import { linkedDestination, syncTo } from './support/linked-world.ts';
import { stepOf } from './support/shares.ts';

after(closeDatabase);

function trade(number: number, more: Partial<Trade> = {}): Trade {
  return {
    id: `trd_st_${number}`,
    symbol: 'ACME',
    name: 'Acme',
    type: 'buy',
    quantity: String(number),
    price: { money: { amount: 3312, currency: 'usd' }, decimal: '33.1234' },
    currency: 'usd',
    total_amount: null,
    fees: null,
    trade_date: addDays(EPOCH, 45),
    trade_datetime: null,
    settlement_date: null,
    settlement_datetime: null,
    description: null,
    ...more,
  };
}

function holding(symbol: string, quantity: string): Holding {
  return {
    id: `hold_st_${symbol}`,
    symbol,
    name: null,
    exchange: null,
    currency: 'usd',
    quantity,
    average_price: null,
    current_price: null,
    market_value: null,
    unrealized_pnl: null,
    asset_type: null,
  };
}

/** A scene with a brokerage account. */
async function brokerage() {
  const opened = await Scene.open();
  const account: RowId<'account'> = opened.world.account();
  opened.world.providers.set(account, 'brokerage');
  return { opened, account };
}

describe('a sync of trades', () => {
  test('delivers each trade once, a corrected one as an update, and never asks for transactions', async () => {
    const { opened, account } = await brokerage();
    await using _ = opened;
    const { world, vendor } = opened;
    const trades = Array.from({ length: 150 }, (_, index) => trade(index + 1));
    world.bank.trades.set(account, trades);
    const sync = await opened.sync([account], { type: 'trades' });
    vendor.troubles.set('POST /documents/rows', ['none', 'lost']);
    assert.equal((await world.run(sync)).status, 'failed');
    assert.equal((await world.run(sync)).status, 'succeeded');
    assert.deepEqual(opened.ids, trades.map(({ id }) => id).toSorted());
    const added = (await world.allRuns(sync)).reduce((sum, run) => sum + run.added, 0);
    assert.equal(added, 150);
    world.bank.trades.set(account, [
      trade(151),
      ...trades.map((row) => (row.id === 'trd_st_9' ? trade(9, { symbol: 'ACMX' }) : row)),
    ]);
    const said = await dryRunCounts(world, sync);
    const run = await world.run(sync);
    assert.deepEqual([run.processed, run.added, run.updated], [151, 1, 1]);
    assert.deepEqual(said, [1, 1]);
    assert.deepEqual(
      opened.document.rows.filter(({ id }) => id === 'trd_st_9').map(({ text }) => text),
      ['["ACMX","9"]'],
    );
    assert.equal(world.bank.windows.length, 0);
  });
});

describe('a sync of trades to a webhook', () => {
  test('sends each trade once as trades.synced, also when an answer is lost, and a corrected one as new again, with `updated` empty', async () => {
    const world = await World.open();
    const account = world.account();
    world.providers.set(account, 'brokerage');
    const trades = Array.from({ length: 700 }, (_, index) => trade(index + 1));
    world.bank.trades.set(account, trades);
    const sync = await world.sync([account], { type: 'trades' });
    world.receiver.behave = (request) => (request === 1 ? 'drop_after' : 'ok');
    assert.equal((await world.run(sync)).status, 'failed');
    assert.equal((await world.run(sync)).status, 'succeeded');
    assert.deepEqual([...world.receiver.rows().keys()].toSorted(), trades.map(({ id }) => id).toSorted());
    assert.deepEqual(new Set(world.receiver.newCounts().values()), new Set([1]));
    const added = (await world.allRuns(sync)).reduce((sum, run) => sum + run.added, 0);
    assert.equal(added, trades.length);
    world.bank.trades.set(account, [
      trade(701),
      trade(9, { symbol: 'ACMX' }),
      ...trades.filter((_, at) => at !== 8),
    ]);
    const run = await world.run(sync);
    assert.deepEqual([run.added, run.updated], [1, 1]);
    assert.equal(world.receiver.rows().get('trd_st_9')?.symbol, 'ACMX');
    const last = world.receiver.events.at(-1)?.data;
    assert.deepEqual(last?.new.map(({ trade }) => trade).toSorted(), ['trd_st_701', 'trd_st_9']);
    assert.ok(world.receiver.events.every(({ data }) => data.updated.length === 0));
    assert.deepEqual(new Set(world.receiver.events.map(({ type }) => type)), new Set(['trades.synced']));
    assert.deepEqual(world.receiver.faults, []);
  });
});

describe('a sync of holdings', () => {
  test('replaces what an account held, and counts what is new, changed and gone', async () => {
    const { opened, account } = await brokerage();
    await using _ = opened;
    const { world, document } = opened;
    world.bank.holdings.set(account, [holding('ACME', '1'), holding('BOLT', '2')]);
    const sync = await opened.sync([account], { type: 'holdings' });
    const seen = async () => {
      const said = await dryRunCounts(world, sync);
      const run = await world.run(sync);
      assert.equal(run.status, 'succeeded');
      assert.deepEqual(said, [run.added, run.updated]);
      return [run.processed, run.added, run.updated, document.snapshots.get(`holdings ${account}`)];
    };
    assert.deepEqual(await seen(), [
      2,
      2,
      0,
      [
        ['ACME', '1'],
        ['BOLT', '2'],
      ],
    ]);
    assert.deepEqual((await seen()).slice(0, 3), [2, 0, 0]);
    document.snapshots.clear();
    await opened.resync(sync);
    assert.deepEqual(await seen(), [
      2,
      0,
      0,
      [
        ['ACME', '1'],
        ['BOLT', '2'],
      ],
    ]);
    world.bank.holdings.set(account, [holding('BOLT', '3'), holding('CORK', '4')]);
    assert.deepEqual(await seen(), [
      2,
      1,
      2,
      [
        ['BOLT', '3'],
        ['CORK', '4'],
      ],
    ]);
    world.bank.holdings.set(account, []);
    assert.deepEqual(await seen(), [0, 0, 2, []]);
    assert.deepEqual(document.rows, []);
  });

  test('counts each position once, wherever the process dies', async () => {
    for (let statement = 4; ; statement += stepOf()) {
      const { opened, account } = await brokerage();
      await using _ = opened;
      opened.world.bank.holdings.set(account, [holding('ACME', '1'), holding('BOLT', '2')]);
      const sync = await opened.sync([account], { type: 'holdings' });
      const died = await runAndDie(opened.world, sync, statement);
      assert.equal((await opened.world.run(sync)).status, 'succeeded');
      const added = (await opened.world.allRuns(sync)).reduce((sum, run) => sum + run.added, 0);
      assert.equal(added, 2, `${statement}`);
      if (!died) return;
    }
  });

  test('with many slow accounts comes to its end while another owner always waits, and writes each once', async () => {
    let inHand = new ActiveRuns({ slots: 1, sliceMs: 10_000 });
    const written: string[] = [];
    await using opened: Scene = await Scene.open({
      change: (connector) => ({
        ...connector,
        open: async (opening, signal) => {
          const writer = await connector.open(opening, signal);
          const write = writer.writeSnapshot?.bind(writer);
          writer.writeSnapshot = async (snapshot, within) => {
            await write?.(snapshot, within);
            written.push(snapshot.account.id);
            opened.world.clock.advance(2000);
            inHand.makeRoom([{ owner: other, runs: 1 }], opened.world.clock.now());
          };
          return writer;
        },
      }),
    });
    const { world } = opened;
    const other = rowId('account_record', newRowId(world.clock));
    const accounts = Array.from({ length: 8 }, () => world.account());
    for (const account of accounts) {
      world.providers.set(account, 'brokerage');
      world.bank.holdings.set(account, [holding('ACME', '1'), holding('BOLT', '2')]);
    }
    const sync = await opened.sync(accounts, { type: 'holdings' });
    const queued = (await world.allRuns(sync))[0] ?? assert.fail('no run');
    const engine = world.engine();
    let attempts = 0;
    for (; (await world.readRun(queued.id)).completed_at === null; attempts++) {
      assert.ok(attempts < 8, 'it starves');
      const taken = (await engine.take({ run: queued.id })) ?? assert.fail('it was not given up');
      const yielding = new AbortController();
      const run: ActiveRun = {
        owner: world.owner.id,
        since: world.clock.now(),
        progressedAt: null,
        yielding,
      };
      inHand = new ActiveRuns({ slots: 1, sliceMs: 10_000 });
      inHand.add(run);
      const progressed = (): void => {
        run.progressedAt ??= world.clock.now();
      };
      await engine.work(taken, { stopping: yielding.signal, progressed });
    }
    const ended = await world.readRun(queued.id);
    assert.deepEqual([ended.status, ended.processed, ended.added], ['succeeded', 16, 16]);
    assert.ok(attempts > 1, 'it never made room');
    assert.deepEqual(written.toSorted(), accounts.toSorted());
    const { lines } = await world.runs.read(world.owner.id, queued.id, true);
    assert.deepEqual(
      lines?.map(({ status, processed }) => [status, processed]),
      accounts.map(() => ['succeeded', 2]),
    );
  });

  test('leaves an account that cannot be read as it was, and says so', async () => {
    const { opened, account } = await brokerage();
    await using _ = opened;
    const { world, document } = opened;
    const other = world.account();
    world.providers.set(other, 'brokerage');
    world.bank.holdings.set(account, [holding('ACME', '1')]);
    world.bank.holdings.set(other, [holding('BOLT', '2')]);
    const sync = await opened.sync([account, other], { type: 'holdings' });
    await world.run(sync);
    world.bank.holdings.set(account, []);
    world.bank.holdings.set(other, []);
    world.bank.refusal = (id) => (id === account ? new ServiceError('upstream_unavailable') : null);
    assert.equal((await world.run(sync)).status, 'failed');
    assert.deepEqual(document.snapshots.get(`holdings ${account}`), [['ACME', '1']]);
    assert.deepEqual(document.snapshots.get(`holdings ${other}`), []);
  });
});

describe('a type of sync', () => {
  test('that the destination cannot hold is refused where the sync is made', async () => {
    const { opened, account } = await brokerage();
    await using _ = opened;
    const { world } = opened;
    const notes = await linkedDestination(world, 'notion', '{}', { database_id: 'one' });
    for (const type of ['trades', 'holdings'] as const) {
      await assert.rejects(syncTo(world, notes, [account], { type }), {
        code: 'parameter_invalid',
        param: 'destination',
      });
    }
  });
});

describe('what follows the rows', () => {
  test('is the balance of each account, where the sync asks for it, and then the ending', async () => {
    await using opened = await Scene.open();
    const { world, document } = opened;
    const account = world.account();
    world.bank.accounts.set(account, [posted(1)]);
    world.bank.balance = () => ({
      readAt: 0,
      currency: 'aud',
      current: { amount: 1234, currency: 'aud' },
      available: null,
    });
    const sync = await opened.sync([account], { options: { include_balances_tab: true } });
    const run = await world.run(sync);
    assert.deepEqual([run.status, run.processed, run.added], ['succeeded', 1, 1]);
    assert.deepEqual(document.snapshots.get(`balance ${account}`), [1234]);
    assert.deepEqual(document.endings, [[account]]);
  });

  test('is no balance where the sync asks for none', async () => {
    await using opened = await Scene.open();
    const account = opened.world.account();
    const sync = await opened.sync([account]);
    await opened.world.run(sync);
    assert.equal(opened.document.snapshots.size, 0);
  });

  test('that fails, fails the run; the next one ends it and repeats no row', async () => {
    await using opened = await Scene.open();
    const { world, vendor, document } = opened;
    const account = world.account();
    world.bank.accounts.set(account, [posted(1)]);
    const sync = await opened.sync([account]);
    vendor.troubles.set('POST /documents/end', [{ status: 500 }]);
    const failed = await world.run(sync);
    assert.deepEqual([failed.status, failed.failure], ['failed', 'run_failed']);
    const run = await world.run(sync);
    assert.deepEqual([run.status, run.added], ['succeeded', 0]);
    assert.deepEqual([document.endings.length, opened.ids], [1, [posted(1).id]]);
    const quiet = await world.run(sync);
    assert.deepEqual([quiet.status, document.endings.length], ['succeeded', 1]);
  });

  test('is made up for by the next run that ends well, when runs were called off before it', async () => {
    let callOff: (() => Promise<unknown>) | null = null;
    await using opened = await Scene.open({
      change: (connector) => ({
        ...connector,
        open: async (opening, signal) => {
          const writer = await connector.open(opening, signal);
          const finish = writer.finish?.bind(writer);
          writer.finish = async (ending, within) => {
            if (callOff === null) return finish?.(ending, within);
            await callOff();
            throw new Error('The run was called off.');
          };
          return writer;
        },
      }),
    });
    const { world, document } = opened;
    const account = world.account();
    world.bank.accounts.set(account, [posted(1)]);
    const sync = await opened.sync([account]);
    const enable = (enabled: boolean) => world.syncs.update(world.owner, sync.row.id, { enabled });
    for (const added of [1, 0]) {
      callOff = () => enable(false);
      const run = await world.run(sync);
      assert.deepEqual([run.status, run.added], ['cancelled', added]);
      await enable(true);
    }
    callOff = null;
    assert.equal((await world.run(sync)).status, 'succeeded');
    assert.equal(document.endings.length, 1);
    assert.equal((await world.run(sync)).status, 'succeeded');
    assert.equal(document.endings.length, 1);
  });

  test('has so long and then the run ends as timeout [limit finish_deadline_ms]', async () => {
    await using opened = await Scene.open({ limits: { finish_deadline_ms: 5000 } });
    const { world, vendor } = opened;
    const account = world.account();
    world.bank.accounts.set(account, [posted(1)]);
    const sync = await opened.sync([account]);
    vendor.troubles.set('POST /documents/end', ['hang']);
    const running = world.run(sync);
    for (let ms = 0; !vendor.calls.includes('POST /documents/end') && ms < 10_000; ms += 10) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    world.clock.advance(4999);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await world.allRuns(sync))[0]?.status, 'running');
    world.clock.advance(1);
    const run = await running;
    assert.deepEqual([run.status, run.failure, run.retryable], ['failed', 'timeout', true]);
    vendor.troubles.clear();
    assert.equal((await world.run(sync)).status, 'succeeded');
  });

  for (const close of ['fails', 'hangs'] as const) {
    test(`ends as it would have when closing the destination ${close}`, async () => {
      let closing = 0;
      await using opened = await Scene.open({
        limits: { finish_deadline_ms: 5000 },
        change: (connector) => ({
          ...connector,
          open: async (opening, signal) => {
            const writer = await connector.open(opening, signal);
            writer.close = async () => {
              closing += 1;
              if (close === 'hangs') await new Promise(() => undefined);
              throw new Error('It cannot be closed.');
            };
            return writer;
          },
        }),
      });
      const { world } = opened;
      const account = world.account();
      world.bank.accounts.set(account, [posted(1)]);
      const running = world.run(await opened.sync([account]));
      for (let ms = 0; closing === 0 && ms < 10_000; ms += 10) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      world.clock.advance(5000);
      const run = await running;
      assert.deepEqual([run.status, run.added, closing], ['succeeded', 1, 1]);
    });
  }
});

/** What a dry run says the next run will count as added and as updated. */
async function dryRunCounts(world: World, sync: Sync): Promise<[number, number]> {
  const { accounts } = await dryRun(world, sync);
  const sum = (of: (line: (typeof accounts)[number]) => number) =>
    accounts.reduce((total, line) => total + of(line), 0);
  return [sum(({ added }) => added), sum(({ updated, removed }) => updated + removed)];
}
