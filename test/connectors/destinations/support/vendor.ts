import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What the vendor does with a call of a route instead of answering it. */
export type Trouble =
  | { readonly status: number; readonly headers?: Record<string, string> }
  | 'hang'
  | 'reset'
  | 'not json';

interface Code {
  readonly challenge: string;
  readonly redirectUri: string;
}

/** A service that people sign in at and that holds spreadsheets, over real HTTP: OAuth with PKCE, codes that count once. */
export class Vendor {
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  readonly #codes = new Map<string, Code>();
  /** Grants that still count. */
  readonly grants = new Set<string>();
  /** Secrets that it lets in. */
  readonly secrets = new Set<string>();
  /** What there is, by type and parent: `sheet doc_1`. */
  readonly things = new Map<string, { id: string; name: string; url: string | null }[]>();
  /** Ids that nothing there has any more. */
  readonly gone = new Set<string>();
  /** Paths in the order they were asked for. */
  readonly calls: string[] = [];
  /** By path. */
  readonly troubles = new Map<string, Trouble>();
  /** What it calls the person's place there. */
  name = 'Signed in';
  /** Whether the person refuses when asked for access. */
  refuses = false;
  /** Waited for before a code is exchanged. */
  beforeExchange: () => Promise<void> = async () => undefined;
  /** Waited for before a thing is made. */
  beforeMaking: () => Promise<void> = async () => undefined;
  origin = '';

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

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.origin);
    this.calls.push(url.pathname);
    let body = '';
    for await (const part of request) body += String(part);
    const trouble = this.troubles.get(url.pathname);
    if (trouble === 'hang') return;
    if (trouble === 'reset') return void request.socket.destroy();
    if (trouble === 'not json') return void response.writeHead(200).end('<html>');
    if (trouble !== undefined) return void response.writeHead(trouble.status, trouble.headers).end('{}');
    if (url.pathname === '/authorize') return this.#authorize(url, response);
    if (url.pathname === '/token') return this.#token(JSON.parse(body), response);
    if (url.pathname === '/sign-in') return this.#signIn(JSON.parse(body), response);
    if (!this.grants.has((request.headers.authorization ?? '').slice('Bearer '.length))) {
      return answer(response, 401, { error: 'unauthorized' });
    }
    if (url.pathname === '/things') {
      await this.beforeMaking();
      return answer(response, 200, { id: `thing-${randomUUID()}` });
    }
    if (url.pathname === '/check') {
      const ids: string[] = JSON.parse(body);
      return answer(response, 200, { gone: ids.find((id) => this.gone.has(id)) ?? null });
    }
    if (url.pathname === '/rows') return answer(response, 200, { rows: [] });
    const found = this.things.get(`${url.searchParams.get('type')} ${url.searchParams.get('parent') ?? ''}`);
    if (found === undefined) return answer(response, 404, { error: 'there is no such parent' });
    return answer(response, 200, { items: found.slice(0, Number(url.searchParams.get('limit'))) });
  }

  #authorize(url: URL, response: ServerResponse): void {
    const back = new URL(url.searchParams.get('redirect_uri') ?? '');
    const { searchParams: query } = back;
    query.set('state', url.searchParams.get('state') ?? '');
    if (this.refuses) query.set('error', 'access_denied');
    else {
      const code = randomUUID();
      const challenge = url.searchParams.get('code_challenge') ?? '';
      this.#codes.set(code, { challenge, redirectUri: `${back.origin}${back.pathname}` });
      query.set('code', code);
    }
    response.writeHead(303, { location: back.href }).end();
  }

  #signIn({ secret }: { secret: string }, response: ServerResponse): void {
    if (!this.secrets.has(secret)) return void answer(response, 403, { error: 'refused' });
    const grant = `grant of ${secret}`;
    this.grants.add(grant);
    answer(response, 200, { grant, name: this.name });
  }

  async #token(
    asked: { code: string; verifier: string; redirect_uri: string },
    response: ServerResponse,
  ): Promise<void> {
    await this.beforeExchange();
    const known = this.#codes.get(asked.code);
    this.#codes.delete(asked.code);
    const challenge = createHash('sha256').update(asked.verifier).digest('base64url');
    if (known?.challenge !== challenge || known.redirectUri !== asked.redirect_uri) {
      return answer(response, 400, { error: 'invalid_grant' });
    }
    const grant = `grant-${randomUUID()}`;
    this.grants.add(grant);
    return answer(response, 200, { grant, name: this.name });
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
