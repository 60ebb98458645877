import type { ErrorCode } from '../../../src/vocabulary/error-codes.ts';
import { CURRENT_RELEASE, VERSION_HEADER } from '../../../src/vocabulary/service-version.ts';
import { ApiError, Unreachable } from './api-error.ts';
import { appUrl, leaveToSignIn } from './app-url.ts';
import { endedSession, setSessionEnded } from './ended-session.ts';
import { isOfOtherRecord, isRecordShown, leaveToOtherRecord, shownRecordHeader } from './shown-record.ts';
import { WriteKeys } from './write-keys.ts';

type Value = string | number | boolean | readonly string[] | undefined;

export interface Question {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Below `/v2/`, without a slash in front. */
  readonly path: string;
  readonly query?: Readonly<Record<string, Value>> | URLSearchParams;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

interface Answered<T> {
  readonly answer: T;
  /** Rows were left out, because one request reads no more (docs/api-conventions.md#headers). */
  readonly truncated: boolean;
}

const TRUNCATED = 'x-service-truncated';
const writes = new WriteKeys();

interface Refusal {
  readonly error: {
    readonly message: string;
    readonly code?: ErrorCode;
    readonly param?: string | null;
    readonly doc_url?: string;
  };
}

/**
 * Asks v2 on the application's own origin, as the person who is signed in. The answer is taken for what the operation's
 * schema says: the same process wrote it by that schema, and the tests hold every answer against it. Without a session
 * it leaves for the sign-in page and never returns, unless a page is shown already: that stays, says so, and this raises
 * an ApiError. It leaves for home where the browser has switched to another account record. Raises ApiError and Unreachable.
 */
export async function ask<T>(question: Question): Promise<T> {
  return (await askFully<T>(question)).answer;
}

/** The same, with what the answer says of itself in its headers. */
export async function askFully<T>(question: Question): Promise<Answered<T>> {
  const response = await answerOf(question);
  return { answer: await response.json(), truncated: response.headers.get(TRUNCATED) === 'true' };
}

/** An answer whose body is still to be read: exports have any number of rows. Raises as `ask`. */
export async function answerOf({ method = 'GET', path, query, body, signal }: Question): Promise<Response> {
  const url = appUrl(`v2/${path}`);
  url.search = searchOf(query).toString();
  const text = body === undefined ? null : JSON.stringify(body);
  const write = method === 'GET' ? null : `${method} ${url.href} ${text}`;
  const key = write === null ? null : writes.keyOf(write);
  const hadEnded = endedSession.read();
  const response = await fetch(url, {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      [VERSION_HEADER]: CURRENT_RELEASE,
      ...shownRecordHeader(),
      ...(key !== null && { 'idempotency-key': key }),
      ...(text !== null && { 'content-type': 'application/json' }),
    },
    ...(text !== null && { body: text }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    if (write !== null && key !== null) writes.lost(write, key);
    throw new Unreachable('No answer', { cause: error });
  });
  if (write !== null && key !== null) {
    if (isFinal(response)) writes.answered();
    else writes.lost(write, key);
  }
  // What was asked before the session ended says nothing of it.
  if (hadEnded && response.ok) setSessionEnded(false);
  if (response.ok) return response;
  if (response.status === 401) {
    if (!isRecordShown()) return leaveToSignIn();
    setSessionEnded(true);
  }
  const refusal: Refusal | null = await response.json().catch(() => null);
  if (isOfOtherRecord(refusal?.error.param ?? null)) return leaveToOtherRecord();
  throw new ApiError(refusal?.error.message ?? response.statusText, {
    status: response.status,
    code: refusal?.error.code ?? null,
    param: refusal?.error.param ?? null,
    docUrl: refusal?.error.doc_url ?? null,
    requestId: response.headers.get('request-id'),
    retryAfterMs: secondsIn(response.headers.get('retry-after')),
  });
}

/** A program in between may answer for a service that does the work all the same; so may another attempt, still at it. */
function isFinal({ status }: Response): boolean {
  return status < 500 && status !== 409;
}

function secondsIn(header: string | null): number | null {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}

function searchOf(query: Question['query']): URLSearchParams {
  if (query instanceof URLSearchParams) return query;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    if (typeof value !== 'object') search.append(name, String(value));
    else for (const one of value) search.append(name, one);
  }
  return search;
}
