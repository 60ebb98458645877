import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compileRules } from '../../../src/features/rules/compile-rules.ts';
import { parseActions } from '../../../src/features/rules/parse-actions.ts';
import type { WorkingRow } from '../../../src/features/rules/working-row.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { RULE_ACTION_TYPES } from '../../../src/vocabulary/rule-actions.ts';
import type { RuleAction, RuleBody, RuleCondition } from '../../../src/vocabulary/rules.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { directionOf } from '../../../src/vocabulary/transactions.ts';
import { misfits } from '../../support/described-schema.ts';
import { leastMs } from '../../support/patience.ts';
import { slowness } from '../../support/slowness.ts';
import { anyRow, COFFEE, CONTEXT, FOOD, GONE, GROUP, row, WORDS } from './rows.ts';

function rule(actions: readonly RuleAction[], more: Partial<RuleBody> = {}): RuleBody {
  return { name: null, enabled: true, conditions: null, actions, stop: false, ...more };
}

function after(actions: readonly RuleAction[], before: WorkingRow = row()): WorkingRow {
  const ruled = compileRules([rule(actions)], CONTEXT)(before);
  assert.ok(ruled.row !== null);
  return ruled.row;
}

const text = fc
  .oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 5 }))
  .filter((word) => word.trim() !== '');
const PLAIN = { noNullPrototype: true } as const;
const action: fc.Arbitrary<RuleAction> = fc.oneof(
  fc.record(
    { type: fc.constantFrom('set_description', 'set_merchant', 'set_memo', 'add_tag'), value: text },
    PLAIN,
  ),
  fc.record(
    { type: fc.constant('set_category' as const), value: fc.constantFrom(null, FOOD, COFFEE, GONE) },
    PLAIN,
  ),
  fc.record(
    {
      type: fc.constant('replace_text' as const),
      field: fc.constantFrom('description', 'merchant_name', 'reference'),
      find: text,
      value: fc.oneof(text, fc.constant(''), fc.constant('$& $1')),
      case_sensitive: fc.boolean(),
    },
    PLAIN,
  ),
  fc.constant({ type: 'flip_sign' as const }),
);

describe('actions', () => {
  test('never touch id, account, status, dates, currency or the size of an amount', () => {
    fc.assert(
      fc.property(anyRow, fc.array(action, { minLength: 1, maxLength: 6 }), (before, actions) => {
        const changed = after(actions, before);
        const untouched = ({ account, transaction: t }: WorkingRow) => [
          account,
          t.id,
          t.status,
          [t.date, t.datetime, t.post_date, t.post_datetime, t.value_date, t.value_datetime],
          t.amount.currency,
          Math.abs(t.amount.amount),
          t.amount_decimal.replace('-', ''),
          [
            t.class,
            t.provider_category,
            t.primary_category,
            t.merchant_category_code,
            t.extended_description,
          ],
        ];
        assert.deepEqual(untouched(changed), untouched(before));
        const { amount, amount_decimal, direction } = changed.transaction;
        const flips = actions.filter(({ type }) => type === 'flip_sign').length;
        const expected = before.transaction.amount.amount * (flips % 2 === 0 ? 1 : -1);
        assert.equal(amount.amount + 0, expected + 0);
        assert.ok(!Object.is(amount.amount, -0));
        assert.equal(direction, directionOf(amount.amount));
        assert.equal(amount_decimal.startsWith('-'), amount.amount < 0);
      }),
      { numRuns: 400 },
    );
  });

  test('twice flipped is as if never', () => {
    fc.assert(
      fc.property(anyRow, (before) =>
        assert.deepEqual(after([{ type: 'flip_sign' }, { type: 'flip_sign' }], before), before),
      ),
    );
  });

  test('say what they say', () => {
    const changed = after([
      { type: 'set_description', value: 'Coffee' },
      { type: 'set_merchant', value: 'Cafe Sydney' },
      { type: 'set_memo', value: 'work' },
      { type: 'add_tag', value: 'tax' },
      { type: 'add_tag', value: 'food' },
      { type: 'add_tag', value: 'tax' },
      { type: 'set_category', value: COFFEE },
      { type: 'flip_sign' },
    ]);
    const { transaction: t } = changed;
    assert.deepEqual(
      [t.description, t.merchant_name, changed.memo, changed.tags, changed.category],
      ['Coffee', 'Cafe Sydney', 'work', ['tax', 'food'], COFFEE],
    );
    assert.deepEqual([t.amount.amount, t.amount_decimal, t.direction], [1050, '10.50', 'credit']);
    assert.equal(after([{ type: 'set_category', value: null }], row({}, FOOD)).category, null);
    assert.equal(
      after([{ type: 'set_category', value: GONE }], row({}, FOOD)).category,
      null,
      'deleted since',
    );
  });

  test('replace every occurrence of a literal text, whatever signs it has', () => {
    const replaced = (description: string, find: string, value: string, case_sensitive = false): string => {
      const { transaction } = after(
        [{ type: 'replace_text', field: 'description', find, value, case_sensitive }],
        row({ description }),
      );
      return transaction.description;
    };
    assert.equal(replaced('EFTPOS eftpos Cafe', 'eftpos ', ''), 'Cafe');
    assert.equal(replaced('EFTPOS eftpos Cafe', 'eftpos ', '', true), 'EFTPOS Cafe');
    assert.equal(replaced('a.b*c (x)', '.b*c (', '-$&-'), 'a-$&-x)');
    assert.equal(replaced('a/b-c^d|e', '/b-c^d|', '{1}'), 'a{1}e');
    assert.equal(replaced('abc', 'abc', ''), '');
    for (const field of ['merchant_name', 'reference'] as const) {
      const changed = after(
        [{ type: 'replace_text', field, find: 'x', value: '', case_sensitive: false }],
        row({ merchant_name: 'x', reference: 'X' }),
      );
      assert.equal(changed.transaction[field], null);
    }
  });

  test('find a literal text however its accents are composed, and leave the others as they are', () => {
    const replace = (find: string): RuleAction[] => [
      { type: 'replace_text', field: 'description', find, value: 'bar', case_sensitive: false },
    ];
    const [composed, apart] = ['Café x', 'Cafe\u0301 x'];
    for (const find of ['café', 'cafe\u0301']) {
      for (const description of [composed, apart]) {
        assert.equal(after(replace(find), row({ description })).transaction.description, 'bar x');
      }
    }
    assert.equal(after(replace('nothing'), row({ description: apart })).transaction.description, apart);
  });

  test('make a text no longer than the limit, however much they would', async () => {
    const most = DEFAULT_LIMITS.row_text_characters;
    const value = 'a'.repeat(DEFAULT_LIMITS.rule_text_characters);
    const grow: RuleAction = {
      type: 'replace_text',
      field: 'description',
      find: 'a',
      value,
      case_sensitive: false,
    };
    const rules = Array.from({ length: DEFAULT_LIMITS.ruleset_rules }, () =>
      rule(Array(DEFAULT_LIMITS.rule_actions).fill(grow)),
    );
    const apply = compileRules(rules, CONTEXT);
    const each = await leastMs(50, () => {
      const ruled = apply(row({ description: 'a'.repeat(most) }));
      assert.equal(ruled.row?.transaction.description, 'a'.repeat(most));
    });
    assert.ok(each < 50 || each < 50 * slowness(), `${each} ms for a row`);
  });

  test('do not make a text grow without end', () => {
    const grow: RuleAction = {
      type: 'replace_text',
      field: 'description',
      find: 'a',
      value: 'aa☕'.repeat(50),
      case_sensitive: false,
    };
    const { transaction } = after(Array(10).fill(grow), row({ description: 'a'.repeat(10) }));
    assert.ok(transaction.description.length <= DEFAULT_LIMITS.row_text_characters);
    assert.ok(transaction.description.isWellFormed());
    const long = 'b'.repeat(3000);
    assert.equal(after([grow], row({ description: long })).transaction.description, long, 'nothing is lost');
  });
});

describe('rules', () => {
  const contains = (value: string): RuleCondition => ({
    field: 'description',
    operator: 'contains',
    value,
    case_sensitive: false,
  });
  const rename = (from: string, to: string, more: Partial<RuleBody> = {}): RuleBody =>
    rule([{ type: 'set_description', value: to }], { conditions: contains(from), ...more });
  const run = (rules: readonly RuleBody[]) => compileRules(rules, CONTEXT)(row({ description: 'one' }));

  test('see what the rules before them made of the row', () => {
    const result = run([rename('one', 'two'), rename('one', 'never'), rename('two', 'three')]);
    assert.deepEqual([result.row?.transaction.description, result.hits], ['three', [0, 2]]);
  });

  test('see the category and the sign that a rule before them set', () => {
    const first = rule([{ type: 'set_category', value: COFFEE }, { type: 'flip_sign' }]);
    const second = rule([{ type: 'add_tag', value: 'seen' }], {
      conditions: {
        all: [
          { field: 'category', operator: 'equals', value: GROUP, case_sensitive: false },
          { field: 'direction', operator: 'equals', value: 'credit', case_sensitive: false },
        ],
      },
    });
    assert.deepEqual(run([first, second]).row?.tags, ['seen']);
    assert.deepEqual(run([second, first]).row?.tags, []);
  });

  test('end where one with stop acts, and only where it acts', () => {
    const result = run([
      rename('x', 'y', { stop: true }),
      rename('one', 'two', { stop: true }),
      rename('two', 'no'),
    ]);
    assert.deepEqual([result.row?.transaction.description, result.hits], ['two', [1]]);
  });

  test('end where one skips the row', () => {
    const skip = rule([{ type: 'skip' }], { conditions: contains('two') });
    assert.deepEqual(run([rename('one', 'two'), skip, rename('two', 'no')]), { row: null, hits: [0, 1] });
    assert.equal(run([skip]).row?.transaction.description, 'one');
  });

  test('that are switched off take no part, and keep their place', () => {
    const result = run([rename('one', 'two', { enabled: false }), rename('one', 'three')]);
    assert.deepEqual([result.row?.transaction.description, result.hits], ['three', [1]]);
  });

  test('leave a row that none acts on as it was read', () => {
    const before = row();
    assert.equal(compileRules([rename('x', 'y')], CONTEXT)(before).row, before);
  });
});

describe('what is wrong in an action is named by its exact path', () => {
  const cases: ReadonlyArray<readonly [string, unknown, string, string]> = [
    ['no list', {}, 'parameter_invalid', 'actions'],
    ['an empty list', [], 'parameter_invalid', 'actions'],
    ['too many', Array(11).fill({ type: 'flip_sign' }), 'parameter_invalid', 'actions'],
    ['no object', ['skip'], 'parameter_invalid', 'actions[0]'],
    ['no type', [{ value: 'x' }], 'parameter_missing', 'actions[0].type'],
    ['an unknown type', [{ type: 'delete' }], 'parameter_invalid', 'actions[0].type'],
    ['a type of every object', [{ type: 'toString' }], 'parameter_invalid', 'actions[0].type'],
    ['skip beside others', [{ type: 'flip_sign' }, { type: 'skip' }], 'parameter_invalid', 'actions'],
    ['a member of another action', [{ type: 'skip', value: 'x' }], 'parameter_invalid', 'actions[0].value'],
    ['no value', [{ type: 'flip_sign' }, { type: 'set_memo' }], 'parameter_missing', 'actions[1].value'],
    ['a blank value', [{ type: 'add_tag', value: ' ' }], 'parameter_invalid', 'actions[0].value'],
    [
      'a value too long',
      [{ type: 'set_memo', value: 'x'.repeat(501) }],
      'parameter_invalid',
      'actions[0].value',
    ],
    ['no category', [{ type: 'set_category' }], 'parameter_missing', 'actions[0].value'],
    [
      'a category that is no id',
      [{ type: 'set_category', value: 'Food' }],
      'resource_missing',
      'actions[0].value',
    ],
    [
      'a category that is a number',
      [{ type: 'set_category', value: 1 }],
      'parameter_invalid',
      'actions[0].value',
    ],
    ['no field', [{ type: 'replace_text', find: 'x', value: '' }], 'parameter_missing', 'actions[0].field'],
    [
      'a field that must not change',
      [{ type: 'replace_text', field: 'date', find: 'x', value: '' }],
      'parameter_invalid',
      'actions[0].field',
    ],
    [
      'nothing to find',
      [{ type: 'replace_text', field: 'reference', find: '', value: '' }],
      'parameter_invalid',
      'actions[0].find',
    ],
  ];
  for (const [what, given, code, param] of cases) {
    test(what, () =>
      assert.throws(
        () => parseActions(given, 'actions', DEFAULT_LIMITS),
        (error) => {
          assert.ok(error instanceof ServiceError, String(error));
          assert.deepEqual([error.code, error.param], [code, param]);
          return true;
        },
      ),
    );
  }

  test('the description knows every action that is parsed, and none of another shape', () => {
    const described = (given: unknown) => misfits(['components', 'schemas', 'rule_action'], given);
    fc.assert(
      fc.property(action, (given) => assert.deepEqual(described(given), [])),
      { numRuns: 300 },
    );
    assert.deepEqual(described({ type: 'skip' }), []);
    const replace = { type: 'replace_text', field: 'description', find: 'x' };
    const wrong = [
      {},
      { type: 'delete' },
      { type: 'skip', value: 'x' },
      { type: 'set_memo' },
      { type: 'set_memo', value: '' },
      { type: 'set_merchant', value: null },
      replace,
      { ...replace, value: '', field: 'amount' },
    ];
    for (const given of wrong) assert.notDeepEqual(described(given), [], JSON.stringify(given));
  });

  test('every action of the table is parsed, and parsed again to the same', () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 1, maxLength: 10 }), (actions) => {
        const parsed = parseActions(actions, 'actions', DEFAULT_LIMITS);
        assert.deepEqual(parsed, actions);
        assert.ok(parsed.every(({ type }) => RULE_ACTION_TYPES.includes(type)));
      }),
    );
  });
});
