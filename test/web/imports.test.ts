import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { importsOf } from '../house/import-list.ts';
import { readSources, readTree } from '../house/tree.ts';

const web = new Map([...readTree('web/src'), ...readTree('web/src', '.tsx')]);

/** Why a file of the web application may not import this, or null where it may. */
function objection(from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return specifier.startsWith('node:') ? 'it runs in browsers' : null;
  const target = posix.join(posix.dirname(from), specifier);
  if (target.startsWith('web/src/')) return null;
  if (target.startsWith('src/vocabulary/')) return null;
  return 'it talks to the service by #client, as any client does';
}

test('the web application takes from the service its vocabulary, and nothing else', () => {
  assert.ok(web.size > 30, 'the walk found the application');
  const found = [...web].flatMap(([path, source]) =>
    importsOf(source).flatMap(({ specifier }) => {
      const why = objection(path, specifier);
      return why === null ? [] : [`${path}: ${specifier}: ${why}`];
    }),
  );
  assert.deepEqual(found, []);
});

test('nothing of the service imports the web application', () => {
  const found = [...readSources()].flatMap(([path, source]) =>
    importsOf(source)
      .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
      .filter((target) => target.startsWith('web/src/')),
  );
  assert.deepEqual(found, []);
});
