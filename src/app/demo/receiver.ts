import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { systemClock } from '../../platform/clock.ts';

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
  /** Deliveries of an event that had already arrived; their rows count once. */
  readonly redelivered: number;
  /** Deliveries that could not be parsed, or whose signatures were invalid. */
  readonly refused: number;
  /** Rows that the receiver has. */
  readonly rows: number;
  /** Rows that a second event reported as new. */
  readonly duplicates: number;
};

/**
 * A receiver of webhook deliveries as the documentation describes it: it verifies each signature in both schemes,
 * counts each event once, and stores no rows. Its memory does not grow with the size of rows.
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
  /** Called when a delivery was accepted, before the response: where a test may kill the sender. */
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

/**
 * Which rows arrived, in eight bytes a row: a 64-bit hash of each id in an open-addressing table, so that a receiver
 * of a million rows needs some megabytes. Two of a million rows share a hash once in ten million runs.
 */
export class RowSet {
  #slots = new Uint32Array(2 * 1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** True if the id is new. */
  add(id: string): boolean {
    const [low, high] = hashOf(id);
    if (!insert(this.#slots, low, high)) return false;
    this.#size += 1;
    if (this.#size * 4 > this.#slots.length) this.#grow();
    return true;
  }

  has(id: string): boolean {
    const [low, high] = hashOf(id);
    return this.#slots[find(this.#slots, low, high) + 1] !== 0;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += 2) {
      const high = old[at + 1] ?? 0;
      if (high !== 0) insert(this.#slots, old[at] ?? 0, high);
    }
  }
}

function insert(slots: Uint32Array, low: number, high: number): boolean {
  const at = find(slots, low, high);
  if (slots[at + 1] !== 0) return false;
  slots[at] = low;
  slots[at + 1] = high;
  return true;
}

/** The slot of the hash, or the free slot where it belongs. Half of the table is always free. */
function find(slots: Uint32Array, low: number, high: number): number {
  const last = slots.length - 2;
  let at = (low * 2) & last;
  while (slots[at + 1] !== 0 && (slots[at] !== low || slots[at + 1] !== high)) at = (at + 2) & last;
  return at;
}

/** The first 64 bits of the id's SHA-256; the second half is never 0, which marks a free slot. */
function hashOf(id: string): readonly [low: number, high: number] {
  const digest = hash('sha256', id);
  return [Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8, 16), 16) || 1];
}

/** How far a delivery's timestamp may differ from the receiver's clock, as in the Standard Webhooks libraries. */
const TOLERANCE_SECONDS = 300;

/**
 * Why a delivery must not be trusted, or null if both signatures are valid: what docs/webhooks.md requires of a
 * receiver, written from that text and not from the code that signs.
 * @param now epoch seconds
 */
export function signatureProblem(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string,
  now: number,
): string | null {
  const id = single(headers['webhook-id']);
  const timestamp = single(headers['webhook-timestamp']);
  if (!/^\d{10}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE_SECONDS) {
    return 'the timestamp is missing or too far away';
  }
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const standard = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const given = single(headers['webhook-signature']).split(' ');
  if (!given.some((signature) => same(signature, `v1,${standard}`))) {
    return 'the Standard Webhooks signature does not match';
  }
  if (single(headers['x-service-delivery-id']) !== id) return 'the delivery id differs from webhook-id';
  const time = single(headers['x-service-timestamp']);
  if (time !== timestamp) return 'the two timestamps differ';
  const hex = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
  if (!same(single(headers['x-service-signature']), `sha256=${hex}`)) {
    return 'the X-Service-Signature does not match';
  }
  return null;
}

function single(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}

function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
