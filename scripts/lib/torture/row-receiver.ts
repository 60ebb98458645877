import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { signatureProblem } from '../../../src/app/demo/receiver.ts';

const Row = Type.Object({
  id: Type.String(),
  account_id: Type.String(),
  amount: Type.Integer(),
  description: Type.String(),
  replaces: Type.Union([Type.String(), Type.Null()]),
});
const Delivery = Type.Object({
  id: Type.String(),
  data: Type.Object({
    new: Type.Array(Row),
    updated: Type.Array(Row),
    removed: Type.Array(Type.String()),
  }),
});

/** A row as it is at the receiver. */
export interface StandingRow {
  readonly amount: number;
  readonly description: string;
}

/** A webhook receiver that keeps every row, so that contents can be compared and not only counted. */
export class RowReceiver {
  readonly url: string;
  /** How long each answer takes. */
  delayMs = 0;
  /** The receiver's clock, ahead of the machine's. */
  aheadMs = 0;
  /** Called once a delivery was taken and before it is answered. */
  onDelivery: (() => void) | null = null;
  readonly rows = new Map<string, StandingRow>();
  readonly #server: Server;
  readonly #secrets = new Set<string>();
  readonly #events = new Set<string>();
  #deliveries = 0;
  #duplicates = 0;
  #refused: string | null = null;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(): Promise<RowReceiver> {
    let receiver: RowReceiver | null = null;
    const server = createServer((request, response) => {
      receiver?.receive(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
    receiver = new RowReceiver(server, `http://127.0.0.1:${address.port}`);
    return receiver;
  }

  /** A signing secret of a destination that sends here. */
  expect(secret: string): void {
    this.#secrets.add(secret);
  }

  /** Deliveries taken so far, repeats included. */
  get deliveries(): number {
    return this.#deliveries;
  }

  /** Rows that a second event brought as new although they were there. */
  get duplicates(): number {
    return this.#duplicates;
  }

  /** Why a delivery was refused, if one was. */
  get refused(): string | null {
    return this.#refused;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
    const problem = this.#take(request, Buffer.concat(parts));
    this.#refused ??= problem;
    this.onDelivery?.();
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    response.writeHead(problem === null ? 204 : 400).end();
  }

  #take(request: IncomingMessage, body: Buffer): string | null {
    const now = (Date.now() + this.aheadMs) / 1000;
    const problems = [...this.#secrets].map((secret) => signatureProblem(request.headers, body, secret, now));
    if (!problems.includes(null)) return problems[0] ?? 'no secret is known';
    const delivery: unknown = JSON.parse(body.toString('utf8'));
    if (!Value.Check(Delivery, delivery)) return 'the body is not an event as documented';
    this.#deliveries += 1;
    if (this.#events.has(delivery.id)) return null;
    this.#events.add(delivery.id);
    const { data } = delivery;
    for (const row of data.new) {
      if (this.rows.has(row.id)) this.#duplicates += 1;
    }
    for (const row of [...data.new, ...data.updated]) {
      this.rows.set(row.id, { amount: row.amount, description: row.description });
      if (row.replaces !== null) this.rows.delete(row.replaces);
    }
    for (const gone of data.removed) this.rows.delete(gone);
    return null;
  }
}
