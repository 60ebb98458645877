import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APP_PATHS } from '../../src/surfaces/web/app-routes.ts';
import { PATHS } from '../../web/src/routing/paths.ts';

test('the server answers at every address that the web application has a page at, and at no other', () => {
  const pages = Object.values(PATHS)
    .filter((path) => path !== '/')
    .map((path) => path.replaceAll('$', ':'));
  assert.deepEqual(pages.toSorted(), [...APP_PATHS].toSorted());
});
