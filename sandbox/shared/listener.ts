import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A request that fails halfway loses its connection, but never ends the process. */
export function listen(handler: Handler, host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    handler(request, response).catch(() => response.destroy());
  });
  // Longer than any client keeps an idle connection, so that none is closed during a request.
  server.keepAliveTimeout = 75_000;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

/** `http://127.0.0.1:40123`, without a trailing slash. */
export function addressOf(server: Server, host: string): string {
  const address: AddressInfo | string | null = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Ends every connection at once: a hanging request must not keep the process. */
export function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
