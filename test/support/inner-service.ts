import { createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Lookup } from '../../src/platform/guarded-connect.ts';

/** Stands for a service of the operator that only this machine may reach: counts whoever connects, over IPv4 and IPv6. */
export async function openInnerService(t: TestContext): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return { port: address.port, connections: () => connections };
}

/** A resolver that knows these names and no other. */
export function lookupOf(
  names: readonly { readonly host: string; readonly answers: readonly string[] }[],
): Lookup {
  return (hostname, options, callback) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const known = names.find(({ host }) => host === name)?.answers;
    const answers = known ?? (/(^|\.)localhost$/.test(name) ? ['127.0.0.1', '::1'] : []);
    const found = answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all === true) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
}
