import type { Clock } from '../../../platform/clock.ts';
import type { OutgoingFailure, OutgoingFailureKind } from '../../../platform/outgoing-failure.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { MOST_RETRY_AFTER_MS, retryAfterMs } from '../../../platform/retry.ts';
import { retryBudgetClock, retryBudgetLeftMs } from '../../../platform/retry-budget.ts';
import { scrub } from '../../../platform/scrub.ts';
import { VendorHttp, type VendorHttpTools, type VendorRequest } from '../../../platform/vendor-http.ts';
import { ANSWER_KINDS, type AnswerKind } from '../../../vocabulary/answer-kinds.ts';
import {
  UPSTREAM_FAILURES,
  UpstreamFailure,
  type UpstreamSituation,
} from '../../../vocabulary/upstream-failures.ts';
import { isWireObject, malformed, type WireObject } from './json.ts';

/** The only wait before a retry of a read that a person waits for (docs/provider-failures.md#asked-again). */
const RETRY_DELAY_MS = 750;
/** In the background, the waits of a read grow up to this, and continue while its job has retry budget left. */
const LONGEST_DELAY_MS = 10_000;

/** What kind of call was answered: some statuses mean different things for different calls. */
export interface CallKind {
  /** A page after the first: a 503 may mean that the cursor is no longer valid. */
  readonly cursor: boolean;
  /** A read of one account: a 404 means that the account is gone. */
  readonly account: boolean;
  /** What the answer contains, which bounds its size. */
  readonly answer: AnswerKind;
}

/** A call that is not a page, is not about an account, and is answered with one object. */
export const ONE_OBJECT: CallKind = { cursor: false, account: false, answer: 'object' };

/** What an error body of a vendor says. The message may contain anything: it is scrubbed before it is shown. */
export interface SaidError {
  readonly codes: readonly string[];
  readonly message: string | null;
}

/** How a vendor reports errors. The kit handles everything that follows plain HTTP. */
export interface VendorErrors {
  /** Reads an error body that is a JSON object. */
  read(body: WireObject): SaidError;
  /** What a code means; the first match counts. */
  readonly codes: readonly (readonly [RegExp, UpstreamSituation])[];
  /** What a status means if it differs from HTTP in general; null if it does not. */
  situation?(status: number, kind: CallKind, response: OutgoingResponse): UpstreamSituation | null;
  /**
   * Seconds to wait, for a vendor that says so elsewhere than in `Retry-After`, which takes precedence; null if it does
   * not.
   */
  wait?(response: OutgoingResponse, said: SaidError): number | null;
}

/** What the calls of a vendor need. */
export interface VendorCallsOptions extends VendorHttpTools {
  /** Where the vendor is reached; a path in it stays in front. */
  readonly baseUrl: string;
  readonly errors: VendorErrors;
  /**
   * For an address that a person gave, and not the operator: the address guard applies, and its sockets and look-ups
   * of names are those of this name. Absent for the operator's.
   */
  readonly chosenBy?: string;
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

  /** The answer, of any status. For callers that check the status first, such as a 401 that a new token may resolve. */
  send({ kind, query = {}, ...call }: VendorCall): Promise<OutgoingResponse> {
    const { limits, baseUrl, chosenBy } = this.#options;
    return this.#http.send({
      ...call,
      ...(chosenBy === undefined ? {} : { owner: chosenBy, guarded: true }),
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
   * Retries the work as the failure table says: for reads, and for writes that may be repeated. Once, or for as long as
   * the retry budget of its background job lasts, and then not before the vendor allows.
   */
  async again<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const patient = retryBudgetClock(this.#options.clock);
    if (patient === null)
      return this.#http.attempts(work, {
        delaysMs: [RETRY_DELAY_MS],
        shouldRetry,
        signal,
      });
    const budgetMs = retryBudgetLeftMs();
    const { clock } = patient;
    try {
      const delaysMs = growingDelays(budgetMs);
      return await this.#http.attempts(work, {
        delaysMs,
        budgetMs,
        shouldRetry,
        retryAfterMs: askedWaitMs,
        clock,
        signal,
      });
    } finally {
      patient.end();
    }
  }
}

function shouldRetry(error: unknown): boolean {
  return error instanceof UpstreamFailure && UPSTREAM_FAILURES[error.situation].retry;
}

/** As many delays as fit into that many milliseconds: jitter halves them at most. */
function growingDelays(budgetMs: number): readonly number[] {
  const delays: number[] = [];
  for (let spent = 0, delay = RETRY_DELAY_MS; spent < budgetMs; spent += delay / 2) {
    delays.push(delay);
    delay = Math.min(2 * delay, LONGEST_DELAY_MS);
  }
  return delays;
}

function askedWaitMs(error: unknown): number | undefined {
  const seconds = error instanceof UpstreamFailure ? error.retryAfterSeconds : null;
  return seconds === null ? undefined : seconds * 1000;
}

/** An error answer of a vendor. `status` lets an adapter look closer if the answer alone is ambiguous. */
export class ErrorAnswer extends UpstreamFailure {
  readonly status: number;

  constructor(
    situation: UpstreamSituation,
    message: string,
    status: number,
    retryAfterSeconds: number | null,
  ) {
    super(situation, message, retryAfterSeconds === null ? {} : { retryAfterSeconds });
    this.status = status;
  }
}

/** The failure for an error answer (docs/provider-failures.md). */
export function failureOfAnswer(
  response: OutgoingResponse,
  kind: CallKind,
  vendor: VendorErrors,
  clock: Clock,
): ErrorAnswer {
  const { status } = response;
  const saidError = saidBy(response, vendor);
  const { codes, message } = saidError;
  const coded = vendor.codes.find(([pattern]) => codes.some((code) => pattern.test(code)))?.[1];
  const situation = coded ?? vendor.situation?.(status, kind, response) ?? situationOf(status, kind);
  const waits = situation === 'rate_limited' || situation === 'not_ready';
  const said = scrub(message ?? '');
  return new ErrorAnswer(
    situation,
    said === '' ? `It answered ${status}.` : `It answered ${status}: ${said}`,
    status,
    waits ? waitSeconds(response.header('retry-after'), clock, vendor.wait?.(response, saidError)) : null,
  );
}

function saidBy(response: OutgoingResponse, vendor: VendorErrors): SaidError {
  let body: unknown;
  try {
    body = JSON.parse(response.text());
  } catch {
    body = null;
  }
  return isWireObject(body) ? vendor.read(body) : { codes: [], message: null };
}

function situationOf(status: number, kind: CallKind): UpstreamSituation {
  switch (status) {
    case 400:
    case 406:
    case 422:
      return 'bad_request';
    case 401:
      return 'own_credentials';
    case 404:
      return kind.account ? 'account_gone' : 'other';
    case 425:
      return 'not_ready';
    case 429:
      return 'rate_limited';
    case 501:
      return 'not_implemented';
    case 503:
      return kind.cursor ? 'stale_cursor' : 'server_error';
    case 504:
      return 'gateway_timeout';
    default:
      return status >= 500 ? 'server_error' : 'other';
  }
}

/** Seconds to wait, from 1 to a day, or null if nothing usable was sent. */
function waitSeconds(
  header: string | undefined,
  clock: Clock,
  elsewhere: number | null = null,
): number | null {
  const asked = retryAfterMs(header, clock);
  const seconds = asked === undefined ? elsewhere : asked / 1000;
  return seconds === null ? null : Math.min(MOST_RETRY_AFTER_MS / 1000, Math.max(1, Math.ceil(seconds)));
}

const SITUATIONS: Record<Exclude<OutgoingFailureKind, 'aborted'>, UpstreamSituation> = {
  refused_address: 'connect',
  connect: 'connect',
  dns: 'connect',
  tls: 'connect',
  reset: 'connect',
  timeout: 'deadline',
  too_large: 'malformed',
  protocol: 'malformed',
};

/** The failure for a call that got no answer; an abort is returned as it is. */
function failureOfCall(failure: OutgoingFailure): Error {
  const { kind, message } = failure;
  return kind === 'aborted' ? failure : new UpstreamFailure(SITUATIONS[kind], message, { cause: failure });
}
