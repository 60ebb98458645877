import type { Clock } from '../../../platform/clock.ts';
import { OutgoingFailure } from '../../../platform/outgoing-failure.ts';
import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { retrying } from '../../../platform/retry.ts';
import { retryAfterMs } from '../../../platform/retry-after.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { PERSON_WAIT_MS, RUN_WAIT_MS } from '../kit/vendor-client.ts';

export interface ServerTools {
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** Whose server is called, and how long calls may be tried again: as long as a run can wait, or a person at a page. */
export interface Caller {
  readonly owner: string;
  readonly waits: 'run' | 'person';
}

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly maxResponseBytes: number;
  /** Whether it may change the budget: then a failure leaves something unknown. */
  readonly writes?: boolean;
}

/** Further attempts after 1, 2 and 4 s, each shortened at random: every call may be sent twice. */
const DELAYS_MS = [1_000, 2_000, 4_000] as const;

/** An attempt that failed and may be repeated. */
class Passing extends Error {
  readonly failure: DestinationFailure;
  readonly applied: boolean;
  readonly afterMs: number | undefined;

  constructor(failure: DestinationFailure, applied: boolean, afterMs?: number) {
    super(failure.message);
    this.failure = failure;
    this.applied = applied;
    this.afterMs = afterMs;
  }
}

/** Calls of one sync server, with deadlines, caps and the only retry layer. */
export class ServerCalls {
  readonly #tools: ServerTools;
  readonly #server: string;
  readonly #caller: Caller;
  #aheadMs = 0;

  /** @param server its address, without credentials and without a slash at its end */
  constructor(tools: ServerTools, server: string, caller: Caller) {
    this.#tools = tools;
    this.#server = server;
    this.#caller = caller;
  }

  get origin(): string {
    return new URL(this.#server).origin;
  }

  /** How far this service's clock is ahead of the server's, by its last answer; 0 where it does not say. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /**
   * The final answer, whatever its status. Raises DestinationFailure where there is none, with `unknown` where the call may
   * have been carried out all the same, and `signal.reason` once aborted.
   */
  async answer(call: Call, signal: AbortSignal): Promise<OutgoingResponse> {
    let inDoubt = false;
    try {
      return await retrying(() => this.#attempt(call, signal), {
        delaysMs: DELAYS_MS,
        jitter: true,
        shouldRetry: (error) => {
          if (error instanceof Passing) inDoubt ||= error.applied;
          return error instanceof Passing;
        },
        retryAfterMs: (error) => (error instanceof Passing ? error.afterMs : undefined),
        clock: this.#tools.clock,
        signal,
        budgetMs: this.#caller.waits === 'run' ? RUN_WAIT_MS : PERSON_WAIT_MS,
      });
    } catch (error) {
      signal.throwIfAborted();
      const failure = error instanceof Passing ? error.failure : error;
      if (!(failure instanceof DestinationFailure) || !inDoubt) throw failure;
      const { code, message, retryable } = failure;
      throw new DestinationFailure(code, message, { outcome: 'unknown', retryable, cause: failure });
    }
  }

  async #attempt(call: Call, signal: AbortSignal): Promise<OutgoingResponse> {
    const { http, clock, limits } = this.#tools;
    const writes = call.writes ?? false;
    try {
      const answer = await http.request({
        method: call.method,
        url: new URL(this.#server + call.path),
        ...(call.headers === undefined ? {} : { headers: call.headers }),
        ...(call.body === undefined ? {} : { body: call.body }),
        signal,
        deadlineMs: limits.read_deadline_ms,
        maxResponseBytes: call.maxResponseBytes,
        maxErrorBytes: limits.answer_error_bytes,
        owner: this.#caller.owner,
        // Only towards ACTUAL_SERVER_URL; every other address is the guard's to judge.
        trusted: true,
      });
      const time = Date.parse(answer.header('date') ?? '');
      this.#aheadMs = Number.isNaN(time) ? 0 : clock.now() - time;
      if (answer.status !== 429 && answer.status < 500) return answer;
      const applied = writes && answer.status !== 429;
      const code = answer.status === 429 ? 'rate_limited' : answer.status === 504 ? 'timeout' : 'run_failed';
      const failure = passing(code, `${this.origin} answered ${answer.status}.`, applied);
      throw new Passing(failure, applied, retryAfterMs(answer.header('retry-after'), clock));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OutgoingFailure)) throw error;
      const applied = error.sent && writes;
      const code = error.kind === 'timeout' ? 'timeout' : 'run_failed';
      const failure = passing(code, error.message, applied, error);
      if (error.kind === 'refused_address') throw final(failure);
      if (error.kind === 'too_large') throw tooLarge(failure, this.origin);
      throw new Passing(failure, applied);
    }
  }
}

function passing(
  code: DestinationFailure['code'],
  message: string,
  applied: boolean,
  cause?: unknown,
): DestinationFailure {
  const outcome = applied ? 'unknown' : 'refused';
  return new DestinationFailure(code, message, { outcome, retryable: true, cause });
}

function final({ code, message, outcome, cause }: DestinationFailure): DestinationFailure {
  return new DestinationFailure(code, message, { outcome, retryable: false, cause });
}

function tooLarge({ outcome, cause }: DestinationFailure, origin: string): DestinationFailure {
  const message = `${origin} sent more of a budget than is accepted: raise LIMIT_BUDGET_FILE_BYTES.`;
  return new DestinationFailure('run_failed', message, { outcome, retryable: false, cause });
}
