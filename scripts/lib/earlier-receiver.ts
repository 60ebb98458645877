import { createServer, type Server } from 'node:http';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

const Ids = Type.Array(Type.String());
const Rows = Type.Array(Type.Object({ id: Type.String(), transaction: Type.String() }));
const Event = Type.Object({
  id: Type.String(),
  data: Type.Object({
    new: Rows,
    updated: Rows,
    removed_transactions: Ids,
  }),
});

/** What one event brought, by the ids that v2 shows. */
export type ReceivedEvent = {
  readonly path: string;
  readonly id: string;
  readonly new: readonly string[];
  readonly updated: readonly string[];
  readonly removed: readonly string[];
  /** Every row's `id` as it was sent. */
  readonly sent: readonly string[];
};

/** A receiver that records the ids of what arrives, and can leave a request unanswered. */
export class EarlierReceiver {
  readonly url: string;
  readonly events: ReceivedEvent[] = [];
  readonly #server: Server;
  /** Which request of a path is left unanswered, and what then happens. */
  hang: { readonly path: string; readonly request: number; readonly reached: () => void } | null = null;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(): Promise<EarlierReceiver> {
    let receiver: EarlierReceiver | null = null;
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      request.on('end', () => {
        if (receiver?.take(request.url ?? '', body) === true) response.writeHead(204).end();
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
    receiver = new EarlierReceiver(server, `http://127.0.0.1:${address.port}`);
    return receiver;
  }

  /** Whether the request is to be answered. */
  take(url: string, body: string): boolean {
    const event: unknown = JSON.parse(body);
    if (!Value.Check(Event, event)) throw new TypeError('the delivery is not an event as documented');
    const path = url.replace(/\?.*$/, '');
    const { data } = event;
    const ids = (rows: typeof data.new) => rows.map(({ transaction }) => transaction);
    this.events.push({
      path,
      id: event.id,
      new: ids(data.new),
      updated: ids(data.updated),
      removed: data.removed_transactions,
      sent: [...data.new, ...data.updated].map(({ id }) => id),
    });
    const { hang } = this;
    if (hang?.path !== path || this.events.filter((one) => one.path === path).length !== hang.request)
      return true;
    hang.reached();
    return false;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }
}
