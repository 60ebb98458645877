import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TradeQuery } from '../../../src/connectors/providers/provider-contract.ts';
import type { Trade } from '../../../src/vocabulary/holdings.ts';
import { addDays } from '../../../src/vocabulary/moments.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { allTrades, openBroker, TODAY, type TradePages, trade } from './open-broker.ts';
import { never } from './open-gateway.ts';
import { code } from './service-code.ts';

const EVER = { from: null, to: null };
const idsOf = (rows: readonly Trade[]) => rows.map((row) => row.id);

describe('Trades of a broker', () => {
  it('are asked for with the days the caller named, or none, and come without those outside of them', async () => {
    const asked: TradeQuery[] = [];
    const { gateway, account } = openBroker(async function* (_grant, query) {
      asked.push(query);
      yield [trade(0), trade(1)];
      yield [];
      yield [trade(2), trade(3)];
    });
    const all = await allTrades(gateway, account, EVER);
    assert.deepEqual(idsOf(all), ['trd_st_0', 'trd_st_1', 'trd_st_2', 'trd_st_3']);
    assert.deepEqual(
      [all[0]?.price?.decimal, all[0]?.trade_datetime],
      ['33.1234', '2026-11-20T09:30:00-05:00'],
    );
    const since = await allTrades(gateway, account, { from: addDays(TODAY, -1), to: null });
    assert.deepEqual(idsOf(since), ['trd_st_0', 'trd_st_1']);
    const until = await allTrades(gateway, account, { from: null, to: addDays(TODAY, -3) });
    assert.deepEqual(idsOf(until), ['trd_st_3']);
    assert.deepEqual(
      asked.map(({ account: of, from, to }) => [of, from, to]),
      [
        ['acc-1', null, null],
        ['acc-1', '2026-11-19', null],
        ['acc-1', null, '2026-11-17'],
      ],
    );
  });

  it('come a page at a time to one who stops early, and no page is fetched after that', async () => {
    let fetched = 0;
    let ended = false;
    const { gateway, account } = openBroker(async function* () {
      try {
        for (; fetched < 1000; ) {
          fetched += 1;
          yield [trade(fetched)];
        }
      } finally {
        ended = true;
      }
    });
    const seen: Trade[] = [];
    for await (const page of gateway.positions.streamTrades(account, EVER, never)) {
      seen.push(...page);
      if (seen.length === 2) break;
    }
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([fetched, ended], [2, true]);
  });

  it('end where the pages of a broker do not', async () => {
    const endless: TradePages = async function* () {
      for (let page = 0; ; page++) yield [trade(page % 300)];
    };
    for (const limits of [{ read_pages: 5 }, { read_rows: 5 }]) {
      const { gateway, account } = openBroker(endless, limits);
      await code(allTrades(gateway, account, EVER), 'upstream_failed');
    }
    const { gateway, account } = openBroker(endless, { read_idle_pages: 5 });
    const future = { from: addDays(TODAY, 1), to: null };
    await code(allTrades(gateway, account, future), 'upstream_failed');
  });

  it('fail with one code on every page, and are not asked for again before the moment the broker named', async () => {
    let fetched = 0;
    const { gateway, account, clock } = openBroker(async function* () {
      fetched += 1;
      yield [trade(1)];
      throw new UpstreamFailure('rate_limited', 'Too many.', { retryAfterSeconds: 40 });
    });
    const rows: Trade[] = [];
    const read = async () => {
      for await (const page of gateway.positions.streamTrades(account, EVER, never)) rows.push(...page);
    };
    await code(read(), 'upstream_rate_limited');
    assert.equal(rows.length, 1);
    await code(allTrades(gateway, account, EVER), 'provider_wait');
    assert.equal(fetched, 1);
    clock.advance(40_000);
    await code(allTrades(gateway, account, EVER), 'upstream_rate_limited');
    assert.equal(fetched, 2);
  });

  it('are waited for within the deadline of one read, or of each page', async () => {
    const waiting: TradePages = async function* (_grant, _query, signal) {
      yield [trade(1)];
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    };
    for (const streamed of [false, true]) {
      const { gateway, account, clock } = openBroker(waiting, { read_deadline_ms: 500 });
      const read = async () => {
        if (!streamed) return void (await allTrades(gateway, account, EVER));
        for await (const page of gateway.positions.streamTrades(account, EVER, never))
          assert.equal(page.length, 1);
      };
      const refused = code(read(), 'upstream_timeout');
      await clock.runFor(500);
      await refused;
    }
  });

  it('of an adapter without the read it names are not supported', async () => {
    const { gateway, account } = openBroker(null);
    await code(allTrades(gateway, account, EVER), 'not_supported');
    await code(gateway.positions.holdings(account, never), 'not_supported');
  });
});
