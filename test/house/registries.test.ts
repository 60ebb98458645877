import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { LIMIT_NAMES } from '../../src/vocabulary/limits.ts';
import { importsOf } from './import-list.ts';
import { readTree } from './tree.ts';

const src = readTree('src');

/** Files that `path` imports, as paths from the project's root. */
function importedBy(path: string): Set<string> {
  const found = importsOf(src.get(path) ?? '').map((one) => posix.join(posix.dirname(path), one.specifier));
  return new Set(found);
}

const REGISTRIES: ReadonlyArray<readonly [string, RegExp, string]> = [
  ['migration', /^src\/storage\/migrations\/.+\.ts$/, 'src/storage/migrator.ts'],
  ['group of tables', /^src\/storage\/[a-z-]+-tables\.ts$/, 'src/storage/tables.ts'],
  ['group of operations', /^src\/surfaces\/v2\/operations\/.+\.ts$/, 'src/surfaces/v2/operation-table.ts'],
];

for (const [what, pattern, registry] of REGISTRIES) {
  test(`every ${what} is registered in ${registry}, so that none is written and forgotten`, () => {
    const files = [...src.keys()].filter((path) => pattern.test(path));
    const registered = importedBy(registry);
    assert.ok(files.length > 0, 'the walk found some');
    assert.deepEqual(
      files.filter((path) => !registered.has(path)),
      [],
    );
  });
}

test('every file of src is reached from main.ts: nothing lies about unused', () => {
  const reached = new Set<string>();
  const walk = (path: string) => {
    if (reached.has(path) || !src.has(path)) return;
    reached.add(path);
    for (const target of importedBy(path)) walk(target);
  };
  walk('src/main.ts');
  assert.deepEqual(
    [...src.keys()].filter((path) => !reached.has(path)),
    [],
  );
});

test('migrations are numbered without a gap', () => {
  const numbers = [...src.keys()].flatMap((path) => /migrations\/(\d{4})-/.exec(path)?.[1] ?? []);
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => String(at + 1).padStart(4, '0')),
  );
});

test('every limit is looked at somewhere outside its own table, so that each bounds something', () => {
  const elsewhere = [...src]
    .filter(([path]) => path !== 'src/vocabulary/limits.ts')
    .map(([, source]) => source);
  assert.deepEqual(
    LIMIT_NAMES.filter((name) => !elsewhere.some((source) => new RegExp(`\\b${name}\\b`).test(source))),
    [],
  );
});
