import type { FastifyReply, FastifyRequest } from 'fastify';
import { isIdempotencyKey } from '../../operations/answer-once.ts';
import type { Operation } from '../../operations/operation.ts';

const HEADER = 'idempotency-key';

/**
 * Shows the caller the key of a request that changes something, one of ours where they sent none: the same number as
 * the request's id, since nothing is stored under it. A key that is refused is not shown.
 */
export function echoIdempotencyKey(operation: Operation, request: FastifyRequest, reply: FastifyReply): void {
  if (operation.effect === 'reads') return;
  const sent = idempotencyKeyOf(request);
  if (sent === undefined) reply.header(HEADER, request.id.replace('req_', 'idem_'));
  else if (isIdempotencyKey(sent)) reply.header(HEADER, sent);
}

/** The Idempotency-Key as it was sent. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const sent = request.headers[HEADER];
  return Array.isArray(sent) ? sent.join(', ') : sent;
}
