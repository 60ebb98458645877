import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SHELL_PLACES } from '../../src/surfaces/http/shell.ts';
import { SHELL as SERVICE_SHELL } from '../../src/surfaces/text/frame.ts';
import { APP_PATHS } from '../../src/vocabulary/page-paths.ts';
import { PLACES, placeAt } from '../../web/src/shell/places.ts';
import { SHELL } from '../../web/src/text/shell.ts';

describe('the navigation', () => {
  test('is the same, in words, icons and order, around the pages without script', () => {
    const words = PLACES.map((group) =>
      group.map(({ to, name, icon, onPhone }) => ({ to, name, icon, onPhone })),
    );
    assert.deepEqual(SHELL_PLACES, words);
    const app: Readonly<Record<string, unknown>> = SHELL;
    for (const [name, word] of Object.entries(SERVICE_SHELL)) assert.equal(word, app[name], name);
  });

  test('a phone shows Home, Connections, Transactions and Syncs, and the others behind More', () => {
    const shown = PLACES.flat().filter(({ onPhone }) => onPhone);
    assert.deepEqual(
      shown.map(({ to }) => to),
      [APP_PATHS.home, APP_PATHS.connections, APP_PATHS.transactions, APP_PATHS.syncs],
    );
  });

  test('every page but the welcome page belongs to one place', () => {
    const without = Object.values(APP_PATHS).filter((path) => placeAt(path.replace('$', '')) === null);
    assert.deepEqual(without, [APP_PATHS.welcome]);
  });

  test('pages that lie elsewhere belong to the place that covers them', () => {
    const expected = {
      '/': APP_PATHS.home,
      '/connections/new': APP_PATHS.connections,
      '/trades': APP_PATHS.holdings,
      '/rulesets': APP_PATHS.categories,
      '/rulesets/rs_1': APP_PATHS.categories,
      '/syncs/new': APP_PATHS.syncs,
      '/sync-runs/run_1': APP_PATHS.syncs,
      '/destinations/dest_1': APP_PATHS.destinations,
      '/developer/events/evt_1': APP_PATHS.apiKeys,
      '/developer/reference/list_accounts': APP_PATHS.apiKeys,
    };
    for (const [path, place] of Object.entries(expected)) assert.equal(placeAt(path)?.to, place, path);
  });

  test('an address that only begins alike belongs to no place', () => {
    assert.equal(placeAt('/syncsomething'), null);
  });
});
