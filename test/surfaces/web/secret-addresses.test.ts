import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { RouteTable } from '../../../src/surfaces/http/surfaces.ts';
import { SECRET_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { RETURN_URL, startSession } from '../../features/linking/person.ts';
import { addPerson, Browser, signedIn } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';

/** What parts of addresses are, by their names in routes; one that is new is judged here. */
const SECRET: ReadonlySet<string> = new Set(['token', 'request']);
const PLAIN: ReadonlySet<string> = new Set([
  'delivery',
  'file',
  'id',
  'merchant',
  'operation',
  'page',
  'provider',
  'rule',
]);

let service: TestService;
let owner: TestOwner;
const routes: { readonly path: string; readonly methods: readonly string[] }[] = [];

before(async () => {
  const add = mock.method(RouteTable.prototype, 'add');
  service = await startService();
  for (const { arguments: parts } of add.mock.calls)
    routes.push({ path: parts[0] ?? '', methods: parts[1] ?? [] });
  add.mock.restore();
  owner = await service.owner();
});
after(() => service.close());

const NAMED = /:(\w+)/g;

test('every part of an address is known to be a secret or not to be one', () => {
  const names = new Set(routes.flatMap(({ path }) => [...path.matchAll(NAMED)].map(([, name]) => name)));
  assert.deepEqual([...names].toSorted(), [...SECRET, ...PLAIN].toSorted());
});

/** Below these, providers and vendors lead people to links; the secret is in their addresses too. */
const LINKS = /^\/(?:link|connect)\/:token/;

test('links with a secret lead to the pages that take it, and there is no other such page', () => {
  const taken = routes.flatMap(({ path, methods }) => {
    const start = path.slice(0, path.indexOf('/:token'));
    return methods.includes('GET') && path.endsWith('/:token') && !LINKS.test(path) ? [start] : [];
  });
  const { emailChange, ...others } = SECRET_PATHS;
  assert.deepEqual(taken.toSorted(), Object.values(others).toSorted());
  assert.ok(routes.some(({ path }) => path === emailChange));
});

test('a page whose address holds a secret names its address to no page, and nothing keeps it', async () => {
  const person = await signedIn(service, await addPerson(service, owner));
  const secret = 'A'.repeat(43);
  const below = routes
    .filter(({ path, methods }) => methods.includes('GET') && secretIn(path))
    .map(({ path }) => path.replaceAll(NAMED, secret));
  assert.ok(below.length >= 6, below.join(' '));
  const beside = [
    `/link/${secret}/elsewhere`,
    `/connect/return?state=${secret}`,
    `/settings/confirm-email?token=${secret}`,
    `/invitations/${secret}/elsewhere`,
    `/invitation/${secret}`,
    `/sign-in?next=${encodeURIComponent(`/settings/confirm-email?token=${secret}`)}`,
  ];
  const session = await startSession(owner);
  const link = await owner.v2('POST', '/v2/destination_links', {
    type: 'sheets',
    return_url: RETURN_URL,
  });
  const living = [session, link.body].map(({ url }) => new URL(url).pathname);
  for (const path of [...below, ...beside, ...living]) {
    const { status, headers } = await person.get(path, { accept: 'text/html' });
    const expected = status === 303 ? 'no-referrer' : 'strict-origin';
    assert.equal(headers.get('referrer-policy'), expected, `${path} ${status}`);
    assert.equal(headers.get('cache-control'), 'no-store', path);
  }
});

test('the page of a link that has ended keeps its address to itself as well', async () => {
  const session = await startSession(owner);
  const browser = new Browser(service.url);
  const { pathname } = new URL(session.url);
  await browser.post(`${pathname}/cancel`);
  const { status, headers } = await browser.get(pathname);
  assert.deepEqual([status, headers.get('referrer-policy')], [200, 'strict-origin']);
});

function secretIn(path: string): boolean {
  return [...path.matchAll(NAMED)].some(([, name = '']) => SECRET.has(name));
}
