import type { Clock } from '../../../platform/clock.ts';
import { brokenBound } from '../../../platform/json-bounds.ts';
import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { retrying } from '../../../platform/retry.ts';
import { retryBudgetClock, retryBudgetLeftMs } from '../../../platform/retry-budget.ts';
import { ANSWER_KINDS } from '../../../vocabulary/answer-kinds.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { UPSTREAM_FAILURES, UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { type CallKind, failureOfAnswer, failureOfCall, type VendorErrors } from './failures.ts';
import { malformed } from './json.ts';

/** The only wait of a read that a person waits for (docs/provider-failures.md#asked-again). */
const RETRY_DELAY_MS = 750;
/** The waits of a read that nobody waits for grow up to this, and go on while its job has retry budget left. */
const LONGEST_DELAY_MS = 10_000;

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
 * A vendor's wire at its lowest: one address, deadlines, caps of size, depth and number of values, further attempts.
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

  /**
   * Does the work again where the failure table says so: for reads, and for writes that may be repeated. Once, or for as
   * long as the retry budget of its background job lasts, and then not before the vendor wants to be asked.
   */
  async again<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const patient = retryBudgetClock(this.#options.clock);
    const plan = {
      jitter: true,
      shouldRetry: (error: unknown) =>
        error instanceof UpstreamFailure && UPSTREAM_FAILURES[error.situation].retry,
      ...(signal === undefined ? {} : { signal }),
    };
    if (patient === null)
      return retrying(work, { ...plan, delaysMs: [RETRY_DELAY_MS], clock: this.#options.clock });
    const budgetMs = retryBudgetLeftMs();
    try {
      return await retrying(work, {
        ...plan,
        delaysMs: growingDelays(budgetMs),
        budgetMs,
        retryAfterMs,
        clock: patient.clock,
      });
    } finally {
      patient.end();
    }
  }
}

/** As many as there can be in so many milliseconds: jitter halves them at most. */
function growingDelays(budgetMs: number): readonly number[] {
  const delays: number[] = [];
  for (let spent = 0, delay = RETRY_DELAY_MS; spent < budgetMs; spent += delay / 2) {
    delays.push(delay);
    delay = Math.min(2 * delay, LONGEST_DELAY_MS);
  }
  return delays;
}

function retryAfterMs(error: unknown): number | undefined {
  const seconds = error instanceof UpstreamFailure ? error.retryAfterSeconds : null;
  return seconds === null ? undefined : seconds * 1000;
}
