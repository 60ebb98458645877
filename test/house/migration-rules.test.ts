import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { readText, readTree } from './tree.ts';

/** Released, and never edited. */
const FROZEN_UNTIL = '0111';

/** What a migration does to tables that exist while old processes use them, and should not (CONTRIBUTING.md). */
function blockingIn(source: string): string[] {
  const created = new Set(
    [...source.matchAll(/\bcreate\s+(?:unlogged\s+)?table\s+(?:if not exists\s+)?"?(\w+)/gi)].map(
      ([, table = '']) => table,
    ),
  );
  const indexes = [
    ...source.matchAll(/\bcreate\s+(?:unique\s+)?index\s[^;`']*?\son\s+(?:only\s+)?"?(\w+)/gi),
  ].map(([, table = '']) => ({ what: 'index', table }));
  const constraints = [
    ...source.matchAll(
      /\balter\s+table\s+(?:if exists\s+)?(?:only\s+)?"?(\w+)[^;`']*?\b(?:unique|primary\s+key)\b(?!\s+using\s+index)/gi,
    ),
  ].map(([, table = '']) => ({ what: 'constraint', table }));
  return [...indexes, ...constraints]
    .filter(({ table }) => !created.has(table))
    .map(({ what, table }) => `${what} on ${table}`);
}

test('A migration builds indexes on tables that exist concurrently, by its list of indexes, so that old processes go on writing', () => {
  const migrations = [...readTree('src/storage/migrations')];
  assert.ok(migrations.length >= 11);
  const found = migrations
    .filter(([path]) => posix.basename(path).slice(0, 4) > FROZEN_UNTIL)
    .flatMap(([path, source]) => blockingIn(source).map((problem) => `${path}: ${problem}`));
  assert.deepEqual(found, []);
});

test('The rule of indexes would be found broken', () => {
  assert.deepEqual(blockingIn('`create index a_b on syncs (id)`'), ['index on syncs']);
  assert.deepEqual(blockingIn('`create unique index a_b\n    on syncs (id) where id > 1`'), [
    'index on syncs',
  ]);
  assert.deepEqual(blockingIn('`create table a (id int)`, `create index a_b on a (id)`'), []);
  assert.deepEqual(blockingIn('`alter table syncs add constraint one unique (id)`'), ['constraint on syncs']);
  assert.deepEqual(blockingIn('`alter table syncs add constraint one unique using index one`'), []);
  assert.deepEqual(blockingIn("export const indexes = [{ name: 'a_b', on: 'syncs (id)' }];"), []);
  const scale = readText('src/storage/migrations/0110-scale.ts');
  assert.ok(blockingIn(scale).length > 10, 'that of a released migration as well');
});
