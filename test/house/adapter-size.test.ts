import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { cell, plain, tableRows } from './markdown.ts';
import { readSources, readTree } from './tree.ts';

const PAGE = readFileSync(new URL('../../docs/adding-a-provider.md', import.meta.url), 'utf8');
const TREES = { src: readSources(), test: readTree('test') };
/** How far a figure may be off before the page counts as wrong. */
const TOLERANCE = 0.2;

/** Files and lines below the paths that a line of the page names. */
function sizeOf(prefixes: readonly string[]): { readonly files: number; readonly lines: number } {
  const sources = Object.values(TREES)
    .flatMap((tree) => [...tree])
    .filter(([path]) => prefixes.some((prefix) => path.startsWith(prefix)))
    .map(([, source]) => source.trimEnd().split('\n').length);
  return { files: sources.length, lines: sources.reduce((sum, lines) => sum + lines, 0) };
}

const isNear = (said: number, is: number): boolean => Math.abs(said - is) <= TOLERANCE * is;

describe('What an adapter takes, by docs/adding-a-provider.md', () => {
  const rows = tableRows(PAGE, 'What it takes');

  it('names adapter, simulator and tests', () => {
    assert.equal(rows.length, 3);
  });

  for (const row of rows) {
    it(`${plain(cell(row, 'Part'))} has the files and lines that the page says, within a fifth`, () => {
      const paths = [...cell(row, 'Where').matchAll(/`([^`]+)`/g)].map(([, path = '']) =>
        path.replace(/\*.*$/, ''),
      );
      assert.ok(paths.length > 0);
      const { files, lines } = sizeOf(paths);
      for (const path of paths) assert.ok(sizeOf([path]).files > 0, `${path} is there`);
      const [saidFiles, saidLines] = ['Files', 'Lines'].map((heading) =>
        Number(cell(row, heading).replaceAll(',', '')),
      );
      assert.ok(isNear(saidFiles ?? 0, files), `${saidFiles} files are said, and there are ${files}`);
      assert.ok(isNear(saidLines ?? 0, lines), `${saidLines} lines are said, and there are ${lines}`);
    });
  }

  it('would be found wrong', () => {
    assert.ok(!isNear(70, 100) && !isNear(130, 100) && isNear(120, 100) && isNear(80, 100));
  });
});
