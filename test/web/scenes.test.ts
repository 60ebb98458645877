import assert from 'node:assert/strict';
import { before, describe, mock, test } from 'node:test';
import { Surfaces } from '../../src/surfaces/http/surfaces.ts';
import { APP_PATHS, routeOf } from '../../src/vocabulary/page-paths.ts';
import { SCENE_SETS, SCENES } from '../browser/scenes.ts';
import { startService } from '../support/service.ts';

/** What the service answers where no page is shown, by the form of the address, and what is there instead. */
const NO_PAGES: Readonly<Record<string, string>> = {
  '/v[12]/.*': 'answers for programs',
  '/simplefin/.*': 'answers for programs',
  '/\\.well-known/.*': 'answers for programs',
  '/(healthz|readyz)': 'answers for programs',
  '/settings/accounts/(list|holder)': 'what the application asks about account records',
  '/(assets|static)/.*|/sign-in/(passkeys|zone)\\.js|/settings/notifications/.+\\.js':
    'files that pages load',
  '/logos/:file|/sandbox/.+/(logos|assets)/.*': 'pictures',
  '/settings/export': 'a file to keep',
  '/docs/': 'leads to the address without its last character',
  '/oauth/authorize(/:request)?': 'leads to the page of consent, or back to the app',
  '/sandbox/(sheets|notion|airtable)/oauth/\\*': 'takes the form of the page of consent, and leads back',
  '/sandbox/ynab/oauth/:id/complete': 'takes the form of the page of consent, and leads back',
};

const isExempt = (route: string, form: string): boolean => new RegExp(`^(${form})$`).test(route);

/** Every address that a running service reads something at, as it is registered, and each page of the application. */
async function readRoutes(): Promise<ReadonlySet<string>> {
  const remember = mock.method(Surfaces.prototype, 'remember');
  await (await startService()).close();
  remember.mock.restore();
  const registered = remember.mock.calls
    .map(({ arguments: [route] }) => route)
    .filter(({ method }) => method.includes('GET'))
    .map(({ url }) => url);
  return new Set([...registered, ...Object.values(APP_PATHS).map(routeOf)]);
}

describe('scenes and pages', () => {
  let routes: ReadonlySet<string>;
  before(async () => {
    routes = await readRoutes();
  });
  const shown = new Set<string>(Object.values(SCENES).map(({ route }) => route));

  test('every page of the application and of the service is in a scene', () => {
    const pages = [...routes].filter((route) => !Object.keys(NO_PAGES).some((form) => isExempt(route, form)));
    assert.deepEqual(
      pages.filter((route) => !shown.has(route)),
      [],
    );
  });

  test('every scene is on a page that there is', () => {
    assert.deepEqual(
      [...shown].filter((route) => !routes.has(route)),
      [],
    );
  });

  test('a set of scenes names scenes that there are', () => {
    const named = Object.values(SCENE_SETS).flat();
    assert.deepEqual(
      named.filter((name) => !Object.hasOwn(SCENES, name)),
      [],
    );
  });

  test('what is said to be no page is there, and in no scene', () => {
    for (const form of Object.keys(NO_PAGES)) {
      assert.ok(
        [...routes].some((route) => isExempt(route, form)),
        `nothing is at ${form}`,
      );
      assert.ok(![...shown].some((route) => isExempt(route, form)), `a scene is at ${form}`);
    }
  });
});
