import { Socket } from 'node:net';
import pg from 'pg';

/**
 * A connection that can be closed immediately. `end()` of the driver sends a termination message and waits for the
 * server to close, which never happens on a half-open connection.
 */
export class DestroyableClient extends pg.Client {
  readonly #socket: Socket;
  #broken = false;
  /** The server's `statement_timeout` on this connection as last set by us; null before the first setting. */
  statementTimeoutMs: number | null = null;

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.#socket = socket;
    const broken = (): void => {
      this.#broken = true;
    };
    // An error without a listener would end the process; the running statement reports it as well.
    this.on('error', broken);
    this.on('end', broken);
  }

  /** Whether the connection is down, from either side, and can no longer be used. */
  get broken(): boolean {
    return this.#broken;
  }

  /** Everything in progress fails with `reason`. */
  destroy(reason: Error): void {
    this.#broken = true;
    this.#socket.destroy(reason);
  }
}
