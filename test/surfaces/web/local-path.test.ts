import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { localPath } from '../../../src/surfaces/web/local-path.ts';
import { addPerson, Browser } from '../../support/people.ts';
import { commonService, type TestService } from '../../support/service.ts';

/** Addresses that lead, or that browsers once took to lead, to another site. */
const HOSTILE = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/a/../..//evil.example',
  '/%2e//evil.example',
  '/%2e%2e//evil.example',
  'https://evil.example',
  'https:evil.example',
  'http:/\\evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'evil.example',
  '@evil.example',
  '',
  '/\u0000/evil.example',
  `/${'a'.repeat(9000)}`,
] as const;

let service: TestService;
before(async () => {
  service = await commonService();
});
after(() => service.close());

test('a person who signs in goes on to a page of this host or to the settings, never to another site', async () => {
  const person = await addPerson(service, await service.owner());
  for (const next of HOSTILE) {
    const page = await new Browser(service.url).get(`/sign-in?next=${encodeURIComponent(next)}`);
    assert.match(page.text, /name="next" value="\/settings\/security"/, JSON.stringify(next).slice(0, 99));
    const signed = await new Browser(service.url).post('/sign-in', {
      email: person.email,
      password: 'correct horse battery',
      next,
    });
    assert.equal(signed.headers.get('location'), '/settings/security', JSON.stringify(next).slice(0, 99));
  }
});

test('and goes on to the page of this host that was asked for, with its query', async () => {
  const person = await addPerson(service, await service.owner());
  const long = `/oauth/authorize?state=${'s'.repeat(4000)}`;
  for (const next of ['/oauth/authorize?client_id=a&scope=x%20y', '/%2F/evil.example', '/a#b', '/', long]) {
    const page = await new Browser(service.url).get(`/sign-in?next=${encodeURIComponent(next)}`);
    assert.ok(page.text.includes(`value="${next.replaceAll('&', '&amp;')}"`));
    const signed = await new Browser(service.url).post('/sign-in', {
      email: person.email,
      password: 'correct horse battery',
      next,
    });
    assert.equal(signed.headers.get('location'), next);
  }
});

test('whatever text names the next page, what is answered stays on this host', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2f',
    '%5c',
    '%2e',
    '@',
    ':',
    '\t',
    '\n',
    'evil.example',
    'a',
    '?',
    '#',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const path = localPath(`/${pieces.join('')}`);
      if (path === null) return;
      assert.equal(new URL(path, 'https://app.example').host, 'app.example');
      assert.equal(localPath(path), path, 'and means the same when it is read again');
    }),
    { numRuns: 2000 },
  );
});
