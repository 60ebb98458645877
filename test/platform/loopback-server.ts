import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { AddressGuard } from '../../src/platform/address-guard.ts';
import { OutgoingHttp, type OutgoingHttpOptions } from '../../src/platform/outgoing-http.ts';

/** An HTTP server on a free loopback port, closed with the test. */
export async function httpServer(t: TestContext, listener: RequestListener): Promise<number> {
  const server: HttpServer = createServer(listener);
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server);
}

/** A server that speaks bytes instead of HTTP, closed with the test. */
export async function rawServer(t: TestContext, onRequest: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => onRequest(socket));
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
}

/** A client that may reach loopback by default, closed with the test. */
export function outgoing(t: TestContext, options: Partial<OutgoingHttpOptions> = {}): OutgoingHttp {
  const http = new OutgoingHttp({ guard: new AddressGuard(['127.0.0.0/8', '::1']), ...options });
  t.after(() => http.close());
  return http;
}

function listen(server: Server | HttpServer): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(portOf(server.address())));
  });
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return address.port;
}
