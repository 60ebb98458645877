import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { inner, isWireObject, malformed, parseExact, rowsOf, type WireObject } from '../kit/json.ts';
import { type CallKind, ErrorAnswer, ONE_OBJECT, type VendorCall, VendorCalls } from '../kit/vendor-calls.ts';
import { APP_ERRORS, USER_ERRORS } from './failures.ts';

/** How the vendor is reached. */
export interface NzBankingOptions {
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  /** `https://api.akahu.io`, or the simulator's address. */
  readonly baseUrl: string;
  /** The address of the page where people consent. */
  readonly oauthUrl: string;
  readonly appToken: string;
  /** For a full app; null for a personal one. */
  readonly appSecret: string | null;
  /** The token of the owner of a personal app; null for a full one. */
  readonly userToken: string | null;
  /** Banks whose cards and loans show what is owed as a positive balance. */
  readonly positiveDebt: ReadonlySet<string>;
}

export type Query = Readonly<Record<string, string>>;

/** One call, without its credentials. */
interface Call {
  readonly method: VendorCall['method'];
  /** Relative to the version. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: object;
  readonly kind?: Partial<CallKind>;
}

/**
 * The vendor's HTTP API: the app's id on every call, and a user's token or the app's secret. Raises UpstreamFailure, or
 * `signal.reason` once aborted.
 */
export class NzBankingClient {
  readonly #options: NzBankingOptions;
  readonly #users: VendorCalls;
  readonly #app: VendorCalls;

  constructor(options: NzBankingOptions) {
    const { http, clock, limits, baseUrl } = options;
    this.#options = options;
    this.#users = new VendorCalls({ http, clock, limits, baseUrl, errors: USER_ERRORS });
    this.#app = new VendorCalls({ http, clock, limits, baseUrl, errors: APP_ERRORS });
  }

  get options(): NzBankingOptions {
    return this.#options;
  }

  /** A read for a user. Retried as the failure table says. */
  get(
    token: string,
    path: string,
    signal: AbortSignal,
    more: { readonly query?: Query; readonly kind?: Partial<CallKind> } = {},
  ): Promise<WireObject> {
    return this.#users.again(signal, () => this.#forUser(token, { method: 'GET', path, ...more }, signal));
  }

  /** A write for a user, with its own idempotency key. */
  post(token: string, path: string, body: object, signal: AbortSignal): Promise<WireObject> {
    return this.#forUser(token, { method: 'POST', path, body }, signal);
  }

  /** Deletion is idempotent, so it is retried like a read. */
  async delete(token: string, path: string, signal: AbortSignal): Promise<void> {
    await this.#users.again(signal, () => this.#forUser(token, { method: 'DELETE', path }, signal));
  }

  /** A read for the app itself. Raises UpstreamFailure (`not_implemented`) for a personal app, which has no secret. */
  getAsApp(path: string, signal: AbortSignal, kind: Partial<CallKind> = {}): Promise<WireObject> {
    return this.#app.again(signal, () => this.#asApp({ method: 'GET', path, kind }, signal));
  }

  /** The token for an authorization code. Never repeated: a code can be redeemed only once. */
  async exchange(code: string, redirectUri: string, signal: AbortSignal): Promise<WireObject> {
    const { appToken, appSecret } = this.#options;
    const body = {
      code,
      redirect_uri: redirectUri,
      grant_type: 'authorization_code',
      client_id: appToken,
      client_secret: appSecret,
    };
    return this.#send(this.#app, { method: 'POST', path: '/token', body }, {}, signal);
  }

  async #forUser(token: string, call: Call, signal: AbortSignal): Promise<WireObject> {
    try {
      return await this.#send(this.#users, call, { authorization: `Bearer ${token}` }, signal);
    } catch (error) {
      if (error instanceof ErrorAnswer && error.status === 401) await this.#requireOwn(token, signal);
      throw error;
    }
  }

  /**
   * A 401 for a user is also the answer if the app is refused, and would end every connection at once: a call as the
   * app tells which it is. A personal app cannot make one, so it proves nothing about people who signed in to another
   * app.
   */
  async #requireOwn(token: string, signal: AbortSignal): Promise<void> {
    const { appSecret, userToken } = this.#options;
    if (appSecret === null) {
      if (token === userToken) return;
      throw new UpstreamFailure(
        'own_credentials',
        'A personal app was refused for a person who is not its owner.',
      );
    }
    try {
      await this.#asApp({ method: 'GET', path: '/connections', kind: { answer: 'list' } }, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UpstreamFailure && error.situation === 'own_credentials') throw error;
    }
  }

  async #asApp(call: Call, signal: AbortSignal): Promise<WireObject> {
    const { appToken, appSecret } = this.#options;
    if (appSecret === null)
      throw new UpstreamFailure('not_implemented', 'A personal app has no calls of its own.');
    const basic = Buffer.from(`${appToken}:${appSecret}`).toString('base64');
    return this.#send(this.#app, call, { authorization: `Basic ${basic}` }, signal);
  }

  async #send(
    calls: VendorCalls,
    { method, path, query = {}, body, kind }: Call,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<WireObject> {
    const of = { ...ONE_OBJECT, ...kind };
    const response = await calls.send({
      method,
      path: `/v1${path}`,
      query,
      headers: {
        'x-akahu-id': this.#options.appToken,
        ...headers,
        ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      kind: of,
      signal,
    });
    const answer = parseExact(calls.bodyOf(response, of));
    if (!isWireObject(answer) || answer.success !== true)
      throw malformed('it does not say that it succeeded');
    return answer;
  }
}

/** The requested item. Raises UpstreamFailure. */
export function itemOf(answer: WireObject): WireObject {
  const item = inner(answer, 'item');
  if (item === null) throw malformed('it holds no item');
  return item;
}

/** The rows of an unpaged list. Raises UpstreamFailure if it is too long. */
export function itemsOf(answer: WireObject, { list_rows: most }: Pick<Limits, 'list_rows'>): WireObject[] {
  const rows = rowsOf(answer, 'items');
  if (rows.length > most) throw malformed('its list does not end');
  return rows;
}
