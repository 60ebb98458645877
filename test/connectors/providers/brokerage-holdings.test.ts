import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { mapAccount, mapBalance } from '../../../src/connectors/providers/brokerage/map-account.ts';
import { mapHolding } from '../../../src/connectors/providers/brokerage/map-holding.ts';
import { type Brokerage, never, openBrokerage } from './brokerage-broker.ts';
import { json, withScriptedBroker } from './brokerage-script.ts';
import { fails } from './provider-contract.ts';

const CONTEXT = { account: 'acc-1', currency: 'usd' };
const STOCK = {
  kind: 'stock',
  id: 'i-1',
  symbol: 'VTI',
  description: 'Fund',
  currency: 'USD',
  exchange: 'ARCX',
};

const holding = (more: Record<string, unknown> = {}, instrument: Record<string, unknown> = STOCK) =>
  mapHolding(
    { instrument, units: '2', price: '10', cost_basis: '8', currency: 'USD', ...more },
    CONTEXT,
  )?.holding(1) ?? null;

describe('A holding of SnapTrade', () => {
  it('is worth its units times its price, and gains the difference to its cost, to the last digit', () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 6n }), fc.stringMatching(/^\d{1,10}$/))
      .map(([whole, fraction]) => `${whole}.${fraction}`);
    const scaled = (text: string) =>
      BigInt(text.replace('.', '')) * 10n ** BigInt(10 - (text.split('.')[1] ?? '').length);
    fc.assert(
      fc.property(decimal, decimal, decimal, (units, price, cost) => {
        const made = holding({ units, price, cost_basis: cost });
        assert.equal(made?.quantity, units);
        assert.equal(made.current_price?.decimal, price);
        assert.equal(made.average_price?.decimal, cost);
        const exact = (text: string | undefined) => {
          const [whole = '', fraction = ''] = (text ?? '').replace('-', '').split('.');
          const value = BigInt(whole + fraction.padEnd(20, '0'));
          return text?.startsWith('-') === true ? -value : value;
        };
        assert.equal(exact(made.market_value?.decimal), scaled(units) * scaled(price));
        assert.equal(exact(made.unrealized_pnl?.decimal), scaled(units) * (scaled(price) - scaled(cost)));
      }),
    );
  });

  it('counts a contract as what it is over, and leaves the gain of an option open', () => {
    const option = { kind: 'option', id: 'o', symbol: 'VTI 30C', multiplier: '100' };
    assert.equal(holding({}, option)?.market_value?.decimal, '2000');
    assert.equal(holding({}, { ...option, multiplier: '10' })?.market_value?.decimal, '200');
    assert.equal(holding({}, { ...option, multiplier: undefined })?.market_value?.decimal, '2000');
    assert.equal(holding({}, option)?.unrealized_pnl, null);
    const future = { kind: 'future', id: 'f', symbol: 'ES', multiplier: '50' };
    assert.equal(holding({}, future)?.market_value?.decimal, '1000');
    assert.equal(holding({}, future)?.unrealized_pnl?.decimal, '200');
    assert.equal(
      holding({}, { ...future, multiplier: null })?.market_value,
      null,
      'nobody says what it is over',
    );
  });

  it('is negative where it was sold without being held', () => {
    const short = holding({ units: '-2' });
    assert.deepEqual(
      [short?.quantity, short?.market_value?.decimal, short?.unrealized_pnl?.decimal],
      ['-2', '-20', '-4'],
    );
    assert.notEqual(short?.id, holding()?.id);
  });

  it('has the type of asset that the broker names, else none', () => {
    const typeOf = (kind: unknown) => holding({}, { ...STOCK, kind })?.asset_type;
    assert.deepEqual(
      ['stock', 'adr', 'etf', 'mutualfund', 'cef', 'crypto', 'cfd', 'warrant', undefined].map(typeOf),
      ['stock', 'adr', 'etf', 'mutual_fund', 'closed_end_fund', 'crypto', 'cfd', 'other', null],
    );
  });

  it('leaves out what the broker does not say, and the position itself where its units are unknown', () => {
    const bare = holding({ price: null, cost_basis: null });
    assert.deepEqual(
      [bare?.current_price, bare?.average_price, bare?.market_value, bare?.unrealized_pnl],
      [null, null, null, null],
    );
    assert.equal(holding({ units: null }), null);
    assert.equal(holding({ cost_basis: null })?.market_value?.decimal, '20');
  });

  it('has no amounts where it is priced in a coin, and those of its listing where it names no currency', () => {
    const coin = holding({ currency: 'USDT' });
    assert.deepEqual([coin?.currency, coin?.current_price, coin?.quantity], ['usd', null, '2']);
    assert.equal(holding({ currency: null }, { ...STOCK, currency: 'CAD' })?.currency, 'cad');
    assert.equal(holding({ currency: null }, { ...STOCK, currency: null })?.currency, 'usd');
  });

  it('is refused with invalid units, and without a security; an invalid price is null', () => {
    assert.throws(() => holding({ units: 'many' }), { situation: 'malformed' });
    const priceless = holding({ price: '1e400' });
    assert.deepEqual([priceless?.current_price, priceless?.market_value], [null, null]);
    assert.throws(() => mapHolding({ units: '1' }, CONTEXT), { situation: 'malformed' });
  });

  it('takes a figure with a plus, and nothing sold of nothing, as the figure', () => {
    assert.equal(holding({ units: '+5' })?.market_value?.decimal, '50');
    const none = holding({ units: '-0' });
    assert.deepEqual([none?.quantity, none?.market_value?.decimal], ['0', '0']);
    assert.equal(none?.id, holding({ units: '0' })?.id);
  });

  it('takes prices with exponents as their digits', () => {
    assert.equal(holding({ price: '1.5e-7' })?.current_price?.decimal, '0.00000015');
  });
});

describe('An account of SnapTrade', () => {
  const row = (more: Record<string, unknown> = {}) => ({
    id: 'acc-1',
    number: 'Q6542138443',
    institution_name: 'Broker',
    balance: { total: { amount: '10.005', currency: 'CAD' } },
    ...more,
  });
  const cash = (code: string, amount: string) => ({ currency: { code }, cash: amount });

  it('has a name, a masked number, a type and whether it is open', () => {
    const { name, maskedNumber, type, available, currency } = mapAccount(row(), []);
    assert.deepEqual(
      [name, maskedNumber, type, available, currency],
      ['Broker xxxx8443', 'xxxx8443', 'investment', true, 'cad'],
    );
    assert.equal(mapAccount(row({ name: 'TFSA' }), []).name, 'TFSA');
    for (const [category, expected] of [
      ['DEPOSIT', 'transaction'],
      ['LOC', 'loan'],
      ['INVESTMENT', 'investment'],
      ['NEW', 'other'],
    ] as const)
      assert.equal(mapAccount(row({ account_category: category }), []).type, expected);
    for (const status of ['closed', 'archived', 'unavailable'])
      assert.equal(mapAccount(row({ status }), []).available, false);
  });

  it('is known again by the broker’s own id of it, else by a number that is whole', () => {
    assert.equal(mapAccount(row({ institution_account_id: '549-53432' }), []).fullNumber, '54953432');
    assert.equal(mapAccount(row(), []).fullNumber, 'Q6542138443');
    for (const masked of ['****8443', 'xxxx8443', '43'])
      assert.equal(mapAccount(row({ number: masked }), []).fullNumber, null);
  });

  it('says when its holdings were last fetched, where the vendor tells the moment', () => {
    const fetched = (sent: unknown) =>
      mapAccount(row({ sync_status: { holdings: { last_successful_sync: sent } } }), []).refreshedAt;
    assert.equal(fetched('2026-11-20T10:00:00Z'), Date.parse('2026-11-20T10:00:00Z'));
    for (const unsaid of [null, 'yesterday']) assert.equal(fetched(unsaid), undefined);
    assert.equal(mapAccount(row(), []).refreshedAt, undefined);
  });

  it('has the currency of its value, else of its first cash, else dollars', () => {
    const unnamed = row({ balance: { total: null } });
    assert.equal(mapAccount(unnamed, [cash('EUR', '1'), cash('USD', '2')]).currency, 'eur');
    assert.equal(mapAccount(unnamed, []).currency, 'usd');
  });

  it('has its value for a balance and the cash of that currency alone, never a sum over currencies', () => {
    const { currentDecimal, availableDecimal, current, currency } = mapBalance(row(), [
      cash('USD', '5'),
      cash('CAD', '-3.1'),
    ]);
    assert.deepEqual([currentDecimal, availableDecimal, currency], ['10.005', '-3.1', 'cad']);
    assert.deepEqual(current, { amount: 1001, currency: 'cad' });
    assert.equal(mapBalance(row(), [cash('USD', '5')]).available, null);
  });
});

describe('Holdings at the simulator', () => {
  let brokerage: Brokerage;
  before(async () => {
    brokerage = await openBrokerage({ settings: { firstSyncDelayMs: 0 } });
  });
  after(() => brokerage.shut());

  const account = async (customer: string) => {
    const access = await brokerage.linked(customer);
    const [first] = await brokerage.provider.listAccounts(access, never);
    return { access, id: first?.id ?? assert.fail('no account') };
  };

  it('are none where there are none, and an error where the broker shows none', async () => {
    const empty = await account('cash-only');
    assert.deepEqual(await brokerage.provider.readHoldings(empty.access, empty.id, never), []);
    const hidden = await account('hidden-holdings');
    await fails(brokerage.provider.readHoldings(hidden.access, hidden.id, never), 'not_implemented');
  });

  it('keep a fund that counts as cash, once', async () => {
    const { access, id } = await account('self-directed');
    const holdings = await brokerage.provider.readHoldings(access, id, never);
    assert.equal(holdings.filter(({ symbol }) => symbol === 'CASHX').length, 1);
  });

  it('are those of contracts, coins and short positions to the last digit', async () => {
    const { access, id } = await account('derivatives');
    const holdings = await brokerage.provider.readHoldings(access, id, never);
    const bitcoin = holdings.find(({ symbol }) => symbol === 'BTC');
    assert.equal(bitcoin?.quantity, '0.012345678901234567');
    assert.equal(bitcoin.market_value?.decimal, '755.982312827307216281105481741');
    assert.deepEqual(
      holdings.map(({ quantity }) => quantity.startsWith('-')),
      [false, true, false, true, false, false],
    );
  });

  it('are being copied at first, which is no empty list', async () => {
    const slow = await openBrokerage({ settings: { firstSyncDelayMs: 60_000 } });
    try {
      const access = await slow.linked('self-directed');
      await fails(slow.provider.listAccounts(access, never), 'not_ready');
      const [id = ''] = slow.simulator.control.connections()[0]?.accounts ?? [];
      await fails(slow.provider.readHoldings(access, id, never), 'not_ready');
      assert.equal(await slow.provider.readHistoryState(access, id, never), 'loading');
      slow.time.now += 61_000;
      assert.equal((await slow.provider.listAccounts(access, never)).length, 2);
      assert.equal(await slow.provider.readHistoryState(access, id, never), 'complete');
    } finally {
      await slow.shut();
    }
  });

  it('and trades that are there in part are not the whole, each on its own', async () => {
    const settings = { holdingsDelayMs: 60_000, tradesDelayMs: 120_000 };
    const slow = await openBrokerage({ settings });
    try {
      const access = await slow.linked('self-directed');
      const [id = ''] = slow.simulator.control.connections()[0]?.accounts ?? [];
      const trades = async () => {
        let count = 0;
        const query = { account: id, timezone: 'America/New_York', from: null, to: null };
        for await (const page of slow.provider.tradePages(access, query, never)) count += page.length;
        return count;
      };
      await fails(slow.provider.readHoldings(access, id, never), 'not_ready');
      await fails(trades(), 'not_ready');
      slow.time.now += 61_000;
      assert.equal((await slow.provider.readHoldings(access, id, never)).length, 3);
      await fails(trades(), 'not_ready');
      assert.equal(await slow.provider.readHistoryState(access, id, never), 'loading');
      slow.time.now += 61_000;
      assert.equal(await trades(), slow.simulator.control.activitiesOf(id));
    } finally {
      await slow.shut();
    }
  });

  it('come from every page, however many the vendor sends at once', async () => {
    const position = (at: number) => ({
      instrument: { ...STOCK, id: `i-${at}` },
      units: '1',
      price: '1',
      currency: 'USD',
    });
    const all = Array.from({ length: 1203 }, (_, at) => position(at));
    for (const script of [
      (page: number, size: number) => ({ results: all.slice((page - 1) * size, page * size) }),
      (page: number) => ({ results: all.slice((page - 1) * 100, page * 100), total: all.length }),
      (page: number) => ({
        results: all.slice((page - 1) * 100, page * 100),
        next: page < 13 ? 'more' : null,
      }),
      () => ({ results: all }),
    ]) {
      const answer = (url: URL) =>
        url.pathname.endsWith('/positions/all')
          ? json(script(Number(url.searchParams.get('page')), Number(url.searchParams.get('page_size'))))
          : null;
      await withScriptedBroker(answer, async ({ provider, access }) => {
        const holdings = await provider.readHoldings(access, 'acc-1', never);
        assert.equal(holdings.length, 1203);
        assert.equal(new Set(holdings.map(({ id }) => id)).size, 1203);
      });
    }
  });

  it('are counted once where the vendor ignores pages, though a price moves between two answers', async () => {
    for (const count of [500, 501, 1203]) {
      let price = 1;
      const answer = (url: URL) =>
        url.pathname.endsWith('/positions/all')
          ? json({
              results: Array.from({ length: count }, (_, at) => ({
                instrument: { ...STOCK, id: `i-${at}` },
                units: at === 7 ? '2.0' : '2',
                price: String(price++),
                currency: 'USD',
              })),
            })
          : null;
      await withScriptedBroker(answer, async ({ provider, access, asked }) => {
        const holdings = await provider.readHoldings(access, 'acc-1', never);
        assert.equal(holdings.length, count);
        const pages = asked.filter(({ pathname }) => pathname.endsWith('/positions/all')).length;
        assert.equal(pages, count === 500 ? 2 : 1, 'more than was asked for is everything');
      });
    }
  });

  it('are refused where the vendor says that there are more and sends the same again', async () => {
    const same = ['a', 'b'].map((id) => ({ instrument: { ...STOCK, id }, units: '1', price: '1' }));
    await withScriptedBroker(
      (url) => (url.pathname.endsWith('/positions/all') ? json({ results: same, total: 6 }) : null),
      async ({ provider, access }) => {
        await fails(provider.readHoldings(access, 'acc-1', never), 'malformed');
      },
    );
  });

  it('are refused, and never shown in part, where there are more than a list may hold', async () => {
    const rows = ['a', 'b', 'c'].map((id) => ({ instrument: { ...STOCK, id }, units: '1', price: '1' }));
    await withScriptedBroker(
      (url) => (url.pathname.endsWith('/positions/all') ? json({ results: rows }) : null),
      async ({ provider, access }) => {
        await fails(provider.readHoldings(access, 'acc-1', never), 'malformed');
      },
      { list_rows: 2 },
    );
  });

  it('of one instrument held twice are two', async () => {
    const twice = [1, 2].map(() => ({ instrument: STOCK, units: '1', price: '1', currency: 'USD' }));
    await withScriptedBroker(
      (url) => (url.pathname.endsWith('/positions/all') ? json({ results: twice }) : null),
      async ({ provider, access }) => {
        const [first, second] = await provider.readHoldings(access, 'acc-1', never);
        assert.equal(second?.id, `${first?.id}-2`);
      },
    );
  });
});
