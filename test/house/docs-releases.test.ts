import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  documentedPages,
  documentedVersions,
  withDocumentedVersion,
} from '../../scripts/lib/release/documented-version.ts';
import { SOFTWARE_VERSION } from '../../src/vocabulary/software-version.ts';
import { ROOT, readText } from './tree.ts';

const pages = new Map(documentedPages(ROOT).map((path) => [path, readText(path)]));
/** As a person has to put it in: with the address of their own copy of the repository. */
const ADDRESS = 'https://example.com/tributary.git';
const CLONE = /\bgit clone\b.*$/gm;

describe('the commands of the pages', () => {
  test('name the newest release, which the script of a release keeps current', () => {
    const naming = [...pages].filter(([, page]) => documentedVersions(page).size > 0);
    assert.ok(naming.length >= 4, `${naming.length}`);
    for (const [path, page] of naming)
      assert.deepEqual([...documentedVersions(page)], [SOFTWARE_VERSION], path);
    assert.match(withDocumentedVersion('git checkout v0.9.0\n', '2.0.0'), /^git checkout v2\.0\.0$/m);
  });

  test('clone a release from one address, which one page explains', () => {
    const clones = [...pages].flatMap(([path, page]) =>
      [...page.matchAll(CLONE)].map(([command]) => ({ path, command })),
    );
    assert.ok(clones.length >= 4, `${clones.length}`);
    for (const { path, command } of clones)
      assert.ok(
        command.startsWith(`git clone --branch v${SOFTWARE_VERSION} ${ADDRESS}`),
        `${path}: ${command}`,
      );
    assert.match(readText('docs/self-hosting.md'), /^\*\*Address and version\.\*\* `https:/m);
  });
});
