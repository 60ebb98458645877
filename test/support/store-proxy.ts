import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy to a store whose connections can go silent, as behind a firewall that forgot them, break, or be refused. */
export interface StoreProxy {
  readonly url: string;
  /** Nothing passes, in either direction, and neither end learns that the other hung up. */
  silent: boolean;
  /** Goes silent behind a request that holds `behind`, on a connection that has sent `first`: the server still acts. */
  silentAfter: { readonly first: string; readonly behind: string } | null;
  cut(): void;
  /** The connections there are stay silent forever; new ones work. */
  forget(): void;
  /** As `forget`, and the server keeps its ends open, unaware. */
  abandon(): void;
  /** Cuts all connections and refuses new ones until `accept`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  close(): void;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  primed: boolean;
  lost: boolean;
}

export async function proxyTo(store: string): Promise<StoreProxy> {
  const target = new URL(store);
  const pairs = new Set<Pair>();
  const join = (near: Socket): void => {
    const far = connect(Number(target.port || 5432), target.hostname);
    const pair: Pair = { near, far, primed: false, lost: false };
    pairs.add(pair);
    near.on('data', (chunk: Buffer) => {
      if (proxy.silent || pair.lost) return;
      far.write(chunk);
      if (proxy.silentAfter === null) return;
      if (pair.primed && chunk.includes(proxy.silentAfter.behind)) proxy.silent = true;
      pair.primed ||= chunk.includes(proxy.silentAfter.first);
    });
    far.on('data', (chunk) => {
      if (!proxy.silent && !pair.lost) near.write(chunk);
    });
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      from.on('error', () => undefined);
      from.on('close', () => {
        if (proxy.silent || pair.lost) return;
        to.destroy();
        pairs.delete(pair);
      });
    }
  };
  const server = createServer(join);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const { port } = address;
  const url = new URL(store);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const cut = (): void => {
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
    pairs.clear();
  };
  const lose = (): void => {
    for (const pair of pairs) pair.lost = true;
  };
  const proxy: StoreProxy = {
    url: url.href,
    silent: false,
    silentAfter: null,
    cut,
    forget: () => {
      lose();
      for (const { far } of pairs) far.destroy();
    },
    abandon: lose,
    refuse: async () => {
      server.close();
      cut();
      if (server.listening) await once(server, 'close');
    },
    accept: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    close: () => {
      cut();
      server.close();
    },
  };
  return proxy;
}
