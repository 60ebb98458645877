import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ConfigError } from '../../../src/platform/config.ts';
import { explain } from '../../../src/surfaces/cli/explain.ts';
import { CommandFailure } from '../../../src/surfaces/cli/failure.ts';
import { pairs, table } from '../../../src/surfaces/cli/table.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';

test('Columns line up, numbers on the right, without blanks at the end of a line', () => {
  const shown = table(
    [{ title: 'NAME' }, { title: 'ROWS', align: 'right' }, { title: 'NOTE' }],
    [
      ['a', '5', ''],
      ['longer', '12345', 'x'],
    ],
  );
  assert.equal(shown, 'NAME     ROWS  NOTE\na           5\nlonger  12345  x');
});

test('Wide characters count as the two cells they take', () => {
  assert.equal(
    table(
      [{ title: 'A' }, { title: 'B' }],
      [
        ['日本', 'x'],
        ['abcd', 'y'],
      ],
    ),
    'A     B\n日本  x\nabcd  y',
  );
});

test('Whatever a cell holds, it stays on its line and starts no escape sequence', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const lines = table([{ title: 'T' }], [[text]]).split('\n');
      assert.equal(lines.length, 2);
      assert.doesNotMatch(lines[1] ?? '', /[\p{Cc}\u2028\u2029]/u);
      assert.equal(pairs([['Name', text]]).split('\n').length, 1);
    }),
  );
});

test('Every failure is explained without a stack, with an exit code', () => {
  const system = (code: string): Error => Object.assign(new Error(`${code}: it failed`), { code });
  const failures: readonly [unknown, RegExp, number][] = [
    [new CommandFailure('Said so.', { exitCode: 2 }), /^Said so\.$/, 2],
    [
      new ServiceError('parameter_invalid', { param: 'email', message: 'Not one.' }),
      /^email: Not one\. \(parameter_invalid\)$/,
      1,
    ],
    [new ConfigError([{ variable: 'PORT', problem: 'must be a number' }]), /PORT must be a number/, 1],
    [system('EADDRINUSE'), /set PORT/, 1],
    [system('EACCES'), /who owns/, 1],
    [new AggregateError([system('ECONNREFUSED')], ''), /DATABASE_URL/, 1],
    [new TypeError('odd'), /^odd\. Run it again with LOG_LEVEL=debug/, 1],
    ['text', /text/, 1],
  ];
  for (const [error, message, exitCode] of failures) {
    const explained = explain(error);
    assert.match(explained.message, message);
    assert.doesNotMatch(explained.message, /\n\s+at /);
    assert.equal(explained.exitCode, exitCode);
  }
});
