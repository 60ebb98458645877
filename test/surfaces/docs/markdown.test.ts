import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { renderMarkdown } from '../../../src/surfaces/docs/markdown.ts';

const FOLDER = new URL('../../../docs/', import.meta.url);

test('every page of documentation has the title of its first heading, and no two have the same', async () => {
  const titles: string[] = [];
  for (const file of (await readdir(FOLDER)).filter((name) => name.endsWith('.md'))) {
    const source = await readFile(new URL(file, FOLDER), 'utf8');
    const { title, body } = renderMarkdown(source, new Set());
    assert.equal(title, /^# (.+)$/m.exec(source)?.[1], file);
    assert.match(body, /^<h1 id="/);
    titles.push(title);
  }
  assert.ok(titles.length > 20);
  assert.equal(new Set(titles).size, titles.length);
});

test('a table has no header without text, which a screen reader would announce for its column', () => {
  const { body } = renderMarkdown('| | Now |\n|---|---|\n| Speed | |\n', new Set());
  assert.match(body, /<thead><tr><td><\/td><th>Now<\/th><\/tr>/);
  assert.match(body, /<tbody><tr><td>Speed<\/td><td><\/td><\/tr>/);
});
