import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIXED_LIMITS, LIMIT_NAMES, LIMITS } from '../../src/vocabulary/limits.ts';
import { RATE_TIERS } from '../../src/vocabulary/rate-tiers.ts';
import { impliedScopes, SCOPES } from '../../src/vocabulary/scopes.ts';
import { cell, plain, type Row, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

const limitsPage = readText('docs/limits.md');
const scopesPage = readText('docs/scopes.md');
const number = (text: string) => Number(text.replaceAll(' ', ''));

function only(rows: readonly Row[], column: string, name: string): Row {
  const [row, ...others] = rows.filter((candidate) => plain(cell(candidate, column)) === name);
  assert.ok(row !== undefined && others.length === 0, `one row for ${name}`);
  return row;
}

test('every limit has its row in docs/limits.md with the values the service uses, and every row is a limit', () => {
  const rows = tableRows(limitsPage, 'Limits').filter((row) => Object.hasOwn(row, 'Variable'));
  assert.deepEqual(rows.map((row) => plain(cell(row, 'Limit'))).toSorted(), [...LIMIT_NAMES].toSorted());
  for (const name of LIMIT_NAMES) {
    const row = only(rows, 'Limit', name);
    const limit = LIMITS[name];
    assert.equal(number(cell(row, 'Default')), limit.default, name);
    assert.deepEqual(cell(row, 'Bounds').split(' to ').map(number), [limit.min, limit.max], name);
    assert.equal(cell(row, 'Unit'), limit.unit, name);
    assert.equal(plain(cell(row, 'Variable')), limit.env, name);
    assert.equal(cell(row, 'From'), limit.source, name);
    assert.ok(cell(row, 'What it does').length >= 10, name);
  }
});

test('the fixed shapes on the page are those of the service', () => {
  const rows = tableRows(limitsPage, 'Fixed');
  const documented = rows.map((row) => [plain(cell(row, 'Shape')), number(cell(row, 'Characters'))]);
  assert.deepEqual(Object.fromEntries(documented), FIXED_LIMITS);
});

test('every scope has its row in docs/scopes.md with the scope it brings, and every row is a scope', () => {
  const rows = tableRows(scopesPage, 'Scopes');
  assert.deepEqual(
    rows.map((row) => plain(cell(row, 'Scope'))),
    [...SCOPES],
  );
  for (const scope of SCOPES) {
    const row = only(rows, 'Scope', scope);
    const brings = [...impliedScopes([scope])].filter((other) => other !== scope);
    assert.equal(plain(cell(row, 'Brings')), brings.join(', '), scope);
    assert.ok(cell(row, 'Lets a key').length >= 10, scope);
  }
});

test('every rate tier has its row in docs/scopes.md with its limit, and every row is a tier', () => {
  const rows = tableRows(scopesPage, 'Rate tiers');
  const documented = rows.map((row) => {
    const session = plain(cell(row, 'Limit of a session'));
    return [
      plain(cell(row, 'Tier')),
      { limit: plain(cell(row, 'Limit')), session: session === '' ? null : session },
    ];
  });
  assert.deepEqual(Object.fromEntries(documented), RATE_TIERS);
  for (const [tier, { limit, session }] of Object.entries(RATE_TIERS)) {
    const row = only(rows, 'Tier', tier);
    assert.equal(number(cell(row, 'Requests a minute')), LIMITS[limit].default);
    if (session !== null) assert.equal(number(cell(row, 'In a session')), LIMITS[session].default);
  }
});

test('docs/scale.md computes worker processes from the number of runs that one takes', () => {
  const page = readText('docs/scale.md');
  const { runs_at_once: runs } = LIMITS;
  assert.ok(page.includes(`| ${runs.default} for each worker process by default, [\`runs_at_once\`]`));
  const [, all, processes, each] = /= (\d+) runs at once: (\d+) processes of (\d+) \|/.exec(page) ?? [];
  assert.equal(Number(each), runs.default);
  assert.equal(Number(processes), Math.ceil(Number(all) / runs.default));
});
