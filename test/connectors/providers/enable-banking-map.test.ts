import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { enableBankingErrors } from '../../../src/connectors/providers/enable-banking/failures.ts';
import { mapBank } from '../../../src/connectors/providers/enable-banking/institutions.ts';
import { mapBalance } from '../../../src/connectors/providers/enable-banking/map-account.ts';
import { faceOf, isReal, RowMap } from '../../../src/connectors/providers/enable-banking/map-transaction.ts';
import { secretOf, sessionIn, sessionOf } from '../../../src/connectors/providers/enable-banking/sessions.ts';
import type { WireObject } from '../../../src/connectors/providers/kit/json.ts';
import { UnusableMember } from '../../../src/connectors/providers/kit/set-aside.ts';
import { systemClock } from '../../../src/platform/clock.ts';

const CONTEXT = { account: 'hash:eur', currency: 'eur' };
const ROW = {
  entry_reference: 'ref-1',
  transaction_amount: { currency: 'EUR', amount: '12.50' },
  credit_debit_indicator: 'DBIT',
  status: 'BOOK',
  booking_date: '2026-11-03',
  value_date: '2026-11-04',
  transaction_date: '2026-11-02',
  creditor: { name: 'Shop' },
  remittance_information: ['Invoice 7'],
};

const map = (row: WireObject) => new RowMap(CONTEXT).map(row);
const amounts = fc
  .tuple(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 0, max: 99 }))
  .map(([units, cents]) => `${units}.${String(cents).padStart(2, '0')}`);

describe('A row of Enable Banking', () => {
  it('has the sign of its indicator, with or without one on the amount', () => {
    fc.assert(
      fc.property(
        amounts,
        fc.boolean(),
        fc.constantFrom('CRDT' as const, 'DBIT' as const),
        (amount, sign, indicator) => {
          const written = sign ? `-${amount}` : amount;
          const row = map({
            ...ROW,
            transaction_amount: { currency: 'EUR', amount: written },
            credit_debit_indicator: indicator,
          });
          const cents = Math.round(Number(amount) * 100);
          assert.equal(row.amount.amount, indicator === 'DBIT' ? 0 - cents : cents);
        },
      ),
    );
  });

  it('has the sign of its amount where the bank gives no indicator', () => {
    const { credit_debit_indicator: _, ...row } = ROW;
    const of = (amount: string) =>
      map({ ...row, transaction_amount: { currency: 'EUR', amount } }).amount.amount;
    assert.equal(of('-3.10'), -310);
    assert.equal(of('3.10'), 310);
  });

  it('has the currency of the account where the bank names none', () => {
    assert.deepEqual(map({ ...ROW, transaction_amount: { amount: '1.00' } }).amount, {
      amount: -100,
      currency: 'eur',
    });
  });

  it('shows the other side, and the text of the payment apart', () => {
    const row = map(ROW);
    assert.equal(row.description, 'Shop');
    assert.equal(row.extended_description, 'Invoice 7');
    assert.equal(map({ ...ROW, creditor: null }).description, 'Invoice 7');
  });

  it('leaves out blank lines of the text, and reads a text instead of a list', () => {
    const of = (remittance_information: unknown) =>
      map({ ...ROW, creditor: null, remittance_information }).description;
    assert.equal(of(['', '  ', ' A ', null, 'B']), 'A B');
    assert.equal(of('A B'), 'A B');
    assert.equal(of([]), '');
  });

  it('has its day, that of its booking, and that of its value', () => {
    const row = map(ROW);
    assert.deepEqual([row.date, row.post_date, row.value_date], ['2026-11-02', '2026-11-03', '2026-11-04']);
    const late = map({ ...ROW, booking_date: null, transaction_date: null });
    assert.deepEqual([late.date, late.post_date], ['2026-11-04', '2026-11-04']);
  });

  it('is set aside if it is booked and has no day, and kept if it is pending', () => {
    const undated = { ...ROW, booking_date: null, value_date: null, transaction_date: null };
    assert.throws(() => map(undated), UnusableMember);
    assert.equal(map({ ...undated, status: 'PDNG' }).date, null);
  });

  it('is none of the account if it was cancelled, rejected or only scheduled', () => {
    for (const status of ['CNCL', 'RJCT', 'SCHD']) assert.equal(isReal({ ...ROW, status }), false);
    for (const status of ['BOOK', 'PDNG', 'HOLD', 'OTHR', undefined])
      assert.equal(isReal({ ...ROW, status }), true);
  });

  it('keeps its id whatever its place among other rows, with or without a reference', () => {
    const rows = fc.uniqueArray(
      fc.record({
        transaction_amount: fc.record({ currency: fc.constant('EUR'), amount: amounts }),
        booking_date: fc.constantFrom('2026-11-01', '2026-11-02'),
        entry_reference: fc.option(fc.string({ minLength: 1, maxLength: 20 })),
      }),
      { selector: (row) => JSON.stringify([row.transaction_amount, row.booking_date]), maxLength: 20 },
    );
    fc.assert(
      fc.property(rows, (some) => {
        const idsOf = (list: typeof some) => {
          const mapper = new RowMap(CONTEXT);
          return list.map((row) => mapper.map({ ...ROW, ...row }).id);
        };
        assert.deepEqual(idsOf(some).toSorted(), idsOf(some.toReversed()).toSorted());
      }),
    );
  });

  it('is told from an equal one by its number among them', () => {
    const mapper = new RowMap(CONTEXT);
    const equal = { ...ROW, entry_reference: null };
    const ids = [mapper.map(equal).id, mapper.map(equal).id, mapper.map(equal).id];
    assert.equal(new Set(ids).size, 3);
    assert.equal(map(equal).id, ids[0]);
  });

  it('that gets its reference later is the row it was', () => {
    const before = map({ ...ROW, entry_reference: null });
    const after = map(ROW);
    assert.deepEqual(after.former_ids, [before.id]);
    assert.equal(map({ ...ROW, entry_reference: '2026-11-03.4' }).id, before.id, 'a place is no reference');
  });

  it('has another id while it is pending', () => {
    assert.notEqual(map({ ...ROW, status: 'PDNG' }).id, map(ROW).id);
    assert.equal(faceOf({ ...ROW, status: 'PDNG' }).id, map({ ...ROW, status: 'PDNG' }).id);
    assert.equal(faceOf(ROW).id, map(ROW).id);
  });
});

describe('A balance of Enable Banking', () => {
  const balance = (type: string | null, amount: string, currency = 'EUR') => ({
    balance_type: type,
    balance_amount: { currency, amount },
  });
  const of = (...rows: WireObject[]) => {
    const read = mapBalance(rows, { currency: 'eur', creditLimit: null });
    return [read.currentDecimal, read.availableDecimal];
  };

  it('is what is booked, and what may be spent', () => {
    assert.deepEqual(of(balance('XPCD', '3.00'), balance('ITAV', '1.00'), balance('CLBD', '2.00')), [
      '2.00',
      '1.00',
    ]);
    assert.deepEqual(of(balance('CLBD', '2.00'), balance('ITBD', '4.00')), ['4.00', null]);
  });

  it('is the same for both if the bank has only what may be spent', () => {
    assert.deepEqual(of(balance('ITAV', '7.00')), ['7.00', '7.00']);
  });

  it('may have no type if it is the only figure, and is unreadable if there are several', () => {
    assert.deepEqual(of(balance(null, '5.00')), ['5.00', null]);
    const read = mapBalance([balance(null, '5.00'), balance('OTHR', '6.00')], {
      currency: 'eur',
      creditLimit: null,
    });
    assert.equal(read.current, null);
    assert.deepEqual(read.unreadable, { field: 'current', reason: 'contradictory' });
  });

  it('is the one in the currency of the account', () => {
    assert.deepEqual(of(balance('ITAV', '9.00', 'USD'), balance('ITAV', '7.00')), ['7.00', '7.00']);
  });

  it('is empty if the bank gives none', () => {
    assert.deepEqual(of(), [null, null]);
  });
});

describe('A session of Enable Banking', () => {
  const account = (more: WireObject) => ({
    uid: 'u1',
    identification_hash: 'h1',
    identification_hashes: ['h1', 'h2'],
    currency: 'EUR',
    cash_account_type: 'CACC',
    account_id: { iban: 'FI2112345600000785' },
    details: 'Everyday',
    ...more,
  });
  const opened = (...accounts: WireObject[]) =>
    sessionOf({ session_id: 's1', accounts, access: { valid_until: '2027-05-01T00:00:00Z' } }, 1);

  it('is read from its secret as it was stored', () => {
    const session = opened(account({}), account({ uid: null, identification_hash: 'h3', currency: 'USD' }));
    assert.deepEqual(sessionIn(secretOf(session)), session);
  });

  it('keeps no number of an account but its last digits', () => {
    const secret = secretOf(opened(account({})));
    assert.doesNotMatch(secret, /FI2112345600000785/);
    assert.match(secret, /xxxx0785/);
  });

  it('has an account for each currency of one number', () => {
    const { accounts } = opened(account({}), account({ uid: 'u2', currency: 'GBP' }));
    assert.deepEqual(
      accounts.map(({ id }) => id),
      ['h1:eur', 'h1:gbp'],
    );
  });

  it('takes as former ids only hashes that no other account of it has', () => {
    const { accounts } = opened(
      account({ identification_hashes: ['h1', 'h2', 'shared'] }),
      account({ uid: 'u2', identification_hash: 'h9', identification_hashes: ['h9', 'shared'] }),
    );
    assert.deepEqual(accounts[0]?.formerIds, ['h2:eur']);
    assert.deepEqual(accounts[1]?.formerIds, []);
  });

  it('is none if the secret is not ours, whatever it is', () => {
    fc.assert(fc.property(fc.string(), (text) => assert.equal(sessionIn(text), null)));
    fc.assert(fc.property(fc.json(), (text) => void sessionIn(text)));
  });
});

describe('A bank of Enable Banking', () => {
  const bank = {
    name: 'Nordea',
    country: 'FI',
    psu_types: ['personal', 'business'],
    maximum_consent_validity: 7_776_000,
  };

  it('is identified by country and name', () => {
    assert.equal(mapBank(bank, 'personal')?.id, 'FI:Nordea');
    assert.equal(mapBank({ ...bank, country: 'Finland' }, 'personal'), null);
    assert.equal(mapBank({ country: 'FI' }, 'personal'), null);
  });

  it('is linked for the kind of accounts that it has', () => {
    assert.deepEqual(mapBank(bank, 'business')?.psuTypes, ['business', 'personal']);
    assert.deepEqual(mapBank({ ...bank, psu_types: ['business'] }, 'personal')?.psuTypes, ['business']);
  });

  it('is asked for no longer a consent than it allows, and never for more than 180 days', () => {
    assert.equal(mapBank(bank, 'personal')?.longestConsent, 7_776_000);
    for (const maximum_consent_validity of [null, 0, -5, 1e12])
      assert.equal(mapBank({ ...bank, maximum_consent_validity }, 'personal')?.longestConsent, 180 * 86_400);
  });
});

describe('What a bank says only in words', () => {
  const errors = enableBankingErrors(systemClock);
  const codesOf = (body: Record<string, unknown>) => errors.read(body).codes;

  it('is a limit of reads', () => {
    for (const body of [
      { code: 429, message: 'Consent daily limit 4 is exceeded' },
      { code: 400, error: 'ASPSP_ERROR', message: 'Error interacting with ASPSP', detail: 'ACCESS_EXCEEDED' },
      { code: 400, error: 'ASPSP_ERROR', message: 'Error', detail: { message: 'Too many requests' } },
    ])
      assert.deepEqual(codesOf(body), ['ASPSP_RATE_LIMIT_EXCEEDED'], JSON.stringify(body));
  });

  it('is a session that has ended, and not credentials of the operator', () => {
    assert.deepEqual(codesOf({ code: 401, message: 'Session is closed' }), ['CLOSED_SESSION']);
    for (const error of ['INVALID_SESSION', 'session_expired', 'SESSION_NOT_FOUND', 'REJECTED_SESSION']) {
      const [code = ''] = codesOf({ code: 401, error, message: 'No' });
      assert.equal(errors.codes.find(([pattern]) => pattern.test(code))?.[1], 'grant_rejected', error);
    }
  });

  it('is nothing else', () => {
    assert.deepEqual(codesOf({ code: 401, message: 'Unauthorized access' }), []);
    assert.deepEqual(codesOf({ code: 400, error: 'ASPSP_ERROR', message: 'Error interacting with ASPSP' }), [
      'ASPSP_ERROR',
    ]);
  });
});
