import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { createSecureContext, TLSSocket } from 'node:tls';
import { startPostgresSimulator } from '../../../sandbox/postgres/server.ts';
import { DatabaseClient } from '../../../src/connectors/destinations/postgres/client.ts';
import { credentialsOf, grantOf, parseSecret } from '../../../src/connectors/destinations/postgres/secret.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import { NameFailure } from '../../../src/platform/name-resolver.ts';
import { OutgoingAddresses } from '../../../src/platform/outgoing-addresses.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { seedCluster } from './postgres/cluster-template.ts';
import { accessTo, closeServer, connectorOn, sharedServer, signedIn } from './postgres/scene.ts';
import { serverThat } from './postgres/socket-server.ts';

after(closeDatabase);
after(closeServer);

const NO_SIGNAL = new AbortController().signal;

async function refusalOf(secret: string, connector = connectorOn()): Promise<string> {
  const outcome = await connector.signIn?.check('owner', secret, NO_SIGNAL);
  return outcome?.kind === 'refused' ? outcome.message : assert.fail(JSON.stringify(outcome));
}

describe('a secret', () => {
  test('says host, port, user, password, database and sslmode, percent-encoded where they need it', () => {
    const full = 'postgresql://us%40er:p%2Fw%3A%25@db.example:6543/my%20money?sslmode=require';
    assert.deepEqual(parseSecret(full), {
      host: 'db.example',
      port: 6543,
      user: 'us@er',
      password: 'p/w:%',
      database: 'my money',
      sslMode: 'require',
    });
    assert.deepEqual(parseSecret('postgres://u@[2001:db8::1]/d'), {
      host: '2001:db8::1',
      port: 5432,
      user: 'u',
      password: '',
      database: 'd',
      sslMode: 'verify-full',
    });
    assert.deepEqual(credentialsOf(grantOf(` ${full}\n`)), parseSecret(full));
  });

  const words = ['hunter2', 'topsecret'];
  for (const secret of [
    'hunter2',
    'mysql://topsecret:hunter2@db.example/d',
    'postgres://topsecret:hunter2@/d',
    'postgres://topsecret:hunter2@%2Fvar%2Frun/d',
    'postgres://topsecret:hunter2@db.example',
    'postgres://topsecret:hunter2@db.example/d?sslmode=prefer',
    'postgres://topsecret:hunter2@db.example:0/d',
    'postgres://topsecret:hunter2@db.example/d?host=hunter2',
    'postgres://topsecret:hunter2@db.example/d?sslmode=require&sslmode=disable',
    'postgres://topsecret:hunter2%@db.example/d',
    'postgres://:hunter2@db.example/d',
    'postgres://topsecret%00options%00-chunter2:p@db.example/d',
    'postgres://topsecret:hunter2@db.example/d%00replication%00true',
  ]) {
    test(`that cannot be read is refused, and not repeated: ${secret.replace(/^.*@/, '…@')}`, async () => {
      const message = await refusalOf(secret);
      assert.ok(message.length > 20 && !words.some((word) => message.includes(word)), message);
    });
  }

  test('with a wrong password is refused, without a word of it', async () => {
    const { secret } = await sharedServer();
    const message = await refusalOf(secret.replace(':sandbox@', ':hunter2@'));
    assert.match(message, /does not accept this user and password/);
    assert.ok(!message.includes('hunter2'));
  });
});

describe('the addresses of databases', () => {
  const permitted = (allow: readonly string[], addresses: readonly string[]) =>
    connectorOn(allow, {}, { resolve: async () => addresses });

  test('outside the permitted networks are not connected to without encryption', async () => {
    const message = await refusalOf(
      'postgres://u:p@db.example/d?sslmode=disable',
      permitted(['127.0.0.0/8'], ['93.184.216.34']),
    );
    assert.match(message, /only with encryption/);
  });

  test('of a name that does not exist are the secret’s fault, those that no one said in time are not', async () => {
    const failing = (code: 'ENOTFOUND' | 'EAI_AGAIN') =>
      connectorOn([], {}, { resolve: () => Promise.reject(new NameFailure(code, 'No address.')) });
    const secret = 'postgres://u:p@db.example/d';
    assert.match(await refusalOf(secret, failing('ENOTFOUND')), /has no address/);
    const checked = failing('EAI_AGAIN').signIn?.check('owner', secret, NO_SIGNAL);
    await assert.rejects(checked ?? assert.fail(), { situation: 'connect' });
  });

  test('of servers that this process runs itself need no permission, on their port alone', async () => {
    const trusted = ['127.0.0.1:5000'];
    const names = { resolve: () => assert.fail('a name is looked up') };
    const addresses = new OutgoingAddresses({ guard: new AddressGuard([]), names, trusted });
    const peer = { host: '127.0.0.1', port: 5000, encrypted: false };
    assert.deepEqual(await addresses.permitted('owner', peer), ['127.0.0.1']);
    await assert.rejects(addresses.permitted('owner', { ...peer, port: 5001 }), /OUTBOUND_ALLOW/);
  });

  test('are asked for encryption unless the secret says otherwise, and a server that has none is refused', async () => {
    const { secret } = await sharedServer();
    for (const mode of ['', '?sslmode=verify-full', '?sslmode=require']) {
      const message = await refusalOf(secret.replace('?sslmode=disable', mode));
      assert.match(message, /encrypted connection/, mode);
    }
  });
});

test('A certificate that no one vouches for is refused, and taken only where the secret asks for no check', async (t) => {
  const directory = await scratchDirectory();
  t.after(() => rm(directory, { recursive: true, force: true }));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=db.example'],
    ...['-keyout', key, '-out', cert],
  ]);
  if (made.status !== 0) return t.skip('there is no openssl');
  const { secret } = await sharedServer();
  const behind = Number(new URL(secret).port);
  const secureContext = createSecureContext({ key: readFileSync(key), cert: readFileSync(cert) });
  await using server = await serverThat((socket) => {
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      secure.on('error', () => undefined);
      const onward = connect(behind, '127.0.0.1');
      onward.on('error', () => undefined);
      secure.pipe(onward).pipe(secure);
    });
  });
  const connector = connectorOn(['127.0.0.0/8'], {}, { resolve: async () => ['127.0.0.1'] });
  const at = (mode: string) => `postgres://books:sandbox@db.example:${server.port}/money?sslmode=${mode}`;
  assert.match(await refusalOf(at('verify-full'), connector), /certificate is not valid/);
  await signedIn(connector, at('require'));
});

test('One greedy owner leaves connections for others [limit database_connections]', async () => {
  const { secret } = await sharedServer();
  const connector = connectorOn(['127.0.0.0/8'], { database_connections: 4 });
  await using silent = await serverThat(() => undefined);
  const grant = grantOf(`postgres://u:p@127.0.0.1:${silent.port}/d?sslmode=disable`);
  const leaving = new AbortController();
  const query = { type: 'schema', parent: null, limit: 1 } as const;
  const greedy = Array.from({ length: 12 }, () =>
    connector.resources
      ?.list(accessTo(grant, 'greedy'), query, leaving.signal)
      .catch((error: unknown) => error),
  );
  const full = await Promise.race(greedy);
  assert.match(String(full), /Too many connections/);
  assert.ok(silent.sockets.size <= 2, `${silent.sockets.size} sockets`);
  const other = accessTo(await signedIn(connector, secret), 'modest');
  assert.equal((await connector.resources?.list(other, query, NO_SIGNAL))?.length, 1);
  leaving.abort(new Error('left'));
  await Promise.all(greedy);
  assert.equal(
    (await connector.resources?.list(accessTo(grantOf(secret), 'greedy'), query, NO_SIGNAL))?.length,
    1,
  );
});

test('A server that leaves in the middle of signing in, or talks nonsense, is a failure and ends nothing else', async () => {
  for (const work of [
    (socket: Socket) => void socket.destroy(),
    (socket: Socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
    (socket: Socket) => void socket.end(),
  ]) {
    await using server = await serverThat(work);
    const check = connectorOn().signIn?.check(
      'owner',
      `postgres://u:p@127.0.0.1:${server.port}/d?sslmode=disable`,
      AbortSignal.timeout(60_000),
    );
    await assert.rejects(check ?? assert.fail());
  }
});

test('A server that sends without end is given up, while connecting and between two statements', async () => {
  const block = Buffer.alloc(1 << 20);
  /** A message of two gigabytes, of which the parser waits for the end. */
  const endless = (socket: Socket): void => {
    socket.write(Buffer.from([0x52, 0x7f, 0xff, 0xff, 0xff]));
    const more = (): void => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.on('drain', more);
    more();
  };
  const signal = AbortSignal.timeout(60_000);
  const secretAt = (port: number) => `postgres://u:p@127.0.0.1:${port}/d?sslmode=disable`;
  {
    await using server = await serverThat((socket) => void socket.once('data', () => endless(socket)));
    const check = connectorOn().signIn?.check('owner', secretAt(server.port), signal);
    await assert.rejects(check ?? assert.fail(), /sent more than was asked for/);
  }
  // Signed in, and ready for a statement.
  const ready = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
  await using server = await serverThat((socket) => {
    socket.once('data', () => {
      socket.write(ready);
      setImmediate(() => endless(socket));
    });
  });
  const credentials = credentialsOf(grantOf(secretAt(server.port)));
  const client = new DatabaseClient(credentials, '127.0.0.1');
  await client.connect();
  while (!client.broken) {
    signal.throwIfAborted();
    await new Promise(setImmediate);
  }
  assert.ok(client.received < 1 << 30, `${client.received} bytes were taken`);
});

test('The simulated server shows after a restart what was written before, also before anyone connects', async () => {
  const directory = await scratchDirectory();
  const stateFile = await seedCluster(directory);
  const first = await startPostgresSimulator({ stateFile });
  await first.control.execute(
    `create table money.bank (tributary_id text, transaction_id text);
     comment on column money.bank.tributary_id is 'tributary: tributary_id';
     insert into money.bank values ('a', 'txn_<b>a</b>')`,
  );
  await first.close();
  const second = await startPostgresSimulator({ stateFile });
  try {
    const html = await (await fetch(`${second.url}/tables/money/bank`)).text();
    assert.match(html, /txn_&lt;b&gt;a/);
    assert.deepEqual(
      second.control.rows().map(({ id, place }) => [id, place]),
      [['txn_<b>a</b>', 'money.bank']],
    );
    assert.equal((await fetch(`${second.url}/tables/money/none`)).status, 404);
  } finally {
    await second.close();
    await rm(directory, { recursive: true, force: true });
  }
});
