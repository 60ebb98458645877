import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUIRKS as BANK_QUIRKS } from '../../sandbox/enable-banking/quirks.ts';
import { MISBEHAVIOURS } from '../../sandbox/shared/misbehaviour-kinds.ts';
import { QUIRKS as SERVER_QUIRKS } from '../../sandbox/simplefin/quirks.ts';
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
    rowsOf('docs/sandbox.md').filter((cells) => cells.length === 3),
    KNOWN.map(([name, { of, says }]) => [`\`${name}\``, of, says]),
  );
});

test('docs/sandbox.md lists every quirk that a fault can give to banks and servers, and a decision who reported it', () => {
  const all = { ...BANK_QUIRKS, ...SERVER_QUIRKS };
  assert.ok(Object.keys(BANK_QUIRKS).length >= 10);
  assert.equal(Object.keys(all).length, Object.keys(BANK_QUIRKS).length + Object.keys(SERVER_QUIRKS).length);
  const documented = rowsOf('docs/sandbox.md').filter((cells) => cells.length === 2);
  assert.deepEqual(
    documented.toSorted(),
    Object.entries(all)
      .map(([name, says]) => [`\`${name}\``, says])
      .toSorted(),
  );
  const reports = ['0040-simplefin-source', '0041-enable-banking'].map((page) =>
    readText(`docs/decisions/${page}.md`),
  );
  for (const name of Object.keys(all))
    assert.ok(
      reports.some((page) => page.includes(`| \`${name}\` |`)),
      name,
    );
  for (const name of Object.keys(all)) assert.ok(!Object.hasOwn(MISBEHAVIOURS, name), name);
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
