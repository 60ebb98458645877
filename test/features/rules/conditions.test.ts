import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compileCondition } from '../../../src/features/rules/compile-condition.ts';
import { parseConditions } from '../../../src/features/rules/parse-rule.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import {
  type FieldKind,
  KIND_OPERATORS,
  operatorsOf,
  RULE_FIELD_NAMES,
  RULE_FIELDS,
  RULE_OPERATORS,
  type RuleField,
  type RuleOperator,
  wordsOf,
} from '../../../src/vocabulary/rule-fields.ts';
import type { LeafValue, RuleCondition, RuleLeaf } from '../../../src/vocabulary/rules.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { misfits } from '../../support/described-schema.ts';
import { holds } from './naive.ts';
import { ACCOUNTS, anyRow, COFFEE, CONTEXT, day, FOOD, GONE, GROUP, RENT, row, WORDS } from './rows.ts';

const amount = fc
  .tuple(fc.integer({ min: 0, max: 25 }), fc.constantFrom('', '.5', '.50', '.505', '.00000001', '.999'))
  .map(([units, fraction]) => `${units}${fraction}`);

/** Values of a field's kind, so that parsing has nothing to refuse. */
function valueFor(field: RuleField): fc.Arbitrary<string> {
  const kinds: Readonly<Record<FieldKind, fc.Arbitrary<string>>> = {
    text: fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 4 })).filter((text) => text !== ''),
    code: fc.constantFrom('FOOD_AND_DRINK', 'food_and_drink_coffee', '5814', 'RENT'),
    amount,
    day,
    word: fc.constantFrom(...wordsOf(field), 'x').filter((word) => word !== 'x'),
    currency: fc.constantFrom('aud', 'JPY', 'kwd', 'eur'),
    category: fc.constantFrom(GROUP, FOOD, COFFEE, RENT, GONE),
    account: fc.constantFrom(...ACCOUNTS),
  };
  return kinds[RULE_FIELDS[field].kind];
}

function operandOf(field: RuleField, operator: RuleOperator): fc.Arbitrary<LeafValue> {
  if (operator === 'is_empty' || operator === 'is_not_empty') return fc.constant(null);
  if (operator === 'in' || operator === 'not_in')
    return fc.array(valueFor(field), { minLength: 1, maxLength: 3 });
  if (operator !== 'between') return valueFor(field);
  const pair = fc.tuple(valueFor(field), valueFor(field));
  const order = (a: string, b: string) => (field === 'amount' ? Number(a) - Number(b) : a < b ? -1 : 1);
  return pair.map(([a, b]) => [a, b].toSorted(order));
}

const leaf: fc.Arbitrary<RuleLeaf> = fc
  .constantFrom(...RULE_FIELD_NAMES)
  .chain((field) => {
    const operators = operatorsOf(field).filter((operator) => operator !== 'matches');
    return fc.tuple(fc.constant(field), fc.constantFrom(...operators), fc.boolean());
  })
  .chain(([field, operator, sensitive]) => {
    const texts = RULE_FIELDS[field].kind === 'text' && !operator.endsWith('empty');
    return operandOf(field, operator).map((value) => ({
      field,
      operator,
      value,
      case_sensitive: texts && sensitive,
    }));
  });

const { condition } = fc.letrec<{ condition: RuleCondition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie('condition').map((not) => ({ not })),
  ),
}));

const parsed = (given: unknown): RuleCondition => {
  const result = parseConditions(given, 'conditions', { ...DEFAULT_LIMITS, rule_conditions: 1000 });
  assert.ok(result !== null);
  return result;
};

test('a compiled tree of conditions agrees with one that is read word by word', () => {
  fc.assert(
    fc.property(condition, fc.array(anyRow, { minLength: 1, maxLength: 5 }), (given, rows) => {
      const tree = parsed(given);
      const compiled = compileCondition(tree, CONTEXT);
      for (const one of rows) assert.equal(compiled(one), holds(tree, one));
    }),
    { numRuns: 700 },
  );
});

test('a condition that holds with its case holds without, in every script', () => {
  const word = fc.oneof(
    fc.constantFrom(...WORDS),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
  );
  const operator = fc.constantFrom('equals', 'contains', 'starts_with', 'ends_with');
  fc.assert(
    fc.property(operator, word, word, word, (operator, start, value, end) => {
      const given = { field: 'description', operator, value: value === '' ? 'Σ' : value };
      const description = `${start}${value}${end}`;
      const sensitive = compileCondition(parsed({ ...given, case_sensitive: true }), CONTEXT);
      if (sensitive(row({ description }))) {
        assert.ok(compileCondition(parsed(given), CONTEXT)(row({ description })));
      }
    }),
    { numRuns: 500, examples: [['contains', '', 'ΑΣ', 'ΤΗΡ']] },
  );
  const same = ['straße', 'STRASSE', 'STRAẞE'];
  for (const value of same) {
    const equals = compileCondition(parsed({ field: 'description', operator: 'equals', value }), CONTEXT);
    for (const description of same) assert.ok(equals(row({ description })), `${value} is ${description}`);
  }
});

test('what is parsed is parsed again to the same, so that a rule that was shown can be sent back', () => {
  fc.assert(
    fc.property(condition, (given) => assert.deepEqual(parsed(parsed(given)), parsed(given))),
    { numRuns: 300 },
  );
});

describe('the description', () => {
  const described = (given: unknown) => misfits(['components', 'schemas', 'rule_condition'], given);

  test('knows every tree that is parsed, as it was sent and as it is shown', () => {
    fc.assert(
      fc.property(condition, (given) => {
        assert.deepEqual(described(given), []);
        assert.deepEqual(described(parsed(given)), []);
      }),
      { numRuns: 300 },
    );
  });

  test('knows no tree of another shape', () => {
    const leaf = { field: 'description', operator: 'equals', value: 'x' };
    const wrong = [
      {},
      { all: [] },
      { all: [leaf], any: [leaf] },
      { not: { none: [leaf] } },
      { ...leaf, field: 'payee' },
      { ...leaf, operator: 'like' },
      { ...leaf, value: undefined },
      { ...leaf, value: ['x'] },
      { ...leaf, operator: 'in' },
      { ...leaf, operator: 'is_empty' },
      { ...leaf, operator: 'between', value: ['1'] },
      { ...leaf, flags: 'i' },
    ];
    for (const given of wrong) assert.notDeepEqual(described(given), [], JSON.stringify(given));
  });
});

describe('every field takes the operators of its kind and no other', () => {
  const values: Readonly<Record<FieldKind, string>> = {
    text: 'x',
    code: '5814',
    amount: '1.00',
    day: '2026-10-01',
    word: '',
    currency: 'aud',
    category: FOOD,
    account: ACCOUNTS[0] ?? '',
  };
  for (const field of RULE_FIELD_NAMES) {
    test(field, () => {
      const { kind } = RULE_FIELDS[field];
      for (const operator of RULE_OPERATORS) {
        const one = kind === 'word' ? (wordsOf(field)[0] ?? '') : values[kind];
        const allowed: readonly RuleOperator[] = KIND_OPERATORS[kind];
        const value = operator.startsWith('is_')
          ? undefined
          : operator === 'between'
            ? [one, one]
            : operator === 'in' || operator === 'not_in'
              ? [one]
              : one;
        const given = { any: [{ field, operator, value }] };
        if (allowed.includes(operator)) {
          assert.equal(typeof compileCondition(parsed(given), CONTEXT)(row()), 'boolean', operator);
        } else refused(given, 'parameter_invalid', 'conditions.any[0].operator');
      }
    });
  }
});

function refused(given: unknown, code: string, param: string): void {
  assert.throws(
    () => parseConditions(given, 'conditions', DEFAULT_LIMITS),
    (error) => {
      assert.ok(error instanceof ServiceError, String(error));
      assert.deepEqual([error.code, error.param], [code, param]);
      return true;
    },
  );
}

describe('what is wrong in a condition is named by its exact path', () => {
  const text = { field: 'description', operator: 'contains', value: 'x' };
  const nested = (levels: number): unknown => (levels === 1 ? text : { not: nested(levels - 1) });
  const cases: ReadonlyArray<readonly [string, unknown, string, string]> = [
    ['no object', 'x', 'parameter_invalid', 'conditions'],
    ['a list', [], 'parameter_invalid', 'conditions'],
    ['an empty group', { all: [] }, 'parameter_invalid', 'conditions.all'],
    ['a group that is no list', { any: text }, 'parameter_invalid', 'conditions.any'],
    ['two groups at once', { all: [text], any: [text] }, 'parameter_invalid', 'conditions'],
    ['a branch that is no object', { all: [text, null] }, 'parameter_invalid', 'conditions.all[1]'],
    [
      'no field',
      { all: [{ operator: 'equals', value: 'x' }] },
      'parameter_missing',
      'conditions.all[0].field',
    ],
    ['an unknown field', { ...text, field: 'payee' }, 'parameter_invalid', 'conditions.field'],
    ['a field of every object', { ...text, field: 'constructor' }, 'parameter_invalid', 'conditions.field'],
    ['no operator', { field: 'description', value: 'x' }, 'parameter_missing', 'conditions.operator'],
    ['an unknown member', { ...text, flags: 'i' }, 'parameter_invalid', 'conditions.flags'],
    [
      'an unknown member with a long name',
      { ...text, ['x'.repeat(3000)]: 1 },
      'parameter_invalid',
      `conditions.${'x'.repeat(40)}`,
    ],
    ['no value', { not: { ...text, value: undefined } }, 'parameter_missing', 'conditions.not.value'],
    [
      'an empty text',
      { any: [text, { ...text, value: '' }] },
      'parameter_invalid',
      'conditions.any[1].value',
    ],
    ['a text too long', { ...text, value: 'x'.repeat(501) }, 'parameter_invalid', 'conditions.value'],
    [
      'a value of the wrong kind',
      { all: [text, { ...text, value: 5 }] },
      'parameter_invalid',
      'conditions.all[1].value',
    ],
    [
      'a value where none belongs',
      { ...text, operator: 'is_empty' },
      'parameter_invalid',
      'conditions.value',
    ],
    ['no list for in', { ...text, operator: 'in' }, 'parameter_invalid', 'conditions.value'],
    ['an empty list', { ...text, operator: 'in', value: [] }, 'parameter_invalid', 'conditions.value'],
    [
      'a long list',
      { ...text, operator: 'in', value: Array(101).fill('x') },
      'parameter_invalid',
      'conditions.value',
    ],
    [
      'a number in a list',
      { ...text, operator: 'in', value: ['x', 1] },
      'parameter_invalid',
      'conditions.value[1]',
    ],
    [
      'a number for an amount',
      { field: 'amount', operator: 'gt', value: 5 },
      'parameter_invalid',
      'conditions.value',
    ],
    [
      'a signed amount',
      { field: 'amount', operator: 'lt', value: '-5' },
      'parameter_invalid',
      'conditions.value',
    ],
    [
      'an exponent',
      { field: 'amount', operator: 'lt', value: '5e1' },
      'parameter_invalid',
      'conditions.value',
    ],
    [
      'one bound',
      { field: 'amount', operator: 'between', value: ['1'] },
      'parameter_invalid',
      'conditions.value',
    ],
    [
      'turned bounds',
      { field: 'amount', operator: 'between', value: ['9', '10', '1'].slice(1) },
      'parameter_invalid',
      'conditions.value',
    ],
    [
      'a bound that is none',
      { field: 'date', operator: 'between', value: ['2026-10-01', 'x'] },
      'parameter_invalid',
      'conditions.value[1]',
    ],
    [
      'a day that does not exist',
      { field: 'date', operator: 'gt', value: '2026-02-30' },
      'parameter_invalid',
      'conditions.value',
    ],
    [
      'an unknown word',
      { field: 'status', operator: 'equals', value: 'booked' },
      'parameter_invalid',
      'conditions.value',
    ],
    [
      'no currency',
      { field: 'currency', operator: 'equals', value: 'dollars' },
      'parameter_invalid',
      'conditions.value',
    ],
    [
      'no id',
      { field: 'account', operator: 'in', value: ['mine'] },
      'resource_missing',
      'conditions.value[0]',
    ],
    [
      'the id of another kind',
      { field: 'category', operator: 'equals', value: ACCOUNTS[0] },
      'resource_missing',
      'conditions.value',
    ],
    [
      'case where none is',
      { field: 'amount', operator: 'gt', value: '1', case_sensitive: true },
      'parameter_invalid',
      'conditions.case_sensitive',
    ],
    [
      'case that is no boolean',
      { ...text, case_sensitive: 'yes' },
      'parameter_invalid',
      'conditions.case_sensitive',
    ],
    ['a tree too deep', nested(6), 'parameter_invalid', 'conditions.not.not.not.not.not'],
    ['too many conditions', { any: Array(50).fill(text) }, 'parameter_invalid', 'conditions.any[49]'],
    [
      'a broken pattern',
      { ...text, operator: 'matches', value: 'a(b' },
      'parameter_invalid',
      'conditions.value',
    ],
  ];
  for (const [what, given, code, param] of cases) test(what, () => refused(given, code, param));

  test('the deepest and the largest tree that are allowed are parsed', () => {
    assert.ok(parsed(nested(5)));
    assert.ok(parseConditions({ any: Array(49).fill(text) }, 'conditions', DEFAULT_LIMITS));
  });
});
