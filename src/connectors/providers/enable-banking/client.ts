import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { type Presence, personPresent } from '../../../platform/presence.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import {
  inner,
  isWireObject,
  list,
  malformed,
  parseExact,
  parsePlain,
  text,
  type WireObject,
} from '../kit/json.ts';
import { type CallKind, ONE_OBJECT, type VendorCall, VendorCalls } from '../kit/vendor-calls.ts';
import { enableBankingErrors, periodRefused } from './failures.ts';

/** How Enable Banking is reached. */
export interface EnableBankingOptions {
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly clock: Clock;
  readonly limits: Limits;
  /** `https://api.enablebanking.com`, or the simulator's address. */
  readonly baseUrl: string;
  readonly applicationId: string;
  /** RSA, PEM. */
  readonly privateKey: string;
  readonly psuType: 'personal' | 'business';
}

/** How long one of our tokens is valid; the vendor allows a day. */
const TOKEN_S = 3600;
/** A token is replaced this long before it ends, for clocks that differ. */
const SPARE_S = 300;
const PERSON_REFUSED = /^PSU_HEADER_(NOT_PROVIDED|INVALID)$/;

interface Call {
  readonly method: VendorCall['method'];
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly kind?: Partial<CallKind>;
}

/**
 * The vendor's HTTP API: JSON, with a token that we sign ourselves. Raises UpstreamFailure, or `signal.reason` once
 * aborted.
 */
export class EnableBankingClient {
  readonly #options: EnableBankingOptions;
  readonly #calls: VendorCalls;
  readonly #key: KeyObject;
  #token = { value: '', until: 0 };

  constructor(options: EnableBankingOptions) {
    this.#options = options;
    this.#calls = new VendorCalls({ ...options, errors: enableBankingErrors(options.clock) });
    this.#key = createPrivateKey(options.privateKey);
  }

  get options(): EnableBankingOptions {
    return this.#options;
  }

  /** A read. Retried as the failure table says. */
  get(path: string, signal: AbortSignal, more: Pick<Call, 'query' | 'kind'> = {}): Promise<WireObject> {
    return this.#calls.again(signal, () => this.#send({ method: 'GET', path, ...more }, signal));
  }

  /** Never repeated: the outcome of a lost answer is unknown, and a code can be redeemed only once. */
  post(path: string, body: object, signal: AbortSignal): Promise<WireObject> {
    return this.#send({ method: 'POST', path, body }, signal);
  }

  /** Deletion is idempotent, so it is retried like a read. */
  async delete(path: string, signal: AbortSignal): Promise<void> {
    await this.#calls.again(signal, () => this.#send({ method: 'DELETE', path }, signal));
  }

  async #send({ method, path, query = {}, body, kind }: Call, signal: AbortSignal): Promise<WireObject> {
    const of = { ...ONE_OBJECT, ...kind };
    const send = (more: Readonly<Record<string, string>>): Promise<OutgoingResponse> =>
      this.#calls.send({
        method,
        path,
        query,
        headers: {
          authorization: `Bearer ${this.#bearer()}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...more,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        kind: of,
        signal,
      });
    const person = of.account ? headersOf(personPresent()) : {};
    const first = await send(person);
    // Banks differ in what they want to know of a person, and some want to know nothing.
    const unwanted = Object.keys(person).length > 0 && PERSON_REFUSED.test(codeOf(first) ?? '');
    const response = unwanted ? await send({}) : first;
    if (!response.ok && of.answer === 'page' && of.account) requirePeriod(response);
    const answer = parsed(this.#calls.bodyOf(response, of));
    if (!isWireObject(answer)) throw malformed('it is no object');
    return answer;
  }

  /** Our token (RFC 7519, RS256), as https://enablebanking.com/docs/api/reference/#authentication asks for it. */
  #bearer(): string {
    const now = Math.floor(this.#options.clock.now() / 1000);
    const { value, until } = this.#token;
    // A clock that was set back would send a token from the future.
    if (now < until - SPARE_S && until - now <= TOKEN_S) return value;
    const header = { typ: 'JWT', alg: 'RS256', kid: this.#options.applicationId };
    const claims = { iss: 'enablebanking.com', aud: 'api.enablebanking.com', iat: now, exp: now + TOKEN_S };
    const signed = `${encoded(header)}.${encoded(claims)}`;
    const signature = sign('sha256', Buffer.from(signed), this.#key).toString('base64url');
    this.#token = { value: `${signed}.${signature}`, until: now + TOKEN_S };
    return this.#token.value;
  }
}

/** How the vendor is told that a person waits (https://enablebanking.com/docs/api/reference/, `Psu-*`). */
function headersOf(person: Presence | null): Readonly<Record<string, string>> {
  if (person === null) return {};
  const { address, userAgent } = person;
  return { 'psu-ip-address': address, ...(userAgent === null ? {} : { 'psu-user-agent': userAgent }) };
}

function codeOf(response: OutgoingResponse): string | null {
  const body = response.ok ? null : errorIn(response);
  return body === null ? null : text(body, 'error');
}

function errorIn(response: OutgoingResponse): WireObject | null {
  try {
    const body: unknown = JSON.parse(response.text());
    return isWireObject(body) ? body : null;
  } catch {
    return null;
  }
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Raises PeriodRefused for an answer that refuses the days asked for. */
function requirePeriod(response: OutgoingResponse): void {
  const body = errorIn(response);
  const refused = body === null ? null : periodRefused(body);
  if (refused !== null) throw refused;
}

/** Amounts are texts by contract: only if one is a number after all is the answer parsed exactly, which is slower. */
function parsed(body: string): unknown {
  const plain = parsePlain(body);
  if (!isWireObject(plain)) return plain;
  const amounts = [
    ...list(plain, 'transactions').map((row) => inner(row, 'transaction_amount')),
    ...list(plain, 'balances').map((row) => inner(row, 'balance_amount')),
  ];
  return amounts.some((amount) => typeof amount?.amount === 'number') ? parseExact(body) : plain;
}
