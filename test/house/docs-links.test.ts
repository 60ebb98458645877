import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { anchorsOf } from './markdown.ts';
import { ROOT, readSources, readText, readTree } from './tree.ts';

const pages = new Map([
  ...readTree('docs', '.md'),
  ...globSync('*.md', { cwd: ROOT }).map((path) => [path, readText(path)] as const),
]);
const withoutCode = (page: string) => page.replace(/^```[\s\S]*?^```/gm, '');

test('every link from page to page leads to a file that exists, and to a heading it has', () => {
  const broken: string[] = [];
  for (const [path, page] of pages) {
    for (const [, target = ''] of withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [file = '', anchor] = target.split('#');
      const found = file === '' ? path : posix.join(posix.dirname(path), file);
      if (!existsSync(join(ROOT, found))) broken.push(`${path}: ${target}`);
      else if (anchor !== undefined && !anchorsOf(readText(found)).has(anchor))
        broken.push(`${path}: ${target}`);
    }
  }
  assert.ok(pages.size > 5, 'the search found the pages');
  assert.deepEqual(broken, []);
});

test('every path of the project that a page names exists', () => {
  const gone: string[] = [];
  for (const [path, page] of pages) {
    for (const [, named = ''] of page.matchAll(/`((?:src|test|docs|scripts|bin)\/[\w./*-]+)`/g)) {
      if (/[<>]|NNNN/.test(named)) continue;
      if (globSync(named, { cwd: ROOT }).length === 0) gone.push(`${path}: ${named}`);
    }
  }
  assert.deepEqual(gone, []);
});

test('the tree in ARCHITECTURE.md names every folder of src, the sandbox, and no other', () => {
  const page = readText('ARCHITECTURE.md');
  const documented = new Set(
    [...page.matchAll(/^[\d ]{3}(src\/[\w/-]+|sandbox)\/ /gm)].map((match) => match[1] ?? ''),
  );
  const depth = (folder: string) =>
    folder.startsWith('sandbox/') ? 1 : /^src\/(?:surfaces|connectors)/.test(folder) ? 3 : 2;
  const real = new Set(
    [...readSources().keys()]
      .filter((path) => path.split('/').length > 2)
      .map((path) => path.split('/').slice(0, depth(path)).join('/')),
  );
  assert.deepEqual([...documented].toSorted(), [...real].toSorted());
});
