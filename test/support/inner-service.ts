import { createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export interface InnerService {
  readonly port: number;
  /** At which addresses of this machine someone connected, in order. */
  readonly reached: readonly string[];
}

/**
 * Stands for a service of the operator that only this machine may reach, over IPv4 and IPv6. Says nothing, or with
 * `answers` takes every request and closes the connection.
 */
export async function openInnerService(t: TestContext, answers = false): Promise<InnerService> {
  const reached: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    reached.push((socket.localAddress ?? '').replace(/^::ffff:/, ''));
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (answers)
      socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return { port: address.port, reached };
}
