import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { buildOptions } from '../../scripts/lib/web/build-options.ts';
import { ENGLISH, LANGUAGE_CODES } from '../../src/vocabulary/languages.ts';
import { scratchDirectory } from '../support/scratch.ts';

/** What a phone on a slow network waits for before it sees anything. */
const MOST_INITIAL_SCRIPT = 190_000;
/** A browser asks for six at a time. */
const MOST_FILES_OF_A_PAGE = 12;

let folder: string;
let page: string;
before(async () => {
  folder = await scratchDirectory();
  await build(buildOptions({ outDir: folder }));
  page = await readFile(join(folder, 'index.html'), 'utf8');
});
after(() => rm(folder, { recursive: true, force: true }));

/** What Vite says it built, by source. */
type Manifest = Readonly<Record<string, { readonly file: string; readonly imports?: readonly string[] }>>;

const readManifest = async (): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
const assets = () => readdir(join(folder, 'assets'));

test('the script that every page starts with is at most 190 kB compressed', async () => {
  const scripts = [...page.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)].map((match) => match[1] ?? '');
  assert.ok(scripts.length >= 2, 'the page names its scripts');
  const sizes = await Promise.all(
    scripts.map(async (path) => gzipSync(await readFile(join(folder, path)), { level: 9 }).length),
  );
  const sum = sizes.reduce((total, size) => total + size, 0);
  assert.ok(sum <= MOST_INITIAL_SCRIPT, `${sum} bytes`);
});

test('pages but home are loaded when someone goes there, not before', async () => {
  for (const name of ['transactions-page', 'connections-page']) {
    assert.equal((await assets()).filter((file) => file.startsWith(name) && file.endsWith('.js')).length, 1);
    assert.ok(!page.includes(name), name);
  }
});

test('home is part of the script that every page starts with, and needs no other', async () => {
  assert.deepEqual(
    (await assets()).filter((file) => file.startsWith('home')),
    [],
  );
  const manifest = await readManifest();
  const imports = manifest['index.html']?.imports ?? assert.fail('the page imports nothing');
  for (const name of imports) assert.ok(page.includes(manifest[name]?.file ?? assert.fail(name)), name);
});

test('the script of a language needs nothing of the application, which has to start after it', async () => {
  const manifest = await readManifest();
  for (const code of LANGUAGE_CODES.filter((one) => one !== ENGLISH)) {
    const { file, imports } = manifest[`languages/${code}/index.ts`] ?? assert.fail(code);
    assert.match(file, new RegExp(`^assets/words-${code}-`));
    const needed = (imports ?? []).map((name) => manifest[name]?.file ?? name);
    assert.ok(
      needed.every((path) => /^assets\/(?:language|rolldown-runtime)-/.test(path)),
      `${code} needs ${needed.join(', ')}`,
    );
  }
});

test('no page waits for more than twelve files of script', async () => {
  const manifest = await readManifest();
  for (const [name, { file }] of Object.entries(manifest)) {
    if (!/-page-/.test(file)) continue;
    const needed = new Set<string>();
    const add = (one: string) => {
      const chunk = manifest[one] ?? assert.fail(one);
      if (needed.has(chunk.file) || page.includes(chunk.file)) return;
      needed.add(chunk.file);
      chunk.imports?.forEach(add);
    };
    add(name);
    assert.ok(needed.size <= MOST_FILES_OF_A_PAGE, `${file} needs ${[...needed].join(', ')}`);
  }
});

test('the styles of the theme come before those of the parts, which change them', () => {
  const styles = [...page.matchAll(/href="\.\/assets\/(\w+)-[^"]+\.css"/g)].map((match) => match[1]);
  assert.deepEqual(styles, ['theme', 'shared', 'index']);
});

test('nothing in the page is inline, and nothing comes from elsewhere', () => {
  assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  assert.doesNotMatch(page, /(?:src|href)="(?:https?:)?\/\//);
});
