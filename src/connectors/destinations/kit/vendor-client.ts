import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { OutgoingFailure } from '../../../platform/outgoing-failure.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { QuotaSpent, type Quotas, type QuotaUse } from '../../../platform/quotas.ts';
import { retryAfterMs } from '../../../platform/retry.ts';
import { VendorHttp, type VendorHttpTools, type VendorRequest } from '../../../platform/vendor-http.ts';
import type { RunFailureCode } from '../../../vocabulary/syncs.ts';
import type { DestinationAccess } from '../destination-contract.ts';
import { DestinationFailure, withUnknownOutcome } from '../destination-failure.ts';
import { VendorRefusal } from './failures.ts';
import { type OAuth, type OAuthGrant, readGrant } from './oauth.ts';

/** What a vendor's answer outside 2xx means. */
export type Judgement =
  /** The access token is not accepted: it is renewed once, then `destination_auth_failed`. */
  | { readonly kind: 'token' }
  /** Temporary. `applied`: whether a write may have taken effect anyway. */
  | {
      readonly kind: 'again';
      readonly code: RunFailureCode;
      readonly applied: boolean;
      readonly afterMs?: number;
    }
  /** Final. `word`: the vendor's error word, safe to show. */
  | {
      readonly kind: 'final';
      readonly code: RunFailureCode;
      readonly word: string;
      readonly text: string;
      readonly retryable: boolean;
    };

export interface VendorProfile {
  /** The name that people know, for messages. */
  readonly name: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly judge: (answer: OutgoingResponse) => Judgement;
}

export interface VendorClientOptions extends VendorHttpTools {
  readonly vendor: VendorProfile;
  readonly oauth: Pick<OAuth, 'renewed'>;
  readonly quotas: Quotas;
}

/** One call. */
export interface VendorCall<T extends TSchema> extends Pick<VendorRequest, 'method' | 'path' | 'query'> {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Instead of `body`: JSON already in UTF-8. */
  readonly json?: Buffer;
  readonly expect: T;
  /** The quotas that the call counts against, for the holder of the grant. */
  readonly quotas: (holder: string) => readonly QuotaUse[];
  /**
   * Whether the call may be sent again if it is unknown whether it took effect: reads, and idempotent writes. A call
   * that is not repeatable then raises a failure with the outcome `unknown`.
   */
  readonly repeatable: boolean;
  /** Whether it writes: only then can a failure leave the outcome unknown. A read is always repeatable. */
  readonly writes: boolean;
  /**
   * How long after the call began a further attempt may begin, and how long it may wait for a quota; default
   * RUN_WAIT_MS.
   */
  readonly longestWaitMs?: number;
  readonly maxResponseBytes?: number;
  readonly signal: AbortSignal;
}

/** How long a run waits for a quota or a vendor before it ends as `rate_limited`: a minute's quota and a little. */
export const RUN_WAIT_MS = 75_000;
/** How long a person who is looking at a page waits. */
export const PERSON_WAIT_MS = 5_000;
/** Delays of further attempts: 1, 2 and 4 s, each shortened at random. */
const DELAYS_MS = [1_000, 2_000, 4_000] as const;
/** Tokens are renewed this long before they expire. */
const EARLY_MS = 5 * 60_000;

/** An attempt that failed and may be repeated. `applied`: it may have taken effect anyway. */
export class Passing extends Error {
  readonly failure: DestinationFailure;
  readonly afterMs: number | undefined;
  readonly applied: boolean;

  constructor(failure: DestinationFailure, applied: boolean, afterMs?: number) {
    super(failure.message);
    this.failure = failure;
    this.applied = applied;
    this.afterMs = afterMs;
  }
}

/** How a call whose attempts fail is repeated. */
interface Repetition {
  /** Whether the call may be sent again if it is unknown whether it took effect. */
  readonly repeatable: boolean;
  /** How long after the call began a further attempt may begin. */
  readonly longestWaitMs: number;
  readonly signal: AbortSignal;
}

/**
 * The result of the first attempt that does not raise a Passing. Raises `signal.reason` once aborted, and otherwise
 * what the last attempt raised: with the outcome `unknown` if any of them may have taken effect.
 */
export async function untilPassed<T>(
  http: VendorHttp,
  attempt: () => Promise<T>,
  { repeatable, longestWaitMs, signal }: Repetition,
): Promise<T> {
  let unknown = false;
  try {
    return await http.attempts(attempt, {
      delaysMs: DELAYS_MS,
      budgetMs: longestWaitMs,
      shouldRetry: (error) => {
        if (!(error instanceof Passing)) return false;
        unknown ||= error.applied;
        return !error.applied || repeatable;
      },
      retryAfterMs: (error) => (error instanceof Passing ? error.afterMs : undefined),
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    const failure = error instanceof Passing ? error.failure : error;
    // An earlier attempt may have taken effect, whatever the answer to the last one.
    throw unknown ? withUnknownOutcome(failure) : failure;
  }
}

/**
 * Calls a vendor's API with a person's grant: renews it, respects the vendor's quotas, and interprets its answers.
 * Everything raised is a DestinationFailure, `signal.reason` once aborted, or what storage raises.
 */
export class VendorClient {
  readonly #options: VendorClientOptions;
  readonly #http: VendorHttp;

  constructor(options: VendorClientOptions) {
    this.#options = options;
    this.#http = new VendorHttp(options);
  }

  /** The body of the 2xx answer. Raises VendorRefusal for the vendor's final refusal. */
  async call<T extends TSchema>(access: DestinationAccess, call: VendorCall<T>): Promise<Static<T>> {
    const { repeatable, signal, longestWaitMs = RUN_WAIT_MS } = call;
    const latest = this.#options.clock.now() + longestWaitMs;
    const attempt = () => this.#attempt(access, call, latest);
    return untilPassed(this.#http, attempt, { repeatable, longestWaitMs, signal });
  }

  async #attempt<T extends TSchema>(
    access: DestinationAccess,
    call: VendorCall<T>,
    latest: number,
  ): Promise<Static<T>> {
    const { oauth, vendor } = this.#options;
    const renew = (spent: string): Promise<string> =>
      access.renew(spent, (grant, within) => oauth.renewed(grant, within));
    let stored = await access.current();
    if (this.#isOver(readGrant(stored))) stored = await renew(stored);
    let answer = await this.#send(stored, call, latest);
    let judged = answer.ok ? null : vendor.judge(answer);
    if (judged?.kind === 'token' && readGrant(stored).refresh !== null) {
      stored = await renew(stored);
      answer = await this.#send(stored, call, latest);
      judged = answer.ok ? null : vendor.judge(answer);
    }
    if (judged !== null) throw this.#refusal(answer, judged, call);
    return this.#bodyOf(answer, call);
  }

  #isOver({ refresh, expires }: OAuthGrant): boolean {
    return refresh !== null && expires !== null && expires - EARLY_MS <= this.#options.clock.now();
  }

  async #send<T extends TSchema>(
    stored: string,
    call: VendorCall<T>,
    latest: number,
  ): Promise<OutgoingResponse> {
    const { clock, limits, quotas, vendor } = this.#options;
    const { access, holder } = readGrant(stored);
    try {
      const longestWaitMs = Math.max(0, latest - clock.now());
      await quotas.take(call.quotas(holder), longestWaitMs, call.signal);
    } catch (error) {
      if (!(error instanceof QuotaSpent)) throw error;
      const retryAfterSeconds = Math.ceil(error.retryAfterMs / 1000);
      const known = { outcome: 'refused', retryable: true, retryAfterSeconds, cause: error } as const;
      throw new DestinationFailure('rate_limited', `${vendor.name}: ${error.message}`, known);
    }
    const { method, path, query = [], maxResponseBytes = limits.answer_page_bytes, signal, writes } = call;
    const body = call.json ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    return this.#http.send({
      method,
      baseUrl: vendor.baseUrl,
      path,
      query,
      headers: {
        ...vendor.headers,
        authorization: `Bearer ${access}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body,
      maxResponseBytes,
      signal,
      failureOf: (failure) => unanswered(failure, writes),
    });
  }

  #refusal(answer: OutgoingResponse, judged: Judgement, call: Pick<VendorCall<TSchema>, 'writes'>): Error {
    const { clock, vendor } = this.#options;
    const { status } = answer;
    const said = `${vendor.name} answered ${status}`;
    if (judged.kind === 'again') {
      const applied = judged.applied && call.writes;
      const outcome = applied ? 'unknown' : 'refused';
      const afterMs = retryAfterMs(answer.header('retry-after'), clock) ?? judged.afterMs;
      const retryAfterSeconds = afterMs === undefined ? null : Math.max(1, Math.ceil(afterMs / 1000));
      const known = { outcome, retryable: true, retryAfterSeconds } as const;
      const failure = new DestinationFailure(judged.code, `${said}.`, known);
      return new Passing(failure, applied, afterMs);
    }
    if (judged.kind === 'token') {
      const known = { outcome: 'refused', retryable: false } as const;
      return new DestinationFailure(
        'destination_auth_failed',
        `${said}: it no longer accepts the grant.`,
        known,
      );
    }
    const { code, word, text, retryable } = judged;
    const message = word === '' ? `${said}.` : `${said}: ${word}.`;
    return new VendorRefusal(code, message, { status, word, text, outcome: 'refused', retryable });
  }

  /** A write whose answer cannot be read has taken effect. */
  #bodyOf<T extends TSchema>(answer: OutgoingResponse, call: VendorCall<T>): Static<T> {
    const { vendor } = this.#options;
    const body: unknown = this.#http.brokenBound(answer) === null ? parsed(answer) : null;
    if (Value.Check(call.expect, body)) return body;
    throw new DestinationFailure('run_failed', `${vendor.name} sent an answer that cannot be used.`, {
      outcome: call.writes ? 'unknown' : 'refused',
      retryable: true,
    });
  }
}

/** The failure for a call without an answer. */
function unanswered(failure: OutgoingFailure, writes: boolean): Error {
  const applied = failure.sent && writes;
  const code = failure.kind === 'timeout' ? 'timeout' : 'run_failed';
  const outcome = applied ? 'unknown' : 'refused';
  const said = new DestinationFailure(code, failure.message, { outcome, retryable: true, cause: failure });
  // An answer that is too large will be too large again.
  return failure.kind === 'refused_address' || failure.kind === 'too_large'
    ? said
    : new Passing(said, applied);
}

function parsed(answer: OutgoingResponse): unknown {
  try {
    return answer.body.length === 0 ? {} : JSON.parse(answer.text());
  } catch {
    return null;
  }
}
