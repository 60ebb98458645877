import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { isWireObject, malformed, parseExact, text } from '../kit/json.ts';
import { type CallKind, ErrorAnswer, ONE_OBJECT, type VendorCall, VendorCalls } from '../kit/vendor-calls.ts';
import type { CustomerAccess } from '../provider-contract.ts';
import { isRefusedSecret, OWN_ERRORS, USER_ERRORS } from './failures.ts';
import { requestSignature } from './signature.ts';

/** How the vendor is reached. */
export interface BrokerageOptions {
  readonly http: OutgoingHttp;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  /** `https://api.snaptrade.com`, or the simulator's address. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly consumerKey: string;
  /** A personal key for its owner's accounts: the vendor then has one user, whom calls do not name. */
  readonly personal: boolean;
}

/** A user at the vendor. */
export type User = Pick<CustomerAccess, 'customer' | 'secret'>;

interface Call {
  readonly method: VendorCall['method'];
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly kind?: Partial<CallKind>;
}

/**
 * The vendor's HTTP API: signed requests, for our key or for one of its users. Raises UpstreamFailure, or
 * `signal.reason`.
 */
export class BrokerageClient {
  readonly #options: BrokerageOptions;
  readonly #own: VendorCalls;
  readonly #users: VendorCalls;

  constructor(options: BrokerageOptions) {
    const { http, clock, limits, baseUrl, personal } = options;
    this.#options = options;
    this.#own = new VendorCalls({ http, clock, limits, baseUrl, errors: OWN_ERRORS });
    this.#users = personal
      ? this.#own
      : new VendorCalls({ http, clock, limits, baseUrl, errors: USER_ERRORS });
  }

  get clientId(): string {
    return this.#options.clientId;
  }

  get consumerKey(): string {
    return this.#options.consumerKey;
  }

  get personal(): boolean {
    return this.#options.personal;
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  get limits(): Limits {
    return this.#options.limits;
  }

  /** The JSON answer to a call with our key only. Repeatable calls are retried as the failure table says. */
  own(call: Call, signal: AbortSignal): Promise<string> {
    const ask = () => this.#body(this.#own, call, {}, signal);
    return call.method === 'POST' ? ask() : this.#own.again(signal, ask);
  }

  /**
   * The JSON answer to a call with a user's secret. If the secret is refused, it is renewed once and the call repeated.
   */
  async user(user: User, call: Call, signal: AbortSignal): Promise<string> {
    const used = user.secret.value;
    try {
      return await this.#asUser(user, used, call, signal);
    } catch (error) {
      if (used === null || this.personal || !isRefusedSecret(error)) throw error;
      const next = await user.secret.renew(
        used,
        (current, within) => this.#renewed(user, current, within),
        signal,
      );
      if (next === used) throw error;
      return this.#asUser(user, next, call, signal);
    }
  }

  #asUser(user: User, secret: string | null, call: Call, signal: AbortSignal): Promise<string> {
    const calls = this.#users;
    const ask = () => this.#body(calls, call, this.#identity(user, secret), signal);
    return call.method === 'POST' ? ask() : calls.again(signal, ask);
  }

  #identity({ customer }: User, secret: string | null): Readonly<Record<string, string>> {
    return this.personal ? {} : { userId: customer, userSecret: secret ?? '' };
  }

  /**
   * The next secret of a user whose secret the vendor refuses. It is requested with the refused one: if that is refused
   * here too, the user is gone, and nothing was lost.
   */
  async #renewed({ customer }: User, current: string, signal: AbortSignal): Promise<string> {
    const body = { userId: customer, userSecret: current };
    const path = '/snapTrade/resetUserSecret';
    try {
      return secretOf(await this.#body(this.#users, { method: 'POST', path, body }, {}, signal));
    } catch (error) {
      if (!(error instanceof ErrorAnswer) || error.situation === 'own_credentials') throw error;
      if (error.status !== 400 && error.status !== 404) throw error;
      throw new UpstreamFailure('grant_rejected', error.message, { cause: error });
    }
  }

  async #body(
    calls: VendorCalls,
    { method, path, query = {}, body, kind = {} }: Call,
    identity: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<string> {
    const whole = { ...ONE_OBJECT, ...kind };
    const timestamp = String(Math.floor(this.#options.clock.now() / 1000));
    const sent = { clientId: this.clientId, timestamp, ...identity, ...query };
    const response = await this.#send(
      calls,
      { method, path, query: sent, kind: whole, signal },
      body ?? null,
    );
    return calls.bodyOf(response, whole);
  }

  #send(
    calls: VendorCalls,
    call: Omit<VendorCall, 'headers' | 'body'>,
    body: object | null,
  ): Promise<OutgoingResponse> {
    const { baseUrl, consumerKey } = this.#options;
    const path = new URL(baseUrl.replace(/\/+$/, '') + call.path).pathname;
    const query = new URLSearchParams(call.query).toString();
    return calls.send({
      ...call,
      headers: {
        signature: requestSignature({ path, query, body }, consumerKey),
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
  }
}

/** The user's secret in the answer that contains it. */
export function secretOf(answer: string): string {
  const parsed = parseExact(answer);
  const secret = isWireObject(parsed) ? text(parsed, 'userSecret') : null;
  if (secret === null) throw malformed('it holds no user secret');
  return secret;
}
