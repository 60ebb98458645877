import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MISBEHAVIOURS } from '../../sandbox/shared/misbehaviour-kinds.ts';
import { CASES } from '../misbehaviour/cases.ts';
import { readText } from './tree.ts';

const KNOWN = Object.entries(MISBEHAVIOURS);

/** The cells of every row of a page whose first cell names a misbehaviour. */
function rowsOf(path: string): string[][] {
  return readText(path)
    .split('\n')
    .filter((line) => /^\| (?:<a id="\w+"><\/a>)?`\w+_\w+` \|/.test(line))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| |<a id="\w+"><\/a>| \|$/g, '')));
}

test('docs/sandbox.md lists every misbehaviour of data, with what it changes and shows, and no other', () => {
  assert.deepEqual(
    rowsOf('docs/sandbox.md'),
    KNOWN.map(([name, { of, says }]) => [`\`${name}\``, of, says]),
  );
});

test('docs/bank-misbehaviour.md has a row for every misbehaviour, and each is a case of the suite', () => {
  const documented = rowsOf('docs/bank-misbehaviour.md');
  assert.ok(documented.length >= 40);
  assert.deepEqual(
    documented.map(([name, shows]) => [name, shows]),
    KNOWN.map(([name, { says }]) => [`\`${name}\``, says]),
  );
  assert.ok(documented.every(([, , seen = '', does = '']) => seen !== '' && does !== ''));
  const played = new Set<string>(CASES.map(({ name }) => name));
  assert.deepEqual([...played].toSorted(), KNOWN.map(([name]) => name).toSorted());
});
