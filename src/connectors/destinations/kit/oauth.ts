import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { retryAfterMs } from '../../../platform/retry.ts';
import { VendorHttp, type VendorHttpTools } from '../../../platform/vendor-http.ts';
import type { AuthorizationCallback, AuthorizationRequest } from '../../../vocabulary/authorization.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type { DestinationAccess } from '../destination-contract.ts';

/** A grant that was just issued and is not stored yet: a vendor that refuses it refuses the sign-in. */
export function freshAccess(grant: string): DestinationAccess {
  return {
    owner: '',
    current: async () => grant,
    renew: async () => {
      throw new UpstreamFailure('grant_rejected', 'The vendor refused the token that it had just issued.');
    },
  };
}

const Stored = Type.Object({
  v: Type.Literal(1),
  access: Type.String({ minLength: 1 }),
  /** Null if the vendor issued none: the grant then ends with its access token. */
  refresh: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
  /** When the access token expires, epoch milliseconds; null if it does not. */
  expires: Type.Union([Type.Number(), Type.Null()]),
  /** The vendor's id of the person who granted: its quotas count by it. */
  holder: Type.String(),
});

/** A grant of an OAuth vendor, as it is stored (sealed). Version 1. */
export type OAuthGrant = Static<typeof Stored>;

export function writeGrant(grant: Omit<OAuthGrant, 'v'>): string {
  return JSON.stringify({ v: 1, ...grant });
}

/** @throws TypeError for text that is not a grant; it does not repeat the text */
export function readGrant(text: string): OAuthGrant {
  const stored = parsedGrant(text);
  if (!Value.Check(Stored, stored)) throw new TypeError('the stored grant has another format');
  return stored;
}

/** Whether two grants share a token, as when a vendor issues the same ones again: they end together. */
export function sharesTokens(one: string, other: string): boolean {
  const [a, b] = [readGrant(one), readGrant(other)];
  return a.access === b.access || (a.refresh !== null && a.refresh === b.refresh);
}

/**
 * Whether two grants are the same person's, for vendors that end all of them at once; an unknown holder may be anyone.
 */
export function sharesHolder(one: string, other: string): boolean {
  const [a, b] = [readGrant(one).holder, readGrant(other).holder];
  return a === b || a === '' || b === '';
}

/** Errors of JSON.parse repeat the beginning of the text. */
function parsedGrant(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** How a vendor implements OAuth 2 (RFC 6749, RFC 7636, RFC 7009). */
export interface OAuthVendor {
  /** The name that people know, for messages. */
  readonly name: string;
  /** The page to which people are sent. */
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** Null if the vendor's API cannot end a grant. */
  readonly revokeUrl: string | null;
  /** Which token ends the grant; default: the refresh token, if there is one. */
  readonly revokes?: 'access' | 'refresh';
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where the client's own credentials go: HTTP Basic, or members of the body. */
  readonly credentialsIn: 'header' | 'body';
  readonly bodies: 'form' | 'json';
  readonly scope: string | null;
  readonly pkce: boolean;
  /** Additional parameters of the authorisation page. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Headers of every call, such as the version of the API. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer of the token endpoint, with other members, unchecked. */
export interface TokenAnswer {
  readonly access: string;
  readonly refresh: string | null;
  /** Epoch milliseconds; null if the token does not expire. */
  readonly expires: number | null;
  readonly body: unknown;
}

const Tokens = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  refresh_token: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Null()])),
  expires_in: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
});
const Refusal = Type.Object({ error: Type.String() });
/** For a vendor that answers here like the rest of its API. */
const ApiRefusal = Type.Object({ object: Type.Literal('error'), code: Type.String() });
/** The grant itself is no longer valid; every other refusal is a mistake in our configuration, or temporary. */
const DEAD_GRANT = new Set(['invalid_grant', 'authorization_expired', 'access_denied']);
/** The token to revoke is no longer valid (RFC 7009 requires success in this case, but not every vendor complies). */
const ENDED = new Set(['invalid_grant', 'invalid_token']);

/** Signs people in at a vendor, and renews and ends their grants. Raises UpstreamFailure, or `signal.reason`. */
export class OAuth {
  readonly #vendor: OAuthVendor;
  readonly #tools: VendorHttpTools;
  readonly #http: VendorHttp;

  constructor(vendor: OAuthVendor, tools: VendorHttpTools) {
    this.#vendor = vendor;
    this.#tools = tools;
    this.#http = new VendorHttp(tools);
  }

  /** The vendor's page for one attempt. */
  page({ redirectUri, state, verifier }: AuthorizationRequest): string {
    const { authorizeUrl, clientId, scope, pkce, parameters } = this.#vendor;
    const url = new URL(authorizeUrl);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const query: Readonly<Record<string, string>> = {
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      ...(scope === null ? {} : { scope }),
      state,
      ...(pkce ? { code_challenge: challenge, code_challenge_method: 'S256' } : {}),
      ...parameters,
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }

  /** The tokens for the code that a person returned with; otherwise why there are none. */
  async exchange(
    { redirectUri, verifier, query }: AuthorizationCallback,
    signal: AbortSignal,
  ): Promise<TokenAnswer | 'access_denied' | 'unknown'> {
    if (query.code === undefined) return query.error === 'access_denied' ? 'access_denied' : 'unknown';
    const answer = await this.#post(
      this.#vendor.tokenUrl,
      {
        grant_type: 'authorization_code',
        code: query.code,
        redirect_uri: redirectUri,
        ...(this.#vendor.pkce ? { code_verifier: verifier } : {}),
      },
      signal,
    );
    if (answer.ok) return this.#tokens(answer);
    if (DEAD_GRANT.has(errorOf(answer))) return 'unknown';
    throw this.#failure(answer);
  }

  /** The grant after a renewal. An expired access token is `grant_rejected` if there is no refresh token. */
  async renewed(stored: string, signal: AbortSignal): Promise<string> {
    const grant = readGrant(stored);
    if (grant.refresh === null) throw this.#rejected();
    const body = { grant_type: 'refresh_token', refresh_token: grant.refresh };
    const answer = await this.#post(this.#vendor.tokenUrl, body, signal);
    if (!answer.ok) throw DEAD_GRANT.has(errorOf(answer)) ? this.#rejected() : this.#failure(answer);
    const { access, refresh, expires } = this.#tokens(answer);
    const kept: Omit<OAuthGrant, 'v'> = {
      access,
      refresh: refresh ?? grant.refresh,
      expires,
      holder: grant.holder,
    };
    return writeGrant(kept);
  }

  /** Ends a grant at the vendor. A grant that is no longer known there has ended. */
  async revoke(stored: string, signal: AbortSignal): Promise<void> {
    const { revokeUrl, revokes } = this.#vendor;
    if (revokeUrl === null) return;
    const { access, refresh } = readGrant(stored);
    const token = revokes === 'access' ? access : (refresh ?? access);
    const answer = await this.#post(revokeUrl, { token }, signal);
    if (!answer.ok && !ENDED.has(errorOf(answer))) throw this.#failure(answer);
  }

  #tokens(answer: OutgoingResponse): TokenAnswer {
    const body: unknown = this.#http.brokenBound(answer) === null ? parsed(answer) : null;
    if (!Value.Check(Tokens, body)) {
      throw new UpstreamFailure('malformed', `${this.#vendor.name} issued a token in an unknown form.`);
    }
    const { access_token: access, refresh_token: refresh, expires_in: seconds } = body;
    const life = seconds === undefined || seconds === null ? null : Math.max(0, seconds) * 1000;
    return {
      access,
      refresh: refresh ?? null,
      expires: life === null ? null : this.#tools.clock.now() + life,
      body,
    };
  }

  async #post(url: string, given: Readonly<Record<string, string>>, signal: AbortSignal) {
    const { name, clientId, clientSecret, credentialsIn, bodies, headers } = this.#vendor;
    const body =
      credentialsIn === 'body' ? { ...given, client_id: clientId, client_secret: clientSecret } : given;
    const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString(
      'base64',
    );
    return this.#http.send({
      method: 'POST',
      baseUrl: url,
      path: '',
      headers: {
        ...headers,
        'content-type': bodies === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
        ...(credentialsIn === 'header' ? { authorization: `Basic ${basic}` } : {}),
      },
      body: bodies === 'json' ? JSON.stringify(body) : new URLSearchParams(body).toString(),
      maxResponseBytes: this.#tools.limits.answer_object_bytes,
      signal,
      failureOf: (failure) => {
        const situation = failure.kind === 'timeout' ? 'deadline' : 'connect';
        return new UpstreamFailure(situation, `${name}: ${failure.message}`, { cause: failure });
      },
    });
  }

  #rejected(): UpstreamFailure {
    return new UpstreamFailure('grant_rejected', `${this.#vendor.name} no longer accepts the grant.`);
  }

  #failure(answer: OutgoingResponse): UpstreamFailure {
    const { status } = answer;
    const said = `${this.#vendor.name} answered ${status} to a request for a token`;
    if (status === 429) {
      const wait = retryAfterMs(answer.header('retry-after'), this.#tools.clock);
      const seconds = wait === undefined ? {} : { retryAfterSeconds: Math.ceil(wait / 1000) };
      return new UpstreamFailure('rate_limited', `${said}.`, seconds);
    }
    if (status >= 500) return new UpstreamFailure('server_error', `${said}.`);
    const error = errorOf(answer);
    return new UpstreamFailure(
      'own_credentials',
      `${said}${error === '' ? '' : ` (${error})`}: check the client id, the client secret and the redirect address of this service.`,
    );
  }
}

function parsed(answer: OutgoingResponse): unknown {
  try {
    return JSON.parse(answer.text());
  } catch {
    return null;
  }
}

/** The error code of RFC 6749, section 5.2; empty if there is none that may be shown. */
function errorOf(answer: OutgoingResponse): string {
  const body = parsed(answer);
  const said = Value.Check(ApiRefusal, body) ? body.code : '';
  const error = Value.Check(Refusal, body) ? body.error : said;
  return /^[a-z_]{1,50}$/.test(error) ? error : '';
}
