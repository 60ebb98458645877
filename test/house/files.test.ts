import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { codeOnly } from './code-only.ts';
import { type Rule, rulesBroken } from './file-rules.ts';
import { readSources, readTree, type Tree } from './tree.ts';

const src = readSources();
const tests = readTree('test');
/** The web application, whose files with markup end in another letter. */
const web = new Map([...readTree('web/src'), ...readTree('web/src', '.tsx'), ...readTree('web/languages')]);

function sizes(tree: Tree): number[] {
  return [...tree.values()].map((source) => Buffer.byteLength(source)).toSorted((a, b) => a - b);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

for (const [what, tree, files] of [
  ['source', src, 100],
  ['web application', web, 30],
] as const)
  test(`files of the ${what} stay small: half up to 4 kB, nine in ten up to 10 kB, none above 20 kB`, () => {
    const sorted = sizes(tree);
    assert.ok(sorted.length > files, 'the search found the files');
    assert.ok(quantile(sorted, 0.5) <= 4_000, `median ${quantile(sorted, 0.5)}`);
    assert.ok(quantile(sorted, 0.9) <= 10_000, `nine in ten up to ${quantile(sorted, 0.9)}`);
  });

test('no file of source or tests is above 20 kB', () => {
  const large = [...src, ...web, ...tests].filter(([, source]) => Buffer.byteLength(source) > 20_000);
  assert.deepEqual(
    large.map(([path]) => path),
    [],
  );
});

test('files and folders have kebab-case names', () => {
  const odd = [...src.keys(), ...web.keys(), ...tests.keys()].filter(
    (path) =>
      !/^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)+[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|browser))?\.tsx?$/.test(path),
  );
  assert.deepEqual(odd, []);
});

test('no file of the source or of the web application breaks a rule of the house', () => {
  assert.deepEqual(
    [...src, ...web].flatMap(([path, source]) => rulesBroken(path, source)),
    [],
  );
});

describe('the rules refuse', () => {
  const refused: ReadonlyArray<readonly [Rule, string, string]> = [
    ['any', 'src/features/a.ts', 'export function f(x: any): void {}'],
    ['any', 'src/features/a.ts', 'const list: Array<any> = [];'],
    ['cast', 'src/features/a.ts', 'const x = value as Account;'],
    ['cast', 'src/features/a.ts', 'const x = value as unknown;'],
    ['cast', 'src/features/a.ts', 'const x = (value as { id: string }).id;'],
    ['silenced checker', 'src/features/a.ts', '// @ts-expect-error later'],
    ['silenced checker', 'src/features/a.ts', '// biome-ignore lint: reason'],
    ['unfinished', 'src/features/a.ts', '// TODO: the rest'],
    ['unfinished', 'src/features/a.ts', "throw new Error('FIXME');"],
    ['clock', 'src/features/a.ts', 'const now = Date.now();'],
    ['clock', 'src/surfaces/cli/a.ts', 'const now = new Date();'],
    ['console', 'src/surfaces/cli/a.ts', "console.log('x');"],
    ['default export', 'src/features/a.ts', 'export default function f() {}'],
    ['environment', 'src/features/a.ts', 'const url = process.env.DATABASE_URL;'],
    ['pure vocabulary', 'src/vocabulary/a.ts', "import { randomBytes } from 'node:crypto';"],
    ['pure vocabulary', 'src/vocabulary/a.ts', 'const x = Math.random();'],
    ['machine path', 'src/features/a.ts', "const x = '/home/someone/data';"],
  ];
  for (const [rule, path, source] of refused) {
    test(`${rule}: ${source}`, () => {
      assert.deepEqual(rulesBroken(path, `${source}\n`), [`${path}:1: ${rule}`]);
    });
  }
});

describe('the rules allow', () => {
  const allowed: ReadonlyArray<readonly [string, string]> = [
    ['src/features/a.ts', 'const x = [1] as const;'],
    ['src/features/a.ts', "import { a as b } from './b.ts';"],
    ['src/features/a.ts', 'import {\n  a as b,\n  type C as D,\n} from "./b.ts";'],
    ['src/features/a.ts', "import * as linking from './b.ts';"],
    ['src/features/a.ts', '// as any reader knows, Date.now() is elsewhere'],
    ['src/features/a.ts', "const text = 'new Date() as any: any';"],
    ['src/features/a.ts', 'const signal = AbortSignal.any([a, b]);'],
    ['src/features/a.ts', 'const at = new Date(clock.now());'],
    ['src/platform/clock.ts', 'const now = Date.now();'],
    ['web/src/format/clock.ts', 'const now = Date.now();'],
    ['sandbox/clock.ts', 'const now = Date.now();'],
    ['src/main.ts', 'const env = process.env;'],
  ];
  for (const [path, source] of allowed) {
    test(source, () => assert.deepEqual(rulesBroken(path, `${source}\n`), []));
  }

  test('the values inside a template are code and its text is not', () => {
    const source =
      'const a = `x as y §{b + `any §{Date.now()} any` + { c: 1 }.c} \\` as z §{d}`; const e = f as G;\n'.replaceAll(
        '§',
        '$',
      );
    const code = codeOnly(source);
    assert.equal(code.length, source.length);
    assert.equal(
      code.replace(/\s+/g, ' ').trim(),
      "const a = ' b + ' Date.now() + { c: 1 }.c d ; const e = f as G;",
    );
  });

  test('comments and texts are not code', () => {
    const source =
      'const a = 1; // new Date()\n/* any\n any */ const b = \'any\' + "console.log";\nconst c = /as any/g;\n';
    assert.ok(!/any|console|Date/.test(codeOnly(source)));
    assert.equal(codeOnly(source).length, source.length);
  });
});
