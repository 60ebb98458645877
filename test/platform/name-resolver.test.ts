import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent } from 'undici';
import { AddressGuard } from '../../src/platform/address-guard.ts';
import { NameFailure, NameResolver, type NameResolverOptions } from '../../src/platform/name-resolver.ts';
import { AgentsByOwner, OutgoingHttp } from '../../src/platform/outgoing-http.ts';
import { type NameServer, openNameServer } from '../support/name-server.ts';
import { eventually, leastMs } from '../support/patience.ts';
import { scratchDirectory } from '../support/scratch.ts';

let server: NameServer;
before(async () => {
  server = await openNameServer();
});
after(() => server.close());

const resolver = (more: Partial<NameResolverOptions> = {}): NameResolver =>
  new NameResolver({
    atOnce: 8,
    waiting: 256,
    deadlineMs: 4000,
    servers: [server.address],
    localNames: false,
    hostsFile: '/nonexistent',
    ...more,
  });

const failing = (code: NameFailure['code']) => (error: unknown) =>
  error instanceof NameFailure && error.code === code;

describe('names that users gave', () => {
  test('are looked up by DNS, and a name without an address is distinguished from one that no server answers for', async () => {
    const names = resolver({ deadlineMs: 30_000 });
    assert.deepEqual(await names.resolve('a', 'Hook.Alive.Test.'), ['127.0.0.1']);
    await assert.rejects(names.resolve('a', 'hook.none.test'), failing('ENOTFOUND'));
    const hurried = resolver({ deadlineMs: 300 });
    await assert.rejects(hurried.resolve('a', 'hook.dead.test'), failing('EAI_AGAIN'));
  });

  test('are this machine where they are localhost, and what the hosts file says before anyone is asked', async () => {
    const path = join(await scratchDirectory(), 'hosts');
    await writeFile(
      path,
      '# comment\n192.0.2.7 nas.example NAS  # the box\n2001:db8::7 nas.example\nnot-an-ip x.example\n',
    );
    const names = resolver({ hostsFile: path });
    server.asked.length = 0;
    assert.deepEqual(await names.resolve('a', 'localhost'), ['127.0.0.1', '::1']);
    assert.deepEqual(await names.resolve('a', 'app.localhost'), ['127.0.0.1', '::1']);
    assert.deepEqual(await names.resolve('a', 'nas.example'), ['192.0.2.7', '2001:db8::7']);
    assert.deepEqual(await names.resolve('a', 'nas'), ['192.0.2.7']);
    assert.equal(server.asked.length, 0);
  });

  test('are given up at their deadline, and nothing goes on asking after it [limit name_deadline_ms]', async () => {
    const names = resolver({ deadlineMs: 200 });
    const ms = await leastMs(1500, () =>
      assert.rejects(names.resolve('a', 'slow.dead.test'), failing('EAI_AGAIN')),
    );
    assert.ok(ms >= 190 && ms < 1500, `${Math.round(ms)} ms`);
    const asked = server.asked.length;
    await wait(500);
    assert.equal(server.asked.length, asked);
  });

  test('of one greedy owner leave room for those of the next, who waits for none of them [limit names_at_once] [limit names_waiting]', async () => {
    const names = resolver({ atOnce: 4, waiting: 20, deadlineMs: 5000 });
    server.asked.length = 0;
    let givenUp = 0;
    const flood = Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        names.resolve('greedy', `n${index}.dead.test`).catch((error: unknown) => {
          // What found no place was refused at once, and of what was asked the least is heard at the deadline.
          if (server.asked.includes(`n${index}.dead.test`)) givenUp += 1;
          throw error;
        }),
      ),
    );
    await eventually(() => new Set(server.asked).size >= 2);
    await wait(50);
    assert.equal(new Set(server.asked).size, 2, 'half of four at a time');
    await names.resolve('other', 'hook.alive.test');
    assert.equal(givenUp, 0, 'it waited for none of them');
    const outcomes = await flood;
    assert.ok(outcomes.every(({ status }) => status === 'rejected'));
    // Two asked, ten waiting, and when the first two were given up at their deadline so were those that waited.
    assert.ok(new Set(server.asked.filter((name) => name.endsWith('dead.test'))).size <= 12);
  });

  test('whose servers are dead hold up no connection to anyone else, in the same process', async (t) => {
    const vendor = createServer((_request, response) => response.end('{}'));
    await new Promise<void>((resolve) => vendor.listen(0, 'localhost', resolve));
    const address = vendor.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const origin = `http://localhost:${port}`;
    const http = new OutgoingHttp({
      guard: new AddressGuard(['127.0.0.0/8', '::1/128']),
      trustedOrigins: [origin],
      names: resolver({ deadlineMs: 5000 }),
    });
    t.after(async () => {
      await http.close();
      vendor.close();
    });
    let ended = 0;
    server.asked.length = 0;
    const dead = Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        http
          .request({ method: 'POST', url: `http://n${index}.dead.test:${port}/`, owner: 'greedy' })
          .finally(() => {
            ended += 1;
          }),
      ),
    );
    await eventually(() => server.asked.length > 0);
    await http.request({ method: 'GET', url: origin, trusted: true });
    assert.equal(ended, 0, 'the vendor waited for none of them');
    await http
      .request({ method: 'GET', url: `http://hook.alive.test:${port}/`, owner: 'other' })
      .catch(() => null);
    assert.equal(ended, 0, 'the other owner waited for none of them');
    for (const outcome of await dead) {
      assert.ok(outcome.status === 'rejected');
      assert.equal(outcome.reason.kind, 'dns');
      assert.equal(outcome.reason.sent, false);
    }
  });

  test('lead nowhere the guard does not permit, whatever they resolve to', async (t) => {
    const http = new OutgoingHttp({ guard: new AddressGuard([]), names: resolver() });
    t.after(() => http.close());
    for (const url of ['https://hook.alive.test/', 'https://localhost/', 'https://app.localhost/']) {
      await assert.rejects(http.request({ method: 'GET', url, owner: 'a' }), { kind: 'refused_address' });
    }
  });

  test('of the local network are asked of the system where the operator opened it, one at a time', async () => {
    server.asked.length = 0;
    const names = resolver({ localNames: true, deadlineMs: 3000 });
    await Promise.allSettled(['printer.local', 'receiver'].map((name) => names.resolve('a', name)));
    assert.equal(server.asked.length, 0);
    await assert.rejects(resolver({ deadlineMs: 200 }).resolve('a', 'printer.local'));
    assert.ok(server.asked.includes('printer.local'));
  });
});

test('the agents of owners who are gone are closed, and those in use are not', async () => {
  const agents = new AgentsByOwner(() => new Agent(), 0);
  const first = agents.use('a');
  agents.use('b').done();
  await wait(2);
  agents.use('c').done();
  assert.equal(agents.size, 2);
  const second = agents.use('a');
  assert.equal(second.agent, first.agent);
  first.done();
  second.done();
  await agents.close();
});
