import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { buildOptions } from '../../scripts/lib/web/build-options.ts';
import { scratchDirectory } from '../support/scratch.ts';

/** What a phone on a slow network waits for before it sees anything. */
const MOST_INITIAL_SCRIPT = 200_000;

let folder: string;
let page: string;
before(async () => {
  folder = await scratchDirectory();
  await build(buildOptions({ outDir: folder }));
  page = await readFile(join(folder, 'index.html'), 'utf8');
});
after(() => rm(folder, { recursive: true, force: true }));

test('the script that every page starts with is at most 200 kB compressed', async () => {
  const scripts = [...page.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)].map((match) => match[1] ?? '');
  assert.ok(scripts.length >= 2, 'the page names its scripts');
  const sizes = await Promise.all(
    scripts.map(async (path) => gzipSync(await readFile(join(folder, path)), { level: 9 }).length),
  );
  const sum = sizes.reduce((total, size) => total + size, 0);
  assert.ok(sum <= MOST_INITIAL_SCRIPT, `${sum} bytes`);
});

test('pages are loaded when somebody goes there, not before', async () => {
  const files = await readdir(join(folder, 'assets'));
  for (const name of ['home-page', 'connections-page']) {
    assert.ok(
      files.some((file) => file.startsWith(name)),
      name,
    );
    assert.ok(!page.includes(name), name);
  }
});

test('nothing in the page is inline, and nothing comes from elsewhere', () => {
  assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  assert.doesNotMatch(page, /(?:src|href)="(?:https?:)?\/\//);
});
