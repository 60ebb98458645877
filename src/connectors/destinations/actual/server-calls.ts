import type { OutgoingFailure } from '../../../platform/outgoing-failure.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { retryAfterMs } from '../../../platform/retry.ts';
import { VendorHttp, type VendorHttpTools } from '../../../platform/vendor-http.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { Passing, PERSON_WAIT_MS, RUN_WAIT_MS, untilPassed } from '../kit/vendor-client.ts';

export type ServerTools = VendorHttpTools;

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

/** Calls of one sync server, with deadlines, caps and the only retry layer. */
export class ServerCalls {
  readonly #tools: ServerTools;
  readonly #http: VendorHttp;
  readonly #server: string;
  readonly #caller: Caller;
  #aheadMs = 0;

  /** @param server its address, without credentials and without a slash at its end */
  constructor(tools: ServerTools, server: string, caller: Caller) {
    this.#tools = tools;
    this.#http = new VendorHttp(tools);
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
    const attempt = () => this.#attempt(call, signal);
    const longestWaitMs = this.#caller.waits === 'run' ? RUN_WAIT_MS : PERSON_WAIT_MS;
    // Every call may be sent twice.
    return untilPassed(this.#http, attempt, { repeatable: true, longestWaitMs, signal });
  }

  async #attempt(
    { method, path, headers = {}, body, maxResponseBytes, writes = false }: Call,
    signal: AbortSignal,
  ): Promise<OutgoingResponse> {
    const { clock } = this.#tools;
    const answer = await this.#http.send({
      method,
      baseUrl: this.#server,
      path,
      headers,
      body,
      maxResponseBytes,
      owner: this.#caller.owner,
      signal,
      failureOf: (failure) => unanswered(failure, writes, this.origin),
    });
    const time = Date.parse(answer.header('date') ?? '');
    this.#aheadMs = Number.isNaN(time) ? 0 : clock.now() - time;
    if (answer.status !== 429 && answer.status < 500) return answer;
    const applied = writes && answer.status !== 429;
    const code = answer.status === 429 ? 'rate_limited' : answer.status === 504 ? 'timeout' : 'run_failed';
    const failure = passing(code, `${this.origin} answered ${answer.status}.`, applied);
    throw new Passing(failure, applied, retryAfterMs(answer.header('retry-after'), clock));
  }
}

/** What a call without an answer means. */
function unanswered(failure: OutgoingFailure, writes: boolean, origin: string): Error {
  const applied = failure.sent && writes;
  const code = failure.kind === 'timeout' ? 'timeout' : 'run_failed';
  const said = passing(code, failure.message, applied, failure);
  if (failure.kind === 'refused_address') return final(said);
  return failure.kind === 'too_large' ? tooLarge(said, origin) : new Passing(said, applied);
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
