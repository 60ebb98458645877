import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { SingleFlight } from '../../../platform/single-flight.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { isWireObject, malformed, parseExact, rowsOf, text, type WireObject } from '../kit/json.ts';
import { allRows, cursorOfNextLink, pagesByCursor } from '../kit/paging.ts';
import { type CallKind, ONE_OBJECT, type VendorCall, VendorCalls } from '../kit/vendor-calls.ts';
import type { ProviderAccess } from '../provider-contract.ts';
import { AU_BANKING_ERRORS } from './failures.ts';

/** Tokens are renewed this long before they expire, so that no request is sent with one about to expire. */
const EARLY_MS = 90_000;
const MINT = 'mint';
/** The vendor's maximum; a larger number is silently reduced to it. */
const PAGE_SIZE = '1000';

/** A consent and its end user. */
export type EndUserConsent = Pick<ProviderAccess, 'customer' | 'consent' | 'institution'>;

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
  /** Sent as X-Fiskil-Version, so that changing the key's pinned version cannot change what we read. */
  readonly version: 'v2' | 'v3';
  /** Verifies the vendor's notifications; without it, none are accepted. */
  readonly webhookSecret?: string | null;
}

type Query = Readonly<Record<string, string>>;
/** A call without its token. */
type Unauthorised = Pick<VendorCall, 'method' | 'path' | 'query' | 'body' | 'kind' | 'signal'>;

/** The vendor's HTTP API: version header and bearer token. Raises UpstreamFailure, or `signal.reason` once aborted. */
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

  /** The body of a read, within the bounds of its kind. Retried as the failure table says. */
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

  /** Deletion is idempotent, so it is retried like a read. */
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

  /** A caller that leaves stops waiting; the request for a token continues for the others who share it. */
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

/** A token as issued by a vendor. */
interface MintedToken {
  readonly value: string;
  /** How long it is valid, in milliseconds; 0 if the vendor does not say. */
  readonly lifeMs: number;
}

/**
 * The bearer token of our own credentials: requested when first needed, shared by all calls, renewed early. Never
 * stored.
 */
class TokenSource {
  readonly #mint: () => Promise<MintedToken>;
  readonly #clock: Clock;
  readonly #flights = new SingleFlight<{ readonly value: string; readonly staleAt: number }>();
  #token: { readonly value: string; readonly staleAt: number } | null = null;

  /** @param mint requests a token from the vendor */
  constructor(mint: () => Promise<MintedToken>, clock: Clock) {
    this.#mint = mint;
    this.#clock = clock;
  }

  /** A currently valid token. `refused`: a token that the vendor refused, which is not returned again. */
  async token(refused: string | null = null): Promise<string> {
    if (this.#token !== null && this.#token.value === refused) this.#token = null;
    if (this.#token !== null && this.#clock.now() < this.#token.staleAt) return this.#token.value;
    this.#token = await this.#flights.run(MINT, async () => {
      const { value, lifeMs } = await this.#mint();
      return { value, staleAt: this.#clock.now() + Math.max(lifeMs / 2, lifeMs - EARLY_MS) };
    });
    return this.#token.value;
  }
}

export interface PagedRead {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The member that contains the rows. */
  readonly plural: string;
  readonly kind?: Partial<CallKind>;
  /** How a body is parsed; exactly, unless said otherwise. */
  readonly parse?: (body: string) => unknown;
}

/** The pages of a list, as the vendor sends them. */
export function wirePages(
  client: AuBankingClient,
  read: PagedRead,
  signal: AbortSignal,
): AsyncGenerator<readonly WireObject[]> {
  const { path, plural, parse = parseExact } = read;
  return pagesByCursor(async (cursor) => {
    const query: Record<string, string> = { ...read.query, 'page[size]': PAGE_SIZE };
    if (cursor !== null) query['page[after]'] = cursor;
    const kind = { answer: 'list', ...read.kind, cursor: cursor !== null } as const;
    const answer = parse(await client.get(path, query, signal, kind));
    return { rows: rowsOf(answer, plural), next: cursorOfNextLink(answer, 'page[after]') };
  }, client.limits);
}

/** All rows of a short list. */
export function wireRows(
  client: AuBankingClient,
  read: PagedRead,
  signal: AbortSignal,
): Promise<WireObject[]> {
  return allRows(() => wirePages(client, read, signal), client.limits);
}

/** Whether a row belongs to the consent: one person may have linked several banks, and the vendor returns all. */
export function isOfConsent(row: WireObject, { consent }: Pick<EndUserConsent, 'consent'>): boolean {
  return (text(row, 'arrangement_id', 'arrangementId') ?? consent) === consent;
}
