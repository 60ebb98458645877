import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { groupsOf } from '../../../src/connectors/providers/simplefin/account-set.ts';
import { mapAccount, mapBalance } from '../../../src/connectors/providers/simplefin/map-account.ts';
import { mapTransaction, statusOf } from '../../../src/connectors/providers/simplefin/map-transaction.ts';
import { windowAt } from '../../../src/connectors/providers/simplefin/transaction-pages.ts';
import { parseProviderRowId } from '../../../src/vocabulary/provider-kinds.ts';
import type { SetAsideRow } from '../../../src/vocabulary/set-aside-rows.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';

const NOON = Date.parse('2026-03-04T12:00:00Z') / 1000;
const CONTEXT = { account: 'o:ACT-1', timezone: 'UTC', currency: () => 'usd' };
const wireRow = (more: Record<string, unknown> = {}) => ({
  id: 'TRN-1',
  posted: NOON,
  amount: '-12.34',
  description: 'COFFEE 42',
  payee: 'Second Cup',
  memo: '',
  ...more,
});
const one = (more: Record<string, unknown> = {}, context: Partial<typeof CONTEXT> = {}) => {
  const row = mapTransaction(wireRow(more), { ...CONTEXT, ...context });
  assert.ok(row);
  return row;
};

describe('A transaction of SimpleFIN', () => {
  test('keeps its texts and amount as they were sent, on its day in UTC', () => {
    const { id, ...row } = one({ transacted_at: NOON - 2 * 86_400, mcc: '5814' });
    assert.match(id, /^txn_sf_[0-9a-f]{12}-TRN-1$/);
    assert.deepEqual(row, {
      status: 'posted',
      date: '2026-03-02',
      datetime: '2026-03-02T12:00:00.000Z',
      post_date: '2026-03-04',
      post_datetime: '2026-03-04T12:00:00.000Z',
      value_date: null,
      value_datetime: null,
      description: 'COFFEE 42',
      reference: null,
      extended_description: null,
      amount: { amount: -1234, currency: 'usd' },
      amount_decimal: '-12.34',
      direction: 'debit',
      class: 'other',
      provider_category: null,
      primary_category: null,
      merchant_name: 'Second Cup',
      merchant_category_code: '5814',
    });
  });

  test('is pending if it says so or was not posted, and then has an id of its own', () => {
    for (const more of [
      { pending: true },
      { posted: 0, transacted_at: NOON },
      { posted: null, transacted_at: NOON },
    ]) {
      assert.equal(statusOf(wireRow(more)), 'pending');
      const row = one(more);
      assert.deepEqual([row.status, row.post_date, row.post_datetime], ['pending', null, null]);
      assert.match(row.id, /^txn_sf_held-/);
      assert.equal(one(more).id, row.id);
    }
    assert.equal(one({ posted: 0, pending: true }).date, null);
    assert.equal(one({ pending: false }).status, 'posted');
  });

  test('is told apart from one with the same id in another account', () => {
    assert.notEqual(one().id, one({}, { account: 'o:ACT-2' }).id);
  });

  test('is set aside without an id, an amount, a currency or a day, and the reason is given', () => {
    const aside = (more: Record<string, unknown>, currency = CONTEXT.currency): SetAsideRow | undefined => {
      const found: SetAsideRow[] = [];
      mapTransaction(wireRow(more), { ...CONTEXT, currency, setAside: (row) => void found.push(row) });
      return found[0];
    };
    assert.deepEqual([aside({ id: null })?.field, aside({ id: null })?.id], ['id', null]);
    assert.equal(aside({ amount: '1,234.56' })?.reason, 'unreadable');
    assert.equal(aside({ amount: undefined })?.reason, 'missing');
    assert.deepEqual(
      [aside({ posted: 'soon' })?.field, aside({ posted: 'soon' })?.reason],
      ['date', 'unreadable'],
    );
    assert.equal(aside({}, () => assert.fail())?.field, 'row');
    assert.throws(() => mapTransaction(wireRow({ amount: 'x' }), CONTEXT), UpstreamFailure);
  });

  test('has the amount exactly, whatever it is, and an id that leads back to what was sent', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
        fc.string({ minLength: 1, maxLength: 60 }),
        (cents, id) => {
          const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
          const amount = `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
          const row = one({ amount, id: `T${id.replaceAll('\0', '')}` });
          assert.equal(BigInt(row.amount.amount), cents);
          assert.equal(parseProviderRowId('transaction', row.id)?.provider, 'simplefin');
        },
      ),
    );
  });
});

describe('An account of SimpleFIN', () => {
  const account = (row: Record<string, unknown>) => mapAccount({ id: 'o:A', row, failed: false });

  test('has its type and the end of its number from its name', () => {
    const seen = (name: string) => {
      const { type, maskedNumber } = account({ id: 'A', name, currency: 'USD' });
      return [type, maskedNumber];
    };
    assert.deepEqual(seen('Everyday Checking (4021)'), ['transaction', 'xxxx4021']);
    assert.deepEqual(seen('Platinum Visa x9034'), ['credit-card', 'xxxx9034']);
    assert.deepEqual(seen('Home Mortgage - 1200'), ['loan', 'xxxx1200']);
    assert.deepEqual(seen('Online Savings'), ['savings', null]);
    assert.deepEqual(seen('Roth IRA'), ['investment', null]);
    assert.deepEqual(seen('Discard pile'), ['other', null]);
    assert.deepEqual(seen('Budget 12026'), ['other', null]);
  });

  test('is listed as unavailable in a unit that is no currency, and its balance has no figure', () => {
    const points = { id: 'A', name: 'Miles', currency: 'https://airline.example/miles', balance: '1200' };
    assert.equal(account(points).available, false);
    assert.deepEqual([mapBalance(points).current, mapBalance(points).unreadable?.field], [null, 'currency']);
  });

  test('has both balances to the cent, and neither where it is not sent', () => {
    const { current, available } = mapBalance({
      currency: 'USD',
      balance: '10.5',
      'available-balance': '-3.25',
    });
    assert.deepEqual([current?.amount, available?.amount], [1050, -325]);
    assert.equal(mapBalance({ currency: 'USD', balance: '1' }).available, null);
  });
});

describe('An account set', () => {
  test('never raises, groups each account once, and gives no two groups an id, whatever a server sends', () => {
    const row = fc.record(
      {
        id: fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
        conn_id: fc.oneof(fc.constantFrom('C1', 'C2'), fc.jsonValue()),
        org: fc.oneof(
          fc.record({ domain: fc.constantFrom('a.example', 'b.example'), name: fc.string() }),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    );
    const set = fc.record({
      accounts: fc.array(row, { maxLength: 8 }),
      connections: fc.oneof(
        fc.array(fc.record({ conn_id: fc.constantFrom('C1', 'C2'), org_id: fc.string() })),
        fc.jsonValue(),
      ),
      errlist: fc.jsonValue(),
      errors: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
    });
    fc.assert(
      fc.property(set, (sent) => {
        const groups = groupsOf(sent, 'bank.example');
        assert.equal(groups.flatMap(({ accounts }) => accounts).length, sent.accounts.length);
        const shared = groups.filter(({ accounts }) => accounts.some(({ id }) => id !== null));
        const consents = shared.map(({ consent }) => consent);
        assert.equal(new Set(consents).size, consents.length);
        for (const { institution } of groups)
          assert.ok(institution.id.length <= 100 && institution.name !== '');
      }),
    );
  });

  test('has other ids for the same accounts of another server', () => {
    const sent = { accounts: [{ id: 'A', org: { domain: 'a.example', name: 'A' } }] };
    const [one, other] = ['one.example', 'other.example'].map((host) => groupsOf(sent, host)[0]);
    assert.ok(one && other);
    assert.notEqual(one.consent, other.consent);
    assert.notEqual(one.accounts[0]?.id, other.accounts[0]?.id);
    assert.notEqual(one.institution.id, other.institution.id);
  });
});

test('Windows are of exactly 60 days, follow each other without a gap, and are the same for a whole day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), fc.nat(20), (now, index) => {
      const { from, until } = windowAt(now, index);
      assert.equal(until - from, 60 * 86_400);
      assert.equal(windowAt(now, index + 1).until, from);
      assert.deepEqual(windowAt(Math.floor(now / 86_400_000) * 86_400_000, index), { from, until });
      if (index === 0) assert.ok(until * 1000 > now + 86_400_000);
    }),
  );
});
