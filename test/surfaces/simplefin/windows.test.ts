import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { rowsOf } from '../../support/bridge.ts';
import { checkAccountSet } from '../../support/simplefin/import-client.ts';
import type { Json } from '../../support/v2-client.ts';
import { type BridgeStage, DAY, only, openStage } from './stage.ts';

describe('Windows of the bridge', () => {
  let stage: BridgeStage;

  before(async () => {
    stage = await openStage();
  });
  after(() => stage.service.close());

  it('have the rows of the last 30 days where no window is given, as v2 has', async () => {
    const shown = only(await stage.app.accounts(`account=${stage.everyday.id}`));
    const { body } = await stage.owner.v2('GET', `/v2/transactions?account=${stage.everyday.id}&limit=100`);
    assert.ok(body.data.length > 0 && body.next_page_url === null);
    assert.deepEqual(
      shown.transactions.map(({ id }: Json) => id).toSorted(),
      body.data.map(({ id }: Json) => id).toSorted(),
    );
  });

  it('have rows from start-date on and before end-date, fractions of a second included', async () => {
    const start = stage.now() - 50 * DAY;
    const end = stage.now() - 20 * DAY;
    for (const query of [
      `start-date=${start}&end-date=${end}`,
      `start-date=${start}.25&end-date=${end}.75`,
    ]) {
      const rows = rowsOf(await stage.app.accounts(`account=${stage.everyday.id}&${query}`));
      assert.ok(rows.length > 0);
      for (const row of rows) assert.ok(row.transacted_at >= start && row.transacted_at < end + 1);
    }
  });

  it('split any period without losing or repeating a row', async () => {
    const [start, end] = [stage.now() - 90 * DAY, stage.now()];
    const whole = rowsOf(
      await stage.app.accounts(`account=${stage.everyday.id}&start-date=${start}&end-date=${end}`),
    );
    const pieces: string[] = [];
    for (let at = start; at < end; at += 7 * DAY + 12_345) {
      const until = Math.min(at + 7 * DAY + 12_345, end);
      const answer = await stage.app.accounts(
        `account=${stage.everyday.id}&start-date=${at}&end-date=${until}`,
      );
      pieces.push(...rowsOf(answer).map(({ id }) => id));
    }
    assert.deepEqual(pieces.toSorted(), whole.map(({ id }) => id).toSorted());
  });

  it('reach 30 days back from an end-date without a start-date', async () => {
    const end = stage.now() - 100 * DAY;
    const rows = rowsOf(await stage.app.accounts(`account=${stage.everyday.id}&end-date=${end}`));
    assert.ok(rows.length > 0);
    for (const row of rows) assert.ok(row.transacted_at >= end - 30 * DAY && row.transacted_at < end);
  });

  it('have no rows for a period that is empty or in the future', async () => {
    const at = stage.now() - 5 * DAY;
    for (const query of [`start-date=${at}&end-date=${at}`, `start-date=${stage.now() + 3 * DAY}`]) {
      const answer = await stage.app.accounts(query);
      assert.deepEqual([answer.status, rowsOf(answer), answer.body.errors], [200, [], []], query);
    }
  });

  it('refuse a date that is none with 400 and an account set that says why', async () => {
    const wrong = [
      'start-date=yesterday',
      'end-date=2026-01-01',
      'start-date=1e9',
      'end-date=99999999999999',
    ];
    for (const query of [...wrong, `start-date=${stage.now()}&end-date=${stage.now() - 1}`]) {
      const answer = await stage.app.accounts(query);
      assert.equal(answer.status, 400, query);
      checkAccountSet(answer.body);
      assert.deepEqual(answer.body.accounts, []);
      assert.match(answer.body.errors[0], /^(?:start|end)-date must/);
    }
  });

  it('include pending rows only where pending=1 or pending=true asks for them, with posted 0 and a moment of their own', async () => {
    const upstream = await stage.upstreamOf(stage.everyday.id);
    stage.bank.appendTransactions(upstream, [
      { amount: '-7.5', description: 'Held with a moment', status: 'PENDING' },
      { amount: '-8', description: 'Held without one', status: 'PENDING', executedAt: null },
    ]);
    const start = `start-date=${stage.now() - 3 * DAY}`;
    const without = rowsOf(await stage.app.accounts(`account=${stage.everyday.id}&${start}&pending=0`));
    assert.ok(without.every((row) => row.pending === undefined && row.posted > 0));
    const rows = rowsOf(await stage.app.accounts(`account=${stage.everyday.id}&${start}&pending=1`));
    assert.deepEqual(
      rowsOf(await stage.app.accounts(`account=${stage.everyday.id}&${start}&pending=true`)),
      rows,
    );
    const held = rows.filter(({ description }) => description.startsWith('Held'));
    assert.deepEqual(held.map(({ amount }) => amount).toSorted(), ['-7.50', '-8.00']);
    for (const row of held) {
      assert.deepEqual([row.pending, row.posted], [true, 0]);
      assert.ok(Math.abs(row.transacted_at - stage.now()) < 2 * DAY);
    }
  });

  it('begin where the history does: a period from 1970 on is no error', async () => {
    const answer = await stage.app.accounts(`account=${stage.everyday.id}&start-date=0`);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body.errors, []);
    assert.ok(rowsOf(answer).length > 0);
  });

  it('before the history answer the balances that are cached, and ask no provider', async () => {
    const { app } = await stage.person({ customer: 'credit-card' });
    const query = `start-date=0&end-date=${stage.now() - 8 * 366 * DAY}`;
    stage.bank.clearRequests();
    const blank = only(await app.accounts(query));
    assert.deepEqual([blank.balance, blank['balance-date'], blank.transactions], ['0.00', 0, []]);
    assert.deepEqual(stage.bank.requests(), [], 'nothing is cached, and nothing is asked');
    const live = only(await app.accounts('balances-only=1'));
    stage.bank.clearRequests();
    const cached = await app.accounts(query);
    checkAccountSet(cached.body);
    assert.deepEqual(cached.body.errors, []);
    const shown = only(cached);
    assert.deepEqual([shown.balance, shown['balance-date']], [live.balance, live['balance-date']]);
    assert.deepEqual(stage.bank.requests(), []);
  });
});
