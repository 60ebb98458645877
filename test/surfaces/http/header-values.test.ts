import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attachmentOf, locationOf } from '../../../src/surfaces/http/header-values.ts';
import { pageHeaders, sourceOf } from '../../../src/surfaces/http/page-headers.ts';
import { HOSTILE_URLS } from '../../support/hostile-addresses.ts';

const SOURCE = /^[a-z][a-z0-9+.-]*:(?:\/\/[a-z0-9.-]+(?::\d+)?)?$/;

test('whatever an address is, a policy that lets a form lead there has one source more and no directive more', () => {
  const addresses = [
    'https://app.example/callback',
    'https://app.example:8443/callback?a=b;c,d',
    'http://127.0.0.1:50123/',
    'http://[::1]:50123/',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    "com.example.app://h;script-src'unsafe-inline'/cb",
    ...HOSTILE_URLS.map(({ url }) => url),
  ].flatMap((text) => URL.parse(text) ?? []);
  assert.ok(addresses.length > 20);
  const plain = pageHeaders({})['content-security-policy'].split(';').length;
  for (const address of addresses) {
    const source = sourceOf(address);
    assert.match(source, SOURCE, address.href);
    const policy = pageHeaders({ 'form-action': `'self' ${source}` })['content-security-policy'];
    assert.equal(policy.split(';').length, plain, address.href);
  }
  assert.deepEqual(addresses.slice(0, 6).map(sourceOf), [
    'https://app.example',
    'https://app.example:8443',
    'http://127.0.0.1:50123',
    'http:',
    'cursor:',
    'com.example.app:',
  ]);
});

test('an address in Location ends no line and keeps what is encoded in it', () => {
  assert.equal(locationOf('https://a.example/b%20c?d=e;f#g'), 'https://a.example/b%20c?d=e;f#g');
  assert.equal(
    locationOf('/back\r\nset-cookie: a=b\u0000é\ud800'),
    '/back%0D%0Aset-cookie:%20a=b%00%C3%A9%EF%BF%BD',
  );
});

test('the name of a file ends neither its quotes nor its line', () => {
  assert.equal(
    attachmentOf('sync_1-2026-01-01-to-2026-02-01.csv'),
    'attachment; filename="sync_1-2026-01-01-to-2026-02-01.csv"',
  );
  assert.equal(
    attachmentOf('a"; filename=b\\\r\nx: é.csv'),
    'attachment; filename="a___filename_b___x___.csv"; filename*=UTF-8\'\'a___filename_b___x__%C3%A9.csv',
  );
});
