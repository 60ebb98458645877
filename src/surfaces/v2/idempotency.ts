import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredAnswer } from '../../features/idempotency-secrets.ts';
import { parsePublicId, type RowId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { canonicalJson } from './canonical-json.ts';
import { JsonText, type Operation, type UnparsedRequest } from './operation.ts';

const HEADER = 'idempotency-key';
/** What every program between the caller and us passes on unchanged. */
const PRINTABLE = /^[\x20-\x7e]+$/;

/**
 * Shows the caller the key of a request that changes something, one of ours where they sent none: the same number as
 * the request's id, since nothing is kept under it. A key that is refused is not shown.
 */
export function echoIdempotencyKey(operation: Operation, request: FastifyRequest, reply: FastifyReply): void {
  if (operation.effect === 'reads') return;
  const sent = headerOf(request);
  if (sent === undefined) reply.header(HEADER, request.id.replace('req_', 'idem_'));
  else if (isUsable(sent)) reply.header(HEADER, sent);
}

/**
 * Runs the operation, or, where the caller sent a key and has had the answer before, answers that again. Raises
 * `idempotency_key_invalid`, `idempotency_key_reused`, `idempotency_key_in_use` and what the operation raises.
 */
export async function answerOperation(
  operation: Operation,
  asked: UnparsedRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Pick<StoredAnswer, 'status' | 'text'>> {
  const { effect, status } = operation;
  const key = effect === 'reads' ? undefined : headerOf(request);
  if (effect === 'reads' || key === undefined) return { status, text: textOf(await operation.run(asked)) };
  if (!isUsable(key)) {
    throw new ServiceError('idempotency_key_invalid', {
      param: 'Idempotency-Key',
      message: `Idempotency-Key must have 1 to ${FIXED_LIMITS.idempotency_key_characters} printable ASCII characters.`,
    });
  }
  const { caller, services, params, query, include, body } = asked;
  const sent = {
    owner: caller.accountRecord.id,
    apiKey: caller.key?.id ?? null,
    connection: connectionOf(params),
    key,
    request: canonicalJson([operation.id, params, query, [...include].toSorted(), body]),
  };
  const headers: [string, string][] = [];
  const { answer, replayed } = await services.idempotency.answer(sent, effect, async () => {
    const header = (name: string, value: string) => void headers.push([name, value]);
    return { status, headers, text: textOf(await operation.run({ ...asked, header })) };
  });
  for (const [name, value] of answer.headers) reply.header(name, value);
  if (replayed) reply.header('idempotent-replayed', 'true');
  return answer;
}

/** The connection in the path, where what stands there is the id of one. */
function connectionOf(params: unknown): RowId<'connection'> | null {
  if (typeof params !== 'object' || params === null || !('id' in params)) return null;
  return typeof params.id === 'string' ? parsePublicId('connection', params.id) : null;
}

function headerOf(request: FastifyRequest): string | undefined {
  const sent = request.headers[HEADER];
  return Array.isArray(sent) ? sent.join(', ') : sent;
}

function isUsable(key: string): boolean {
  return key.length <= FIXED_LIMITS.idempotency_key_characters && PRINTABLE.test(key);
}

function textOf(result: unknown): string {
  return result instanceof JsonText ? result.text : JSON.stringify(result);
}
