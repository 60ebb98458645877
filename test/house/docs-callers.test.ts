import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACTOR_KIND_NAMES, OPERATOR, SERVICE } from '../../src/vocabulary/actors.ts';
import { CALLER_KIND_NAMES, CALLER_KINDS } from '../../src/vocabulary/caller-kinds.ts';
import { cell, plain, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

const page = readText('docs/callers.md');

test('docs/callers.md has the kinds of callers there are, with everything that follows from each', () => {
  const documented = tableRows(page, 'Kinds').map((row) => [
    plain(cell(row, 'Kind')),
    cell(row, 'Credential'),
    cell(row, 'Id'),
    cell(row, 'In messages'),
    plain(cell(row, 'Rate limits of')),
    plain(cell(row, 'Trigger of its runs')),
    cell(row, 'Needs API access'),
    plain(cell(row, 'Idempotency keys of')),
    cell(row, 'Makes API keys'),
  ]);
  const known = CALLER_KIND_NAMES.map((name) => {
    const { credential, id, label, rates, trigger, apiAccess, idempotencyKeys, makesKeys } =
      CALLER_KINDS[name];
    const yesOrNo = (is: boolean) => (is ? 'yes' : 'no');
    const [needsAccess, makes] = [yesOrNo(apiAccess), yesOrNo(makesKeys)];
    return [name, credential, id, label, rates, trigger, needsAccess, idempotencyKeys, makes];
  });
  assert.deepEqual(documented, known);
});

test('docs/callers.md has the actors there are: every kind of caller with its id, and those without one', () => {
  const documented = new Map(
    tableRows(page, 'Actors').map((row) => [plain(cell(row, 'Actor')), cell(row, 'Id')]),
  );
  assert.deepEqual([...documented.keys()], ACTOR_KIND_NAMES);
  for (const name of CALLER_KIND_NAMES) assert.equal(documented.get(name), CALLER_KINDS[name].id);
  for (const { kind, id } of [OPERATOR, SERVICE]) assert.equal(documented.get(kind), id ?? 'none');
});
