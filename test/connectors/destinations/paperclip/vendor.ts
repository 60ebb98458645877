import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { SignIns } from './sign-ins.ts';

export interface Row {
  readonly ref: string;
  readonly id: string;
  readonly tab: string;
  readonly text: string;
  /** Epoch milliseconds. */
  readonly made: number;
}

interface Document {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  /** Tab by the account it is for. */
  readonly tabs: Map<string, string>;
  rows: Row[];
  /** By kind and account. */
  readonly snapshots: Map<string, unknown>;
  /** Accounts of each ending. */
  readonly endings: string[][];
}

const PAGE = 100;

/** `lost`: what was asked is done, and the answer never comes. */
type Trouble = { readonly status: number } | 'none' | 'lost' | 'reset' | 'hang';

const Rows = Type.Object({
  rows: Type.Array(
    Type.Object({
      ref: Type.Union([Type.String(), Type.Null()]),
      id: Type.String(),
      tab: Type.String(),
      text: Type.String(),
    }),
  ),
});
const Creation = Type.Object({
  key: Type.String(),
  name: Type.String(),
  document: Type.Union([Type.String(), Type.Null()]),
  accounts: Type.Array(Type.String()),
});

/** Paperclip: documents with tabs of rows. Appending is not idempotent; what is sent twice is there twice. */
export class Paperclip {
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  /** By how many calls there are with it. */
  readonly #dropped = new Map<number, 'reset' | 'lost'>();
  readonly signIns = new SignIns();
  readonly documents = new Map<string, Document>();
  /** Method and path, in order. */
  readonly calls: string[] = [];
  /** Used up by the calls of a method and path, in turn. */
  readonly troubles = new Map<string, Trouble[]>();
  /** Ids of rows that it refuses. */
  readonly refused = new Set<string>();
  now: () => number = Date.now;
  /** Waited for before tokens are exchanged. */
  beforeExchange: () => Promise<void> = async () => undefined;
  /** Waited for before a grant is ended. */
  beforeRevoke: () => Promise<void> = async () => undefined;
  origin = '';

  /** Troubles one request, 0 being the next. */
  drop(request: number, trouble: 'reset' | 'lost'): void {
    this.#dropped.set(this.calls.length + request + 1, trouble);
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('a port was asked for');
    this.origin = `http://127.0.0.1:${address.port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  document(name = 'Money'): Document {
    const id = `doc_${this.documents.size + 1}`;
    const made = { id, name, key: '', tabs: new Map(), rows: [], snapshots: new Map(), endings: [] };
    this.documents.set(id, made);
    return made;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.origin);
    const [, first, , member = ''] = url.pathname.split('/');
    const route = `${request.method} /${first}${member === '' ? '' : `/${member}`}`;
    this.calls.push(route);
    let body = '';
    for await (const part of request) body += String(part);
    const trouble = this.#dropped.get(this.calls.length) ?? this.troubles.get(route)?.shift();
    if (trouble === 'hang') return;
    if (trouble === 'reset') return void request.socket.destroy();
    if (typeof trouble === 'object') return void response.writeHead(trouble.status).end('{}');
    const [status, answer, location] = await this.#answered(request, url, body);
    if (trouble === 'lost') return void request.socket.destroy();
    const headers = { 'content-type': 'application/json', ...(location === undefined ? {} : { location }) };
    response.writeHead(status, headers).end(JSON.stringify(answer));
  }

  async #answered(request: IncomingMessage, url: URL, body: string): Promise<[number, unknown, string?]> {
    if (url.pathname === '/authorize') {
      const back = this.signIns.authorize(url.searchParams);
      return back === null ? [400, { error: 'redirect_uri_mismatch' }] : [303, {}, back];
    }
    if (url.pathname === '/token') {
      await this.beforeExchange();
      const tokens = this.signIns.exchange(Object.fromEntries(new URLSearchParams(body)));
      return tokens === null ? [400, { error: 'invalid_grant' }] : [200, tokens];
    }
    if (url.pathname === '/revoke') {
      await this.beforeRevoke();
      const known = this.signIns.revoke(new URLSearchParams(body).get('token') ?? '');
      return known ? [200, {}] : [400, { error: 'invalid_token' }];
    }
    const bearer = (request.headers.authorization ?? '').slice('Bearer '.length);
    if (!this.signIns.accepts(bearer)) return [401, { error: 'unauthorized' }];
    const [, , id = '', part = '', kind = '', account = ''] = url.pathname.split('/');
    if (id === '') return this.#documents(request.method, url, body);
    const document = this.documents.get(id);
    if (document === undefined) return [404, { error: 'no such document' }];
    if (part === 'rows' && request.method === 'GET') {
      const after = Number(url.searchParams.get('after') ?? 0);
      return [
        200,
        { rows: document.rows.slice(after, after + PAGE), more: after + PAGE < document.rows.length },
      ];
    }
    if (part === 'rows') return this.#rows(request.method, document, body);
    if (part === 'find') return [200, { rows: findRows(document, JSON.parse(body)) }];
    if (part === 'snapshots') document.snapshots.set(`${kind} ${account}`, JSON.parse(body));
    else document.endings.push(JSON.parse(body));
    return [200, {}];
  }

  #documents(method: string | undefined, url: URL, body: string): [number, unknown] {
    if (method === 'GET') {
      const key = url.searchParams.get('key');
      const found = [...this.documents.values()].filter((one) => key === null || one.key === key);
      return [200, { documents: found.map(({ id, name, tabs }) => ({ id, name, tabs: [...tabs] })) }];
    }
    const asked = Value.Parse(Creation, JSON.parse(body));
    const known = asked.document === null ? null : this.documents.get(asked.document);
    if (known === undefined) return [404, { error: 'no such document' }];
    const document = known ?? { ...this.document(asked.name), key: asked.key };
    this.documents.set(document.id, document);
    // Asked for the same tab twice, it makes a second one of that name: the first is no one's then.
    for (const account of asked.accounts) document.tabs.set(account, `tab_${randomUUID()}`);
    return [200, { id: document.id, name: document.name, tabs: [...document.tabs] }];
  }

  #rows(method: string | undefined, document: Document, body: string): [number, unknown] {
    const { rows } = Value.Parse(Rows, JSON.parse(body));
    const rejected = rows.filter(({ id }) => this.refused.has(id)).map(({ id }) => id);
    const taken = rows.filter(({ id }) => !this.refused.has(id));
    if (method === 'DELETE') {
      const gone = new Set(taken.map(({ ref }) => ref));
      document.rows = document.rows.filter(({ ref }) => !gone.has(ref));
      return [200, { rows: [], rejected }];
    }
    if (method === 'POST') {
      const made = taken.map((row) => ({ ...row, made: this.now(), ref: `ref_${randomUUID()}` }));
      document.rows.push(...made);
      return [200, { rows: made.map(({ id, ref }) => ({ id, ref })), rejected }];
    }
    const changed = new Map(taken.map((row) => [row.ref, row]));
    document.rows = document.rows.map((row) => {
      const { id, tab, text } = changed.get(row.ref) ?? row;
      return { ...row, id, tab, text };
    });
    return [200, { rows: taken.map(({ id, ref }) => ({ id, ref })), rejected }];
  }
}

function findRows({ rows }: Document, ids: readonly string[]) {
  const wanted = new Set(ids);
  return rows.filter(({ id }) => wanted.has(id));
}
