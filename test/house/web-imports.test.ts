import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { describe, test } from 'node:test';
import { importsOf } from './import-list.ts';
import { cycles } from './import-rule.ts';
import { readSources, readTree } from './tree.ts';
import { WEB_FEATURES, webObjection } from './web-rooms.ts';

const web = new Map([...readTree('web/src'), ...readTree('web/src', '.tsx')]);

/** Why a file of the web application may not import this, or null if it may. */
function objection(from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return specifier.startsWith('node:') ? 'it runs in browsers' : null;
  const target = posix.join(posix.dirname(from), specifier);
  if (target.startsWith('web/src/')) return webObjection(from, target);
  if (target.startsWith('src/vocabulary/')) return null;
  return 'it talks to the service by #client, as any client does';
}

test('the web application takes from the service its vocabulary, and its features use each other in one direction', () => {
  assert.ok(web.size > 30, 'the search found the application');
  const found = [...web].flatMap(([path, source]) =>
    importsOf(source).flatMap(({ specifier }) => {
      const why = objection(path, specifier);
      return why === null ? [] : [`${path}: ${specifier}: ${why}`];
    }),
  );
  assert.deepEqual(found, []);
});

test('no files of the web application import each other in a circle', () => {
  const edges = [...web].map(
    ([path, source]) =>
      [path, importsOf(source).map(({ specifier }) => posix.join(posix.dirname(path), specifier))] as const,
  );
  assert.deepEqual(cycles(new Map(edges)), []);
});

test('a feature of the web application uses only features above it in the table', () => {
  const names = Object.keys(WEB_FEATURES);
  for (const [at, [name, used]] of Object.entries(WEB_FEATURES).entries())
    for (const one of used) assert.ok(names.slice(0, at).includes(one), `${name} uses ${one}`);
});

test('nothing of the service imports the web application', () => {
  const found = [...readSources()].flatMap(([path, source]) =>
    importsOf(source)
      .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
      .filter((target) => target.startsWith('web/src/')),
  );
  assert.deepEqual(found, []);
});

describe('between folders of the web application, it is', () => {
  const cases: ReadonlyArray<readonly [from: string, to: string, why: RegExp | null]> = [
    ['router.ts', 'banks/routes.ts', null],
    ['main.tsx', 'theme/theme.ts', null],
    ['banks/routes.ts', 'shell/later-page.tsx', null],
    ['rules/rulesets/draft.ts', 'rules/category-select.tsx', null],
    ['home/attention.tsx', 'syncs/sync-actions.tsx', null],
    ['parts/page-states.tsx', 'text/problems.ts', null],
    ['router.ts', 'banks/connection-page.tsx', /only its routes/],
    ['home/attention.tsx', 'syncs/syncs-page.tsx', /to itself/],
    ['home/attention.tsx', 'syncs/syncs.module.css', /to itself/],
    ['syncs/sync-actions.tsx', 'home/attention.tsx', /syncs may not use home/],
    ['parts/card.tsx', 'banks/account-rows.tsx', /parts may not use banks/],
    ['api/me.ts', 'parts/card.tsx', /api may not use parts/],
    ['banks/account-rows.tsx', 'router.ts', /nothing imports the wiring/],
    ['banks/account-rows.tsx', 'theme/theme.ts', /only the wiring/],
    ['extras/thing.ts', 'api/me.ts', /in no table/],
  ];
  for (const [from, to, why] of cases)
    test(`${why === null ? 'allowed' : 'refused'} that ${from} imports ${to}`, () => {
      const found = webObjection(`web/src/${from}`, `web/src/${to}`);
      if (why === null) assert.equal(found, null);
      else assert.match(found ?? '', why);
    });
});
