import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import frozen from '../storage/frozen-migrations.json' with { type: 'json' };
import { absentDocuments, citedPages } from './citations.ts';
import { anchorsOf } from './markdown.ts';
import { ROOT, readText, readTree } from './tree.ts';

/** These two hold planted cases. */
const OWN = ['test/house/citations.ts', 'test/house/citations.test.ts'];
const code = ['src', 'sandbox', 'test', 'scripts', 'bench'].flatMap((folder) => [...readTree(folder)]);
const pages = [
  ...readTree('docs', '.md'),
  ...globSync('*.md', { cwd: ROOT }).map((path) => [path, readText(path)] as const),
];
const texts = [...code, ...pages].filter(([path]) => !OWN.includes(path));
/** A frozen migration is never edited, its comments included. */
const frozenFiles = new Set(Object.keys(frozen).map((name) => `src/storage/migrations/${name}.ts`));

test('no file cites a document that is not in the repository', () => {
  assert.ok(texts.length > 500, 'the search found the files');
  const cited = texts
    .filter(([path]) => !frozenFiles.has(path))
    .flatMap(([path, text]) => absentDocuments(path, text));
  assert.deepEqual(cited, []);
});

test('every page of docs that a file cites exists, and has the heading it names', () => {
  const broken = texts.flatMap(([path, text]) =>
    citedPages(text)
      .filter(({ page, anchor }) => {
        if (!existsSync(join(ROOT, page))) return true;
        return anchor !== null && !anchorsOf(readText(page)).has(anchor);
      })
      .map(({ page, anchor }) => `${path}: ${page}${anchor === null ? '' : `#${anchor}`}`),
  );
  assert.deepEqual(broken, []);
});

describe('a citation of an absent document is found', () => {
  const planted = [
    '/** Money (SPEC, v2 conventions). */',
    '// SPEC: not paginated',
    '/** Service facts 13. */',
    ' * facts (service facts 9)',
    '/** Identity (design section 5). */',
    '| `x` | design, section 11 |',
    ' * as design 4 has it',
    "test('the defaults are the numbers of the specification', () => {",
    'The interface specification leaves this open.',
  ];
  for (const line of planted) {
    test(line, () => {
      const [found, ...others] = absentDocuments('src/a.ts', `const a = 1;\n${line}\n`);
      assert.match(found ?? '', /^src\/a\.ts:2: /);
      assert.deepEqual(others, []);
    });
  }
});

describe('other words are not citations', () => {
  const allowed = [
    'add(spec: FaultSpec): number {',
    'const { spec } = SPECIAL;',
    'the design of the page',
    'the OpenAPI Specification 3.1',
    'RFC 9562, section 5',
    'docs/resources.md#sync',
  ];
  for (const line of allowed) test(line, () => assert.deepEqual(absentDocuments('src/a.ts', line), []));
});

test('a cited page and its heading are read from code', () => {
  assert.deepEqual(citedPages('(docs/limits.md) and docs/decisions/0007-idempotency.md#x.'), [
    { page: 'docs/limits.md', anchor: null },
    { page: 'docs/decisions/0007-idempotency.md', anchor: 'x' },
  ]);
});
