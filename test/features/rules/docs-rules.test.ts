import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { REPLACEABLE_FIELDS, RULE_ACTION_TYPES, RULE_ACTIONS } from '../../../src/vocabulary/rule-actions.ts';
import {
  KIND_OPERATORS,
  RULE_FIELD_NAMES,
  RULE_FIELDS,
  RULE_OPERATORS,
  wordsOf,
} from '../../../src/vocabulary/rule-fields.ts';
import { cell, plain, section, tableRows } from '../../house/markdown.ts';
import { readText } from '../../house/tree.ts';

const page = readText('docs/rules.md');
const words = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]);
const tables = tableRows(page, 'Conditions');

test('every field has its row in docs/rules.md with its kind, and every row is a field', () => {
  const rows = tables.filter((row) => Object.hasOwn(row, 'Field'));
  const told = rows.map((row) => [plain(cell(row, 'Field')), cell(row, 'Kind')]);
  assert.deepEqual(
    told,
    RULE_FIELD_NAMES.map((field) => [field, RULE_FIELDS[field].kind]),
  );
  for (const row of rows) {
    const field = RULE_FIELD_NAMES.find((name) => name === plain(cell(row, 'Field')));
    assert.ok(field !== undefined && cell(row, 'What it is').length >= 5);
    if (RULE_FIELDS[field].kind === 'word')
      assert.deepEqual(words(cell(row, 'What it is')), [...wordsOf(field)]);
  }
});

test('every kind has its row with the operators it takes, and every operator belongs to a kind', () => {
  const rows = tables.filter((row) => Object.hasOwn(row, 'Operators'));
  const told = rows.map((row) => [cell(row, 'Kind'), words(cell(row, 'Operators'))]);
  assert.deepEqual(Object.fromEntries(told), KIND_OPERATORS);
  assert.deepEqual(
    RULE_OPERATORS.filter((operator) => !told.flat(2).includes(operator)),
    [],
  );
});

test('every action has its row with its members, and every row is an action', () => {
  const rows = tableRows(page, 'Actions');
  const told = rows.map((row) => [plain(cell(row, 'Action')), words(cell(row, 'Members'))]);
  assert.deepEqual(Object.fromEntries(told), RULE_ACTIONS);
  assert.deepEqual(
    rows.map((row) => plain(cell(row, 'Action'))),
    [...RULE_ACTION_TYPES],
  );
  const replace = rows.find((row) => plain(cell(row, 'Action')) === 'replace_text');
  assert.ok(replace !== undefined);
  for (const field of REPLACEABLE_FIELDS)
    assert.ok(words(cell(replace, 'What it does')).includes(field), field);
});

test('the numbers the page names are the limits', () => {
  const {
    ruleset_rules,
    ruleset_patterns,
    rule_conditions,
    rule_condition_depth,
    rule_actions,
    rule_values,
    rule_text_characters,
    rule_pattern_characters,
    rule_pattern_steps,
    ruleset_pattern_steps,
  } = DEFAULT_LIMITS;
  assert.deepEqual([...section(page, 'Limits').matchAll(/\d+/g)].map(Number), [
    ruleset_rules,
    ruleset_patterns,
    rule_conditions,
    rule_condition_depth,
    rule_actions,
    rule_values,
    rule_text_characters,
    rule_pattern_characters,
    rule_pattern_steps,
    ruleset_pattern_steps,
  ]);
});
