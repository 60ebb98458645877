import type { Clock } from '../../../platform/clock.ts';
import { brokenBound } from '../../../platform/json-bounds.ts';
import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { retrying } from '../../../platform/retry.ts';
import { ANSWER_KINDS } from '../../../vocabulary/answer-kinds.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { UPSTREAM_FAILURES, UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { type CallKind, failureOfAnswer, failureOfCall, type VendorErrors } from './failures.ts';
import { malformed } from './json.ts';

/** docs/provider-failures.md asks for one further attempt after 250 to 750 ms. */
const RETRY_DELAY_MS = 750;

/** A call that is no page, of no account, and answered with one object. */
export const ONE_OBJECT: CallKind = { cursor: false, account: false, answer: 'object' };

/** What the calls of a vendor need. */
export interface VendorCallsOptions {
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Where the vendor is reached; a path in it stays in front. */
  readonly baseUrl: string;
  readonly errors: VendorErrors;
}

/** One call. */
export interface VendorCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with a slash; each part that comes from elsewhere is encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** As it is sent; the headers name its type. */
  readonly body?: string;
  readonly kind: CallKind;
  /** Absent for calls that several callers share. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A vendor's wire at its lowest: one address, deadlines, caps of size, depth and number of values, one further attempt.
 * Everything it raises is an UpstreamFailure, or `signal.reason` once aborted.
 */
export class VendorCalls {
  readonly #options: VendorCallsOptions;

  constructor(options: VendorCallsOptions) {
    this.#options = options;
  }

  /** The answer, of any status. For those who look at a status first, as at a 401 that a new token may resolve. */
  async send({
    method,
    path,
    query = {},
    headers,
    body,
    kind,
    signal,
  }: VendorCall): Promise<OutgoingResponse> {
    const { http, limits, baseUrl } = this.#options;
    const url = new URL(baseUrl.replace(/\/+$/, '') + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    try {
      return await http.request({
        method,
        url,
        headers,
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
        deadlineMs: limits.read_deadline_ms,
        maxResponseBytes: limits[ANSWER_KINDS[kind.answer]],
        maxErrorBytes: limits.answer_error_bytes,
        trusted: true,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw failureOfCall(error);
    }
  }

  /** The JSON text of a 2xx answer, within the bounds of what may be parsed. */
  bodyOf(response: OutgoingResponse, kind: CallKind): string {
    const { limits, errors, clock } = this.#options;
    if (!response.ok) throw failureOfAnswer(response, kind, errors, clock);
    const { answer_depth: depth, answer_values: values } = limits;
    const broken = brokenBound(response.body, { depth, values });
    if (broken !== null)
      throw malformed(broken === 'depth' ? 'it is nested too deep' : 'it holds too many values');
    return response.text();
  }

  /** Does the work once more where the failure table says so: for reads, and for writes that may be repeated. */
  again<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    return retrying(work, {
      delaysMs: [RETRY_DELAY_MS],
      jitter: true,
      shouldRetry: (error) => error instanceof UpstreamFailure && UPSTREAM_FAILURES[error.situation].retry,
      clock: this.#options.clock,
      ...(signal === undefined ? {} : { signal }),
    });
  }
}
