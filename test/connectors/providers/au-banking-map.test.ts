import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mapAccount, mapBalance } from '../../../src/connectors/providers/au-banking/map-account.ts';
import { mapConsent, mapInstitution } from '../../../src/connectors/providers/au-banking/map-consent.ts';
import { mapDetails } from '../../../src/connectors/providers/au-banking/map-details.ts';
import { mapTransaction } from '../../../src/connectors/providers/au-banking/map-transaction.ts';
import { parseExact, type WireObject } from '../../../src/connectors/providers/kit/json.ts';
import { moneyFromDecimal } from '../../../src/vocabulary/money.ts';
import { directionOf, type Transaction } from '../../../src/vocabulary/transactions.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { wireRow } from './scripted-vendor.ts';

const CONTEXT = { timezone: 'Australia/Sydney', currency: 'aud' };
const map = (more: Record<string, unknown>): Transaction => mapTransaction(wireRow('a', more), CONTEXT);
const refused = (work: () => unknown): void => {
  assert.throws(work, (error) => error instanceof UpstreamFailure && error.situation === 'malformed');
};

describe('Mapping an au_banking transaction', () => {
  it('dates it by execution, else posting, else value, in the zone of the account', () => {
    const all = {
      execution_date_time: '2026-01-31T17:18:00Z',
      posting_date_time: '2026-02-03T00:00:00+11:00',
      value_date_time: '2026-02-02T00:00:00Z',
    };
    const row = map(all);
    assert.deepEqual([row.date, row.datetime], ['2026-02-01', '2026-01-31T17:18:00Z']);
    assert.deepEqual([row.post_date, row.post_datetime], ['2026-02-03', '2026-02-03T00:00:00+11:00']);
    assert.deepEqual([row.value_date, row.value_datetime], ['2026-02-02', '2026-02-02T00:00:00Z']);
    assert.equal(map({ ...all, execution_date_time: null }).date, '2026-02-03');
    assert.equal(map({ ...all, execution_date_time: '', posting_date_time: '' }).date, '2026-02-02');
  });

  it('cuts the day right on the switches of daylight saving, leap days and year ends', () => {
    for (const [instant, date] of [
      ['2026-04-04T15:59:59Z', '2026-04-05'],
      ['2026-04-05T13:59:59Z', '2026-04-05'],
      ['2026-04-05T14:00:00Z', '2026-04-06'],
      ['2026-10-03T13:59:59Z', '2026-10-03'],
      ['2026-10-03T14:00:00Z', '2026-10-04'],
      ['2026-10-04T13:00:00Z', '2026-10-05'],
      ['2028-02-28T13:00:00Z', '2028-02-29'],
      ['2026-12-31T12:59:59Z', '2026-12-31'],
      ['2026-12-31T13:00:00Z', '2027-01-01'],
    ]) {
      assert.equal(map({ posting_date_time: instant }).date, date, instant);
    }
  });

  it('takes the day where a bank sends no offset, without inventing a moment', () => {
    for (const sent of ['2026-01-15', '2026-01-15T23:30:00', '2026-01-15T23:30:00.123']) {
      const row = map({ posting_date_time: sent });
      assert.deepEqual([row.date, row.datetime], ['2026-01-15', null], sent);
    }
  });

  it('accepts a pending row without any date, and refuses a posted one', () => {
    const undated = { posting_date_time: '' };
    const row = map({ ...undated, status: 'PENDING' });
    assert.deepEqual([row.status, row.date, row.datetime, row.post_date], ['pending', null, null, null]);
    refused(() => map(undated));
    refused(() => map({ posting_date_time: '2026-13-45T00:00:00Z' }));
  });

  it('maps an unknown status by whether the row is booked', () => {
    assert.equal(map({ status: 'AUTHORISED', posting_date_time: null }).status, 'pending');
    assert.equal(map({ status: 'SETTLED' }).status, 'posted');
  });

  it('reads camelCase members, passes unknown types, and treats null, absent and empty text alike', () => {
    const row = mapTransaction(
      {
        fiskilId: 'x',
        amount: '5.00',
        status: 'POSTED',
        type: 'BRAND_NEW',
        postingDateTime: '2026-01-15T03:00:00Z',
        merchantName: 'Shop',
        merchantCategoryCode: 5411,
        reference: null,
      },
      CONTEXT,
    );
    assert.deepEqual(
      [row.id, row.class, row.merchant_name, row.merchant_category_code, row.reference, row.description],
      ['txn_fk_x', 'other', 'Shop', '5411', null, ''],
    );
    assert.deepEqual(row.amount, { amount: 500, currency: 'aud' });
  });

  it('puts the reference in place of an empty description only', () => {
    assert.equal(map({ description: '', reference: 'INV 7' }).description, 'INV 7');
    assert.equal(map({ description: 'Rent', reference: 'INV 7' }).description, 'Rent');
    assert.equal(map({ description: '  ', reference: 'INV 7' }).reference, 'INV 7');
  });

  it('uses the finer category only where the vendor is confident of it', () => {
    const category = { primary_category: 'FOOD_AND_DRINK', secondary_category: 'FOOD_AND_DRINK_GROCERIES' };
    for (const [confidence_level, code] of [
      ['VERY_HIGH', 'FOOD_AND_DRINK_GROCERIES'],
      ['HIGH', 'FOOD_AND_DRINK_GROCERIES'],
      ['MEDIUM', 'FOOD_AND_DRINK'],
      ['LOW', 'FOOD_AND_DRINK'],
      [undefined, 'FOOD_AND_DRINK'],
    ]) {
      assert.equal(map({ category: { ...category, confidence_level } }).provider_category, code);
    }
    assert.equal(map({ category: null }).provider_category, null);
  });

  it('finds the long text of a fast payment in its new and its old place', () => {
    const payload = { extended_description: 'Thanks for dinner' };
    for (const extended_data of [{ npp_payload: payload }, { service: 'X2P1.01', x2p101_payload: payload }]) {
      assert.equal(map({ extended_data }).extended_description, 'Thanks for dinner');
    }
    assert.equal(map({ extended_data: 'odd' }).extended_description, null);
  });

  it('keeps text from anywhere exactly as sent', () => {
    const description = '=SUM(A1) "quoted" \u202e 東京 🍜 \t\n, é';
    assert.equal(map({ description }).description, description);
  });

  it('refuses amounts it cannot read exactly, and rows without an id', () => {
    for (const amount of [
      '',
      null,
      '1,234.50',
      '12.',
      '.5',
      '1e3',
      'NaN',
      '$5.00',
      '5.00 ',
      '9007199254740993.00',
    ]) {
      refused(() => map({ amount }));
    }
    refused(() => map({ currency: 'dollars' }));
    refused(() => map({ fiskil_id: '' }));
    refused(() => map({ fiskil_id: null }));
  });

  it('uses the minor unit of the currency, and keeps the decimals the bank sent', () => {
    const amounts = [
      ['-1500', 'JPY', -1500],
      ['1.234', 'KWD', 1234],
      ['-0.005', 'AUD', -1],
      ['10.5', 'aud', 1050],
      ['0.00', 'AUD', 0],
      ['-0.00', 'AUD', 0],
    ] as const;
    for (const [amount, currency, minor] of amounts) {
      const row = map({ amount, currency });
      assert.deepEqual([row.amount.amount, row.amount_decimal], [minor, amount], `${amount} ${currency}`);
      assert.ok(!Object.is(row.amount.amount, -0));
    }
  });

  it('maps any decimal text to its exact minor units or refuses it', () => {
    const decimals = fc
      .tuple(fc.boolean(), fc.bigInt(0n, 10n ** 20n), fc.integer({ min: 0, max: 6 }))
      .map(([negative, digits, places]) => {
        const padded = String(digits).padStart(places + 1, '0');
        const cut = padded.length - places;
        const text = places === 0 ? padded : `${padded.slice(0, cut)}.${padded.slice(cut)}`;
        return { text: negative ? `-${text}` : text, scaled: negative ? -digits : digits, places };
      });
    fc.assert(
      fc.property(decimals, ({ text, scaled, places }) => {
        const exact = places <= 2 ? scaled * 10n ** BigInt(2 - places) : null;
        const limit = BigInt(Number.MAX_SAFE_INTEGER);
        try {
          const { amount } = map({ amount: text }).amount;
          if (exact !== null) assert.equal(BigInt(amount), exact);
          else {
            const unit = 10n ** BigInt(places - 2);
            const error = BigInt(amount) * unit - scaled;
            assert.ok((error < 0n ? -error : error) * 2n <= unit, 'further off than half a cent');
          }
        } catch (error) {
          if (!(error instanceof UpstreamFailure)) throw error;
          const size = scaled < 0n ? -scaled : scaled;
          assert.ok((size * 100n) / 10n ** BigInt(places) >= limit, `${text} was refused`);
        }
      }),
    );
  });

  it('maps any row to one whose direction agrees with its sign, or refuses it with nothing of it in the message', () => {
    const member = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constant(null),
      fc.integer(),
      fc.double(),
      fc.boolean(),
    );
    const rows = fc.record(
      {
        amount: fc.oneof(member, fc.constantFrom('-1.00', '2.5', '-0.004')),
        currency: fc.oneof(member, fc.constantFrom('AUD', 'JPY', 'usd')),
        status: fc.oneof(member, fc.constantFrom('POSTED', 'PENDING')),
        description: member,
        reference: member,
        posting_date_time: fc.oneof(member, fc.constantFrom('2026-01-15T03:00:00Z', '2026-01-15')),
        execution_date_time: member,
        category: fc.oneof(member, fc.object()),
        extended_data: fc.oneof(member, fc.object()),
        type: member,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(rows, (more) => {
        const marker = 'MARKER-4711';
        try {
          const row = map({ ...more, merchant_name: marker });
          assert.equal(row.direction, directionOf(row.amount.amount));
          assert.deepEqual(moneyFromDecimal(row.amount_decimal, row.amount.currency), row.amount);
          assert.equal(typeof row.description, 'string');
        } catch (error) {
          if (!(error instanceof UpstreamFailure)) throw error;
          assert.ok(!error.message.includes(marker));
        }
      }),
    );
  });
});

describe('Mapping other au_banking rows', () => {
  const account = (more: WireObject) => mapAccount({ account_id: '1', ...more }, null);

  it('shows an account by its nickname and the last four digits of its number', () => {
    const mapped = account({
      nickname: 'Bills',
      display_name: 'Everyday',
      bsb: '062-000',
      account_number: '1234 5678',
      masked_number: 'xxxx 9999',
      product_category: 'TRANS_AND_SAVINGS_ACCOUNTS',
    });
    assert.deepEqual(
      [mapped.name, mapped.maskedNumber, mapped.fullNumber, mapped.type, mapped.currency],
      ['Bills', 'xxxx5678', '06200012345678', 'transaction', 'aud'],
    );
    const masked = account({ nickname: '', display_name: 'Everyday', masked_number: 'xxx-xxx xxxxx455' });
    assert.deepEqual([masked.name, masked.maskedNumber, masked.fullNumber], ['Everyday', 'xxxx455', null]);
    assert.equal(account({}).maskedNumber, null);
    assert.equal(account({ nickname: 'Bi\0lls' }).name, 'Bills', 'no database text can hold a NUL');
    refused(() => mapAccount({}, null));
  });

  it('tells types of account apart, and takes the currency from the balance', () => {
    const types = [
      ['TRANS_AND_SAVINGS_ACCOUNTS', 'Goal Saver', 'savings'],
      ['TRANS_AND_SAVINGS_ACCOUNTS', 'Savings Maximiser', 'savings'],
      ['CRED_AND_CHRG_CARDS', 'Bonus card', 'credit-card'],
      ['RESIDENTIAL_MORTGAGES', 'Home loan', 'loan'],
      ['TERM_DEPOSITS', 'Term', 'term-deposit'],
      ['TRAVEL_CARDS', 'Travel', 'transaction'],
      ['SOMETHING_NEW', 'New', 'other'],
    ];
    for (const [product_category, product_name, type] of types) {
      assert.equal(account({ product_category, product_name }).type, type, product_name);
    }
    assert.equal(mapAccount({ account_id: '1' }, { currency: 'USD' }).currency, 'usd');
  });

  it('reads balances as text or as numbers in their source text, and leaves the currency open where none is named', () => {
    const row = parseExact(
      '{"account_id":"1","current_balance":-1234.50,"available_balance":"0.00","currency":"AUD"}',
    );
    assert.ok(typeof row === 'object' && row !== null);
    const balance = mapBalance({ ...row });
    assert.deepEqual(balance.current, { amount: -123450, currency: 'aud' });
    assert.equal(balance.currentDecimal, '-1234.50');
    const open = mapBalance({ current_balance: '5' });
    assert.deepEqual([open.current, open.currentDecimal, open.currency], [null, '5', null]);
    const half = mapBalance({ current_balance: '1,0', available_balance: '5', currency: 'AUD' });
    assert.deepEqual([half.current, half.currentDecimal, half.available?.amount], [null, null, 500]);
    assert.deepEqual(half.unreadable, { field: 'current', reason: 'unreadable' });
    const coins = mapBalance({ current_balance: '1.00', available_balance: '1.00', currency: 'USDT' });
    assert.deepEqual([coins.current, coins.currentDecimal, coins.available], [null, null, null]);
    assert.deepEqual(coins.unreadable, { field: 'currency', reason: 'unreadable' });
    const endless = mapBalance({ current_balance: '9'.repeat(20), currency: 'AUD' });
    assert.deepEqual(endless.unreadable, { field: 'current', reason: 'out_of_range' });
  });

  it('flattens fees of every form and keeps rates as text', () => {
    const details = mapDetails({
      product_name: 'Everyday',
      deposit_rates: [
        {
          deposit_rate_type: 'BONUS',
          rate: '0.0525',
          tiers: [{ minimum_value: '0', maximum_value: 'lots' }],
        },
      ],
      fees: [
        { name: 'Monthly', fixed_amount: { amount: '5.00' } },
        { name: 'Old', amount: '4.00' },
        { name: 'FX', rate_based: { rate_type: 'TRANSACTION', rate: '0.03' } },
        {
          name: 'ATM',
          variable: { fee_minimum: '1.00', fee_maximum: '3.00' },
          additional_info: 'by operator',
        },
      ],
      loan: { repayment_type: 'UNCONSTRAINED', offset_account_ids: ['secret'], offset_account_enabled: true },
    });
    assert.deepEqual(
      details.fees.map((fee) => [fee.amount, fee.transactionRate, fee.additionalInfo]),
      [
        ['5.00', null, null],
        ['4.00', null, null],
        [null, '0.03', null],
        [null, null, 'Variable, minimum 1.00, maximum 3.00. by operator'],
      ],
    );
    const [rate] = details.depositRates;
    assert.deepEqual([rate?.rateType, rate?.rate], ['BONUS', '0.0525']);
    assert.deepEqual([rate?.tiers[0]?.minimumValue, rate?.tiers[0]?.maximumValue], [0, null]);
    assert.equal(details.loan?.repaymentType, 'UNCONSTRAINED');
    assert.ok(!JSON.stringify(details).includes('secret'));
  });

  it('reads a consent with moments as text or Unix seconds, and its end from its duration where need be', () => {
    const consent = mapConsent({
      arrangement_id: 'a',
      active: true,
      created_at: '1767225600',
      duration: '86400',
    });
    assert.deepEqual(
      [consent.grantedAt, consent.expiresAt, consent.state],
      [Date.parse('2026-01-01T00:00:00Z'), Date.parse('2026-01-02T00:00:00Z'), 'active'],
    );
    refused(() => mapConsent({ arrangement_id: 'a' }));
  });

  it("keeps of a bank's wording what may be stored: short, and without numbers that could be an account's", () => {
    const { terminationReason } = mapConsent({
      arrangement_id: 'a',
      active: false,
      created_at: '1767225600',
      termination_reason: `Account 062000 12345678 was closed. ${'x'.repeat(2000)}`,
    });
    assert.doesNotMatch(terminationReason ?? '', /\d{6}/);
    assert.ok((terminationReason ?? '').length <= 500);
    assert.match(terminationReason ?? '', /was closed/);
  });

  it('shows which banks are up', () => {
    const bank = (status: string | null) =>
      mapInstitution({
        id: '1',
        name: 'Big Bank (NSW) Limited',
        is_accessible: true,
        status: { connections: { status } },
      });
    assert.deepEqual(
      ['HEALTHY', 'DEGRADED', 'OUTAGE', null].map((status) => bank(status)?.status),
      ['ONLINE', 'ONLINE', 'OUTAGE', null],
    );
    assert.equal(bank(null)?.shortName, 'Big Bank');
    assert.equal(mapInstitution({ id: '1' }), null);
  });
});
