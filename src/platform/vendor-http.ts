import type { Limits } from '../vocabulary/limits.ts';
import type { Clock } from './clock.ts';
import { brokenBound, type JsonBounds } from './json-bounds.ts';
import { OutgoingFailure } from './outgoing-failure.ts';
import type { OutgoingHttp } from './outgoing-http.ts';
import type { OutgoingResponse } from './outgoing-response.ts';
import { retrying } from './retry.ts';

/** What calls of a vendor need. */
export interface VendorHttpTools {
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** One call. */
export interface VendorRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Where the vendor is reached; a path in it stays in front. Unless the operator chose it, the address guard judges it. */
  readonly baseUrl: string;
  /** Begins with a slash and follows the base address; each part that comes from elsewhere is encoded. Empty for the base. */
  readonly path: string;
  /** A name given twice is there twice. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** As it is sent; the headers name its type. */
  readonly body?: string | Buffer | undefined;
  readonly maxResponseBytes: number;
  /** The account record whose address it is, where it is not the vendor's own. */
  readonly owner?: string;
  /** Absent for calls that several callers share. */
  readonly signal?: AbortSignal | undefined;
  /** What a call without an answer means to those who make it. */
  readonly failureOf: (failure: OutgoingFailure) => unknown;
}

/** When further attempts begin. */
export interface FurtherAttempts {
  /** The wait before each, shortened at random by up to half. */
  readonly delaysMs: readonly number[];
  /** How long after the first attempt a further one may begin. */
  readonly budgetMs?: number;
  /** Whether the error passes by itself, so that another attempt may help. */
  readonly passes: (error: unknown) => boolean;
  /** How long the vendor asked to be left alone. */
  readonly afterMs: (error: unknown) => number | undefined;
  /** Where the attempts do not wait on the clock of the calls. */
  readonly clock?: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * How the API of any vendor is called: with a deadline, caps on the bytes, depth and values of an answer, and the only
 * layer of further attempts. What an answer or a failure means is for those who call.
 */
export class VendorHttp {
  readonly #tools: VendorHttpTools;

  constructor(tools: VendorHttpTools) {
    this.#tools = tools;
  }

  /** The answer, of any status. Raises what `failureOf` returns, or `signal.reason` once aborted. */
  async send(request: VendorRequest): Promise<OutgoingResponse> {
    const { http, limits } = this.#tools;
    const { method, headers, body, maxResponseBytes, owner, signal } = request;
    const { baseUrl, path } = request;
    const url = new URL(path === '' ? baseUrl : baseUrl.replace(/\/+$/, '') + path);
    for (const [name, value] of request.query ?? []) url.searchParams.append(name, value);
    try {
      return await http.request({
        method,
        url,
        headers,
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
        ...(owner === undefined ? {} : { owner }),
        deadlineMs: limits.read_deadline_ms,
        maxResponseBytes,
        maxErrorBytes: limits.answer_error_bytes,
        trusted: true,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof OutgoingFailure ? request.failureOf(error) : error;
    }
  }

  /** Which bound of what may be parsed the answer breaks; null where it may be parsed. */
  brokenBound({ body }: OutgoingResponse): keyof JsonBounds | null {
    const { answer_depth: depth, answer_values: values } = this.#tools.limits;
    return brokenBound(body, { depth, values });
  }

  /** Does the work, and does it again after errors that pass by themselves; then raises the last error. */
  attempts<T>(work: () => Promise<T>, further: FurtherAttempts): Promise<T> {
    const { delaysMs, budgetMs, passes, afterMs, clock = this.#tools.clock, signal } = further;
    return retrying(work, {
      delaysMs,
      jitter: true,
      shouldRetry: passes,
      retryAfterMs: afterMs,
      clock,
      ...(signal === undefined ? {} : { signal }),
      ...(budgetMs === undefined ? {} : { budgetMs }),
    });
  }
}
