import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { INTEGRATIONS } from '../../src/app/integrations.ts';
import { allVariables, documentationRow } from '../../src/platform/config-variables.ts';

const page = await readFile(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
const ROWS = INTEGRATIONS.map(({ row }) => row);
const documented = new Map(
  page
    .split('\n')
    .flatMap((line) => [...line.matchAll(/^\| `([A-Z][A-Z0-9_]*)` \|/g)].map((hit) => [hit[1], line])),
);

test('every variable has its row in docs/configuration.md, with its default, form and purpose', () => {
  for (const [name, variable] of allVariables(ROWS)) {
    assert.equal(
      documented.get(name),
      documentationRow(name, variable),
      `${name}: put the expected row into the page`,
    );
  }
});

test('every variable that docs/configuration.md names exists', () => {
  const known = allVariables(ROWS);
  assert.deepEqual([...documented.keys()], [...known.keys()], 'same variables in the same order');
  for (const [, name = ''] of page.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)) {
    assert.ok(known.has(name), `${name} is not a variable`);
  }
});

test('every default is a value its variable accepts', () => {
  for (const [name, variable] of allVariables(ROWS)) {
    if (variable.default !== null) assert.ok('value' in variable.parse(variable.default), name);
  }
});
