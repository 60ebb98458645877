import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { linkBank } from '../../features/linking/person.ts';
import { eventually } from '../../support/patience.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';

/** A connection that has sent `text` and waits. */
function opened(service: TestService, text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => {
      socket.write(text, () => resolve(socket));
    });
    socket.on('error', () => undefined);
  });
}

const head = (owner: TestOwner): string =>
  `Host: x\r\nAuthorization: Bearer ${owner.key}\r\nService-Version: 2026-10-01.wattle\r\n`;

/** Turns of the event loop, in each of which what was sent is read: one long pause may be over before anything was. */
async function arrived(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
}

function whole(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(text));
  });
}

describe('stopping', () => {
  test('keeps its deadline although a caller never finishes sending', { timeout: 600_000 }, async () => {
    const service = await startService({ SHUTDOWN_SECONDS: '2' });
    const owner = await service.owner();
    const socket = await opened(
      service,
      `POST /v2/api_keys HTTP/1.1\r\n${head(owner)}Content-Type: application/json\r\nContent-Length: 200\r\n\r\n{`,
    );
    await arrived();
    const began = performance.now();
    await service.close();
    assert.ok(performance.now() - began < 20_000);
    socket.destroy();
  });

  test('answers a request that was on its way in the form of v2, then closes the connection', async () => {
    const service = await startService();
    const owner = await service.owner();
    const socket = await opened(service, 'GET /v2/me HTTP/1.1\r\n');
    const answered = whole(socket);
    await arrived();
    const closed = service.close();
    await arrived();
    socket.write(`${head(owner)}\r\n`);
    const answer = await answered;
    await closed;
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(answer, /\r\nrequest-id: req_/i);
    assert.match(answer, /\r\nconnection: close\r\n/i);
  });
});

describe('a caller that hangs up', () => {
  test('while waiting or while sending is no failure of the service', async (t) => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const service = await startService({ LOG_LEVEL: 'error' }, { destination });
    t.after(() => service.close());
    const owner = await service.owner();
    await linkBank(owner);
    const account = (await owner.v2('GET', '/v2/accounts')).body.data[0].id;
    const bank = sandboxBank(service.app);
    bank?.addFault({ route: 'GET /v1/banking/transactions', kind: 'hang' });
    const waiting = await opened(
      service,
      `GET /v2/transactions?account=${account} HTTP/1.1\r\n${head(owner)}\r\n`,
    );
    const sending = await opened(
      service,
      `POST /v2/api_keys HTTP/1.1\r\n${head(owner)}Content-Type: application/json\r\nContent-Length: 200\r\n\r\n{`,
    );
    await arrived();
    waiting.destroy();
    sending.destroy();
    await eventually(async () => (await service.app.metrics.text()).includes('outcome="aborted"'));
    await arrived();
    assert.deepEqual(lines, []);
  });
});
