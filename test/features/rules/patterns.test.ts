import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileCondition } from '../../../src/features/rules/compile-condition.ts';
import { compilePattern } from '../../../src/features/rules/pattern.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import type { RuleLeaf } from '../../../src/vocabulary/rules.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { leastMs } from '../../support/patience.ts';
import { CONTEXT, row } from './rows.ts';

const leaf = (value: string, case_sensitive = false): RuleLeaf => ({
  field: 'description',
  operator: 'matches',
  value,
  case_sensitive,
});
const matches = (pattern: string, description: string, sensitive = false): boolean =>
  compileCondition(leaf(pattern, sensitive), CONTEXT)(row({ description }));

function refusal(pattern: string): string {
  try {
    compilePattern(pattern, false, DEFAULT_LIMITS, 'conditions.value');
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    assert.deepEqual([error.code, error.param], ['parameter_invalid', 'conditions.value']);
    return error.message;
  }
  return assert.fail(`${pattern} was taken`);
}

describe('a pattern', () => {
  test('matches anywhere, whatever the case, unless it says where and the condition says which', () => {
    assert.equal(matches('caf[eé]', 'EFTPOS CAFÉ Sydney'), true);
    assert.equal(matches('cafe', 'EFTPOS CAFE', true), false);
    assert.equal(matches('^cafe$', 'EFTPOS CAFE'), false);
    assert.equal(matches('\\d{4}\\s+\\p{Lu}{2}$', 'SHOP 1234  NSW'), false);
    assert.equal(matches('\\d{4}\\s+[a-z]{3}$', 'SHOP 1234  NSW'), true);
    assert.equal(matches('☕', 'one ☕'), true);
  });

  test('sees a letter and its accent as one, however they are composed', () => {
    for (const pattern of ['café', 'cafe\u0301', '^caf[é]$', '^caf.$']) {
      for (const text of ['Café', 'Cafe\u0301']) assert.equal(matches(pattern, text), true, pattern);
    }
    assert.equal(matches('cafe', 'Cafe\u0301'), false);
  });

  test('looks at the beginning of a text of any length', () => {
    const most = DEFAULT_LIMITS.row_text_characters;
    assert.equal(matches('x$', 'x'.repeat(most)), true);
    assert.equal(matches('end', `${' '.repeat(most)}end`), false);
  });

  test('that is none, or asks for what would need time without bounds, is refused with the reason', () => {
    assert.match(refusal('a(b'), /missing closing \)/);
    assert.match(refusal('*a'), /missing argument/);
    assert.match(refusal('[z-a]'), /invalid character class range/);
    assert.match(refusal('(?=a)b'), /\(\?=/);
    assert.match(refusal('(?<!a)b'), /\(\?</);
    assert.match(refusal('(a)\\1'), /\\1/);
    assert.match(refusal('a{2000}'), /repeat count/);
  });

  test('that is too long, or compiles to too much, is refused', () => {
    assert.match(refusal('a'.repeat(201)), /200 characters/);
    assert.match(refusal('(a{1,100}){1,9}'), /steps/);
    assert.match(refusal('(?:a?){300}a{300}'), /steps/);
  });
});

describe('no pattern that is taken makes a row take long', () => {
  // Each is exponential or of a high degree in an engine that goes back.
  const evil = [
    '(a+)+$',
    '(a|aa)+$',
    '(a|a)*b',
    '(a*)*b',
    '(.*a){20}$',
    '(x+x+)+y',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(?:a?){100}a{100}',
    '(\\w+\\s?)*$',
    '.*.*.*.*.*.*=.*',
    '(.?.?.?.?.?.?.?.?.?.?){20}Q',
    '((a|b|c|d|e)*.){60}Z',
    '(.*\\w.*[a-m]){30}x',
    '\\pL{400}c',
  ];
  const texts = ['a'.repeat(5000), `${'a'.repeat(4999)}b`, 'ab cd '.repeat(800), 'Ünïcödé ☕ '.repeat(400)];
  for (const pattern of evil) {
    test(pattern, async () => {
      const test = compileCondition(leaf(pattern), CONTEXT);
      const took = await leastMs(2000, () => {
        for (const description of texts) test(row({ description }));
      });
      // Milliseconds as a rule; the bound allows for a machine that does much else.
      assert.ok(took < 2000, `${took} ms`);
    });
  }
});
