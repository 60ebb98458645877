import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PATHS } from '../../web/src/routing/paths.ts';
import { PLACES, placeAt } from '../../web/src/shell/places.ts';

describe('the navigation', () => {
  test('a phone shows Home, Connections, Transactions and Syncs, and the others behind More', () => {
    const shown = PLACES.flat().filter(({ onPhone }) => onPhone);
    assert.deepEqual(
      shown.map(({ to }) => to),
      [PATHS.home, PATHS.connections, PATHS.transactions, PATHS.syncs],
    );
  });

  test('every page but the welcome page belongs to one place', () => {
    const without = Object.values(PATHS).filter((path) => placeAt(path.replace('$', '')) === null);
    assert.deepEqual(without, [PATHS.welcome]);
  });

  test('pages that lie elsewhere belong to the place that covers them', () => {
    const expected = {
      '/': PATHS.home,
      '/connections/new': PATHS.connections,
      '/trades': PATHS.holdings,
      '/rulesets': PATHS.categories,
      '/rulesets/rs_1': PATHS.categories,
      '/syncs/new': PATHS.syncs,
      '/sync-runs/run_1': PATHS.syncs,
      '/destinations/dest_1': PATHS.destinations,
      '/developer/events/evt_1': PATHS.apiKeys,
      '/developer/reference/list_accounts': PATHS.apiKeys,
    };
    for (const [path, place] of Object.entries(expected)) assert.equal(placeAt(path)?.to, place, path);
  });

  test('an address that only begins alike belongs to no place', () => {
    assert.equal(placeAt('/syncsomething'), null);
  });
});
