import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textIn } from '../../../sandbox/postgres/wire.ts';
import { connectorOn } from './postgres/scene.ts';
import { serverThat } from './postgres/socket-server.ts';

const NO_SIGNAL = new AbortController().signal;

/** Every variable that the driver reads, with a value that must reach no owner's server. */
const OPERATORS = {
  PGHOST: 'operator.invalid',
  PGPORT: '1',
  PGUSER: 'operator-user',
  PGDATABASE: 'operator-database',
  PGPASSWORD: 'operator-password',
  PGPASSFILE: '/operator/pgpass',
  PGOPTIONS: '-c search_path=operator',
  PGAPPNAME: 'operator-name',
  PGREPLICATION: 'operator-replication',
  PGCLIENT_ENCODING: 'operator-encoding',
  PGSSLMODE: 'no-verify',
  PGSSLNEGOTIATION: 'direct',
  PGBINARY: 'operator-binary',
  PGCONNECT_TIMEOUT: '1',
} as const;

test("Nothing of the operator's environment reaches an owner's server or changes how it is reached", async (t) => {
  const before = { ...process.env };
  t.after(() => {
    for (const name of Object.keys(OPERATORS)) {
      const { [name]: value } = before;
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  Object.assign(process.env, OPERATORS);
  for (const password of ['secret', '']) {
    const sent: Buffer[] = [];
    await using server = await serverThat((socket) => {
      let messages = 0;
      socket.on('data', (chunk) => {
        sent.push(chunk);
        messages += 1;
        // Asks for the password, and then ends: what matters was sent by then.
        if (messages === 1) socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
        else socket.end();
      });
    });
    const secret = `postgres://owner:${password}@127.0.0.1:${server.port}/books?sslmode=disable`;
    const checked = connectorOn().signIn?.check('owner', secret, NO_SIGNAL);
    await assert.rejects(checked ?? assert.fail());
    const [startup, answer] = sent;
    assert.deepEqual(parametersIn(startup ?? assert.fail('nothing was sent')), {
      user: 'owner',
      database: 'books',
      application_name: 'tributary',
      client_encoding: 'UTF8',
    });
    assert.equal(textIn(answer ?? assert.fail('no password was sent')), password);
  }
});

/** What the message that opens a connection says: names and values, each ended by NUL. */
function parametersIn(startup: Buffer): Readonly<Record<string, string>> {
  const texts = startup.toString('utf8', 8).split('\0');
  const pairs = texts.flatMap((name, at) =>
    at % 2 === 0 && name !== '' ? [[name, texts[at + 1] ?? ''] as const] : [],
  );
  return Object.fromEntries(pairs);
}
