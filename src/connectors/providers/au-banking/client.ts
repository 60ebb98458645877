import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { retrying } from '../../../platform/retry.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { UPSTREAM_FAILURES, UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { type CallKind, failureOfAnswer, failureOfCall } from './errors.ts';
import { TokenSource } from './token.ts';

/** How the vendor is reached. */
export interface AuBankingOptions {
  readonly http: OutgoingHttp;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Pick<Limits, 'read_deadline_ms'>;
  /** `https://api.fiskil.com`, or the simulator's address. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Sent as X-Fiskil-Version, so that a change of the key's pinned version cannot change what we read. */
  readonly version: 'v2' | 'v3';
}

type Query = Readonly<Record<string, string>>;

/** A thousand rows with long descriptions and payment payloads stay well below this. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** The provider failure table asks for one further attempt after 250 to 750 ms. */
const RETRY_DELAY_MS = 750;

/**
 * The vendor's wire: base address, version header, bearer token, deadlines, one further attempt of a read. Raises
 * UpstreamFailure, or `signal.reason` once aborted.
 */
export class AuBankingClient {
  readonly #options: AuBankingOptions;
  readonly #tokens: TokenSource;
  #warnedOfVersion = false;

  constructor(options: AuBankingOptions) {
    this.#options = options;
    this.#tokens = new TokenSource(() => this.#mint(), options.clock);
  }

  get clientId(): string {
    return this.#options.clientId;
  }

  /** The body of a read. Asked once more where the failure table says so. */
  get(path: string, query: Query, signal: AbortSignal, kind: Partial<CallKind> = {}): Promise<string> {
    const call = { cursor: false, account: false, ...kind };
    return this.#again(signal, () => this.#authorised('GET', path, query, null, signal, call));
  }

  /** The body of the answer to a write. Never repeated: the vendor has no idempotency keys. */
  post(path: string, body: object, signal: AbortSignal): Promise<string> {
    return this.#authorised('POST', path, {}, JSON.stringify(body), signal, {
      cursor: false,
      account: false,
    });
  }

  /** Deleting twice is deleting once, so this is repeated like a read. */
  async delete(path: string, signal: AbortSignal): Promise<void> {
    const call = { cursor: false, account: false };
    await this.#again(signal, () => this.#authorised('DELETE', path, {}, null, signal, call));
  }

  async #authorised(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    query: Query,
    body: string | null,
    signal: AbortSignal,
    kind: CallKind,
  ): Promise<string> {
    const token = await this.#token(signal, null);
    const first = await this.#send(method, path, query, body, signal, token);
    if (first.status !== 401) return this.#bodyOf(first, kind);
    const renewed = await this.#token(signal, token);
    return this.#bodyOf(await this.#send(method, path, query, body, signal, renewed), kind);
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
    return this.#again(undefined, async () => {
      const response = await this.#send('POST', '/v1/token', {}, body, undefined, null);
      const refused = response.status >= 400 && response.status < 404;
      if (refused)
        throw new UpstreamFailure(
          'own_credentials',
          `It refused our client id or secret (${response.status}).`,
        );
      return this.#bodyOf(response, { cursor: false, account: false });
    });
  }

  #bodyOf(response: OutgoingResponse, kind: CallKind): string {
    if (!response.ok) throw failureOfAnswer(response, kind, this.#options.clock);
    this.#checkVersion(response);
    return response.text();
  }

  #checkVersion(response: OutgoingResponse): void {
    const served = response.header('x-fiskil-version');
    if (served === undefined || served === this.#options.version || this.#warnedOfVersion) return;
    this.#warnedOfVersion = true;
    this.#options.log.warn('The bank data provider serves another version than the one asked for.', {
      asked: this.#options.version,
      served: served.slice(0, 20),
    });
  }

  async #send(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    query: Query,
    body: string | null,
    signal: AbortSignal | undefined,
    token: string | null,
  ): Promise<OutgoingResponse> {
    const url = new URL(this.#options.baseUrl.replace(/\/+$/, '') + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    try {
      return await this.#options.http.request({
        method,
        url,
        headers: {
          'x-fiskil-version': this.#options.version,
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === null ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
        deadlineMs: this.#options.limits.read_deadline_ms,
        maxResponseBytes: MAX_ANSWER_BYTES,
        trusted: true,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw failureOfCall(error);
    }
  }

  #again<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    return retrying(work, {
      delaysMs: [RETRY_DELAY_MS],
      jitter: true,
      shouldRetry: (error) => error instanceof UpstreamFailure && UPSTREAM_FAILURES[error.situation].retry,
      clock: this.#options.clock,
      ...(signal === undefined ? {} : { signal }),
    });
  }
}
