import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AddressGuard } from '../../src/platform/address-guard.ts';
import { HOSTILE_LITERALS, HOSTILE_URLS, LOCAL_NAMES } from '../support/hostile-addresses.ts';

const guard = new AddressGuard([]);
const httpsOnly = { httpsOnly: true };

/** First and last address of every special-purpose block of the IANA registries, by block. */
const SPECIAL: Record<string, [string, string]> = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  'private 10/8': ['10.0.0.0', '10.255.255.255'],
  'carrier NAT': ['100.64.0.0', '100.127.255.255'],
  loopback: ['127.0.0.0', '127.255.255.255'],
  'link local and cloud metadata': ['169.254.0.0', '169.254.169.254'],
  'private 172.16/12': ['172.16.0.0', '172.31.255.255'],
  'IETF protocols': ['192.0.0.0', '192.0.0.255'],
  'documentation 1': ['192.0.2.0', '192.0.2.255'],
  '6to4 relay': ['192.88.99.0', '192.88.99.255'],
  'private 192.168/16': ['192.168.0.0', '192.168.255.255'],
  benchmark: ['198.18.0.0', '198.19.255.255'],
  'documentation 2': ['198.51.100.0', '198.51.100.255'],
  'documentation 3': ['203.0.113.0', '203.0.113.255'],
  multicast: ['224.0.0.0', '239.255.255.255'],
  'class E and broadcast': ['240.0.0.0', '255.255.255.255'],
  'v6 unspecified and loopback': ['::', '::1'],
  'v4-mapped loopback': ['::ffff:127.0.0.1', '::ffff:7f00:1'],
  'v4-compatible loopback': ['::127.0.0.1', '::7f00:1'],
  'v4-translated': ['::ffff:0:1.1.1.1', '::ffff:0:7f00:1'],
  'NAT64 of private': ['64:ff9b::10.0.0.1', '64:ff9b::7f00:1'],
  'NAT64 local use': ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  discard: ['100::', '100::ffff:ffff:ffff:ffff'],
  'teredo and IETF': ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'v6 documentation': ['2001:db8::', '2001:db8:ffff::'],
  '6to4 of private': ['2002:a00:1::', '2002:7f00:1::1'],
  'v6 documentation 2': ['3fff::', '3fff:fff:ffff::'],
  'segment routing': ['5f00::', '5f00:ffff::1'],
  unassigned: ['4000::', 'a000::1'],
  'unique local': ['fc00::', 'fdff:ffff::1'],
  'v6 link local': ['fe80::1', 'febf::1%eth0'],
  'site local': ['fec0::', 'feff::1'],
  'cloud platform': ['168.63.129.16', '::ffff:168.63.129.16'],
  'v6 multicast': ['ff00::', 'ff02::1'],
};

test('every special-purpose range is refused at both ends, naming OUTBOUND_ALLOW', () => {
  for (const [block, addresses] of Object.entries(SPECIAL)) {
    for (const address of addresses) {
      const refusal = guard.refusalOf(address);
      assert.ok(refusal !== null, `${block}: ${address}`);
      assert.match(refusal, /OUTBOUND_ALLOW/);
    }
  }
});

test('public addresses pass, also behind a mapping to them', () => {
  const addresses = [
    '1.1.1.1',
    '9.255.255.255',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
  ];
  for (const address of [
    ...addresses,
    '2606:4700::1111',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
    '2002:101:101::1',
  ]) {
    assert.equal(guard.refusalOf(address), null, address);
  }
});

test('an IPv4 address and every form that carries it are classified alike', () => {
  fc.assert(
    fc.property(fc.ipV4(), (v4) => {
      const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number);
      const high = ((a << 8) | b).toString(16);
      const low = ((c << 8) | d).toString(16);
      const verdict = guard.refusalOf(v4) === null;
      for (const form of [
        `::ffff:${v4}`,
        `::ffff:${high}:${low}`,
        `64:ff9b::${high}:${low}`,
        `2002:${high}:${low}::1`,
      ]) {
        assert.equal(guard.refusalOf(form) === null, verdict, form);
      }
    }),
  );
});

test('what is not an address is refused, never an error', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.domain()), (text) => void guard.refusalOf(text)));
  for (const text of ['', 'localhost', '127.1', '0x7f.1', '2130706433', '1.2.3.4.5', '[::1]']) {
    assert.ok(guard.refusalOf(text) !== null, text);
  }
});

test('OUTBOUND_ALLOW lets exactly its networks through', () => {
  const home = new AddressGuard(['192.168.1.0/24', 'fd00:1::/32', '127.0.0.1']);
  for (const address of ['192.168.1.7', '::ffff:192.168.1.7', 'fd00:1::5', '127.0.0.1']) {
    assert.equal(home.refusalOf(address), null, address);
    assert.equal(home.classify(address).kind, 'exempt');
  }
  for (const address of ['192.168.2.1', 'fd00:2::5', '127.0.0.2', '10.0.0.1']) {
    assert.ok(home.refusalOf(address) !== null, address);
  }
  assert.equal(home.classify('1.1.1.1').kind, 'public');
  for (const bad of ['', 'lan', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/08', '10/8']) {
    assert.throws(() => new AddressGuard([bad]), TypeError, bad);
  }
});

const REFUSED_URLS = [
  ...[...HOSTILE_LITERALS, ...LOCAL_NAMES].map(({ host }) => `https://${host}/`),
  ...HOSTILE_URLS.map(({ url }) => url),
].filter((url) => URL.canParse(url));

test('a URL given by a user is refused in every spelling of an inner address, as a full sentence', () => {
  for (const text of REFUSED_URLS) {
    const refusal = guard.checkUrl(new URL(text), { httpsOnly: true, ports: [443] });
    assert.ok(refusal !== null, text);
    assert.match(refusal, /^[A-Z].*\.$/);
    assert.ok(!refusal.includes('s3cret'));
  }
  assert.equal(guard.checkUrl(new URL('https://hooks.example.com/x?y=z'), httpsOnly), null);
  assert.equal(guard.checkUrl(new URL('http://hooks.example.com/'), { httpsOnly: false }), null);
  assert.equal(guard.checkUrl(new URL('https://notlocal/'), httpsOnly), null);
});

test('ports are limited where the rules say so', () => {
  const rules = { httpsOnly: true, ports: [443] };
  assert.equal(guard.checkUrl(new URL('https://example.com/'), rules), null);
  assert.equal(guard.checkUrl(new URL('https://example.com:443/'), rules), null);
  assert.match(guard.checkUrl(new URL('https://example.com:8443/'), rules) ?? '', /port 443, not 8443/);
});

test('OUTBOUND_ALLOW permits http and literals inside it, and leaves names to the connection', () => {
  const home = new AddressGuard(['192.168.1.0/24']);
  const rules = { httpsOnly: true, ports: [443] };
  for (const text of [
    'http://192.168.1.7:8123/hook',
    'https://192.168.1.7/',
    'http://printer.local/',
    'http://nas:1/',
  ]) {
    assert.equal(home.checkUrl(new URL(text), rules), null, text);
  }
  for (const text of [
    'http://192.168.2.7/',
    'http://1.1.1.1/',
    'https://1.1.1.1/',
    'http://u:p@192.168.1.7/',
  ]) {
    assert.ok(home.checkUrl(new URL(text), rules) !== null, text);
  }
});

test('no URL makes the check fail', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, validSchemes: ['http', 'https', 'ftp'] }), (text) => {
      const refusal = guard.checkUrl(new URL(text), httpsOnly);
      assert.ok(refusal === null || refusal.endsWith('.'));
    }),
  );
});
