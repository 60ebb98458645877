import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { importsOf } from './import-list.ts';
import { readSources, type Tree } from './tree.ts';

/** Files and packages that are loaded before the first line of a program runs. */
function loadedBy(path: string, tree: Tree, loaded = new Set<string>()): Set<string> {
  loaded.add(path);
  for (const one of importsOf(tree.get(path) ?? '')) {
    if (one.loaded !== 'at once') continue;
    const target = one.specifier.startsWith('.')
      ? posix.join(posix.dirname(path), one.specifier)
      : one.specifier;
    if (!loaded.has(target)) loadedBy(target, tree, loaded);
  }
  return loaded;
}

/** Rows of the table of integrations: what the configuration has to know of each, and how its code is loaded later. */
const INTEGRATION_ROW = /^(?:src\/connectors\/(?:providers|destinations)|sandbox)\/[^/]+\/integration\.ts$/;
/** What the configuration is read with anyway. */
const LIGHT = /^(?:src\/(?:platform|vocabulary)\/|node:|ipaddr\.js$)/;
const HEAVY =
  /^src\/(?:app\/(?:build|demo|installation|run-on-storage|sandbox|serve)|storage|features|connectors|background|surfaces\/(?!cli\/)|surfaces\/cli\/(?:commands|command|command-table|doctor)\b)|^sandbox\//;

test('A command that a running server answers loads no storage, no feature and no library but those for its arguments', () => {
  const loaded = [...loadedBy('src/main.ts', readSources())];
  assert.ok(
    loaded.includes('src/surfaces/cli/control/control-client.ts'),
    'the search reached what asks the server',
  );
  assert.deepEqual(
    loaded.filter((one) => HEAVY.test(one) && !INTEGRATION_ROW.test(one)),
    [],
  );
  assert.deepEqual(loaded.filter((one) => !/^(?:src\/|sandbox\/|node:)/.test(one)).toSorted(), [
    'commander',
    'ipaddr.js',
  ]);
});

test('A row of the table of integrations loads nothing but what reads settings', () => {
  const tree = readSources();
  const rows = [...tree.keys()].filter((path) => INTEGRATION_ROW.test(path));
  assert.ok(rows.length >= 3, 'the search found the rows');
  for (const row of rows)
    assert.deepEqual(
      [...loadedBy(row, tree)].filter((one) => one !== row && !LIGHT.test(one)),
      [],
      row,
    );
});

test('The walk follows imports of values, and neither types nor what is loaded later', () => {
  const tree = new Map([
    [
      'src/a.ts',
      "import { b } from './b.ts';\nimport type { C } from './c.ts';\nimport { x } from 'left';\n",
    ],
    ['src/b.ts', "import { type D, d } from './d.ts';\nexport const later = () => import('./e.ts');\n"],
    ['src/d.ts', "import './f.ts';\n"],
  ]);
  assert.deepEqual([...loadedBy('src/a.ts', tree)], ['src/a.ts', 'src/b.ts', 'src/d.ts', 'src/f.ts', 'left']);
});
