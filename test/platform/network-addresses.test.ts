import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clientNetwork } from '../../src/platform/network-addresses.ts';

test('an IPv4 address is itself in every spelling a socket gives it', () => {
  for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '::FFFF:203.0.113.9', '::ffff:cb00:7109'])
    assert.equal(clientNetwork(address), '203.0.113.9', address);
});

test('the port that some proxies write behind an address makes no other caller', () => {
  assert.equal(clientNetwork('203.0.113.9:4711'), clientNetwork('203.0.113.9:4712'));
  assert.equal(clientNetwork('203.0.113.9:4711'), '203.0.113.9');
  assert.equal(clientNetwork('[2001:db8::1]:4711'), clientNetwork('2001:db8::2'));
  assert.equal(clientNetwork('[::ffff:203.0.113.9]:4711'), '203.0.113.9');
});

test('two IPv6 addresses are one network exactly when their first 64 bits are the same', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((part) => part.toString(16));
  const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count });
  fc.assert(
    fc.property(groups(4), groups(4), groups(4), (network, host, other) => {
      fc.pre(network.some((part) => part !== '0'));
      const here = clientNetwork([...network, ...host].join(':'));
      assert.equal(clientNetwork([...network, ...other].join(':')), here);
      const [first = '0', ...rest] = network;
      const next = ((Number.parseInt(first, 16) + 1) % 0x10000).toString(16);
      assert.notEqual(clientNetwork([next, ...rest, ...host].join(':')), here);
    }),
  );
  assert.equal(clientNetwork('2001:db8::1'), clientNetwork('2001:0DB8:0:0:ffff::'));
  assert.equal(clientNetwork('fe80::1%eth0'), clientNetwork('fe80::2'));
});

test('any other text stands for itself, bounded in length', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.ok(clientNetwork(text).length <= 64);
    }),
  );
  assert.notEqual(clientNetwork('unknown'), clientNetwork('10.0.0.1:80'));
  assert.equal(clientNetwork(`:${'x'.repeat(1000)}`).length, 64);
});
