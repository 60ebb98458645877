import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';

/**
 * What the receiver does with one request. `drop_after`: applies it and closes the connection without an answer;
 * `drop_during`: with half of one.
 */
export type Behaviour =
  | 'ok'
  | 'drop_before'
  | 'drop_during'
  | 'drop_after'
  | { readonly status: number; readonly headers?: Record<string, string> }
  | 'hang';

export interface EventRow {
  readonly id: string;
  readonly transaction: string;
  /** In place of `transaction` in a trade. */
  readonly trade?: string;
  readonly replaces_transaction: string | null;
  readonly description: string;
  readonly replaces: string | null;
  readonly [field: string]: unknown;
}

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly data: {
    readonly new: EventRow[];
    readonly updated: EventRow[];
    readonly removed: string[];
    readonly removed_transactions?: string[];
    readonly removed_trades?: string[];
    readonly removed_account_items?: string[];
  };
  readonly metadata: {
    readonly sync_run_id: string | null;
    readonly sync_run: string | null;
    readonly new_count: number;
    readonly updated_count: number;
    readonly chunk: number;
    readonly total_chunks: number | null;
  };
}

/** A webhook receiver as docs/webhooks.md asks for one: it verifies, remembers event ids, and applies each once. */
export class Receiver {
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  secrets: string[] = [];
  /** Asked for each request in turn; without an answer the request is taken. */
  behave: (request: number) => Behaviour = () => 'ok';
  /** Waited for after a request was read and applied, before it is answered. */
  beforeAnswer: (request: number) => Promise<void> = async () => undefined;
  /** Every request that was read, whatever became of it. */
  readonly requests: {
    headers: IncomingMessage['headers'];
    body: string;
    event: ReceivedEvent;
    applied: boolean;
  }[] = [];
  /** Events applied, the first of each id only, in the order of arrival. */
  readonly events: ReceivedEvent[] = [];
  readonly faults: string[] = [];
  url = '';

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('a port was asked for');
    this.url = `http://127.0.0.1:${address.port}/hook`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The rows as a receiver that follows the events would hold them, by the ids of v2. */
  rows(): Map<string, EventRow> {
    return new Map([...this.rowsOfAccounts().values()].map((row) => [keyOf(row), row]));
  }

  /** The same by account and id. */
  rowsOfAccounts(): Map<string, EventRow> {
    const rows = new Map<string, EventRow>();
    for (const { data } of this.events) {
      for (const row of [...data.new, ...data.updated]) {
        if (row.replaces_transaction !== null && row.replaces_transaction !== undefined)
          rows.delete(`${row.account_item}/${row.replaces_transaction}`);
        rows.set(`${row.account_item}/${keyOf(row)}`, row);
      }
      const removed = data.removed_transactions ?? data.removed_trades ?? [];
      for (const [at, id] of removed.entries()) rows.delete(`${data.removed_account_items?.[at]}/${id}`);
    }
    return rows;
  }

  /** How often each row came as new, by the ids of v2. */
  newCounts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { data } of this.events) {
      for (const row of data.new) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
    }
    return counts;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString('utf8');
    const number = this.requests.length;
    const behaviour = this.behave(number);
    const applied = behaviour === 'ok' || behaviour === 'drop_during' || behaviour === 'drop_after';
    const event: ReceivedEvent = JSON.parse(body);
    this.requests.push({ headers: request.headers, body, event, applied });
    this.#verify(request, body, event);
    if (applied && !this.events.some((known) => known.id === event.id)) this.events.push(event);
    await this.beforeAnswer(number);
    if (behaviour === 'hang') return;
    if (behaviour === 'drop_before' || behaviour === 'drop_after') request.socket.destroy();
    else if (behaviour === 'drop_during')
      response.writeHead(200, { 'content-length': '4' }).write('ok', () => request.socket.destroy());
    else if (behaviour === 'ok') response.writeHead(204).end();
    else response.writeHead(behaviour.status, behaviour.headers).end('{"never":"read"}');
  }

  /** An independent verifier for one scheme, the documented sum for the other. */
  #verify(request: IncomingMessage, body: string, event: ReceivedEvent): void {
    const header = (name: string): string => String(request.headers[name] ?? '');
    const standard = {
      'webhook-id': header('webhook-id'),
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
    };
    try {
      new Webhook(this.secrets[0] ?? '').verify(body, standard);
    } catch (error) {
      this.faults.push(`standard signature: ${String(error)}`);
    }
    const hex = createHmac('sha256', this.secrets[0] ?? '')
      .update(`${header('x-service-timestamp')}.${body}`)
      .digest('hex');
    if (header('x-service-signature') !== `sha256=${hex}`) this.faults.push('signature');
    if (header('x-service-delivery-id') !== event.id || header('webhook-id') !== event.id)
      this.faults.push('event id');
    if (event.metadata.new_count !== event.data.new.length) this.faults.push('new_count');
    if (event.metadata.updated_count !== event.data.updated.length) this.faults.push('updated_count');
    if (!idsAgree(event)) this.faults.push('ids of rows');
    const rows = event.data.new.length + event.data.updated.length + event.data.removed.length;
    if (rows === 0 || rows > 500) this.faults.push(`${rows} rows in an event`);
  }
}

const keyOf = ({ transaction, trade }: EventRow): string => trade ?? transaction;

/** Every id stands twice: as the vendor wrote it, and as v2 shows it. Simulated vendors write plain characters. */
function idsAgree({ data }: ReceivedEvent): boolean {
  const agree = (id: unknown, shown: unknown): boolean =>
    ['txn_fk', 'txn_ak', 'txn_st', 'txn_sf', 'txn_df', 'trd_st'].some((tag) => shown === `${tag}_${id}`);
  const { removed, removed_transactions, removed_trades } = data;
  const shown = removed_transactions ?? removed_trades ?? [];
  return (
    [...data.new, ...data.updated].every(
      (row) =>
        agree(row.id, keyOf(row)) &&
        (row.replaces === null || row.trade !== undefined
          ? (row.replaces_transaction ?? null) === null
          : agree(row.replaces, row.replaces_transaction)),
    ) &&
    removed.length === shown.length &&
    removed.every((id, at) => agree(id, shown[at]))
  );
}
