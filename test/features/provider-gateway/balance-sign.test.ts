import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type {
  PositiveBalance,
  ProviderBalance,
} from '../../../src/connectors/providers/provider-contract.ts';
import { signedBalance, storedSign } from '../../../src/features/provider-gateway/balance-sign.ts';
import { ACCOUNT_TYPES, isDebt } from '../../../src/vocabulary/account-types.ts';
import { BALANCE_SIGNS, type BalanceSign, signByLimit } from '../../../src/vocabulary/balance-signs.ts';

const DEBTS = ['loan', 'credit-card'] as const;

function balance(amount: number, positive?: PositiveBalance): ProviderBalance {
  const decimal = (amount / 100).toFixed(2);
  return {
    current: { amount, currency: 'nzd' },
    available: null,
    currentDecimal: decimal,
    availableDecimal: null,
    currency: 'nzd',
    ...(positive === undefined ? {} : { positive }),
  };
}

const shown = (balanceSign: BalanceSign | null, sent: ProviderBalance) => {
  const { current, currentDecimal, sign } = signedBalance({ type: 'loan', balanceSign }, sent);
  return [current?.amount, currentDecimal, sign];
};

describe('The sign of a balance', () => {
  it('of a debt that is shown positive is unverified, and the figure is as the bank sent it', () => {
    for (const type of DEBTS) {
      const { current, sign } = signedBalance({ type, balanceSign: null }, balance(51_230));
      assert.deepEqual([current?.amount, sign], [51_230, 'unverified']);
      assert.equal(storedSign({ type, balanceSign: null }, balance(51_230)), 'unverified');
    }
    assert.deepEqual(shown(null, balance(-51_230)), [-51_230, '-512.30', null]);
    assert.deepEqual(shown(null, balance(0)), [0, '0.00', null]);
  });

  it('stays unverified when the figure turns negative, which may be a credit at a bank that shows debts as positive', () => {
    assert.deepEqual(shown('unverified', balance(-20)), [-20, '-0.20', 'unverified']);
    assert.deepEqual(shown('unverified', balance(0)), [0, '0.00', null]);
    assert.equal(storedSign({ type: 'loan', balanceSign: 'unverified' }, balance(0)), 'unverified');
  });

  it('is what was stored, then what is known of the bank, then what the limit shows', () => {
    const bank = { means: 'owed', by: 'bank' } as const;
    assert.deepEqual(shown('in_credit', balance(500, bank)), [500, '5.00', 'in_credit']);
    assert.deepEqual(shown('unverified', balance(500, bank)), [-500, '-5.00', 'owed']);
    assert.deepEqual(shown('owed', balance(-500)), [500, '5.00', 'owed']);
    assert.deepEqual(shown(null, balance(500, { means: 'in_credit', by: 'limit' })), [
      500,
      '5.00',
      'in_credit',
    ]);
  });

  it('is remembered where the limit showed it, and not where the operator named the bank', () => {
    const limit = balance(500, { means: 'owed', by: 'limit' });
    const bank = balance(500, { means: 'owed', by: 'bank' });
    for (const balanceSign of [null, 'unverified'] as const) {
      assert.equal(storedSign({ type: 'credit-card', balanceSign }, limit), 'owed');
      assert.equal(storedSign({ type: 'credit-card', balanceSign }, bank), null);
    }
    assert.equal(storedSign({ type: 'credit-card', balanceSign: 'in_credit' }, limit), 'in_credit');
  });

  it('of one figure for both turns both for a loan, and what a card has available never', () => {
    const both = { ...balance(500), available: { amount: 500, currency: 'nzd' }, availableDecimal: '5.00' };
    const loan = signedBalance({ type: 'loan', balanceSign: 'owed' }, both);
    assert.deepEqual(
      [loan.current?.amount, loan.available?.amount, loan.availableDecimal],
      [-500, -500, '-5.00'],
    );
    const card = signedBalance({ type: 'credit-card', balanceSign: 'owed' }, both);
    assert.deepEqual([card.current?.amount, card.available?.amount], [-500, 500]);
  });

  it('changes no digit, no other account and nothing without a decision', () => {
    const positive = fc.option(
      fc.record({ means: fc.constantFrom('owed', 'in_credit'), by: fc.constantFrom('bank', 'limit') }),
      { nil: undefined },
    );
    const stored = fc.option(fc.constantFrom(...BALANCE_SIGNS));
    fc.assert(
      fc.property(
        fc.constantFrom(...ACCOUNT_TYPES),
        stored,
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        positive,
        (type, balanceSign, amount, evidence) => {
          const { current, currentDecimal, sign } = signedBalance(
            { type, balanceSign },
            balance(amount, evidence),
          );
          const expected = sign === 'owed' && amount !== 0 ? -amount : amount;
          assert.equal(current?.amount, expected);
          assert.equal(currentDecimal, (expected / 100).toFixed(2));
          if (!isDebt(type)) assert.equal(sign, null);
          else if (amount > 0) assert.notEqual(sign, null);
        },
      ),
    );
  });
});

describe('A credit limit', () => {
  const minor = fc.integer({ min: 1, max: 10_000_000 });

  it('tells the sign exactly where nothing is pending', () => {
    fc.assert(
      fc.property(minor, fc.integer({ min: -10_000_000, max: 10_000_000 }), (limit, owed) => {
        fc.pre(owed !== 0);
        const available = limit - owed;
        assert.equal(signByLimit({ current: owed, available, limit }), 'owed');
        assert.equal(signByLimit({ current: -owed, available, limit }), 'in_credit');
      }),
    );
  });

  it('tells nothing of zero, without a limit, or where the figures do not add up', () => {
    assert.equal(signByLimit({ current: 0, available: 100, limit: 100 }), null);
    assert.equal(signByLimit({ current: 50, available: 50, limit: 0 }), null);
    assert.equal(signByLimit({ current: 50, available: 40, limit: 100 }), null);
  });
});
