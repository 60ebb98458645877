import { createHash, randomBytes } from 'node:crypto';
import { isRecord } from './json.ts';

const VISIT_MS = 3_600_000;
const CODE_MS = 600_000;
/** Anyone may open the page: beyond this many visits and codes, the oldest are dropped. */
const MOST_VISITS = 1_000;
const MOST_CODES = 1_000;

export interface AuthorizationServerOptions {
  readonly now: () => number;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whether each refresh token works only once: using one twice ends the whole grant. */
  readonly rotates: boolean;
  /** How long an access token lasts, in milliseconds. */
  readonly accessMs: number;
  readonly pkce: 'required' | 'optional';
  /** The origin of the only addresses people are sent back to, as if they were registered; absent for any. */
  readonly returnOrigin?: string | undefined;
  /** Called after each change, so that grants survive a restart. */
  readonly changed: () => void;
}

/** One visit to the vendor's consent page. */
export interface OAuthVisit {
  readonly id: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly challenge: string | null;
  readonly until: number;
  used: boolean;
}

/** What the token endpoint grants. */
export interface GrantedTokens {
  /** Whose grant it is. */
  readonly subject: string;
  readonly access: string;
  readonly refresh: string;
  readonly expiresIn: number;
}

export type TokenRefusal = 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type';

interface Grant {
  readonly subject: string;
  refresh: string;
  readonly spent: string[];
  readonly access: { readonly token: string; readonly until: number }[];
}

interface Code {
  readonly subject: string;
  readonly redirectUri: string;
  readonly challenge: string | null;
  readonly until: number;
}

/** The OAuth side of a simulated vendor: visits to its consent page, codes that work once, tokens that expire. */
export class AuthorizationServer {
  readonly #options: AuthorizationServerOptions;
  readonly #visits = new Map<string, OAuthVisit>();
  readonly #codes = new Map<string, Code>();
  #grants: Grant[] = [];

  constructor(options: AuthorizationServerOptions) {
    this.#options = options;
  }

  /** A visit, from the query of the page's address; a text is why there is none. */
  begin(query: URLSearchParams): OAuthVisit | string {
    const { clientId, pkce, now } = this.#options;
    if (query.get('client_id') !== clientId) return 'This application is not known.';
    const redirectUri = query.get('redirect_uri') ?? '';
    if (!URL.canParse(redirectUri)) return 'The application gave no address to return to.';
    const { returnOrigin = new URL(redirectUri).origin } = this.#options;
    if (new URL(redirectUri).origin !== returnOrigin)
      return 'The address to return to is not registered for this application.';
    if (query.get('response_type') !== 'code')
      return 'The application asked for something other than a code.';
    const challenge = query.get('code_challenge');
    if (challenge !== null && query.get('code_challenge_method') !== 'S256')
      return 'The application uses a code challenge of another kind than S256.';
    if (challenge === null && pkce === 'required') return 'The application sent no code challenge.';
    const visit: OAuthVisit = {
      id: randomBytes(12).toString('hex'),
      redirectUri,
      state: query.get('state') ?? '',
      challenge,
      until: now() + VISIT_MS,
      used: false,
    };
    this.#visits.set(visit.id, visit);
    makeRoom(this.#visits, MOST_VISITS);
    return visit;
  }

  /** The visit, as long as it can continue. */
  open(id: string): OAuthVisit | null {
    const visit = this.#visits.get(id);
    return visit === undefined || visit.used || visit.until <= this.#options.now() ? null : visit;
  }

  /** Ends a visit; returns where to send the person. */
  end(visit: OAuthVisit, outcome: { readonly subject: string } | { readonly error: string }): URL {
    visit.used = true;
    this.#visits.delete(visit.id);
    const url = new URL(visit.redirectUri);
    if ('error' in outcome) url.searchParams.set('error', outcome.error);
    else {
      const code = randomBytes(16).toString('hex');
      const { redirectUri, challenge } = visit;
      const until = this.#options.now() + CODE_MS;
      this.#codes.set(code, { subject: outcome.subject, redirectUri, challenge, until });
      makeRoom(this.#codes, MOST_CODES);
      url.searchParams.set('code', code);
    }
    url.searchParams.set('state', visit.state);
    return url;
  }

  /**
   * The answer of the token endpoint.
   * @param fields of the body, form or JSON
   * @param authorization the header, for vendors that take the client's credentials there; they are also accepted in
   * the body
   */
  token(
    fields: Readonly<Record<string, string>>,
    authorization: string | undefined,
  ): GrantedTokens | TokenRefusal {
    if (!this.#isClient(fields, authorization)) return 'invalid_client';
    switch (fields.grant_type) {
      case 'authorization_code':
        return this.#exchanged(fields);
      case 'refresh_token':
        return this.#refreshed(fields.refresh_token ?? '');
      default:
        return 'unsupported_grant_type';
    }
  }

  /** Ends the grant a token belongs to; false if there is none. */
  revoke(token: string): boolean {
    const grant = this.#grants.find(
      ({ refresh, access }) => refresh === token || access.some((one) => one.token === token),
    );
    this.#remove(grant);
    return grant !== undefined;
  }

  /** Ends every grant of a subject, as a person does in the vendor's settings. */
  revokeSubject(subject: string): void {
    this.#grants = this.#grants.filter((grant) => grant.subject !== subject);
    this.#options.changed();
  }

  /** Whose access token an `Authorization: Bearer` header has; null if it is not valid now. */
  subjectOf(authorization: string | undefined): string | null {
    const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
    const now = this.#options.now();
    const grant = this.#grants.find(({ access }) =>
      access.some((one) => one.token === token && one.until > now),
    );
    return grant?.subject ?? null;
  }

  /** Expires the access token of a header early; its refresh token stays valid. */
  expire(authorization: string | undefined): void {
    const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
    for (const { access } of this.#grants) {
      const at = access.findIndex((one) => one.token === token);
      if (at >= 0) access.splice(at, 1);
    }
    this.#options.changed();
  }

  /** The current grants. */
  get count(): number {
    return this.#grants.length;
  }

  /** For the state file. */
  read(): readonly Grant[] {
    return this.#grants;
  }

  /** Restores what an earlier run saved; false if it is malformed. */
  restore(state: unknown): boolean {
    if (!Array.isArray(state)) return false;
    const grants: Grant[] = [];
    for (const entry of state) {
      const grant = grantOf(entry);
      if (grant === null) return false;
      grants.push(grant);
    }
    this.#grants = grants;
    return true;
  }

  #isClient(fields: Readonly<Record<string, string>>, authorization: string | undefined): boolean {
    const { clientId, clientSecret } = this.#options;
    const basic = /^Basic (.+)$/i.exec(authorization ?? '')?.[1];
    if (basic !== undefined) {
      const sent = Buffer.from(basic, 'base64').toString();
      return sent === `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    }
    return fields.client_id === clientId && fields.client_secret === clientSecret;
  }

  #exchanged(fields: Readonly<Record<string, string>>): GrantedTokens | TokenRefusal {
    const sent = fields.code ?? '';
    const code = this.#codes.get(sent);
    this.#codes.delete(sent);
    if (code === undefined || code.until <= this.#options.now()) return 'invalid_grant';
    if (code.redirectUri !== fields.redirect_uri) return 'invalid_grant';
    if (code.challenge !== null) {
      const proof = createHash('sha256')
        .update(fields.code_verifier ?? '')
        .digest('base64url');
      if (proof !== code.challenge) return 'invalid_grant';
    }
    const grant: Grant = {
      subject: code.subject,
      refresh: randomBytes(24).toString('hex'),
      spent: [],
      access: [],
    };
    this.#grants.push(grant);
    return this.#issued(grant);
  }

  #refreshed(token: string): GrantedTokens | TokenRefusal {
    const misused = this.#grants.find(({ spent }) => spent.includes(token));
    if (misused !== undefined) this.#remove(misused);
    const grant = this.#grants.find(({ refresh }) => refresh === token);
    if (grant === undefined) return 'invalid_grant';
    if (this.#options.rotates) {
      grant.spent.push(token);
      grant.refresh = randomBytes(24).toString('hex');
      grant.access.length = 0;
    }
    return this.#issued(grant);
  }

  #issued(grant: Grant): GrantedTokens {
    const { now, accessMs, changed } = this.#options;
    const token = randomBytes(24).toString('hex');
    grant.access.push({ token, until: now() + accessMs });
    if (grant.access.length > MOST_ACCESS_TOKENS) grant.access.shift();
    changed();
    return { subject: grant.subject, access: token, refresh: grant.refresh, expiresIn: accessMs / 1000 };
  }

  #remove(grant: Grant | undefined): void {
    if (grant === undefined) return;
    this.#grants = this.#grants.filter((one) => one !== grant);
    this.#options.changed();
  }
}

const MOST_ACCESS_TOKENS = 20;

function grantOf(entry: unknown): Grant | null {
  if (!isRecord(entry)) return null;
  const { subject, refresh, spent, access } = entry;
  if (typeof subject !== 'string' || typeof refresh !== 'string') return null;
  if (!Array.isArray(spent) || !Array.isArray(access)) return null;
  const tokens = access.flatMap((one: unknown) =>
    isRecord(one) && typeof one.token === 'string' && typeof one.until === 'number'
      ? [{ token: one.token, until: one.until }]
      : [],
  );
  const used = spent.filter((one: unknown) => typeof one === 'string');
  return { subject, refresh, spent: used, access: tokens };
}

/** A map keeps the insertion order of its entries. */
function makeRoom(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
