import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type { CallKind } from '../kit/failures.ts';
import { isWireObject, malformed, parseExact } from '../kit/json.ts';
import { text } from '../kit/members.ts';
import { type MintedToken, TokenSource } from '../kit/token-source.ts';
import { ONE_OBJECT, type VendorCall, VendorCalls } from '../kit/vendor-calls.ts';
import { AU_BANKING_ERRORS } from './failures.ts';

/** How the vendor is reached. */
export interface AuBankingOptions {
  readonly http: OutgoingHttp;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  /** `https://api.fiskil.com`, or the simulator's address. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Sent as X-Fiskil-Version, so that a change of the key's pinned version cannot change what we read. */
  readonly version: 'v2' | 'v3';
  /** Verifies the vendor's notifications; without it none is accepted. */
  readonly webhookSecret?: string | null;
}

type Query = Readonly<Record<string, string>>;
/** A call before it has a token. */
type Unauthorised = Pick<VendorCall, 'method' | 'path' | 'query' | 'body' | 'kind' | 'signal'>;

/** The vendor's wire: version header and bearer token. Raises UpstreamFailure, or `signal.reason` once aborted. */
export class AuBankingClient {
  readonly #options: AuBankingOptions;
  readonly #calls: VendorCalls;
  readonly #tokens: TokenSource;
  #warnedOfVersion = false;

  constructor(options: AuBankingOptions) {
    const { http, clock, limits, baseUrl } = options;
    this.#options = options;
    this.#calls = new VendorCalls({ http, clock, limits, baseUrl, errors: AU_BANKING_ERRORS });
    this.#tokens = new TokenSource(async () => tokenOf(await this.#mint()), clock);
  }

  get clientId(): string {
    return this.#options.clientId;
  }

  get limits(): Limits {
    return this.#options.limits;
  }

  /** The body of a read, within the bounds of its kind. Asked again where the failure table says so. */
  get(path: string, query: Query, signal: AbortSignal, kind: Partial<CallKind> = {}): Promise<string> {
    const call: Unauthorised = { method: 'GET', path, query, kind: { ...ONE_OBJECT, ...kind }, signal };
    return this.#calls.again(signal, () => this.#authorised(call, signal));
  }

  /** The body of the answer to a write. Never repeated: the vendor has no idempotency keys. */
  post(path: string, body: object, signal: AbortSignal): Promise<string> {
    return this.#authorised(
      { method: 'POST', path, body: JSON.stringify(body), kind: ONE_OBJECT, signal },
      signal,
    );
  }

  /** Deleting twice is deleting once, so this is repeated like a read. */
  async delete(path: string, signal: AbortSignal): Promise<void> {
    const call: Unauthorised = { method: 'DELETE', path, kind: ONE_OBJECT, signal };
    await this.#calls.again(signal, () => this.#authorised(call, signal));
  }

  async #authorised(call: Unauthorised, signal: AbortSignal): Promise<string> {
    const token = await this.#token(signal, null);
    const first = await this.#send(call, token);
    if (first.status !== 401) return this.#bodyOf(first, call.kind);
    const renewed = await this.#token(signal, token);
    return this.#bodyOf(await this.#send(call, renewed), call.kind);
  }

  /** A caller that leaves stops waiting; the mint goes on for the others who share it. */
  async #token(signal: AbortSignal, refused: string | null): Promise<string> {
    const token = await this.#tokens.token(refused);
    signal.throwIfAborted();
    return token;
  }

  #mint(): Promise<string> {
    const { clientId, clientSecret } = this.#options;
    const body = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
    return this.#calls.again(undefined, async () => {
      const response = await this.#send({ method: 'POST', path: '/v1/token', body, kind: ONE_OBJECT }, null);
      const refused = response.status >= 400 && response.status < 404;
      if (refused)
        throw new UpstreamFailure(
          'own_credentials',
          `It refused our client id or secret (${response.status}).`,
        );
      return this.#bodyOf(response, ONE_OBJECT);
    });
  }

  #send(call: Unauthorised, token: string | null): Promise<OutgoingResponse> {
    return this.#calls.send({
      ...call,
      headers: {
        'x-fiskil-version': this.#options.version,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
    });
  }

  #bodyOf(response: OutgoingResponse, kind: CallKind): string {
    const body = this.#calls.bodyOf(response, kind);
    this.#checkVersion(response);
    return body;
  }

  #checkVersion(response: OutgoingResponse): void {
    const served = response.header('x-fiskil-version');
    if (served === undefined || served === this.#options.version || this.#warnedOfVersion) return;
    this.#warnedOfVersion = true;
    this.#options.log.warn('The bank data provider served a different version from the one requested.', {
      asked: this.#options.version,
      served: served.slice(0, 20),
    });
  }
}

/** The token in the answer to a mint. The vendor's documentation names both `token` and `access_token`. */
function tokenOf(body: string): MintedToken {
  const answer = parseExact(body);
  const value = isWireObject(answer) ? (text(answer, 'token') ?? text(answer, 'access_token')) : null;
  if (!isWireObject(answer) || value === null) throw malformed('it holds no token');
  const seconds = Number(text(answer, 'expires_in'));
  return { value, lifeMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0 };
}
