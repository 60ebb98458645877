import assert from 'node:assert/strict';
import { lookup as systemLookup } from 'node:dns';
import { test } from 'node:test';
import { AddressGuard } from '../../src/platform/address-guard.ts';
import type { Lookup } from '../../src/platform/guarded-connect.ts';
import { OutgoingFailure } from '../../src/platform/outgoing-failure.ts';
import { HOSTILE_LITERALS, HOSTILE_NAMES, LOCAL_NAMES } from '../support/hostile-addresses.ts';
import { changingLookup, lookupOf } from '../support/lookups.ts';
import { httpServer, outgoing } from './loopback-server.ts';

const closed = new AddressGuard([]);

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
  const http = outgoing(t, { guard: closed, lookup: lookupOf(LOCAL_NAMES) });
  for (const { host } of [...HOSTILE_LITERALS, ...LOCAL_NAMES]) {
    for (const scheme of ['http', 'https']) {
      const call = http.request({ method: 'GET', url: `${scheme}://${host}:${port}/` });
      await assert.rejects(call, (error: Error) => {
        assert.ok(error instanceof OutgoingFailure);
        assert.equal(error.kind, 'refused_address', `${scheme}://${host}`);
        assert.equal(error.sent, false);
        return true;
      });
    }
  }
  assert.equal(calls(), 0);
});

test('a name that turns to an inner address between check and use is refused at the connection', async (t) => {
  const { port, calls } = await countingServer(t);
  const lookup = changingLookup(['93.184.216.34'], ['127.0.0.1']);
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
  for (const { host, answers } of [...HOSTILE_NAMES, { host: 'none.example.com', answers: [] }]) {
    const http = outgoing(t, { guard: closed, lookup: changingLookup(answers) });
    const call = http.request({ method: 'GET', url: `https://${host}/` });
    await assert.rejects(call, { kind: 'refused_address', sent: false }, answers.join());
  }
});

test('of a mixed DNS answer only the permitted addresses are tried', async (t) => {
  const { port } = await countingServer(t);
  const lookup = changingLookup(['127.0.0.2', '127.0.0.1']);
  const http = outgoing(t, { guard: new AddressGuard(['127.0.0.1/32']), lookup });
  const answer = await http.request({ method: 'GET', url: `http://nas.example.com:${port}/` });
  assert.equal(answer.text(), 'inner');
});

test('OUTBOUND_ALLOW lets a name, a literal and plain http through to its networks', async (t) => {
  const { port } = await countingServer(t);
  const http = outgoing(t, {
    guard: new AddressGuard(['127.0.0.0/8']),
    lookup: changingLookup(['127.0.0.1']),
  });
  for (const host of ['hook.example.com', '127.0.0.1', '0x7f.1']) {
    assert.equal((await http.request({ method: 'GET', url: `http://${host}:${port}/` })).text(), 'inner');
  }
});

test('plain http towards the internet is refused even where OUTBOUND_ALLOW is set', async (t) => {
  const http = outgoing(t, {
    guard: new AddressGuard(['127.0.0.0/8']),
    lookup: changingLookup(['93.184.216.34']),
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
