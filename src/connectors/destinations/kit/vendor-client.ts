import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Clock } from '../../../platform/clock.ts';
import { brokenBound } from '../../../platform/json-bounds.ts';
import { OutgoingFailure } from '../../../platform/outgoing-failure.ts';
import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { retrying } from '../../../platform/retry.ts';
import { retryAfterMs } from '../../../platform/retry-after.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import type { RunFailureCode } from '../../../vocabulary/syncs.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { DestinationAccess } from '../destination-opening.ts';
import { QuotaSpent, type Quotas, type QuotaUse } from '../quotas.ts';
import type { OAuth } from './oauth.ts';
import { type OAuthGrant, readGrant } from './oauth-grant.ts';
import { VendorRefusal } from './vendor-refusal.ts';

/** What a vendor's answer outside 2xx means (destination facts 1.5). */
export type Judgement =
  /** The access token is not accepted: renewed once, then `destination_auth_failed`. */
  | { readonly kind: 'token' }
  /** Passes by itself. `applied`: whether a write may have taken effect all the same. */
  | {
      readonly kind: 'again';
      readonly code: RunFailureCode;
      readonly applied: boolean;
      readonly afterMs?: number;
    }
  /** Final. `word`: the vendor's own, safe to show. */
  | {
      readonly kind: 'final';
      readonly code: RunFailureCode;
      readonly word: string;
      readonly text: string;
      readonly retryable: boolean;
    };

export interface VendorProfile {
  /** As people know it, for messages. */
  readonly name: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly judge: (answer: OutgoingResponse) => Judgement;
}

export interface VendorClientOptions {
  readonly vendor: VendorProfile;
  readonly oauth: Pick<OAuth, 'renewed'>;
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly quotas: Quotas;
}

/** One call. */
export interface VendorCall<T extends TSchema> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with a slash and follows the base address; each part that comes from elsewhere is encoded. */
  readonly path: string;
  /** A name given twice is there twice. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** Sent as JSON. */
  readonly body?: unknown;
  /** In place of `body`: JSON in UTF-8 already. */
  readonly json?: Buffer;
  readonly expect: T;
  /** What the call counts against, for the holder of the grant. */
  readonly quotas: (holder: string) => readonly QuotaUse[];
  /**
   * Whether the call may be sent again when nobody knows whether it took effect: reads, and writes that give the same
   * result twice. A call that is not repeatable raises a failure of outcome `unknown` then.
   */
  readonly repeatable: boolean;
  /** Whether it writes: only then can a failure leave something unknown. A read is always repeatable. */
  readonly writes: boolean;
  /**
   * How long after the call began a further attempt may begin, and the latest that may be waited for a quota; default
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
/** Further attempts after 1, 2 and 4 s, each shortened at random. */
const DELAYS_MS = [1_000, 2_000, 4_000] as const;
/** Renewed this long before the vendor's own end of a token. */
const EARLY_MS = 5 * 60_000;

/** An attempt that failed and may be repeated. */
class Passing extends Error {
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

/**
 * A vendor's wire: the grant, its renewal, the vendor's quotas, deadlines, caps of size and depth, and the only retry
 * layer. Everything it raises is a DestinationFailure, `signal.reason` once aborted, or what storage raises.
 */
export class VendorClient {
  readonly #options: VendorClientOptions;

  constructor(options: VendorClientOptions) {
    this.#options = options;
  }

  /** The body of the 2xx answer. Raises VendorRefusal for the vendor's final refusal. */
  async call<T extends TSchema>(access: DestinationAccess, call: VendorCall<T>): Promise<Static<T>> {
    const { clock } = this.#options;
    const longestWaitMs = call.longestWaitMs ?? RUN_WAIT_MS;
    const latest = clock.now() + longestWaitMs;
    let inDoubt = false;
    try {
      return await retrying(() => this.#attempt(access, call, latest), {
        delaysMs: DELAYS_MS,
        jitter: true,
        shouldRetry: (error) => {
          if (!(error instanceof Passing)) return false;
          inDoubt ||= error.applied;
          return !error.applied || call.repeatable;
        },
        retryAfterMs: (error) => (error instanceof Passing ? error.afterMs : undefined),
        clock,
        signal: call.signal,
        budgetMs: longestWaitMs,
      });
    } catch (error) {
      call.signal.throwIfAborted();
      const failure = error instanceof Passing ? error.failure : error;
      if (!(failure instanceof DestinationFailure)) throw failure;
      throw inDoubt && call.writes ? inUnknown(failure) : failure;
    }
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
    const { http, clock, limits, quotas, vendor } = this.#options;
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
    const url = new URL(vendor.baseUrl.replace(/\/+$/, '') + call.path);
    for (const [name, value] of call.query ?? []) url.searchParams.append(name, value);
    const body = call.json ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    try {
      return await http.request({
        method: call.method,
        url,
        headers: {
          ...vendor.headers,
          authorization: `Bearer ${access}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
        signal: call.signal,
        deadlineMs: limits.read_deadline_ms,
        maxResponseBytes: call.maxResponseBytes ?? limits.answer_page_bytes,
        maxErrorBytes: limits.answer_error_bytes,
        trusted: true,
      });
    } catch (error) {
      call.signal.throwIfAborted();
      if (!(error instanceof OutgoingFailure)) throw error;
      const applied = error.sent && call.writes;
      const code = error.kind === 'timeout' ? 'timeout' : 'run_failed';
      const outcome = applied ? 'unknown' : 'refused';
      const failure = new DestinationFailure(code, error.message, { outcome, retryable: true, cause: error });
      // An answer that is too large will be as large the next time.
      if (error.kind === 'refused_address' || error.kind === 'too_large') throw failure;
      throw new Passing(failure, applied);
    }
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
    const { limits, vendor } = this.#options;
    const bounds = { depth: limits.answer_depth, values: limits.answer_values };
    const body: unknown = brokenBound(answer.body, bounds) === null ? parsed(answer) : null;
    if (Value.Check(call.expect, body)) return body;
    throw new DestinationFailure('run_failed', `${vendor.name} sent an answer that cannot be used.`, {
      outcome: call.writes ? 'unknown' : 'refused',
      retryable: true,
    });
  }
}

function parsed(answer: OutgoingResponse): unknown {
  try {
    return answer.body.length === 0 ? {} : JSON.parse(answer.text());
  } catch {
    return null;
  }
}

/** An earlier attempt of the same call may have taken effect, whatever the last one was answered. */
function inUnknown(failure: DestinationFailure): DestinationFailure {
  if (failure.outcome === 'unknown') return failure;
  const { code, message, retryable, disables, retryAfterSeconds } = failure;
  const known = { outcome: 'unknown', retryable, disables, retryAfterSeconds, cause: failure } as const;
  return new DestinationFailure(code, message, known);
}
