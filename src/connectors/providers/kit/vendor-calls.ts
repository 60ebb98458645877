import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { retryBudgetClock, retryBudgetLeftMs } from '../../../platform/retry-budget.ts';
import { VendorHttp, type VendorHttpTools, type VendorRequest } from '../../../platform/vendor-http.ts';
import { ANSWER_KINDS } from '../../../vocabulary/answer-kinds.ts';
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
export interface VendorCallsOptions extends VendorHttpTools {
  /** Where the vendor is reached; a path in it stays in front. */
  readonly baseUrl: string;
  readonly errors: VendorErrors;
}

/** One call. */
export interface VendorCall extends Pick<VendorRequest, 'method' | 'path' | 'headers' | 'body' | 'signal'> {
  readonly query?: Readonly<Record<string, string>>;
  readonly kind: CallKind;
}

/**
 * The calls of one vendor, whose failures are those of docs/provider-failures.md. Everything raised is an
 * UpstreamFailure, or `signal.reason` once aborted.
 */
export class VendorCalls {
  readonly #options: VendorCallsOptions;
  readonly #http: VendorHttp;

  constructor(options: VendorCallsOptions) {
    this.#options = options;
    this.#http = new VendorHttp(options);
  }

  /** The answer, of any status. For those who look at a status first, as at a 401 that a new token may resolve. */
  send({ kind, query = {}, ...call }: VendorCall): Promise<OutgoingResponse> {
    const { limits, baseUrl } = this.#options;
    return this.#http.send({
      ...call,
      baseUrl,
      query: Object.entries(query),
      maxResponseBytes: limits[ANSWER_KINDS[kind.answer]],
      failureOf: failureOfCall,
    });
  }

  /** The JSON text of a 2xx answer, within the bounds of what may be parsed. */
  bodyOf(response: OutgoingResponse, kind: CallKind): string {
    const { errors, clock } = this.#options;
    if (!response.ok) throw failureOfAnswer(response, kind, errors, clock);
    const broken = this.#http.brokenBound(response);
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
    if (patient === null)
      return this.#http.attempts(work, {
        delaysMs: [RETRY_DELAY_MS],
        passes,
        afterMs: () => undefined,
        signal,
      });
    const budgetMs = retryBudgetLeftMs();
    const { clock } = patient;
    try {
      const delaysMs = growingDelays(budgetMs);
      return await this.#http.attempts(work, {
        delaysMs,
        budgetMs,
        passes,
        afterMs: retryAfterMs,
        clock,
        signal,
      });
    } finally {
      patient.end();
    }
  }
}

function passes(error: unknown): boolean {
  return error instanceof UpstreamFailure && UPSTREAM_FAILURES[error.situation].retry;
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
