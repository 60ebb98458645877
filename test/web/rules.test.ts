import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ApiError, type RuleAction, type RuleCondition } from '#client';
import { REPLACEABLE_FIELDS, RULE_ACTION_TYPES } from '../../src/vocabulary/rule-actions.ts';
import {
  operatorsOf,
  RULE_FIELD_NAMES,
  type RuleField,
  type RuleOperator,
  wordsOf,
} from '../../src/vocabulary/rule-fields.ts';
import { bodyOf, draftOf, emptyDraft, type RuleBody } from '../../web/src/rules/rulesets/draft.ts';
import { errorAt, fieldErrorOf } from '../../web/src/rules/rulesets/field-errors.ts';
import { ruleReading } from '../../web/src/rules/rulesets/reading.ts';
import { draggedRule, nameOf, steppedRule } from '../../web/src/rules/rulesets/rule-order.ts';
import { FIELD_WORDS, OPERATOR_WORDS, VALUE_WORDS } from '../../web/src/text/rule-words.ts';
import { RULE_FORM } from '../../web/src/text/rules.ts';

const names = {
  category: (id: string) => (id === 'cat_dining' ? 'Dining out' : 'a deleted category'),
  account: (id: string) => `account ${id}`,
  code: (code: string) => (code === 'TRAVEL' ? 'Travel' : code),
};
/** fast-check makes objects without a prototype. */
const plain = (rule: RuleBody): unknown => JSON.parse(JSON.stringify(rule));
const text = fc.string({ minLength: 1, maxLength: 20 });
function leafWith(field: RuleField, operator: RuleOperator): fc.Arbitrary<RuleCondition> {
  const compared = { field, case_sensitive: false };
  switch (operator) {
    case 'is_empty':
    case 'is_not_empty':
      return fc.constant({ ...compared, operator, value: null });
    case 'between':
      return fc.tuple(text, text).map((value) => ({ ...compared, operator, value }));
    case 'in':
    case 'not_in':
      return fc
        .array(text, { minLength: 1, maxLength: 4 })
        .map((value) => ({ ...compared, operator, value }));
    default:
      return text.map((value) => ({ ...compared, operator, value }));
  }
}
const leaf: fc.Arbitrary<RuleCondition> = fc
  .constantFrom(...RULE_FIELD_NAMES)
  .chain((field) => fc.constantFrom(...operatorsOf(field)).chain((operator) => leafWith(field, operator)));
const group = (inner: fc.Arbitrary<RuleCondition>): fc.Arbitrary<RuleCondition> =>
  fc
    .tuple(fc.constantFrom('all', 'any'), fc.array(inner, { minLength: 1, maxLength: 3 }))
    .map(([match, branches]) => (match === 'all' ? { all: branches } : { any: branches }));
const conditions = group(
  fc.oneof(
    leaf,
    leaf.map((not) => ({ not })),
    group(leaf),
    group(leaf).map((not) => ({ not })),
  ),
);
const action: fc.Arbitrary<RuleAction> = fc.oneof(
  fc.record({ type: fc.constantFrom('set_description', 'set_merchant', 'set_memo', 'add_tag'), value: text }),
  fc.record({ type: fc.constant('set_category' as const), value: fc.option(text) }),
  fc.record({
    type: fc.constant('replace_text' as const),
    field: fc.constantFrom(...REPLACEABLE_FIELDS),
    find: text,
    value: fc.string(),
    case_sensitive: fc.boolean(),
  }),
  fc.record({ type: fc.constantFrom('flip_sign', 'skip') }),
);
const body: fc.Arbitrary<RuleBody> = fc.record({
  name: fc.constantFrom(null, 'Coffee'),
  enabled: fc.boolean(),
  conditions: fc.option(conditions),
  actions: fc.array(action, { minLength: 1, maxLength: 4 }),
  stop: fc.boolean(),
});

describe('the rule builder', () => {
  test('a rule that is opened and saved without a change is the same rule', () => {
    fc.assert(fc.property(body, (rule) => assert.deepEqual(plain(bodyOf(draftOf(rule))), plain(rule))));
  });

  test('a single condition is shown in a group, and a double negation as none', () => {
    const one: RuleCondition = { field: 'amount', operator: 'lt', value: '5', case_sensitive: false };
    const rule = { name: null, enabled: true, actions: [], stop: false };
    assert.deepEqual(bodyOf(draftOf({ ...rule, conditions: one })).conditions, { all: [one] });
    const twice = { all: [{ not: { not: one } }] };
    assert.deepEqual(bodyOf(draftOf({ ...rule, conditions: twice })).conditions, { all: [one] });
  });

  test('a new rule matches by one condition, and is refused by the service until it has a value', () => {
    assert.deepEqual(bodyOf(emptyDraft()), {
      name: null,
      enabled: true,
      conditions: { all: [{ field: 'description', operator: 'contains', value: '', case_sensitive: false }] },
      actions: [{ type: 'set_category', value: null }],
      stop: false,
    });
  });

  test('every field, operator, word and action has a name', () => {
    for (const field of RULE_FIELD_NAMES) {
      assert.ok(FIELD_WORDS[field]);
      for (const word of wordsOf(field)) assert.ok(VALUE_WORDS[word], word);
    }
    for (const words of Object.values(OPERATOR_WORDS))
      for (const word of Object.values(words)) assert.ok(word);
    for (const type of RULE_ACTION_TYPES) assert.ok(RULE_FORM.types[type]);
  });
});

describe('the reading of a rule', () => {
  const rule = (given: Partial<RuleBody>): RuleBody => ({
    name: null,
    enabled: true,
    conditions: null,
    actions: [{ type: 'skip' }],
    stop: false,
    ...given,
  });
  const coffee: RuleCondition = {
    field: 'description',
    operator: 'contains',
    value: 'coffee',
    case_sensitive: false,
  };
  const small: RuleCondition = { field: 'amount', operator: 'lt', value: '5', case_sensitive: false };

  test('says what it looks for and what it does', () => {
    const given = rule({
      conditions: { all: [coffee, small] },
      actions: [
        { type: 'set_category', value: 'cat_dining' },
        { type: 'add_tag', value: 'treat' },
      ],
      stop: true,
    });
    assert.equal(
      ruleReading(given, names),
      'When description contains “coffee” and amount is below 5, set the category to Dining out, add the tag “treat” and stop there.',
    );
    assert.equal(ruleReading(rule({}), names), 'For every transaction, skip the transaction.');
  });

  test('puts groups in brackets where they would be ambiguous, and says what is turned around', () => {
    const travel: RuleCondition = {
      field: 'provider_category',
      operator: 'in',
      value: ['TRAVEL', 'INCOME'],
      case_sensitive: false,
    };
    const given = rule({ conditions: { all: [{ any: [coffee, small] }, { not: travel }] } });
    assert.equal(
      ruleReading(given, names),
      'When (description contains “coffee” or amount is below 5) and not (provider code is one of Travel or INCOME), skip the transaction.',
    );
  });

  test('says ranges, days, deleted categories and missing values', () => {
    const days: RuleCondition = {
      field: 'date',
      operator: 'gte',
      value: '2026-07-01',
      case_sensitive: false,
    };
    const range: RuleCondition = {
      field: 'amount',
      operator: 'between',
      value: ['1', '2'],
      case_sensitive: false,
    };
    const gone: RuleCondition = {
      field: 'category',
      operator: 'equals',
      value: 'cat_gone',
      case_sensitive: false,
    };
    const reading = ruleReading(rule({ conditions: { any: [days, range, gone] } }), names);
    assert.equal(
      reading,
      'When date is on or after 2026-07-01 or amount is between 1 and 2 or category is a deleted category, skip the transaction.',
    );
    assert.match(
      ruleReading(bodyOf(emptyDraft()), names),
      /^When description contains …, clear the category\.$/,
    );
  });

  test('every rule has one', () => {
    fc.assert(fc.property(body, (given) => assert.match(ruleReading(given, names), /^(?:When|For) .+\.$/s)));
  });
});

describe('a refusal of a rule', () => {
  const refusal = (param: string | null, message: string) =>
    new ApiError(message, {
      status: 400,
      type: null,
      code: 'parameter_invalid',
      param,
      docUrl: null,
      requestId: null,
      retryAfterMs: null,
    });

  test('is shown at the field it is about, without the path that only the API knows', () => {
    const param = 'conditions.all[1].value';
    const saved = fieldErrorOf(refusal(param, `${param}: missing closing ).`), 3);
    assert.deepEqual(saved, { path: param, message: 'Missing closing ).' });
    const previewed = fieldErrorOf(refusal(`rules[3].${param}`, `rules[3].${param} must not be empty.`), 3);
    assert.deepEqual(previewed, { path: param, message: 'Must not be empty.' });
    assert.equal(errorAt(saved, 'conditions.all[1].value'), 'Missing closing ).');
    assert.equal(errorAt(saved, 'conditions.all[1]'), 'Missing closing ).');
    assert.equal(errorAt(saved, 'conditions.all[11]'), null);
    assert.equal(errorAt(saved, 'conditions.all[0].value'), null);
  });

  test('of another rule, or of something else, is no refusal of a field', () => {
    assert.equal(fieldErrorOf(refusal('rules[1].conditions', 'x'), 3), null);
    assert.equal(fieldErrorOf(refusal('account', 'x'), 3), null);
    assert.equal(fieldErrorOf(refusal(null, 'x'), 3), null);
    assert.equal(fieldErrorOf(new Error('x'), 3), null);
  });
});

test('rules move by one place and to where the pointer is, and have a name without one', () => {
  const rules = ['a', 'b', 'c'].map((id) => ({ id, name: id === 'b' ? null : id }));
  const ids = (order: readonly { readonly id: string }[] | null) =>
    order?.map(({ id }) => id).join('') ?? null;
  assert.equal(ids(steppedRule(rules, 'a', 1)), 'bac');
  assert.equal(ids(steppedRule(rules, 'a', -1)), null);
  assert.equal(ids(steppedRule(rules, 'c', 1)), null);
  assert.equal(ids(draggedRule(rules, 'a', { kind: 'rule', id: 'c', half: 'lower' })), 'bca');
  assert.equal(ids(draggedRule(rules, 'c', { kind: 'rule', id: 'a', half: 'upper' })), 'cab');
  assert.equal(ids(draggedRule(rules, 'a', { kind: 'rule', id: 'b', half: 'upper' })), null);
  assert.equal(nameOf(rules, 1), 'Rule 2');
});
