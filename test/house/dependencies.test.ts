import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALLOWED_LICENCES, isAllowed } from '../../scripts/lib/release/licences.ts';
import { SOFTWARE_VERSION } from '../../src/vocabulary/software-version.ts';
import { dependenciesOf, installedPackage, scriptsOf } from './manifest.ts';
import { cell, plain, tableRows } from './markdown.ts';
import { ROOT, readText, readTree } from './tree.ts';

const { runtime, development } = dependenciesOf();
const declared: Readonly<Record<string, string>> = { ...runtime, ...development };
const page = readText('docs/decisions/dependencies.md');
const packageRows = ['What runs', 'What checks and builds'].flatMap((title) => tableRows(page, title));
const rows = new Map(packageRows.map((row) => [plain(cell(row, 'Package')), row]));

/** Requires its own files to remain free if they are modified or redistributed; it only runs in tests. */
const UNCHANGED_IN_TESTS: ReadonlyMap<string, string> = new Map([['axe-core', 'MPL-2.0']]);

/** The version of a pin; a second version of a package is installed under another name: `npm:<package>@<version>`. */
function pinnedTo(pin: string): string {
  return pin.startsWith('npm:') ? pin.slice(pin.lastIndexOf('@') + 1) : pin;
}

/** Packages that files of a folder import. */
function imported(folder: string): Set<string> {
  const sources = [...readTree(folder).values(), ...readTree(folder, '.tsx').values()];
  const names = sources.flatMap((source) =>
    [...source.matchAll(/(?:\bfrom |\bimport\(?|\basset\() ?'([^'.][^']*)'/g)].map((match) => match[1] ?? ''),
  );
  return new Set(
    names.map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    ),
  );
}

/** Bytes of a package's own files, without what it installed below itself. */
function installedBytes(folder: string): number {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules' && !entry.isSymbolicLink())
    .map((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? installedBytes(path) : statSync(join(ROOT, path)).size;
    })
    .reduce((sum, size) => sum + size, 0);
}

test('every direct dependency has a row in the decisions and every row is a direct dependency', () => {
  assert.deepEqual([...rows.keys()].toSorted(), Object.keys(declared).toSorted());
  assert.equal(rows.size, packageRows.length, 'no package has two rows');
});

test('the page names the runtime dependencies apart from those of development', () => {
  const packages = (title: string) => tableRows(page, title).map((row) => plain(cell(row, 'Package')));
  assert.deepEqual(packages('What runs').toSorted(), Object.keys(runtime).toSorted());
  assert.deepEqual(packages('What checks and builds').toSorted(), Object.keys(development).toSorted());
});

test('the version that the program prints is that of the package', () => {
  assert.equal(JSON.parse(readText('package.json')).version, SOFTWARE_VERSION);
});

test('each row tells the version and licence that are installed, and about the size', () => {
  for (const [name, row] of rows) {
    const { version, license } = installedPackage(name);
    assert.equal(cell(row, 'Version'), version, name);
    assert.equal(cell(row, 'Version'), pinnedTo(declared[name] ?? ''), name);
    assert.equal(cell(row, 'Licence'), license, name);
    const kilobytes = Number(cell(row, 'Size, kB').replaceAll(' ', ''));
    const actual = installedBytes(`node_modules/${name}`) / 1000;
    assert.ok(
      kilobytes > actual / 2 && kilobytes < actual * 2,
      `${name}: ${kilobytes} kB documented, ${actual} kB found`,
    );
  }
});

test('each row says why the package is here and what would replace it', () => {
  for (const [name, row] of rows) {
    assert.ok(cell(row, 'Why it is here').length >= 20, `${name}: why`);
    assert.ok(cell(row, 'What replaces it').length >= 10, `${name}: what replaces it`);
  }
});

test('every dependency is pinned to one version', () => {
  for (const [name, version] of Object.entries(declared)) {
    assert.match(pinnedTo(version), /^\d+\.\d+\.\d+(-alpha\.\d+)?$/, name);
  }
});

test('only licences that ask for nothing but their text are taken', () => {
  for (const [name, row] of rows) {
    const licence = cell(row, 'Licence');
    assert.ok(isAllowed(licence) || UNCHANGED_IN_TESTS.get(name) === licence, `${name}: ${licence}`);
  }
  for (const name of UNCHANGED_IN_TESTS.keys()) assert.ok(Object.hasOwn(development, name), name);
});

test('the page has every allowed licence, what it asks for, and no other', () => {
  const documented = tableRows(page, 'Allowed licences').map((row) => [
    plain(cell(row, 'Licence')),
    cell(row, 'What it asks for'),
  ]);
  assert.deepEqual(Object.fromEntries(documented), ALLOWED_LICENCES);
});

test('of a choice of licences one has to be allowed, of several together each', () => {
  for (const one of ['MIT', '(MIT OR GPL-3.0-only)', 'MIT AND ISC', 'GPL-3.0-only OR MIT AND ISC'])
    assert.ok(isAllowed(one), one);
  for (const one of [
    '',
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    '(MIT OR ISC) AND GPL-3.0-only',
    'SEE LICENSE',
  ])
    assert.ok(!isAllowed(one), one);
});

test('every runtime dependency is imported by the source', () => {
  const used = imported('src').union(imported('sandbox'));
  assert.deepEqual(
    Object.keys(runtime).filter((name) => !used.has(name)),
    [],
  );
});

test('every development dependency is imported by a test, a script or the web application, run by a script, or types another', () => {
  const used = imported('test').union(imported('scripts')).union(imported('web/src'));
  const lines = [...Object.values(scriptsOf()), readText('scripts/lint-description.ts').replaceAll("'", ' ')];
  const words = new Set(lines.flatMap((line) => line.split(/[\s[\],]+/)));
  const commands: Readonly<Record<string, string>> = {
    '@biomejs/biome': 'biome',
    '@redocly/cli': 'redocly',
    '@stoplight/spectral-cli': 'spectral',
    typescript: 'tsc',
    node: 'node',
  };
  const types = (name: string) => {
    const typed = name.replace(/^@types\//, '');
    return typed !== name && (typed === 'node' || Object.hasOwn(declared, typed));
  };
  assert.deepEqual(
    Object.keys(development).filter(
      (name) => !used.has(name) && !words.has(commands[name] ?? '') && !types(name),
    ),
    [],
  );
});
