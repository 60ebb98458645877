import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface Login {
  /** The vendor's id of the consent. */
  consent: string;
  readonly bank: string;
  state: 'active' | 'login_lost' | 'ended';
}

export interface VendorAccount {
  id: string;
  formerIds: string[];
  readonly consent: string;
  open: boolean;
}

export interface VendorRow {
  id: string;
  formerIds: string[];
  readonly account: string;
  readonly day: string;
  readonly amount: string;
}

/** Tokens that stand: an access token for reads, and a refresh token that counts once. */
interface Tokens {
  readonly person: string;
  access: string;
  refresh: string;
}

interface Customer {
  readonly id: string;
  readonly key: string;
  secret: string;
}

interface Code {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly person: string;
}

const ROWS_OF_PAGE = 2;

/**
 * An aggregator that is no one's: OAuth with one registered redirect address and codes that count once, access tokens
 * that expire, refresh tokens that rotate (one used twice revokes the person's tokens), several banks behind one
 * sign-in, customers whose secret is shown once and may be renewed, and ids that migrate.
 */
export class Vendor {
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  readonly #codes = new Map<string, Code>();
  readonly #spentRefresh = new Set<string>();
  readonly customers: Customer[] = [];
  readonly tokens: Tokens[] = [];
  /** Banks that a person's sign-in gives, by person. */
  readonly logins = new Map<string, Login[]>();
  readonly accounts: VendorAccount[] = [];
  readonly rows: VendorRow[] = [];
  /** Method and path of every request, in order. */
  readonly calls: string[] = [];
  /** Requests whose answer is dropped after they were carried out: `POST /customers`. */
  readonly drops: string[] = [];
  /** Whose tokens were rotated, in order. */
  readonly rotated: string[] = [];
  /** Whose secret was renewed, by the vendor's id of the customer, in order. */
  readonly renewed: string[] = [];
  /** How often a refresh token came that was spent already. */
  reused = 0;
  /** Who signs in next. */
  person = 'ana';
  /** Waited for before tokens are rotated. */
  beforeRotation: () => Promise<void> = async () => undefined;
  redirectUri = '';
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

  /** A bank that the person's next sign-in gives, with an account of three rows. */
  addLogin(person: string, bank: string): Login {
    const login: Login = { consent: `con-${randomUUID()}`, bank, state: 'active' };
    this.logins.set(person, [...(this.logins.get(person) ?? []), login]);
    const account = { id: `acc-${randomUUID()}`, formerIds: [], consent: login.consent, open: true };
    this.accounts.push(account);
    for (const day of ['2026-11-03', '2026-11-02', '2026-11-01']) {
      const id = `row-${randomUUID()}`;
      this.rows.push({ id, formerIds: [], account: account.id, day, amount: '-12.30' });
    }
    return login;
  }

  /** No access token is accepted from now on; refresh tokens are. */
  expireTokens(): void {
    for (const tokens of this.tokens) tokens.access = `expired-${randomUUID()}`;
  }

  /** Every secret of a customer counts no more; each can be renewed with the one before. */
  readonly staleSecrets = new Map<string, string>();
  renewSecrets(): void {
    for (const customer of this.customers) {
      this.staleSecrets.set(customer.secret, customer.id);
      customer.secret = `secret-${randomUUID()}`;
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.origin);
    const call = `${request.method} ${url.pathname}`;
    this.calls.push(call);
    let body = '';
    for await (const part of request) body += String(part);
    const sent = body === '' ? {} : JSON.parse(body);
    const [status, answer] = await this.#answer(call, url, sent, request);
    const drop = this.drops.indexOf(call);
    if (drop >= 0) {
      this.drops.splice(drop, 1);
      request.socket.destroy();
    } else if (typeof answer === 'string') response.writeHead(status, { location: answer }).end();
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  async #answer(
    call: string,
    url: URL,
    sent: Record<string, string>,
    request: IncomingMessage,
  ): Promise<[number, object | string]> {
    const [, resource = '', id = ''] = url.pathname.split('/');
    if (call === 'POST /customers') return this.#makeCustomer(sent.key ?? '');
    if (request.method === 'DELETE' && resource === 'customers') return this.#deleteCustomer(id);
    if (call === 'POST /customer-secret') return this.#renewSecret(sent.secret ?? '');
    if (call === 'GET /authorize') return [303, this.#authorize(url.searchParams)];
    if (call === 'POST /token') return this.#exchange(sent);
    if (call === 'POST /rotate') return this.#rotate(sent.refresh ?? '');
    if (call === 'POST /revoke') {
      const at = this.tokens.findIndex(({ refresh }) => refresh === sent.refresh);
      if (at >= 0) this.tokens.splice(at, 1);
      return [200, {}];
    }
    const { authorization = '' } = request.headers;
    const tokens = this.tokens.find(({ access }) => `Bearer ${access}` === authorization);
    if (tokens === undefined) return [401, { error: 'token_expired' }];
    const secret = request.headers['x-customer-secret'];
    if (secret !== undefined && !this.customers.some((one) => one.secret === secret)) {
      return [401, { error: 'secret_renewed' }];
    }
    return this.#read(request.method ?? '', resource, id, url, tokens.person);
  }

  #read(method: string, resource: string, id: string, url: URL, person: string): [number, object | string] {
    const logins = this.logins.get(person) ?? [];
    const login = logins.find(({ consent }) => consent === id);
    if (resource === 'consents' && login === undefined) return [404, { error: 'unknown' }];
    if (resource === 'consents' && login !== undefined) {
      if (method === 'DELETE') login.state = 'ended';
      return [200, login];
    }
    if (resource === 'refresh') return [202, {}];
    const consent = url.searchParams.get('consent');
    if (!logins.some((own) => own.consent === consent && own.state !== 'ended')) return [403, {}];
    if (resource === 'accounts') {
      return [200, { items: this.accounts.filter((account) => account.consent === consent) }];
    }
    const from = Number(url.searchParams.get('cursor') ?? '0');
    const rows = this.rows.filter((row) => row.account === url.searchParams.get('account'));
    const next = from + ROWS_OF_PAGE < rows.length ? from + ROWS_OF_PAGE : null;
    return [200, { items: rows.slice(from, from + ROWS_OF_PAGE), next }];
  }

  #makeCustomer(key: string): [number, object] {
    if (this.customers.some((customer) => customer.key === key)) return [400, { error: 'exists' }];
    const customer = { id: `cus-${randomUUID()}`, key, secret: `secret-${randomUUID()}` };
    this.customers.push(customer);
    return [200, customer];
  }

  #deleteCustomer(key: string): [number, object] {
    const at = this.customers.findIndex((customer) => customer.key === key);
    if (at >= 0) this.customers.splice(at, 1);
    return [200, {}];
  }

  #renewSecret(secret: string): [number, object] {
    const customer = this.customers.find(({ id }) => id === this.staleSecrets.get(secret));
    this.staleSecrets.delete(secret);
    if (customer === undefined) return [400, { error: 'unknown' }];
    this.renewed.push(customer.id);
    return [200, { secret: customer.secret }];
  }

  #authorize(query: URLSearchParams): string {
    const redirectUri = query.get('redirect_uri') ?? '';
    if (redirectUri !== this.redirectUri) return `${this.origin}/not-registered`;
    const code = randomUUID();
    this.#codes.set(code, { challenge: query.get('challenge') ?? '', redirectUri, person: this.person });
    return `${redirectUri}?${new URLSearchParams({ code, state: query.get('state') ?? '' })}`;
  }

  #exchange(sent: Record<string, string>): [number, object] {
    const code = this.#codes.get(sent.code ?? '');
    this.#codes.delete(sent.code ?? '');
    const challenge = createHash('sha256')
      .update(sent.verifier ?? '')
      .digest('base64url');
    if (code?.challenge !== challenge || code.redirectUri !== sent.redirect_uri) {
      return [400, { error: 'invalid_grant' }];
    }
    const tokens = { person: code.person, access: `a-${randomUUID()}`, refresh: `r-${randomUUID()}` };
    this.tokens.push(tokens);
    for (const login of this.logins.get(code.person) ?? []) login.state = 'active';
    return [200, { ...tokens, logins: this.logins.get(code.person) ?? [] }];
  }

  async #rotate(refresh: string): Promise<[number, object]> {
    if (this.#spentRefresh.has(refresh)) this.reused += 1;
    const tokens = this.tokens.find((one) => one.refresh === refresh);
    if (tokens === undefined) return [400, { error: 'invalid_grant' }];
    this.rotated.push(tokens.person);
    this.#spentRefresh.add(refresh);
    tokens.refresh = `r-${randomUUID()}`;
    tokens.access = `a-${randomUUID()}`;
    const { access, refresh: next } = tokens;
    await this.beforeRotation();
    return [200, { access, refresh: next }];
  }
}
