import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';

/** What a receiver does with a request: an answer of that status, no answer, or a closed connection. */
export type Behaviour =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'hang'
  | 'reset'
  | 'drop_after';

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly created: string;
  readonly account_record: string;
  readonly related_object: { readonly id: string; readonly object: string; readonly url: string };
}

const DONE: Behaviour = { status: 204 };

/** A receiver as docs/events.md asks for one: it verifies both signatures, and takes each id once. */
export class EventReceiver implements AsyncDisposable {
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => this.#handle(request.headers, Buffer.concat(parts).toString('utf8'), response));
    request.on('error', () => undefined);
  });
  /** Secrets it accepts; none: it does not verify. */
  secrets: string[] = [];
  behave: (request: number) => Behaviour = () => DONE;
  /** Bodies of every request, whatever became of it. */
  readonly bodies: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** The first copy of each id that was taken, in the order of arrival. */
  readonly events: ReceivedEvent[] = [];
  /** What was wrong with requests. */
  readonly faults: string[] = [];
  readonly #bodyOf = new Map<string, string>();
  url = '';

  static async open(): Promise<EventReceiver> {
    const receiver = new EventReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    const address = receiver.#server.address();
    if (address === null || typeof address === 'string') throw new Error('a port was asked for');
    receiver.url = `http://127.0.0.1:${address.port}/events`;
    return receiver;
  }

  get ids(): string[] {
    return this.events.map(({ id }) => id);
  }

  #handle(headers: IncomingHttpHeaders, body: string, response: ServerResponse): void {
    const behaviour = this.behave(this.bodies.length);
    this.bodies.push(body);
    this.headers.push(headers);
    if (this.secrets.length > 0) this.#verify(headers, body);
    if (behaviour === 'hang') return;
    if (behaviour === 'reset') {
      response.destroy();
      return;
    }
    if (behaviour === 'drop_after') {
      this.#take(body);
      response.destroy();
      return;
    }
    if (behaviour.status < 300) this.#take(body);
    response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body);
  }

  #take(body: string): void {
    const event: ReceivedEvent = JSON.parse(body);
    const before = this.#bodyOf.get(event.id);
    if (before !== undefined && before !== body) this.faults.push(`${event.id} came with two bodies`);
    if (before === undefined) this.events.push(event);
    this.#bodyOf.set(event.id, body);
  }

  /** Standard Webhooks by its own library, the other scheme by what the page of receivers says. */
  #verify(headers: IncomingHttpHeaders, body: string): void {
    const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const { 'webhook-id': id = '', 'webhook-timestamp': sent = '', 'webhook-signature': given = '' } = flat;
    // The library signs instead of verifying, because it verifies by the machine's clock alone.
    const signed = this.secrets.map((secret) =>
      new Webhook(secret).sign(id, new Date(Number(sent) * 1000), body),
    );
    const isStandard = signed.some((signature) => given.split(' ').includes(signature));
    if (!isStandard) this.faults.push('Standard Webhooks: no secret fits');
    const [time = '', ...signatures] = (flat['service-signature'] ?? '').split(',');
    const seconds = time.replace(/^t=/, '');
    const fits = this.secrets.some((secret) => {
      const wanted = Buffer.from(createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'));
      return signatures.some((part) => {
        const given = Buffer.from(part.replace(/^v1=/, ''));
        return part.startsWith('v1=') && given.length === wanted.length && timingSafeEqual(given, wanted);
      });
    });
    if (!fits) this.faults.push('Service-Signature: no secret fits');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
