import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { isRecord } from '../shared/json.ts';
import { json, type Reply } from '../shared/reply.ts';
import { checkQuery, jsonBody, requiredString } from '../shared/request.ts';
import { unauthorized } from '../shared/vendor-error.ts';
import type { VendorRequest } from './request.ts';

/** Lifetime of an access token, seconds. There is no refresh token. */
export const TOKEN_SECONDS = 900;
const SCOPE = 'api:banking api:user.read api:user.write';

/** Issues and checks the bearer tokens: signed, with the documented claims, refused once expired. */
export class Tokens {
  readonly #clientId: string;
  readonly #clientSecret: string;
  readonly #now: () => number;
  readonly #key = randomBytes(32);
  /** Expiry (epoch s) by token, so that a signature is checked once. */
  readonly #known = new Map<string, number>();
  readonly #expiredEarly = new Set<string>();

  constructor(clientId: string, clientSecret: string, now: () => number) {
    this.#clientId = clientId;
    this.#clientSecret = clientSecret;
    this.#now = now;
  }

  /** `POST /v1/token` */
  issue(request: VendorRequest): Reply {
    checkQuery(request.query, []);
    const body = jsonBody(request, ['client_id', 'client_secret']);
    const id = requiredString(body, 'client_id');
    const secret = requiredString(body, 'client_secret');
    if (!same(id, this.#clientId) || !same(secret, this.#clientSecret)) {
      throw unauthorized('invalid client credentials');
    }
    const issued = Math.floor(this.#now() / 1000);
    const head = encode({ alg: 'HS256', typ: 'JWT' });
    const claims = encode({
      org_id: 'org_sandbox',
      key_id: this.#clientId,
      scope: SCOPE,
      exp: issued + TOKEN_SECONDS,
      iat: issued,
      jti: randomUUID(),
    });
    const token = `${head}.${claims}.${this.#sign(`${head}.${claims}`)}`;
    return json(200, { token, expires_in: TOKEN_SECONDS, token_type: 'Bearer' });
  }

  /** Checks the `Authorization` header; throws the vendor's 401. */
  check(authorization: string | undefined): void {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? '')?.[1];
    if (token === undefined) throw unauthorized('missing or malformed bearer token');
    const expires = this.#known.get(token) ?? this.#verify(token);
    if (expires * 1000 <= this.#now() || this.#expiredEarly.has(token))
      throw unauthorized('token is expired');
  }

  /** Expires the token of a request early; for the `expired-token` fault. */
  expire(authorization: string | undefined): void {
    this.#expiredEarly.add((authorization ?? '').replace(/^Bearer /, ''));
  }

  #verify(token: string): number {
    const [head = '', claims = '', signature = ''] = token.split('.');
    if (!same(signature, this.#sign(`${head}.${claims}`))) throw unauthorized('token signature is invalid');
    const parsed: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const expires = isRecord(parsed) && typeof parsed.exp === 'number' ? parsed.exp : 0;
    if (this.#known.size > 1000) this.#known.clear();
    this.#known.set(token, expires);
    return expires;
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function same(given: string, expected: string): boolean {
  const a = createHmac('sha256', 'compare').update(given).digest();
  const b = createHmac('sha256', 'compare').update(expected).digest();
  return timingSafeEqual(a, b);
}
