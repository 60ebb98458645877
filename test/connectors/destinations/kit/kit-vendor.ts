import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Type } from 'typebox';
import { AuthorizationServer, type GrantedTokens } from '../../../../sandbox/shared/authorization-server.ts';
import { OAuth, type OAuthVendor, writeGrant } from '../../../../src/connectors/destinations/kit/oauth.ts';
import {
  VendorClient,
  type VendorClientOptions,
  type VendorProfile,
} from '../../../../src/connectors/destinations/kit/vendor-client.ts';
import { AddressGuard } from '../../../../src/platform/address-guard.ts';
import { SimulatedClock } from '../../../../src/platform/clock.ts';
import { OutgoingHttp } from '../../../../src/platform/outgoing-http.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../../src/vocabulary/limits.ts';

export const HOUR = 3_600_000;
const VERIFIER = 'k'.repeat(43);
const CLIENT = { clientId: 'client id', clientSecret: 'own:secret' };

/** What is done with one request instead of answering 200. `lost`: it takes effect, and the connection drops. */
export type Behaviour =
  | 'lost'
  | 'reset'
  | 'hang'
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> };

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A vendor over real HTTP whose tokens rotate: `/token`, `/revoke`, and an API that takes whatever has a good token. */
export class KitVendor implements AsyncDisposable {
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  readonly clock = new SimulatedClock(Date.parse('2026-11-20T06:00:00Z'));
  readonly authorizationServer: AuthorizationServer;
  readonly http = new OutgoingHttp({ guard: new AddressGuard(['127.0.0.0/8']) });
  limits: Limits = { ...DEFAULT_LIMITS };
  readonly requests: SeenRequest[] = [];
  /** Used up by requests of a path, in turn; `ok` lets one pass. */
  readonly behaviours = new Map<string, (Behaviour | 'ok')[]>();
  /** API calls that took effect. */
  applied = 0;
  /** Waited for before tokens are issued. */
  beforeToken: () => Promise<void> = async () => undefined;
  origin = '';

  constructor({ rotates = true }: { readonly rotates?: boolean } = {}) {
    const now = () => this.clock.now();
    this.authorizationServer = new AuthorizationServer({
      ...CLIENT,
      now,
      rotates,
      accessMs: HOUR,
      pkce: 'required',
      changed: () => undefined,
    });
  }

  async open(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('a port was asked for');
    this.origin = `http://127.0.0.1:${address.port}`;
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.http.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  oauth(more: Partial<OAuthVendor> = {}): OAuth {
    const { http, clock, limits } = this;
    const vendor: OAuthVendor = {
      ...CLIENT,
      name: 'Kit',
      authorizeUrl: `${this.origin}/authorize?display=full`,
      tokenUrl: `${this.origin}/token`,
      revokeUrl: `${this.origin}/revoke`,
      credentialsIn: 'header',
      bodies: 'form',
      scope: 'rows.write',
      pkce: true,
      parameters: { access_type: 'offline' },
      ...more,
    };
    return new OAuth(vendor, { http, clock, limits });
  }

  client(
    more: Partial<VendorClientOptions> & { readonly judge?: VendorProfile['judge'] } = {},
  ): VendorClient {
    const { http, clock, limits } = this;
    const { judge = judged, ...rest } = more;
    const vendor: VendorProfile = {
      name: 'Kit',
      baseUrl: `${this.origin}/`,
      headers: { 'kit-version': '1' },
      judge,
    };
    return new VendorClient({
      vendor,
      oauth: this.oauth(),
      http,
      clock,
      limits,
      quotas: { take: async () => undefined },
      ...rest,
    });
  }

  /** Tokens as of a person who has signed in. */
  tokens(): GrantedTokens {
    const redirectUri = 'https://app.example.test/return';
    const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
    const visit = this.authorizationServer.begin(
      new URLSearchParams({
        client_id: CLIENT.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }),
    );
    if (typeof visit === 'string') throw new Error(visit);
    const code = this.authorizationServer.end(visit, { subject: 'ada' }).searchParams.get('code') ?? '';
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: VERIFIER,
    };
    const { clientId: client_id, clientSecret: client_secret } = CLIENT;
    const tokens = this.authorizationServer.token({ ...form, client_id, client_secret }, undefined);
    if (typeof tokens === 'string') throw new Error(tokens);
    return tokens;
  }

  /** A grant as a connector stores it. `expires`: epoch ms. */
  grant(more: { readonly expires?: number | null; readonly refresh?: string | null } = {}): string {
    const { access, refresh, expiresIn } = this.tokens();
    const expires = this.clock.now() + expiresIn * 1000;
    return writeGrant({ access, refresh, expires, holder: 'ada', ...more });
  }

  count(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    let body = '';
    for await (const part of request) body += String(part);
    this.requests.push({ method: request.method ?? '', path, headers: request.headers, body });
    const behaviour = this.behaviours.get(path)?.shift() ?? 'ok';
    if (behaviour === 'hang') return;
    if (behaviour === 'reset') return void request.socket.resetAndDestroy();
    if (typeof behaviour === 'object') {
      const { status, body: sent = '{}', headers = {} } = behaviour;
      return void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(sent);
    }
    const [status, answer] = await this.#answered(request, path, body);
    if (behaviour === 'lost') return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  async #answered(request: IncomingMessage, path: string, body: string): Promise<[number, unknown]> {
    const { authorization } = request.headers;
    if (path === '/token') {
      await this.beforeToken();
      const answer = this.authorizationServer.token(fieldsOf(request, body), authorization);
      if (typeof answer === 'string') return [answer === 'invalid_client' ? 401 : 400, { error: answer }];
      const { access: access_token, refresh: refresh_token, expiresIn: expires_in, subject } = answer;
      return [200, { access_token, refresh_token, expires_in, token_type: 'bearer', subject }];
    }
    if (path === '/revoke') {
      const known = this.authorizationServer.revoke(fieldsOf(request, body).token ?? '');
      return known ? [200, {}] : [400, { error: 'invalid_token' }];
    }
    if (this.authorizationServer.subjectOf(authorization) === null) return [401, { error: 'unauthorized' }];
    this.applied += 1;
    return [200, { ok: true }];
  }
}

export const Ok = Type.Object({ ok: Type.Literal(true) });

function fieldsOf(request: IncomingMessage, body: string): Record<string, string> {
  return request.headers['content-type'] === 'application/json'
    ? JSON.parse(body)
    : Object.fromEntries(new URLSearchParams(body));
}

const judged: VendorProfile['judge'] = (answer) => {
  if (answer.status === 401) return { kind: 'token' };
  if (answer.status === 429) return { kind: 'again', code: 'rate_limited', applied: false };
  if (answer.status >= 500) return { kind: 'again', code: 'run_failed', applied: true };
  return { kind: 'final', code: 'run_failed', word: 'BAD_ROW', text: answer.text(), retryable: false };
};
