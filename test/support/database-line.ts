import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';

/** A line to the database that can go silent, as behind a firewall that forgot it, or break. */
export interface Line {
  readonly url: string;
  silent: boolean;
  cut(): void;
  close(): void;
}

export async function lineTo(database: string): Promise<Line> {
  const target = new URL(database);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      sockets.add(from);
      from.on('data', (chunk) => {
        if (!line.silent) to.write(chunk);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        if (!line.silent) to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const url = new URL(database);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const close = () => {
    cut();
    server.close();
  };
  const line: Line = { url: url.href, silent: false, cut, close };
  return line;
}
