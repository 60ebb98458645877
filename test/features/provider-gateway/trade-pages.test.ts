import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_SECRET } from '../../../src/connectors/providers/customer-secret.ts';
import type { Provider, TradeQuery } from '../../../src/connectors/providers/provider-contract.ts';
import { MemoryCache } from '../../../src/features/provider-gateway/memory-cache.ts';
import { ProviderGateway } from '../../../src/features/provider-gateway/provider-gateway.ts';
import { SimulatedClock, systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { Metrics } from '../../../src/platform/metrics.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import type { Trade } from '../../../src/vocabulary/holdings.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { addDays, localDate } from '../../../src/vocabulary/moments.ts';
import { exactMoney } from '../../../src/vocabulary/money.ts';
import type { Capability } from '../../../src/vocabulary/providers.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { never } from './open-gateway.ts';
import { code } from './service-code.ts';

const TODAY = localDate('2026-11-20');
const EVER = { from: null, to: null };
const id = () => newRowId(systemClock);

type TradePages = NonNullable<Provider['tradePages']>;

/** A broker that can be asked for trades and for nothing else. */
function broker(tradePages: TradePages | null): Provider {
  const nothing = async () => {
    throw new UpstreamFailure('not_implemented', 'Only trades are offered.');
  };
  return {
    identifier: 'brokerage',
    capabilities: new Set<Capability>(['trades']),
    redeemsOnce: true,
    listInstitutions: nothing,
    createCustomer: nothing,
    deleteCustomer: nothing,
    standingGrants: nothing,
    beginLink: nothing,
    completeLink: nothing,
    readConsent: nothing,
    withdraw: nothing,
    listAccounts: nothing,
    readBalance: nothing,
    readDetails: nothing,
    transactionPages: () => assert.fail('nobody asks a broker for transactions'),
    ...(tradePages === null ? {} : { tradePages }),
  };
}

/** The trade of so many days ago. */
function trade(ago: number): Trade {
  return {
    id: `trd_st_${ago}`,
    symbol: 'VTI',
    name: null,
    type: 'buy',
    quantity: '0.5',
    price: exactMoney('33.1234', 'usd'),
    currency: 'usd',
    total_amount: null,
    fees: null,
    trade_date: addDays(TODAY, -ago),
    trade_datetime: '2026-11-20T09:30:00-05:00',
    settlement_date: null,
    settlement_datetime: null,
    description: null,
  };
}

function open(tradePages: TradePages | null, limits: Partial<Limits> = {}) {
  const clock = new SimulatedClock(Date.parse(`${TODAY}T12:00:00Z`));
  const gateway = new ProviderGateway({
    providers: new Map([['brokerage' as const, broker(tradePages)]]),
    cache: new MemoryCache(clock, { bytes: 10_000, ownerBytes: 10_000 }),
    limits: { ...DEFAULT_LIMITS, ...limits },
    clock,
    log: createLog({ level: 'silent' }),
    metrics: new Metrics(),
  });
  const account = {
    id: rowId('account', id()),
    upstreamId: 'acc-1',
    timezone: 'America/New_York',
    currency: 'usd',
    connection: {
      id: rowId('connection', id()),
      owner: rowId('account_record', id()),
      provider: 'brokerage' as const,
      institution: 'Broker',
      grant: { customer: 'c', secret: NO_SECRET, consent: 'k', institution: 'broker' },
      caching: true,
    },
  };
  return { gateway, account, clock };
}

const idsOf = (rows: readonly Trade[]) => rows.map((row) => row.id);

describe('Trades of a broker', () => {
  it('are asked for with the days the caller named, or none, and come without those outside of them', async () => {
    const asked: TradeQuery[] = [];
    const { gateway, account } = open(async function* (_grant, query) {
      asked.push(query);
      yield [trade(0), trade(1)];
      yield [];
      yield [trade(2), trade(3)];
    });
    const all = await gateway.trades(account, EVER, never);
    assert.deepEqual(idsOf(all), ['trd_st_0', 'trd_st_1', 'trd_st_2', 'trd_st_3']);
    assert.deepEqual(
      [all[0]?.price?.decimal, all[0]?.trade_datetime],
      ['33.1234', '2026-11-20T09:30:00-05:00'],
    );
    const since = await gateway.trades(account, { from: addDays(TODAY, -1), to: null }, never);
    assert.deepEqual(idsOf(since), ['trd_st_0', 'trd_st_1']);
    const until = await gateway.trades(account, { from: null, to: addDays(TODAY, -3) }, never);
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
    const { gateway, account } = open(async function* () {
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
    for await (const page of gateway.streamTrades(account, EVER, never)) {
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
      const { gateway, account } = open(endless, limits);
      await code(gateway.trades(account, EVER, never), 'upstream_failed');
    }
    const { gateway, account } = open(endless, { read_idle_pages: 5 });
    const future = { from: addDays(TODAY, 1), to: null };
    await code(gateway.trades(account, future, never), 'upstream_failed');
  });

  it('fail with one code on every page, and are not asked for again before the moment the broker named', async () => {
    let fetched = 0;
    const { gateway, account, clock } = open(async function* () {
      fetched += 1;
      yield [trade(1)];
      throw new UpstreamFailure('rate_limited', 'Too many.', { retryAfterSeconds: 40 });
    });
    const rows: Trade[] = [];
    const read = async () => {
      for await (const page of gateway.streamTrades(account, EVER, never)) rows.push(...page);
    };
    await code(read(), 'upstream_rate_limited');
    assert.equal(rows.length, 1);
    await code(gateway.trades(account, EVER, never), 'provider_wait');
    assert.equal(fetched, 1);
    clock.advance(40_000);
    await code(gateway.trades(account, EVER, never), 'upstream_rate_limited');
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
      const { gateway, account, clock } = open(waiting, { read_deadline_ms: 500 });
      const read = async () => {
        if (!streamed) return void (await gateway.trades(account, EVER, never));
        for await (const page of gateway.streamTrades(account, EVER, never)) assert.equal(page.length, 1);
      };
      const refused = code(read(), 'upstream_timeout');
      await clock.runFor(500);
      await refused;
    }
  });

  it('of an adapter without the read it names are not supported', async () => {
    const { gateway, account } = open(null);
    await code(gateway.trades(account, EVER, never), 'not_supported');
    await code(gateway.holdings(account, never), 'not_supported');
  });
});
