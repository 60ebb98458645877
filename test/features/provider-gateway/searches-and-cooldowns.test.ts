import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RowSearch } from '../../../src/features/provider-gateway/gateway-types.ts';
import { EVER, type LinkedAccount, never, openGateway, type TestGateway } from './open-gateway.ts';
import { code } from './service-code.ts';

const TRANSACTIONS = '/v1/banking/transactions';
/** Pending rows are a request of their own; the account has none. */
const PENDING = 1;
const NOBODY = 'txn_fk_nobody';

describe('Looking for one transaction', () => {
  let test: TestGateway;
  let account: LinkedAccount;
  /** All ids of the account, newest first, with the pages the vendor has them on. */
  let pages: string[][];

  const outcome = (search: RowSearch) => (search.outcome === 'found' ? search.row.id : search.outcome);
  const find = async (by: TestGateway, id: string, window = EVER) =>
    outcome(await by.gateway.transactions.find(account, window, id, never));

  before(async () => {
    test = await openGateway({ limits: { transaction_rows: 100_000 } });
    const [first] = await test.link('rows:2500');
    assert.ok(first);
    account = first;
    pages = [];
    for await (const page of test.gateway.transactions.stream(account, { ...EVER, since: null }, never)) {
      pages.push(page.map(({ id }) => id));
    }
    assert.ok(pages.length > 2, `${pages.length} pages`);
  });
  after(() => test.close());

  /** Another gateway to the same bank, with a budget of its own and nothing cached. */
  const within = async <T>(
    limits: { transaction_rows?: number; transaction_search_pages?: number },
    work: (other: TestGateway) => Promise<T>,
  ): Promise<T> => {
    const other = await openGateway({ limits });
    try {
      const [linked] = await other.link('rows:2500');
      assert.ok(linked);
      const own = account;
      account = linked;
      return await work(other).finally(() => {
        account = own;
      });
    } finally {
      await other.close();
    }
  };

  it('reads no page after the one that has it, and finds it on any page', async () => {
    for (const [at, page] of pages.entries()) {
      test.asked(TRANSACTIONS);
      const id = page[Math.floor(page.length / 2)];
      assert.ok(id);
      assert.equal(await find(test, id), id);
      assert.equal(test.asked(TRANSACTIONS), PENDING + at + 1);
    }
  });

  it('says that it is not there once the window was read to its end', async () => {
    test.asked(TRANSACTIONS);
    assert.equal(await find(test, NOBODY), 'exhausted');
    assert.equal(test.asked(TRANSACTIONS), PENDING + pages.length);
  });

  it('gives up when the rows or the pages of a search are used up, and not a row earlier [limit transaction_search_pages]', async () => {
    const rows = pages.flat().length;
    for (const [limits, expected] of [
      [{ transaction_rows: rows }, 'exhausted'],
      [{ transaction_rows: rows - 1 }, 'incomplete'],
      [{ transaction_search_pages: pages.length + 1 }, 'exhausted'],
      [{ transaction_search_pages: 1 }, 'incomplete'],
    ] as const) {
      await within(limits, async (other) => {
        assert.equal(await find(other, NOBODY), expected, JSON.stringify(limits));
      });
    }
  });

  it('takes a row from the cached window, but asks the bank before it denies one', async () => {
    const [newest] = pages.flat();
    assert.ok(newest);
    await test.gateway.transactions.list(account, EVER, never);
    test.asked(TRANSACTIONS);
    assert.equal(await find(test, newest), newest);
    assert.equal(test.asked(TRANSACTIONS), 0);
    assert.equal(await find(test, NOBODY), 'exhausted');
    assert.equal(test.asked(TRANSACTIONS), PENDING + pages.length);
  });

  it('reports what goes wrong upstream like any other read', async () => {
    const { control } = test.bank.simulator;
    control.addFault({ route: `GET ${TRANSACTIONS}`, kind: 'malformed-json', count: 2 });
    await code(test.gateway.transactions.find(account, EVER, NOBODY, never), 'upstream_failed');
    control.clear();
  });
});

describe('An account whose provider asked to wait', () => {
  let test: TestGateway;
  let account: LinkedAccount;
  let other: LinkedAccount;
  const BALANCES = '/v1/banking/balances';

  before(async () => {
    test = await openGateway({ limits: { balance_cache_minutes: 0, live_balance_minutes: 0 } });
    const [first, second] = await test.link('salaried-household');
    assert.ok(first && second);
    account = first;
    other = second;
  });
  after(() => test.close());

  it('is not read before that moment, and is read after it', async () => {
    const { control } = test.bank.simulator;
    control.addFault({ route: `GET ${BALANCES}`, kind: 'rate-limit', retryAfterSeconds: 40 });
    const told = await code(test.gateway.accounts.balance(account, {}, never), 'upstream_rate_limited');
    assert.equal(told.retryAfterSeconds, 40);
    test.asked(BALANCES);
    test.clock.advance(15_500);
    const held = await code(test.gateway.accounts.balance(account, {}, never), 'provider_wait');
    assert.deepEqual([held.status, held.retryAfterSeconds], [429, 25]);
    assert.equal(test.asked(BALANCES), 0, 'the bank was asked all the same');
    await test.gateway.accounts.balance(other, {}, never);
    await test.gateway.transactions.list(account, EVER, never);
    test.clock.advance(24_500);
    await test.gateway.accounts.balance(account, {}, never);
  });

  it('is read again at once where the provider named no moment', async () => {
    const { control } = test.bank.simulator;
    control.addFault({ route: `GET ${BALANCES}`, kind: 'rate-limit' });
    await code(test.gateway.accounts.balance(account, {}, never), 'upstream_rate_limited');
    await test.gateway.accounts.balance(account, {}, never);
  });

  it('holds a sync back between two pages as well', async () => {
    const { control } = test.bank.simulator;
    control.addFault({ route: `GET ${TRANSACTIONS}`, kind: 'rate-limit', retryAfterSeconds: 5 });
    const stream = () => test.gateway.transactions.stream(account, { ...EVER, since: null }, never).next();
    await code(stream(), 'upstream_rate_limited');
    await code(stream(), 'provider_wait');
    test.clock.advance(5_000);
    await stream();
  });
});
