import assert from 'node:assert/strict';
import { lookup as systemLookup } from 'node:dns';
import { test } from 'node:test';
import { AddressGuard } from '../../src/platform/address-guard.ts';
import type { Lookup } from '../../src/platform/guarded-connect.ts';
import { OutgoingFailure } from '../../src/platform/outgoing-failure.ts';
import { httpServer, outgoing } from './loopback-server.ts';

const closed = new AddressGuard([]);

/** A resolver that answers each call with the next of the given lists, the last one for good. */
function resolving(...answers: string[][]): Lookup & { calls: number } {
  const lookup = (...[, options, callback]: Parameters<Lookup>) => {
    const answer = answers[Math.min(lookup.calls, answers.length - 1)] ?? [];
    lookup.calls += 1;
    const found = answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all === true) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
  lookup.calls = 0;
  return lookup;
}

async function countingServer(
  t: Parameters<typeof httpServer>[0],
): Promise<{ port: number; calls: () => number }> {
  let calls = 0;
  const port = await httpServer(t, (_request, response) => {
    calls += 1;
    response.end('inner');
  });
  return { port, calls: () => calls };
}

test('no spelling of an inner address reaches it', async (t) => {
  const { port, calls } = await countingServer(t);
  const http = outgoing(t, { guard: closed });
  const hosts = [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '017700000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
  ];
  for (const host of [...hosts, 'localhost', '127.0.0.1.', '[::127.0.0.1]', '[64:ff9b::7f00:1]']) {
    for (const scheme of ['http', 'https']) {
      const call = http.request({ method: 'GET', url: `${scheme}://${host}:${port}/` });
      await assert.rejects(call, (error: Error) => {
        assert.ok(error instanceof OutgoingFailure);
        assert.equal(error.kind, 'refused_address', `${scheme}://${host}`);
        assert.equal(error.sent, false);
        assert.match(error.message, /OUTBOUND_ALLOW/);
        return true;
      });
    }
  }
  assert.equal(calls(), 0);
});

test('a name that turns to an inner address between check and use is refused at the connection', async (t) => {
  const { port, calls } = await countingServer(t);
  const lookup = resolving(['93.184.216.34'], ['127.0.0.1']);
  const url = new URL(`https://rebind.example.com:${port}/`);
  assert.equal(closed.checkUrl(url, { httpsOnly: true }), null);
  assert.equal(lookup.calls, 0, 'the check at creation does not resolve');
  lookup.calls = 1;
  const http = outgoing(t, { guard: closed, lookup });
  await assert.rejects(http.request({ method: 'POST', url, body: 'x' }), (error: Error) => {
    assert.ok(error instanceof OutgoingFailure);
    assert.equal(error.kind, 'refused_address');
    assert.ok(!error.message.includes('127.0.0.1'), 'the message does not say what a name resolves to');
    return true;
  });
  assert.equal(lookup.calls, 2, 'resolved once: nothing can change between check and use');
  assert.equal(calls(), 0);
});

test('every inner address is refused as a DNS answer, alone or beside others', async (t) => {
  for (const answer of [
    ['127.0.0.1'],
    ['10.0.0.1', '::1'],
    ['::ffff:127.0.0.1'],
    ['169.254.169.254'],
    ['fd00::1'],
    ['junk'],
    [],
  ]) {
    const http = outgoing(t, { guard: closed, lookup: resolving(answer) });
    const call = http.request({ method: 'GET', url: 'https://inner.example.com/' });
    await assert.rejects(call, { kind: 'refused_address', sent: false }, answer.join());
  }
});

test('of a mixed DNS answer only the permitted addresses are tried', async (t) => {
  const { port } = await countingServer(t);
  const lookup = resolving(['127.0.0.2', '127.0.0.1']);
  const http = outgoing(t, { guard: new AddressGuard(['127.0.0.1/32']), lookup });
  const answer = await http.request({ method: 'GET', url: `http://nas.example.com:${port}/` });
  assert.equal(answer.text(), 'inner');
});

test('OUTBOUND_ALLOW lets a name, a literal and plain http through to its networks', async (t) => {
  const { port } = await countingServer(t);
  const http = outgoing(t, { guard: new AddressGuard(['127.0.0.0/8']), lookup: resolving(['127.0.0.1']) });
  for (const host of ['hook.example.com', '127.0.0.1', '0x7f.1']) {
    assert.equal((await http.request({ method: 'GET', url: `http://${host}:${port}/` })).text(), 'inner');
  }
});

test('plain http towards the internet is refused even where OUTBOUND_ALLOW is set', async (t) => {
  const http = outgoing(t, {
    guard: new AddressGuard(['127.0.0.0/8']),
    lookup: resolving(['93.184.216.34']),
  });
  for (const url of ['http://shop.example.com/', 'http://93.184.216.34/']) {
    await assert.rejects(http.request({ method: 'GET', url }), {
      kind: 'refused_address',
      message: /only over https/,
    });
  }
});

test('a trusted call skips the guard for exactly the configured origins', async (t) => {
  const vendor = await countingServer(t);
  const other = await countingServer(t);
  const http = outgoing(t, { guard: closed, trustedOrigins: [`http://127.0.0.1:${vendor.port}/base/path`] });
  const trusted = { method: 'GET', trusted: true } as const;
  assert.equal(
    (await http.request({ ...trusted, url: `http://127.0.0.1:${vendor.port}/v1` })).text(),
    'inner',
  );
  const refused = { kind: 'refused_address' };
  await assert.rejects(http.request({ ...trusted, url: `http://127.0.0.1:${other.port}/` }), refused);
  await assert.rejects(http.request({ ...trusted, url: `http://localhost:${vendor.port}/` }), refused);
  const untrusted = http.request({ method: 'GET', url: `http://127.0.0.1:${vendor.port}/` });
  await assert.rejects(
    untrusted,
    refused,
    'a user who names a vendor origin gains nothing, also with a socket open',
  );
  assert.deepEqual([vendor.calls(), other.calls()], [1, 0]);
});

test('a name that does not resolve and a resolver that hangs are distinguished', async (t) => {
  const failing: Lookup = (hostname, options, callback) =>
    systemLookup(`${hostname}.invalid`, options, callback);
  const none = outgoing(t, { lookup: failing });
  await assert.rejects(none.request({ method: 'GET', url: 'https://x/' }), { kind: 'dns', sent: false });
  const hanging = outgoing(t, { lookup: () => {}, connectMs: 50 });
  await assert.rejects(hanging.request({ method: 'GET', url: 'https://x.example.com/' }), {
    kind: 'timeout',
    sent: false,
  });
});
