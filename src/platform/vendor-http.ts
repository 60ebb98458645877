import type { Limits } from '../vocabulary/limits.ts';
import type { Clock } from './clock.ts';
import { brokenBound, type JsonBounds } from './json-bounds.ts';
import { OutgoingFailure } from './outgoing-failure.ts';
import type { OutgoingHttp } from './outgoing-http.ts';
import type { OutgoingResponse } from './outgoing-response.ts';
import { type RetryPlan, retrying } from './retry.ts';

/** What calls of a vendor need. */
export interface VendorHttpTools {
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** One call. */
export interface VendorRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * Where the vendor is reached; a path in it stays in front. Unless the operator chose it, the address guard checks
   * it.
   */
  readonly baseUrl: string;
  /** Begins with a slash and follows the base address; each part that comes from elsewhere is encoded. Empty for the base. */
  readonly path: string;
  /** A name given twice is sent twice. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as it is; the headers name its type. */
  readonly body?: string | Buffer | undefined;
  readonly maxResponseBytes: number;
  /** The account record whose address it is, where it is not the vendor's own. */
  readonly owner?: string;
  /** Whether the address guard applies even to an address that the operator configured. */
  readonly guarded?: boolean;
  /** Absent for calls that several callers share. */
  readonly signal?: AbortSignal | undefined;
  /** The error to raise for a call that got no answer. */
  readonly failureOf: (failure: OutgoingFailure) => unknown;
}

/**
 * How the API of any vendor is called: with a deadline, caps on the bytes, depth and values of an answer, and the only
 * layer of further attempts. The meaning of an answer or a failure is left to the callers.
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
        trusted: request.guarded !== true,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof OutgoingFailure ? request.failureOf(error) : error;
    }
  }

  /** Which bound on parsing the answer exceeds; null if it may be parsed. */
  brokenBound({ body }: OutgoingResponse): keyof JsonBounds | null {
    const { answer_depth: depth, answer_values: values } = this.#tools.limits;
    return brokenBound(body, { depth, values });
  }

  /** Does the work, and retries it as planned; by default on the clock of the calls. Raises the last error. */
  attempts<T>(
    work: () => Promise<T>,
    plan: Omit<RetryPlan, 'clock'> & { readonly clock?: Clock },
  ): Promise<T> {
    return retrying(work, { clock: this.#tools.clock, ...plan });
  }
}
