import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { LIMIT_NAMES } from '../../src/vocabulary/limits.ts';
import { importsOf } from './import-list.ts';
import { readSources } from './tree.ts';

const src = readSources();

/** Files that `path` imports, as paths from the project's root. */
function importedBy(path: string): Set<string> {
  const found = importsOf(src.get(path) ?? '').map((one) => posix.join(posix.dirname(path), one.specifier));
  return new Set(found);
}

const REGISTRIES: ReadonlyArray<readonly [string, RegExp, string]> = [
  ['migration', /^src\/storage\/migrations\/.+\.ts$/, 'src/storage/migrator.ts'],
  ['group of tables', /^src\/storage\/[a-z-]+-tables\.ts$/, 'src/storage/tables.ts'],
  [
    'endpoint of v1',
    /^src\/operations\/v1\/(?!account-detail-schema|conventions|endpoint|failures|ids|paging|portfolio-query|required)[a-z-]+\.ts$/,
    'src/operations/v1/endpoint-table.ts',
  ],
  [
    'group of operations',
    /^src\/operations\/v2\/[a-z-]+\/operations\.ts$/,
    'src/operations/operation-table.ts',
  ],
  [
    'row of an integration',
    /^(?:src\/connectors\/(?:providers|destinations)|sandbox)\/[^/]+\/integration\.ts$/,
    'src/app/integrations.ts',
  ],
];

for (const [what, pattern, registry] of REGISTRIES) {
  test(`every ${what} is registered in ${registry}, so that none is written and forgotten`, () => {
    const files = [...src.keys()].filter((path) => pattern.test(path));
    const registered = importedBy(registry);
    assert.ok(files.length > 0, 'the search found some');
    assert.deepEqual(
      files.filter((path) => !registered.has(path)),
      [],
    );
  });
}

test('every adapter and every simulator has a row in the table of integrations', () => {
  const folders = new Set(
    [...src.keys()].flatMap((path) => {
      const [, folder] =
        /^((?:src\/connectors\/(?:providers|destinations)|sandbox)\/[^/]+)\/./.exec(path) ?? [];
      return folder === undefined ? [] : [folder];
    }),
  );
  // The adapter of statement files has no vendor, no settings and no simulator.
  const shared = [
    'src/connectors/providers/kit',
    'src/connectors/providers/statement-files',
    'src/connectors/destinations/kit',
    'sandbox/shared',
  ];
  assert.deepEqual(
    [...folders].filter((folder) => !shared.includes(folder) && !src.has(`${folder}/integration.ts`)),
    [],
  );
});

test('every file of src and sandbox is reached from main.ts: nothing lies about unused', () => {
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

test('every migration has a number of its own', () => {
  const names = [...src.keys()]
    .filter((path) => path.startsWith('src/storage/migrations/'))
    .map((path) => posix.basename(path));
  assert.ok(names.length >= 9);
  const numbers = names.map((name) => name.slice(0, 4));
  assert.ok(numbers.every((number) => /^\d{4}$/.test(number)));
  assert.deepEqual(numbers, [...new Set(numbers)]);
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
