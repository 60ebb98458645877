import type { StoredAnswer } from '../features/idempotency/idempotency.ts';
import { parsePublicId, type RowId } from '../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../vocabulary/limits.ts';
import { ServiceError } from '../vocabulary/service-error.ts';
import { type Effect, JsonText, type UnparsedRequest } from './operation-request.ts';

/** What every intermediary passes on unchanged. */
const PRINTABLE = /^[\x20-\x7e]+$/;
const NO_HEADERS: OperationAnswer['headers'] = [];

/** The response of an operation; `headers` are those of a request with a key, which a repeat sends again. */
export interface OperationAnswer extends StoredAnswer {
  /** Whether it is the answer to an earlier request with the same key. */
  readonly replayed: boolean;
}

/** The members of an operation that determine how a repeat is answered. */
interface OnceSettings {
  readonly id: string;
  readonly effect: Effect;
  readonly status: number;
  readonly answersSecret: boolean;
}

/** Whether the text may be an idempotency key: printable ASCII of a bounded length (docs/limits.md). */
export function isIdempotencyKey(text: string): boolean {
  return text.length <= FIXED_LIMITS.idempotency_key_characters && PRINTABLE.test(text);
}

/**
 * Runs the operation or, if the caller sent a key and was answered before, repeats that response. Raises
 * `idempotency_key_invalid`, `idempotency_key_reused`, `idempotency_key_in_use` and what the work raises.
 */
export async function answerOnce(
  operation: OnceSettings,
  request: UnparsedRequest,
  work: (request: UnparsedRequest) => Promise<unknown>,
): Promise<OperationAnswer> {
  const { effect, status } = operation;
  const key = effect === 'reads' ? undefined : request.idempotencyKey;
  if (effect === 'reads' || key === undefined) {
    return { status, text: await textOf(await work(request)), headers: NO_HEADERS, replayed: false };
  }
  if (!isIdempotencyKey(key)) {
    throw new ServiceError('idempotency_key_invalid', {
      param: 'Idempotency-Key',
      message: `Idempotency-Key must have 1 to ${FIXED_LIMITS.idempotency_key_characters} printable ASCII characters.`,
    });
  }
  const { caller, services, params, query, include, body } = request;
  const sent = {
    owner: caller.accountRecord.id,
    caller,
    secret: operation.answersSecret,
    connection: connectionOf(params),
    key,
    request: canonicalJson([operation.id, params, query, [...include].toSorted(), body]),
  };
  const headers: [string, string][] = [];
  const { answer, replayed } = await services.idempotency.answer(sent, effect, async () => {
    const header = (name: string, value: string) => void headers.push([name, value]);
    return { status, headers, text: await textOf(await work(request.withHeader(header))) };
  });
  return { ...answer, replayed };
}

/** The connection in the path, if there is one. */
function connectionOf(params: unknown): RowId<'connection'> | null {
  if (typeof params !== 'object' || params === null || !('id' in params)) return null;
  return typeof params.id === 'string' ? parsePublicId('connection', params.id) : null;
}

async function textOf(result: unknown): Promise<string> {
  return result instanceof JsonText ? result.text : slicedJson(result);
}

/**
 * One text for all ways to write the same JSON value: the order of members does not count, that of items does. Only for
 * values whose depth was checked (parameters.ts): it would exhaust the stack.
 */
export function canonicalJson(value: unknown): string {
  // Not as JSON, which writes null for a number out of range, such as 1e999.
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join()}}`;
}

/** About a millisecond of work, and the size from which an answer counts as large (docs/limits.md, `answer_bytes`). */
const SLICE_CHARACTERS = 65_536;

/**
 * The JSON of an answer. Of a list, more than one slice of 64 K characters is written with a turn of the event loop
 * after each: many large lists that are ready at the same moment then do not keep everything else waiting for their
 * sum. It yields by length, not by time as EventLoopBudget does, since each of them alone stays within any budget of
 * time.
 */
export async function slicedJson(answer: unknown): Promise<string> {
  if (!isList(answer)) return JSON.stringify(answer);
  const { data } = answer;
  const items: string[] = [];
  let characters = 0;
  for (const item of data) {
    const text = JSON.stringify(item);
    items.push(text);
    characters += text.length;
    if (characters < SLICE_CHARACTERS) continue;
    characters = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const members = Object.entries(answer).map(
    ([name, value]) =>
      `${JSON.stringify(name)}:${value === data ? `[${items.join(',')}]` : JSON.stringify(value)}`,
  );
  return `{${members.join(',')}}`;
}

function isList(answer: unknown): answer is { readonly data: readonly unknown[] } {
  if (typeof answer !== 'object' || answer === null) return false;
  return 'object' in answer && answer.object === 'list' && 'data' in answer && Array.isArray(answer.data);
}
