import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { cookieNames } from '../../src/features/sign-in/session-cookie.ts';
import { Surfaces } from '../../src/surfaces/http/surfaces.ts';
import { registerApp } from '../../src/surfaces/web/app-routes.ts';
import { APP_PATHS, routeOf } from '../../src/vocabulary/page-paths.ts';
import { readTree } from '../house/tree.ts';
import { httpFrame } from '../support/http-frame.ts';

const NAMED = /^ {4}path: APP_PATHS\.(\w+),$/gm;
const PATH = /^\s*path: /gm;

test('the web application has one page at every address of the table, and none elsewhere', () => {
  const routes = [...readTree('web/src')].filter(([path]) => path.endsWith('/routes.ts'));
  assert.ok(routes.length > 5, 'the routes were found');
  const named = routes.flatMap(([, source]) => [...source.matchAll(NAMED)].map(([, name]) => name));
  assert.deepEqual(named.toSorted(), Object.keys(APP_PATHS).toSorted());
  assert.equal(named.length, routes.flatMap(([, source]) => [...source.matchAll(PATH)]).length);
});

/** What the service worker shows instead of the application. */
const OFFLINE = '/offline';

test('the server answers with the application at every address of the table, and at no other', async () => {
  const remember = mock.method(Surfaces.prototype, 'remember');
  const { server, surfaces, failures } = httpFrame();
  const appUrl = 'http://app.test';
  const page = '<base href="/"><meta name="simulated" content="" />';
  registerApp(
    server,
    surfaces,
    { page, files: new Map() },
    {
      appUrl,
      cookies: cookieNames(appUrl),
      failures,
      simulated: [],
      notOffered: [],
      exchangeRates: [],
    },
  );
  await server.ready();
  await server.close();
  remember.mock.restore();
  const registered = remember.mock.calls
    .map(({ arguments: [route] }) => route)
    .filter(({ method }) => method.includes('GET'))
    .map(({ url }) => url);
  // The hosted pages ask for the page at `/`, where they have one of their own.
  const others = Object.values(APP_PATHS).filter((path) => path !== APP_PATHS.home);
  assert.deepEqual(registered.toSorted(), [...others.map(routeOf), OFFLINE].toSorted());
});
