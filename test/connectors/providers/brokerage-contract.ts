import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Offering } from '../../../src/connectors/providers/capability-members.ts';
import type {
  ProviderAccess,
  ProviderAccount,
  TradeQuery,
} from '../../../src/connectors/providers/provider-contract.ts';
import type { Trade } from '../../../src/vocabulary/holdings.ts';
import { exactMoney } from '../../../src/vocabulary/money.ts';
import { parseProviderRowId } from '../../../src/vocabulary/provider-kinds.ts';
import { fails } from './provider-contract.ts';

/** What goes wrong at the vendor, for the next requests to the route family. */
export type BrokerFault =
  | 'outage'
  | 'rate-limit'
  | 'rate-limit-unsaid'
  | 'reset'
  | 'malformed'
  | 'truncated'
  | 'html'
  | 'hang'
  | 'row-without-id'
  | 'unsupported'
  | 'copying';
export type BrokerRoute = 'accounts' | 'connections' | 'holdings' | 'trades';

/** What this suite asks of a broker's adapter. */
export type BrokerAdapter = Offering<
  'institutions' | 'consents' | 'history_state' | 'refresh' | 'holdings' | 'trades'
>;

/** A brokerage adapter with the vendor it talks to. The suite knows nothing else about either. */
export interface BrokerHarness {
  readonly provider: BrokerAdapter;
  /** A person with two accounts, holdings and trades, equal ones among them. */
  readonly person: string;
  link(person: string, outcome?: 'approve' | 'cancel'): Promise<ProviderAccess | string>;
  fault(route: BrokerRoute, fault: BrokerFault, count: number): void;
  clearFaults(): void;
  /** The login works no more; and does again. */
  loseLogin(access: ProviderAccess): void;
  regainLogin(access: ProviderAccess): void;
  /** A minute passes. */
  wait(): void;
  revoke(access: ProviderAccess): void;
  /** Removes an account at the broker. */
  close(account: string): void;
  rowsAtBroker(account: string): { readonly holdings: number; readonly trades: number };
  shut(): Promise<void>;
}

const never = new AbortController().signal;

/**
 * What every adapter of a brokerage promises to the gateway.
 *
 * @param separate whether each link has a user of its own at the vendor
 */
export function describeBroker(name: string, open: () => Promise<BrokerHarness>, separate: boolean): void {
  describe(`provider ${name}`, () => {
    let broker: BrokerHarness;
    let access: ProviderAccess;
    let accounts: ProviderAccount[];

    before(async () => {
      broker = await open();
      access = await linked(broker);
      accounts = await broker.provider.listAccounts(access, never);
    });
    after(() => broker.shut());

    const first = (): ProviderAccount => accounts[0] ?? assert.fail('there is no account');
    const tradesOf = async (
      account: ProviderAccount,
      more: Partial<TradeQuery> = {},
      by = access,
    ): Promise<Trade[]> => {
      const query = { account: account.id, timezone: 'America/New_York', from: null, to: null, ...more };
      const trades: Trade[] = [];
      for await (const page of broker.provider.tradePages(by, query, never)) trades.push(...page);
      return trades;
    };
    const holdingsOf = (account: ProviderAccount, by = access) =>
      broker.provider.readHoldings(by, account.id, never);

    it('lists institutions a person can recognise and link', async () => {
      const institutions = await broker.provider.listInstitutions(never);
      assert.ok(institutions.some(({ id }) => id === access.institution));
      for (const { id, name, shortName } of institutions)
        assert.ok(id !== '' && name !== '' && shortName !== '');
    });

    it('tells that a person turned back', async () => {
      assert.equal(await broker.link(broker.person, 'cancel'), 'cancelled');
    });

    it('lists every account with its number masked and its currency named', () => {
      assert.equal(accounts.length, 2);
      assert.equal(new Set(accounts.map(({ id }) => id)).size, 2);
      for (const account of accounts) {
        assert.match(account.maskedNumber ?? 'xxxx0000', /^xxxx\d{1,4}$/);
        assert.match(account.currency, /^[a-z]{3}$/);
        assert.equal(account.available, true);
      }
    });

    it('returns every holding and every trade exactly once, and the same when asked again', async () => {
      for (const account of accounts) {
        const expected = broker.rowsAtBroker(account.id);
        const [holdings, trades] = [await holdingsOf(account), await tradesOf(account)];
        assert.equal(holdings.length, expected.holdings);
        assert.equal(trades.length, expected.trades);
        for (const rows of [holdings, trades])
          assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
        assert.deepEqual(await holdingsOf(account), holdings);
        assert.deepEqual(await tradesOf(account), trades);
      }
    });

    it('returns rows whose amounts, decimals and ids agree', async () => {
      for (const account of accounts) {
        const holdings = await holdingsOf(account);
        const trades = await tradesOf(account);
        const amounts = [
          ...holdings.flatMap((row) => [
            row.average_price,
            row.current_price,
            row.market_value,
            row.unrealized_pnl,
          ]),
          ...trades.flatMap((row) => [row.price, row.total_amount, row.fees]),
        ].filter((amount) => amount !== null);
        assert.ok(amounts.length > 0);
        for (const amount of amounts)
          assert.deepEqual(exactMoney(amount.decimal, amount.money.currency), amount);
        for (const { id } of holdings) assert.ok(parseProviderRowId('holding', id) !== null, id);
        for (const { id } of trades) assert.ok(parseProviderRowId('trade', id) !== null, id);
      }
    });

    it('returns trades newest first, and those of a window alone within a day of it', async () => {
      const all = await tradesOf(first());
      const days = all.map(({ trade_date: day }) => day);
      assert.deepEqual(days, days.toSorted().reverse());
      const day = days[Math.floor(days.length / 2)] ?? assert.fail();
      const within = await tradesOf(first(), { from: day, to: day });
      assert.deepEqual(
        within.filter((trade) => trade.trade_date === day),
        all.filter((trade) => trade.trade_date === day),
      );
      assert.ok(within.length < all.length);
    });

    it('says whether the history is whole', async () => {
      assert.equal(await broker.provider.readHistoryState(access, first().id, never), 'complete');
    });

    it('is content with a refresh that comes too soon', async () => {
      await broker.provider.requestRefresh(access, never);
      await broker.provider.requestRefresh(access, never);
    });

    it('reports a missing account as gone, on every read', async () => {
      const missing = { ...first(), id: 'no-such-account' };
      await fails(holdingsOf(missing), 'account_gone');
      await fails(tradesOf(missing), 'account_gone');
      await fails(broker.provider.readHistoryState(access, missing.id, never), 'account_gone');
    });

    for (const [fault, situation] of [
      ['outage', 'server_error'],
      ['reset', 'connect'],
    ] as const) {
      it(`asks again after ${fault}, and then gives up`, async () => {
        broker.fault('holdings', fault, 1);
        await holdingsOf(first());
        broker.fault('holdings', fault, 2);
        await fails(holdingsOf(first()), situation);
        broker.clearFaults();
      });
    }

    it('passes on how long to wait, and does not ask again at once, when rate limited', async () => {
      broker.fault('trades', 'rate-limit', 1);
      assert.equal((await fails(tradesOf(first()), 'rate_limited')).retryAfterSeconds, 7);
      await tradesOf(first());
    });

    for (const [fault, situation] of [
      ['malformed', 'malformed'],
      ['truncated', 'connect'],
      ['unsupported', 'not_implemented'],
      ['copying', 'not_ready'],
    ] as const) {
      it(`says of ${fault} that it is ${situation}, whatever is read`, async () => {
        broker.fault('holdings', fault, 2);
        await fails(holdingsOf(first()), situation);
        broker.clearFaults();
        broker.fault('trades', fault, 2);
        await fails(tradesOf(first()), situation);
        broker.clearFaults();
      });
    }

    it('knows a trade without id by its content', async () => {
      const whole = await tradesOf(first());
      broker.fault('trades', 'row-without-id', 2);
      assert.deepEqual(await tradesOf(first()), whole);
      broker.clearFaults();
    });

    it('stops waiting when the caller goes away', async () => {
      broker.fault('holdings', 'hang', 1);
      const caller = new AbortController();
      const reason = new Error('the caller left');
      const read = broker.provider.readHoldings(access, first().id, caller.signal);
      setTimeout(() => caller.abort(reason), 20);
      await assert.rejects(read, (error) => error === reason);
      broker.clearFaults();
    });

    it('takes nothing for current of a login that is lost, and reads again once it works', async () => {
      const other = await linked(broker);
      const [account] = await broker.provider.listAccounts(other, never);
      assert.ok(account);
      assert.ok((await holdingsOf(account, other)).length > 0);
      broker.loseLogin(other);
      assert.equal((await broker.provider.readConsent(other, never)).state, 'login_lost');
      await fails(holdingsOf(account, other), 'grant_rejected');
      await fails(tradesOf(account, {}, other), 'grant_rejected');
      await fails(broker.provider.listAccounts(other, never), 'grant_rejected');
      await fails(broker.provider.requestRefresh(other, never), 'grant_rejected');
      broker.regainLogin(other);
      assert.equal((await broker.provider.readConsent(other, never)).state, 'active');
      assert.ok((await holdingsOf(account, other)).length > 0);
    });

    it('notices within a minute that a login was lost', async () => {
      const other = await linked(broker);
      const [account] = await broker.provider.listAccounts(other, never);
      assert.ok(account);
      broker.loseLogin(other);
      broker.wait();
      await fails(holdingsOf(account, other), 'grant_rejected');
    });

    it('shows one person nothing of another', async (test) => {
      if (!separate) return test.skip('a personal key has one user');
      const other = await linked(broker);
      await fails(
        broker.provider.readHoldings({ ...other, consent: access.consent }, first().id, never),
        'grant_rejected',
      );
      await fails(broker.provider.readHoldings(other, first().id, never), 'account_gone');
      await fails(tradesOf(first(), {}, other), 'account_gone');
    });

    it('reports a consent that ended at the vendor as rejected, on every read', async () => {
      const other = await linked(broker);
      const [account] = await broker.provider.listAccounts(other, never);
      assert.ok(account);
      broker.revoke(other);
      assert.equal((await broker.provider.readConsent(other, never)).state, 'ended');
      await fails(broker.provider.listAccounts(other, never), 'grant_rejected');
      await fails(holdingsOf(account, other), 'grant_rejected');
      await fails(tradesOf(account, {}, other), 'grant_rejected');
      await fails(broker.provider.requestRefresh(other, never), 'grant_rejected');
    });

    it('withdraws a consent permanently, and again without an error', async () => {
      const other = await linked(broker);
      assert.equal((await broker.provider.readConsent(other, never)).state, 'active');
      await broker.provider.withdraw(other, never);
      assert.equal((await broker.provider.readConsent(other, never)).state, 'ended');
      await broker.provider.withdraw(other, never);
    });

    it('reports an account that the broker took away as gone', async () => {
      const other = await linked(broker);
      const last = (await broker.provider.listAccounts(other, never)).at(-1);
      assert.ok(last);
      broker.close(last.id);
      await fails(holdingsOf(last, other), 'account_gone');
      await fails(tradesOf(last, {}, other), 'account_gone');
    });
  });
}

async function linked(broker: BrokerHarness): Promise<ProviderAccess> {
  const access = await broker.link(broker.person);
  if (typeof access === 'string') throw new Error(`the link failed: ${access}`);
  return access;
}
