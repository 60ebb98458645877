import type { Static, TSchema } from 'typebox';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
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
import { type Call, type Caller, ServerCalls, type ServerTools } from './server-calls.ts';

/** What the server takes for the id of a budget, and what a header can hold. */
const BUDGET_ID = /^[\w-]+$/;

/**
 * The HTTP interface of one sync server. It signs in before its first call, and once more where the session ended. Raises
 * DestinationFailure, VendorRefusal for the server's final answers, and `signal.reason` once aborted.
 */
export class SyncServer {
  readonly #tools: ServerTools;
  readonly #password: string | null;
  readonly #calls: ServerCalls;
  #token: string | null;

  constructor(tools: ServerTools, { server, password, token }: ServerSecret, caller: Caller) {
    this.#tools = tools;
    this.#password = password;
    this.#calls = new ServerCalls(tools, server, caller);
    this.#token = token;
  }

  /** How far this service's clock is ahead of the server's, by its last answer; 0 where it does not say. */
  get aheadMs(): number {
    return this.#calls.aheadMs;
  }

  /** Every budget that is there, in the server's order. */
  async budgets(signal: AbortSignal): Promise<readonly BudgetFile[]> {
    const answer = await this.#json('/sync/list-user-files', FilesAnswer, signal);
    return answer.data.filter(({ deleted }) => deleted === 0 || deleted === false);
  }

  /** Raises `destination_resource_missing` for a budget that is not there. */
  async info(budget: string, signal: AbortSignal): Promise<BudgetInfo> {
    if (!BUDGET_ID.test(budget)) throw missingBudget(this.#calls.origin);
    const headers = { 'x-actual-file-id': budget };
    const { data } = await this.#json('/sync/get-user-file-info', InfoAnswer, signal, { headers });
    if (data.deleted === 0 || data.deleted === false) return data;
    throw missingBudget(this.#calls.origin);
  }

  /** The budget as it was last uploaded: a ZIP file, encrypted where the budget is. */
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

  /** The salt of the key with which the budget is encrypted now; null where it is not. */
  async keySalt(budget: string, signal: AbortSignal): Promise<string | null> {
    const body = JSON.stringify({ fileId: budget });
    const { data } = await this.#json('/sync/user-get-key', KeyAnswer, signal, { method: 'POST', body });
    return data.salt ?? null;
  }

  /** @param writes whether the request holds messages */
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
