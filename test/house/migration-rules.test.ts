import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { readText, readTree } from './tree.ts';

/** Released, and never edited. */
const FROZEN_UNTIL = '0111';

function createdIn(source: string): ReadonlySet<string> {
  return new Set(
    [...source.matchAll(/\bcreate\s+(?:unlogged\s+)?table\s+(?:if not exists\s+)?"?(\w+)/gi)].map(
      ([, table = '']) => table,
    ),
  );
}

/** What a migration does to tables that exist while old processes use them, and should not (CONTRIBUTING.md). */
function blockingIn(source: string): string[] {
  const created = createdIn(source);
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

/** Tables that exist on which a migration takes a lock that others wait for. */
function lockedIn(source: string): string[] {
  const created = createdIn(source);
  const tables = [
    ...source.matchAll(
      /\b(?:(?:alter|drop|lock|truncate)\s+table|references|insert\s+into|delete\s+from|(?<!\bon\s)update|create\s+(?:constraint\s+)?trigger\s[^;`]*?\son)\s+(?:if exists\s+)?(?:only\s+)?"?(\w+)"?((?:\s*,\s*"?\w+"?(?=\s*(?:,|in\b|`)))*)/gi,
    ),
  ].flatMap(([, first = '', others = '']) => [first, ...others.matchAll(/\w+/g).map(([name]) => name)]);
  return [...new Set(tables)].filter((table) => !created.has(table) && !FOLLOWS.has(table.toLowerCase()));
}

/** What follows `on update` of a foreign key, or `for update`, where no table does. */
const FOLLOWS = new Set(['cascade', 'restrict', 'set', 'no', 'of', 'skip', 'nowait']);

test('A migration locks one table that exists at most, so that no lock lasts while it waits for another', () => {
  const found = [...readTree('src/storage/migrations')]
    .filter(([path]) => posix.basename(path).slice(0, 4) > FROZEN_UNTIL)
    .map(([path, source]) => ({ path, locked: lockedIn(source) }))
    .filter(({ locked }) => locked.length > 1);
  assert.deepEqual(found, []);
});

test('The rule of locks would be found broken', () => {
  assert.deepEqual(lockedIn('`alter table syncs add a int`, `alter table only "users" add b int`'), [
    'syncs',
    'users',
  ]);
  assert.deepEqual(
    lockedIn('`create table a (b uuid references syncs (id), c uuid references users (id))`'),
    ['syncs', 'users'],
  );
  assert.deepEqual(lockedIn('`update syncs set a = 1`, `delete from users`, `insert into keys select 1`'), [
    'syncs',
    'users',
    'keys',
  ]);
  assert.deepEqual(lockedIn('`lock table syncs, users in share mode`'), ['syncs', 'users']);
  assert.deepEqual(lockedIn('`create trigger t after insert on syncs for each row`'), ['syncs']);
  assert.deepEqual(lockedIn('`create table a (id int)`, `alter table a add b int`, `insert into a`'), []);
  assert.deepEqual(lockedIn('`alter table syncs add a uuid references syncs (id) on update cascade`'), [
    'syncs',
  ]);
  assert.ok(
    lockedIn(readText('src/storage/migrations/0104-syncing.ts')).length > 1,
    'a released one as well',
  );
});

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
