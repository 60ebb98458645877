import { once } from 'node:events';
import { createServer, request } from 'node:http';

export interface Forwarder {
  readonly url: string;
  close(): void;
}

/** Stands before the service and adds a key to each request, for programs that send none; everything else stays. */
export async function openForwarder(target: string, key: string): Promise<Forwarder> {
  const to = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const host = headers.host?.replace(/:\d+$/, `:${to.port}`);
    const onward = request({
      host: to.hostname,
      port: to.port,
      method,
      path,
      headers: { ...headers, ...(host !== undefined && { host }), authorization: `Bearer ${key}` },
    });
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return {
    url: `http://localhost:${address.port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
