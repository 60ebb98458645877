import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Holding, Trade } from '../../../../src/vocabulary/holdings.ts';
import { addDays } from '../../../../src/vocabulary/moments.ts';
import { EPOCH } from '../../../features/sync-engine/support/bank.ts';
import { runAndDie } from '../../../features/sync-engine/support/death.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

/** Statements between two deaths: every 25th in `npm test`, as in the suite of all destinations. */
const STEP = Number(process.env.FAULT_STEP ?? 25);
const HOUR_MS = 3_600_000;
const SYMBOLS = ['ACME', 'BOLT', 'CORK'];

const facts = { name: null, currency: 'usd', quantity: '1' } as const;

function holding(symbol: string): Holding {
  return {
    ...facts,
    id: `hold_st_${symbol}`,
    symbol,
    exchange: null,
    average_price: null,
    current_price: null,
    market_value: null,
    unrealized_pnl: null,
    asset_type: null,
  };
}

function trade(id: string, symbol: string): Trade {
  return {
    ...facts,
    id,
    symbol,
    type: 'buy',
    price: null,
    total_amount: null,
    fees: null,
    trade_date: addDays(EPOCH, 45),
    trade_datetime: null,
    settlement_date: null,
    settlement_datetime: null,
    description: null,
  };
}

/** Two accounts that hold the same, and made trades under the same ids, as equal ones of two accounts have. */
async function brokerage(type: 'trades' | 'holdings') {
  const opened = await Scene.open();
  const { world } = opened;
  const accounts = [world.account(), world.account()] as const;
  for (const account of accounts) {
    world.providers.set(account, 'brokerage');
    world.bank.holdings.set(account, SYMBOLS.map(holding));
    world.bank.trades.set(
      account,
      SYMBOLS.map((symbol) => trade(`trd_st_${symbol}`, symbol)),
    );
  }
  return { opened, sync: await opened.sync(accounts, { type }) };
}

describe('A process that dies while it writes what a broker has into a spreadsheet', () => {
  for (const [type, symbolAt] of [
    ['trades', 2],
    ['holdings', 0],
  ] as const) {
    test(`leaves each row of ${type} there once, counted once, before whichever statement it dies`, async () => {
      assert.ok(STEP >= 1, 'FAULT_STEP is a number of statements');
      let deaths = 0;
      for (let statement = 4; ; statement += STEP) {
        const { opened, sync } = await brokerage(type);
        await using _ = opened;
        const { world } = opened;
        const died = await runAndDie(world, sync, statement);
        world.clock.advance(HOUR_MS);
        const ended = await world.run(sync);
        const about = `${type}, before statement ${statement}`;
        assert.deepEqual([ended.status, ended.failure], ['succeeded', null], about);
        const symbols = opened
          .grid()
          .slice(1)
          .map((row) => row[symbolAt]);
        assert.deepEqual(symbols.toSorted(), [...SYMBOLS, ...SYMBOLS].toSorted(), about);
        const added = (await world.allRuns(sync)).reduce((sum, run) => sum + run.added, 0);
        assert.equal(added, 6, about);
        assert.deepEqual(await world.inDoubt(sync), [], about);
        if (!died) break;
        deaths += 1;
      }
      assert.ok(deaths * STEP > 24, `it died ${deaths} times`);
    });
  }
});
