import type { Static, TSchema } from 'typebox';
import type { OutgoingFailure } from '../../../platform/outgoing-failure.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { retryAfterMs } from '../../../platform/retry.ts';
import { VendorHttp, type VendorHttpTools } from '../../../platform/vendor-http.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { Passing, PERSON_WAIT_MS, RUN_WAIT_MS, untilPassed } from '../kit/vendor-client.ts';
import {
  type BudgetFile,
  type BudgetInfo,
  bodyOf,
  FilesAnswer,
  InfoAnswer,
  isRefusal,
  KeyAnswer,
  LoginAnswer,
  missingBudget,
  refusalOf,
} from './failures.ts';
import type { ServerSecret } from './secret.ts';

/** What the server accepts as the id of a budget, and what a header can contain. */
const BUDGET_ID = /^[\w-]+$/;

/**
 * The HTTP interface of one sync server. It signs in before its first call, and again if the session has ended. Raises
 * DestinationFailure, VendorRefusal for the server's final answers, and `signal.reason` once aborted.
 */
export class SyncServer {
  readonly #tools: VendorHttpTools;
  readonly #password: string | null;
  readonly #calls: ServerCalls;
  #token: string | null;

  constructor(tools: VendorHttpTools, { server, password, token }: ServerSecret, caller: Caller) {
    this.#tools = tools;
    this.#password = password;
    this.#calls = new ServerCalls(tools, server, caller);
    this.#token = token;
  }

  /** How far this service's clock is ahead of the server's, by its last answer; 0 if it does not say. */
  get aheadMs(): number {
    return this.#calls.aheadMs;
  }

  /** Every budget, in the server's order. */
  async budgets(signal: AbortSignal): Promise<readonly BudgetFile[]> {
    const answer = await this.#json('/sync/list-user-files', FilesAnswer, signal);
    return answer.data.filter(({ deleted }) => deleted === 0 || deleted === false);
  }

  /** Raises `destination_resource_missing` if there is no such budget. */
  async info(budget: string, signal: AbortSignal): Promise<BudgetInfo> {
    if (!BUDGET_ID.test(budget)) throw missingBudget(this.#calls.origin);
    const headers = { 'x-actual-file-id': budget };
    const { data } = await this.#json('/sync/get-user-file-info', InfoAnswer, signal, { headers });
    if (data.deleted === 0 || data.deleted === false) return data;
    throw missingBudget(this.#calls.origin);
  }

  /** The budget as it was last uploaded: a ZIP file, encrypted if the budget is. */
  async download(budget: string, signal: AbortSignal): Promise<Buffer> {
    const { budget_file_bytes: maxResponseBytes } = this.#tools.limits;
    const answer = await this.#signedIn(
      {
        method: 'GET',
        path: '/sync/download-user-file',
        headers: { 'x-actual-file-id': budget, accept: '*/*' },
        maxResponseBytes,
      },
      signal,
    );
    return answer.body;
  }

  /** The salt of the budget's current encryption key; null if it is not encrypted. */
  async keySalt(budget: string, signal: AbortSignal): Promise<string | null> {
    const body = JSON.stringify({ fileId: budget });
    const { data } = await this.#json('/sync/user-get-key', KeyAnswer, signal, { method: 'POST', body });
    return data.salt ?? null;
  }

  /** @param writes whether the request contains messages */
  async sync(request: Buffer, writes: boolean, signal: AbortSignal): Promise<Buffer> {
    const { budget_file_bytes: maxResponseBytes } = this.#tools.limits;
    const headers = { 'content-type': 'application/actual-sync', accept: '*/*' };
    const call = {
      method: 'POST',
      path: '/sync/sync',
      headers,
      body: request,
      maxResponseBytes,
      writes,
    } as const;
    return (await this.#signedIn(call, signal)).body;
  }

  async #json<T extends TSchema>(
    path: string,
    expect: T,
    signal: AbortSignal,
    more: Partial<Pick<Call, 'method' | 'headers' | 'body'>> = {},
  ): Promise<Static<T>> {
    const { answer_list_bytes: maxResponseBytes } = this.#tools.limits;
    const { headers, ...rest } = more;
    const given = { 'content-type': 'application/json', ...headers };
    const call = { method: 'GET', path, maxResponseBytes, headers: given, ...rest } as const;
    return this.#body(await this.#signedIn(call, signal), expect);
  }

  async #signedIn(call: Call, signal: AbortSignal): Promise<OutgoingResponse> {
    this.#token ??= await this.#login(signal);
    const answer = await this.#calls.answer(this.#withToken(call), signal);
    if (answer.status !== 401 || this.#password === null) return this.#accepted(answer);
    this.#token = await this.#login(signal);
    return this.#accepted(await this.#calls.answer(this.#withToken(call), signal));
  }

  #withToken(call: Call): Call {
    return { ...call, headers: { ...call.headers, 'x-actual-token': this.#token ?? '' } };
  }

  async #login(signal: AbortSignal): Promise<string> {
    const call = {
      method: 'POST',
      path: '/account/login',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ loginMethod: 'password', password: this.#password }),
      maxResponseBytes: this.#tools.limits.answer_object_bytes,
    } as const;
    const answer = this.#accepted(await this.#calls.answer(call, signal));
    // Behind a proxy that signs people in, the server refuses with status 200.
    if (isRefusal(answer)) throw refusalOf(answer, this.#calls.origin);
    return this.#body(answer, LoginAnswer).data.token;
  }

  #accepted(answer: OutgoingResponse): OutgoingResponse {
    if (answer.ok) return answer;
    throw refusalOf(answer, this.#calls.origin);
  }

  #body<T extends TSchema>(answer: OutgoingResponse, expect: T): Static<T> {
    return bodyOf(answer, expect, this.#tools.limits, this.#calls.origin);
  }
}

/**
 * Whose server is called, and how long calls may be retried: as long as a run can wait, or a person looking at a page.
 */
interface Caller {
  readonly owner: string;
  readonly waits: 'run' | 'person';
}

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly maxResponseBytes: number;
  /** Whether it may change the budget: if so, a failure leaves the outcome unknown. */
  readonly writes?: boolean;
}

/** Calls of one sync server, with deadlines, caps and the only retry layer. */
class ServerCalls {
  readonly #tools: VendorHttpTools;
  readonly #http: VendorHttp;
  readonly #server: string;
  readonly #caller: Caller;
  #aheadMs = 0;

  /** @param server its address, without credentials or trailing slash */
  constructor(tools: VendorHttpTools, server: string, caller: Caller) {
    this.#tools = tools;
    this.#http = new VendorHttp(tools);
    this.#server = server;
    this.#caller = caller;
  }

  get origin(): string {
    return new URL(this.#server).origin;
  }

  /** How far this service's clock is ahead of the server's, by its last answer; 0 if it does not say. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /**
   * The final answer, of any status. Raises DestinationFailure if there is none, with `unknown` if the call may have
   * taken effect anyway, and `signal.reason` once aborted.
   */
  async answer(call: Call, signal: AbortSignal): Promise<OutgoingResponse> {
    const attempt = () => this.#attempt(call, signal);
    const longestWaitMs = this.#caller.waits === 'run' ? RUN_WAIT_MS : PERSON_WAIT_MS;
    // Every call may be repeated.
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

/** The failure for a call without an answer. */
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
