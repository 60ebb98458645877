import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy to a server that can be cut, go silent, or become slow. */
export class StoreProxy {
  readonly url: string;
  /** Nothing passes, and neither end is notified: a half-open connection. */
  silent = false;
  /** How much later everything arrives. */
  delayMs = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  /** @param target address of the server, with its port */
  static async to(target: string): Promise<StoreProxy> {
    const { hostname, port } = new URL(target);
    let proxy: StoreProxy | null = null;
    const server = createServer((near) => proxy?.join(near, connect(Number(port), hostname)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
    const url = new URL(target);
    url.hostname = '127.0.0.1';
    url.port = String(address.port);
    proxy = new StoreProxy(server, url.href);
    return proxy;
  }

  /** Ends every connection; new ones are taken. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  join(near: Socket, far: Socket): void {
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      this.#sockets.add(from);
      from.on('data', (bytes) => {
        if (this.silent) return;
        if (this.delayMs === 0) to.write(bytes);
        else setTimeout(() => to.write(bytes), this.delayMs);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        this.#sockets.delete(from);
        if (!this.silent) to.destroy();
      });
    }
  }
}
