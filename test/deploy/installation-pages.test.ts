import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LIMITS } from '../../src/vocabulary/limits.ts';
import { readText, readTree } from '../house/tree.ts';

const pages = readTree('docs', '.md');
const SELF_HOSTING = readText('docs/self-hosting.md');

/** Every command of a shell on the pages that matches, with the page it is on. */
function commands(pattern: RegExp): { readonly path: string; readonly command: string }[] {
  return [...pages].flatMap(([path, page]) =>
    [...page.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].flatMap(([, block = '']) =>
      block
        .replaceAll('\\\n', ' ')
        .split('\n')
        .filter((line) => pattern.test(line))
        .map((command) => ({ path, command: command.trim() })),
    ),
  );
}

describe('the pages on installing and upgrading', () => {
  test('have proxies wait longer than any request may be silent', () => {
    const longest = Math.max(
      ...(['verification_seconds', 'replay_seconds', 'dry_run_seconds'] as const).map(
        (name) => LIMITS[name].default,
      ),
    );
    const waits = [SELF_HOSTING, readText('docs/troubleshooting.md'), readText('deploy/kubernetes.yaml')].map(
      (text) => Number(/proxy[_-]read[_-]timeout:? "?(\d+)/.exec(text)?.[1]),
    );
    for (const seconds of waits) assert.ok(seconds > longest, `${seconds} s, and ${longest} s are allowed`);
  });

  test('install the unit of a checkout before it is enabled, and name the folder that the package puts it into', () => {
    const [installed, enabled] = ['install -m 0644 deploy/tributary.service', 'systemctl enable'].map(
      (command) => SELF_HOSTING.indexOf(command),
    );
    assert.ok(installed !== undefined && enabled !== undefined && installed > 0 && installed < enabled);
    const [, folder] =
      /'deploy\/tributary\.service', '([\w/.]+)'/.exec(readText('scripts/build-deb.ts')) ?? [];
    assert.ok(folder !== undefined && SELF_HOSTING.includes(`\`/${folder}\``), folder);
  });

  test('create databases as doctor requires them', () => {
    const found = commands(/\bcreatedb /);
    assert.ok(found.length >= 5, `${found.length}`);
    for (const { path, command } of found)
      assert.match(command, /--template template0 --encoding UTF8/, `${path}: ${command}`);
    for (const [path, page] of pages)
      for (const [span] of page.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`createdb [^`]*`/g))
        assert.match(span, /--template template0 --encoding UTF8/, `${path}: ${span}`);
  });

  test('write no backup twice to one file, which would be refused, and no dump into the folder that images are built from', () => {
    const backups = commands(/\btributary backup /);
    assert.ok(backups.length >= 4, `${backups.length}`);
    for (const { path, command } of backups) assert.match(command, /\$\(date /, `${path}: ${command}`);
    const dumps = commands(/pg_dump .*>/);
    assert.ok(dumps.length >= 4, `${dumps.length}`);
    for (const { path, command } of dumps) assert.match(command, /> (?:~|\/root)\//, `${path}: ${command}`);
  });

  test('create no second account record for the person who opens the first link', () => {
    for (const path of ['docs/providers.md', 'docs/self-hosting.md', 'docs/https.md'])
      assert.deepEqual(
        commands(/\btributary account create /).filter((one) => one.path === path),
        [],
      );
  });
});
