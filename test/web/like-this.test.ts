import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compileCondition } from '../../src/features/rules/compile-condition.ts';
import { parseConditions } from '../../src/features/rules/parse-rule.ts';
import { presentTransaction } from '../../src/operations/v2/transactions/resource.ts';
import { DEFAULT_LIMITS } from '../../src/vocabulary/limits.ts';
import {
  conditionsOf,
  LIKENESSES,
  type LikeThis,
  likenessesOf,
  likeTest,
  textOf,
} from '../../web/src/transactions/like-this.ts';
import { ACCOUNTS, anyRow, CONTEXT, transaction, WORDS } from '../features/rules/rows.ts';

const anyLike: fc.Arbitrary<LikeThis> = fc.record({
  likeness: fc.constantFrom(...LIKENESSES),
  text: fc
    .oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 6, unit: 'grapheme' }))
    .filter((text) => text.trim() !== ''),
  account: fc.constantFrom(null, ...ACCOUNTS),
  direction: fc.constantFrom(null, 'credit' as const, 'debit' as const),
});

describe('transactions like this one', () => {
  test('those that the page says match are those that the rule will match', () => {
    let matched = 0;
    fc.assert(
      fc.property(anyLike, anyRow, (like, row) => {
        const parsed = parseConditions(conditionsOf(like), 'conditions', DEFAULT_LIMITS);
        assert.ok(parsed !== null);
        const shown = presentTransaction(row.transaction, row.account, row.category);
        const expected = compileCondition(parsed, CONTEXT)(row);
        assert.equal(likeTest(like)(shown), expected);
        if (expected) matched += 1;
      }),
      { numRuns: 20_000 },
    );
    assert.ok(matched > 100, `only ${matched} matched, which shows little`);
  });

  test('every likeness that is offered matches the transaction it was made from', () => {
    fc.assert(
      fc.property(
        anyRow,
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.boolean(),
        ({ transaction: row, account }, text, own) => {
          const shown = presentTransaction({ ...row, ...(own && { description: text }) }, account, null);
          for (const likeness of likenessesOf(shown)) {
            const like = { likeness, text: textOf(shown, likeness), account, direction: shown.direction };
            assert.ok(likeTest(like)(shown), JSON.stringify(like));
          }
        },
      ),
    );
  });

  test('a description is compared by its longest part without digits, which differ from one purchase to the next', () => {
    const part = (description: string) =>
      textOf(presentTransaction(transaction({ description }), 'acct_1', null), 'contains');
    assert.equal(part('EFTPOS 0417 BANKSIA FRESH NEWTOWN 12/11'), 'BANKSIA FRESH NEWTOWN');
    assert.equal(part('PAYPAL *STEAM'), 'PAYPAL *STEAM');
    assert.equal(part('0417 1234'), '0417 1234');
  });
});
