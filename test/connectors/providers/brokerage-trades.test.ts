import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mapTrade } from '../../../src/connectors/providers/brokerage/map-trade.ts';
import { parseExact } from '../../../src/connectors/providers/kit/json.ts';
import type { Trade } from '../../../src/vocabulary/holdings.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { type Brokerage, never, openBrokerage } from './brokerage-broker.ts';
import { json, type Script, withScriptedBroker } from './brokerage-script.ts';
import { fails } from './provider-contract.ts';

const CONTEXT = { timezone: 'America/New_York', currency: 'usd' };

const row = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: 'a-1',
  type: 'BUY',
  trade_date: '2026-03-10T00:00:00Z',
  settlement_date: '2026-03-12T00:00:00Z',
  symbol: { symbol: 'VTI', description: 'Fund', currency: { code: 'USD' } },
  option_symbol: null,
  currency: { code: 'USD' },
  units: '2',
  price: '10.5',
  amount: '-21',
  fee: '0',
  description: 'BOUGHT',
  ...more,
});
const trade = (more: Record<string, unknown> = {}): Trade => mapTrade(row(more), CONTEXT).trade(1);

describe('A trade of SnapTrade', () => {
  it('has the day that the broker sent as a day, whatever the zone of the account', () => {
    for (const sent of [
      '2026-03-10T00:00:00Z',
      '2026-03-10T00:00:00.000000Z',
      '2026-03-10T00:00:00+00:00',
      '2026-03-10',
    ]) {
      const made = trade({ trade_date: sent });
      assert.deepEqual([made.trade_date, made.trade_datetime], ['2026-03-10', null], sent);
    }
  });

  it('has the day of the account’s zone where the broker sent a moment, on the days of a switch too', () => {
    for (const [sent, day] of [
      ['2026-03-08T04:59:59Z', '2026-03-07'],
      ['2026-03-08T05:00:00Z', '2026-03-08'],
      ['2026-03-09T03:59:59Z', '2026-03-08'],
      ['2026-03-09T04:00:00Z', '2026-03-09'],
      ['2026-11-02T04:59:59Z', '2026-11-01'],
    ] as const) {
      const made = trade({ trade_date: sent });
      assert.deepEqual([made.trade_date, made.trade_datetime], [day, sent]);
    }
  });

  it('has the day of its exchange where the vendor tells its zone, and that of the account where it does not', () => {
    const at = (timezone: string | null, sent: string) =>
      trade({ trade_date: sent, symbol: { symbol: 'X', exchange: { timezone } } }).trade_date;
    assert.equal(at('Australia/Sydney', '2026-03-09T23:30:00Z'), '2026-03-10');
    assert.equal(at('Asia/Tokyo', '2026-03-10T00:30:00Z'), '2026-03-10');
    assert.equal(at('Europe/London', '2026-03-10T08:00:00Z'), '2026-03-10');
    for (const unknown of [null, 'EST5', 'somewhere'])
      assert.equal(at(unknown, '2026-03-10T02:00:00Z'), '2026-03-09', String(unknown));
    assert.equal(at('Australia/Sydney', '2026-03-10T00:00:00Z'), '2026-03-10', 'a day is a day');
    const option = { ticker: 'X', underlying_symbol: { exchange: { timezone: 'Europe/London' } } };
    const made = trade({ trade_date: '2026-03-10T02:00:00Z', symbol: null, option_symbol: option });
    assert.equal(made.trade_date, '2026-03-10');
  });

  it('is of UTC where its moment names no offset, and settles on no day where that cannot be read', () => {
    for (const sent of ['2026-03-10T15:30:00', '2026-03-10 15:30:00', '2026-03-10T15:30:00.000']) {
      const made = trade({ trade_date: sent });
      assert.deepEqual(
        [made.trade_date, Date.parse(made.trade_datetime ?? '')],
        ['2026-03-10', Date.parse('2026-03-10T15:30:00Z')],
      );
      assert.equal(made.id, trade({ trade_date: '2026-03-10T15:30:00Z' }).id);
    }
    const unsettled = trade({ settlement_date: 'T+2' });
    assert.deepEqual([unsettled.settlement_date, unsettled.settlement_datetime], [null, null]);
  });

  it('keeps every digit of a JSON number, however long or small', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
        fc.stringMatching(/^\d{1,18}$/),
        (whole, fraction) => {
          const digits = `${whole}.${fraction}`;
          const parsed = parseExact(JSON.stringify(row()).replace('"price":"10.5"', `"price":${digits}`));
          assert.ok(typeof parsed === 'object' && parsed !== null);
          assert.equal(mapTrade({ ...parsed }, CONTEXT).trade(1).price?.decimal, digits);
        },
      ),
    );
  });

  it('has the same id whichever way the broker writes the same figures, and however its own id changes', () => {
    const { id } = trade();
    assert.match(id, /^trd_st_snap_[0-9a-f]{32}$/);
    for (const same of [
      { id: 'another' },
      { price: '10.50', units: '2.000', amount: '-21.0' },
      { trade_date: '2026-03-10T00:00:00.000Z' },
      { type: 'buy' },
      { description: 'read anew', fee: '1' },
    ])
      assert.equal(trade(same).id, id, JSON.stringify(same));
    for (const other of [
      { price: '10.51' },
      { units: '3' },
      { amount: '-22' },
      { amount: null },
      { trade_date: '2026-03-11T00:00:00Z' },
      { type: 'SELL' },
      { symbol: { symbol: 'VTI.TO' } },
    ])
      assert.notEqual(trade(other).id, id, JSON.stringify(other));
  });

  it('has the currency of the row, else of its security, else of the account, and no amounts in a coin', () => {
    const currency = (more: Record<string, unknown>) => [
      trade(more).currency,
      trade(more).price?.decimal ?? null,
    ];
    assert.deepEqual(currency({ currency: { code: 'CAD' } }), ['cad', '10.5']);
    assert.deepEqual(currency({ currency: null }), ['usd', '10.5']);
    assert.deepEqual(currency({ currency: null, symbol: null }), ['usd', '10.5']);
    assert.deepEqual(currency({ currency: null, currency_universal_symbol: { symbol: 'USDT' } }), [
      'usd',
      null,
    ]);
    assert.deepEqual(currency({ currency: { code: 'USDT' } }), ['usd', null]);
  });

  it('is refused without any date, and with an invalid figure or date', () => {
    for (const more of [
      { trade_date: null, settlement_date: null },
      { trade_date: 'soon' },
      { price: 'cheap' },
      { amount: '9'.repeat(30) },
    ])
      assert.throws(() => trade(more), { situation: 'malformed' }, JSON.stringify(more));
    assert.equal(trade({ trade_date: null }).trade_date, '2026-03-12');
  });

  it('has a type for every type the vendor names, and another for the rest', () => {
    const types = Object.fromEntries(
      [
        'BUY REI SELL DIVIDEND SUBSTITUTE_DIVIDEND DISTRIBUTION RETURN_OF_CAPITAL SPLIT REVERSE_SPLIT STOCK_DIVIDEND',
        'CONTRIBUTION WITHDRAWAL TRANSFER EXTERNAL_ASSET_TRANSFER_IN INTERNAL_CASH_TRANSFER_OUT FEE TAX INTEREST',
        'OPTIONEXPIRATION OPTIONASSIGNMENT OPTIONEXERCISE SPINOFF STOCK_MERGER ADJUSTMENT REBATE MOON_LANDING',
      ].flatMap((line) => line.split(' ').map((type) => [type, trade({ type }).type])),
    );
    assert.deepEqual(
      { ...Object.groupBy(Object.keys(types), (type) => types[type] ?? '') },
      {
        buy: ['BUY', 'REI'],
        sell: ['SELL'],
        dividend: ['DIVIDEND', 'SUBSTITUTE_DIVIDEND', 'DISTRIBUTION', 'RETURN_OF_CAPITAL'],
        split: ['SPLIT', 'REVERSE_SPLIT', 'STOCK_DIVIDEND'],
        transfer: [
          'CONTRIBUTION',
          'WITHDRAWAL',
          'TRANSFER',
          'EXTERNAL_ASSET_TRANSFER_IN',
          'INTERNAL_CASH_TRANSFER_OUT',
        ],
        fee: ['FEE', 'TAX'],
        interest: ['INTEREST'],
        other: [
          'OPTIONEXPIRATION',
          'OPTIONASSIGNMENT',
          'OPTIONEXERCISE',
          'SPINOFF',
          'STOCK_MERGER',
          'ADJUSTMENT',
          'REBATE',
          'MOON_LANDING',
        ],
      },
    );
  });
});

/** A list that changes between two pages: `list` is called for each page. */
function paged(list: (page: number) => readonly Record<string, unknown>[]): Script {
  let pages = 0;
  return (url) => {
    if (!url.pathname.endsWith('/activities')) return null;
    const until = url.searchParams.get('endDate') ?? '9999-12-31';
    const offset = Number(url.searchParams.get('offset'));
    const all = list(pages++).filter(({ trade_date: date }) => String(date).slice(0, 10) <= until);
    return json({
      data: all.slice(offset, offset + 1000),
      pagination: { offset, limit: 1000, total: all.length },
    });
  };
}

/** So many rows, two of each day, numbered from the oldest; each twice equal in content to the next. */
function rows(from: number, to: number): Record<string, unknown>[] {
  return Array.from({ length: to - from }, (_, at) => {
    const number = to - 1 - at;
    const day = new Date(Date.parse('2015-01-01') + Math.floor(number / 2) * 86_400_000);
    return row({ id: `id-${number}`, trade_date: day.toISOString() });
  });
}

describe('Trades read by pages', () => {
  it('miss none and repeat none while rows arrive in front of the list', async () => {
    await withScriptedBroker(
      paged((page) => rows(0, 2500 + 7 * page)),
      async ({ trades, asked }) => {
        const found = await trades();
        assert.equal(found.length, 2500);
        assert.equal(new Set(found.map(({ id }) => id)).size, 2500);
        assert.equal(asked.filter(({ pathname }) => pathname.endsWith('/activities')).length, 3);
      },
    );
  });

  it('miss none of those that stay where rows went from the front between two pages', async () => {
    await withScriptedBroker(
      paged((page) => rows(0, page === 0 ? 2500 : 2450)),
      async ({ trades }) => {
        const found = await trades();
        assert.equal(new Set(found.map(({ id }) => id)).size, found.length);
        assert.equal(found.length, 2500, 'those of the first page were passed on before they went');
      },
    );
  });

  it('continue if the vendor gave every row another id in the meantime', async () => {
    await withScriptedBroker(
      paged((page) => rows(0, 2500).map((one) => ({ ...one, id: `${page === 0}-${one.id}` }))),
      async ({ trades }) => {
        const found = await trades();
        assert.equal(found.length, 2500);
        assert.equal(new Set(found.map(({ id }) => id)).size, 2500);
      },
    );
  });

  it('end as a failure where the list keeps changing under the read', async () => {
    await withScriptedBroker(
      paged((page) => rows(0, 5500).map((one) => ({ ...one, id: `${page}-${one.id}` }))),
      async ({ trades }) => {
        await fails(trades(), 'stale_cursor');
      },
    );
  });

  it('end where the vendor says there is more and sends the same again', async () => {
    const stuck: Script = (url) =>
      url.pathname.endsWith('/activities')
        ? json({ data: rows(0, 1000), pagination: { total: 1_000_000 } })
        : null;
    await withScriptedBroker(stuck, async ({ trades }) => {
      await fails(trades(), 'malformed');
    });
  });

  it('miss none where the vendor orders rows of one day again for each page', async () => {
    for (const perDay of [7, 900, 2400]) {
      const all = rows(0, 2400).map((one, at) => ({
        ...one,
        trade_date: new Date(Date.parse('2026-01-01') - Math.floor(at / perDay) * 86_400_000).toISOString(),
        amount: String(-at),
      }));
      const turned = (by: number) =>
        Object.values(Object.groupBy(all, ({ trade_date: day }) => day)).flatMap((day = []) => [
          ...day.slice(by % day.length),
          ...day.slice(0, by % day.length),
        ]);
      // Turned back and forth on a day of more than a page: after its first attempt, the vendor stays with one order.
      const list = (page: number) => turned(perDay > 1000 ? (page < 2 ? page * 400 : 0) : page * 3);
      await withScriptedBroker(paged(list), async ({ trades }) => {
        const found = await trades();
        assert.equal(found.length, 2400, String(perDay));
        assert.equal(new Set(found.map(({ id }) => id)).size, 2400);
      });
    }
  });

  it('end as a failure, and not as fewer, where the vendor counts more than it sends', async () => {
    const lost = paged(() => [...rows(0, 700), ...rows(0, 1).map((one) => ({ ...one, id: 'id-5' }))]);
    await withScriptedBroker(lost, async ({ trades }) => {
      await fails(trades(), 'stale_cursor');
    });
  });

  it('are read whole on a day of more than are remembered, and once: never again after the list changed', async () => {
    const rows = 61_500;
    const script =
      (changesAt: number): Script =>
      (url) => {
        if (!url.pathname.endsWith('/activities')) return null;
        const [offset, limit] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name)));
        assert.ok(offset !== undefined && limit !== undefined);
        const gone = offset >= changesAt ? 2 : 0;
        const length = Math.max(0, Math.min(limit, rows - offset - gone));
        const data = Array.from({ length }, (_, at) => {
          const number = offset + at + gone;
          return row({ id: `a-${number}`, price: `${number}` });
        });
        return json({ data, pagination: { offset, limit, total: rows } });
      };
    await withScriptedBroker(script(rows), async (broker) => {
      assert.equal(new Set((await broker.trades()).map(({ id }) => id)).size, rows);
    });
    await withScriptedBroker(script(rows - 1_000), async (broker) => {
      const found: string[] = [];
      await fails(broker.trades({}, found), 'stale_cursor');
      assert.ok(found.length > 50_000);
      assert.equal(new Set(found).size, found.length);
    });
  });

  it('number equal executions by what else they say, whichever way round they come', async () => {
    const equal = [
      row({ id: 'a', description: 'FIRST' }),
      row({ id: 'b', description: 'SECOND', fee: '1' }),
      row({ id: 'c', description: 'SECOND', fee: '2' }),
      row({ id: 'd', description: 'SECOND', fee: '2', settlement_date: '2026-03-13' }),
    ];
    const named = async (list: readonly Record<string, unknown>[]) => {
      const names: Record<string, string> = {};
      await withScriptedBroker(
        paged(() => list),
        async ({ trades }) => {
          for (const { id, description, fees, settlement_date: settled } of await trades())
            names[id] = JSON.stringify([description, fees?.decimal, settled]);
        },
      );
      return names;
    };
    const once = await named(equal);
    assert.equal(Object.keys(once).length, 4);
    assert.deepEqual(await named(equal.toReversed()), once);
  });

  it('number equal executions, so that none is mistaken for another', async () => {
    const equal = ['a', 'b', 'c'].map((id) => row({ id }));
    await withScriptedBroker(
      paged(() => equal),
      async ({ trades }) => {
        const [first, second, third] = await trades();
        assert.equal(second?.id, `${first?.id}-2`);
        assert.equal(third?.id, `${first?.id}-3`);
      },
    );
  });

  it('ask for a day more on either side, since the vendor’s days are of UTC, and for no bound that was not asked', async () => {
    await withScriptedBroker(
      () => null,
      async ({ trades, asked }) => {
        await trades({ from: localDate('2026-03-10'), to: localDate('2026-03-11') });
        await trades();
        const queries = asked.filter(({ pathname }) => pathname.endsWith('/activities'));
        const bounds = queries.map(({ searchParams: sent }) => [sent.get('startDate'), sent.get('endDate')]);
        assert.deepEqual(bounds, [
          ['2026-03-09', '2026-03-12'],
          [null, null],
        ]);
      },
    );
  });
});

describe('Rows that name no currency', () => {
  it('have that of the account, which its cash names where its value does not', async () => {
    const script: Script = (url) => {
      if (url.pathname === '/accounts/acc-1') return json({ id: 'acc-1', balance: { total: null } });
      if (url.pathname.endsWith('/balances')) return json([{ currency: { code: 'CAD' }, cash: '1' }]);
      if (url.pathname.endsWith('/activities'))
        return json({ data: [row({ currency: null, symbol: null })], pagination: { total: 1 } });
      if (url.pathname.endsWith('/positions/all'))
        return json({ results: [{ instrument: { id: 'i-1', symbol: 'X' }, units: '1', price: '2' }] });
      return null;
    };
    await withScriptedBroker(script, async ({ provider, access, trades }) => {
      assert.equal((await trades())[0]?.currency, 'cad');
      const [holding] = await provider.readHoldings(access, 'acc-1', never);
      assert.deepEqual([holding?.currency, holding?.current_price?.money.currency], ['cad', 'cad']);
    });
  });
});

describe('Trades at the simulator', () => {
  let brokerage: Brokerage;
  const all = async (customer: string): Promise<Trade[]> => {
    const access = await brokerage.linked(customer);
    const [account] = await brokerage.provider.listAccounts(access, never);
    assert.ok(account);
    const query = { account: account.id, timezone: 'America/New_York', from: null, to: null };
    const found: Trade[] = [];
    for await (const page of brokerage.provider.tradePages(access, query, never)) found.push(...page);
    return found;
  };

  it('are read to the last row of twelve thousand', async (t) => {
    brokerage = await openBrokerage();
    t.after(() => brokerage.shut());
    const found = await all('rows:12345');
    assert.equal(found.length, 12_345);
    assert.equal(new Set(found.map(({ id }) => id)).size, 12_345);
  });

  it('have the day of the exchange they were made at', async (t) => {
    brokerage = await openBrokerage();
    t.after(() => brokerage.shut());
    const access = await brokerage.linked('no-transactions');
    const [account] = await brokerage.provider.listAccounts(access, never);
    assert.ok(account);
    brokerage.simulator.control.appendActivities(
      account.id,
      ['BHP.AX', 'VOD.L', 'AAPL'].map((symbol) => ({
        type: 'BUY',
        symbol,
        tradeDate: '2026-11-10T00:30:00Z',
      })),
    );
    const query = { account: account.id, timezone: 'America/New_York', from: null, to: null };
    const days: Record<string, string> = {};
    for await (const page of brokerage.provider.tradePages(access, query, never))
      for (const { symbol, trade_date: day } of page) days[symbol ?? ''] = day;
    assert.deepEqual(days, { 'BHP.AX': '2026-11-10', 'VOD.L': '2026-11-10', AAPL: '2026-11-09' });
  });

  it('keep their ids when the vendor reads a statement again', async (t) => {
    brokerage = await openBrokerage();
    t.after(() => brokerage.shut());
    const access = await brokerage.linked('day-trader');
    const [account] = await brokerage.provider.listAccounts(access, never);
    assert.ok(account);
    const query = { account: account.id, timezone: 'America/New_York', from: null, to: null };
    const ids = async () => {
      const found: string[] = [];
      for await (const page of brokerage.provider.tradePages(access, query, never))
        found.push(...page.map(({ id }) => id));
      return found;
    };
    const before = await ids();
    brokerage.simulator.control.reread(account.id);
    assert.deepEqual(await ids(), before);
    assert.ok(before.some((id) => id.endsWith('-3')));
  });
});
