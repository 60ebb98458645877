import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { systemClock } from '../../platform/clock.ts';
import { RowSet } from './row-set.ts';
import { signatureProblem } from './signatures.ts';

const MOST_BODY_BYTES = 4 * 1024 * 1024;

const Row = Type.Object({
  id: Type.String(),
  account_id: Type.String(),
  replaces: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
const Delivery = Type.Object({
  id: Type.String(),
  type: Type.String(),
  data: Type.Object({
    new: Type.Array(Row),
    updated: Type.Array(Row),
    removed: Type.Optional(Type.Array(Type.String())),
  }),
});
type Delivery = Type.Static<typeof Delivery>;

/** What a receiver counts. */
export type ReceiverCounts = {
  /** Deliveries that arrived, repeats included. */
  readonly deliveries: number;
  /** Deliveries whose event had arrived before; their rows count once. */
  readonly redelivered: number;
  /** Deliveries that were not understood, or whose signatures did not hold. */
  readonly refused: number;
  /** Rows that are at the receiver. */
  readonly rows: number;
  /** Rows that a second event brought as new. */
  readonly duplicates: number;
};

/**
 * A receiver of webhook deliveries as documentation asks for: it verifies each signature in both schemes, takes each
 * event once, and keeps no row. Its memory does not grow with what a row holds.
 */
export class WebhookReceiver {
  readonly url: string;
  readonly #server: Server;
  #secret: string | null = null;
  readonly #events = new Set<string>();
  readonly #rows = new RowSet();
  readonly #removed = new Set<string>();
  #deliveries = 0;
  #redelivered = 0;
  #refused = 0;
  #duplicates = 0;
  /** Why the first refused delivery was refused. */
  #problem: string | null = null;
  /** Called when a delivery was taken and is about to be answered: where a test may end the sender. */
  beforeAnswer: (() => void) | null = null;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  /** Listens on a free port of the loopback interface, or on the given one. */
  static async start(port = 0): Promise<WebhookReceiver> {
    let receiver: WebhookReceiver | null = null;
    const server = createServer((request, response) => {
      receiver?.receive(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
    receiver = new WebhookReceiver(server, `http://127.0.0.1:${address.port}`);
    return receiver;
  }

  /** The signing secret, known only once the destination exists. Without one every delivery is refused. */
  expect(secret: string): void {
    this.#secret = secret;
  }

  get problem(): string | null {
    return this.#problem;
  }

  counts(): ReceiverCounts {
    return {
      deliveries: this.#deliveries,
      redelivered: this.#redelivered,
      refused: this.#refused,
      rows: this.#rows.size - this.#removed.size,
      duplicates: this.#duplicates,
    };
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of request) {
      if (!Buffer.isBuffer(part)) continue;
      size += part.length;
      if (size > MOST_BODY_BYTES) {
        response.writeHead(413).end();
        return;
      }
      parts.push(part);
    }
    const problem = this.#take(request, Buffer.concat(parts));
    if (problem !== null) {
      this.#refused += 1;
      this.#problem ??= problem;
    }
    this.beforeAnswer?.();
    response.writeHead(problem === null ? 204 : 400).end();
  }

  #take(request: IncomingMessage, body: Buffer): string | null {
    this.#deliveries += 1;
    if (this.#secret === null) return 'no signing secret is known yet';
    const bad = signatureProblem(request.headers, body, this.#secret, systemClock.now() / 1000);
    if (bad !== null) return bad;
    const delivery: unknown = JSON.parse(body.toString('utf8'));
    if (!Value.Check(Delivery, delivery) || delivery.id !== request.headers['webhook-id']) {
      return 'the body is not an event as documented';
    }
    if (this.#events.has(delivery.id)) this.#redelivered += 1;
    else this.#keep(delivery);
    return null;
  }

  #keep({ id, data }: Delivery): void {
    this.#events.add(id);
    for (const row of data.new) {
      const key = `${row.account_id} ${row.id}`;
      const returned = this.#removed.delete(row.id);
      if (!this.#rows.add(key) && !returned) this.#duplicates += 1;
    }
    for (const row of data.updated) {
      const added = this.#rows.add(`${row.account_id} ${row.id}`);
      if (added && typeof row.replaces === 'string') this.#removed.add(row.replaces);
    }
    for (const gone of data.removed ?? []) this.#removed.add(gone);
  }
}
