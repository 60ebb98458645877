import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  ACCOUNT_ID_SUNSET,
  type V1Failure,
  V1Refusal,
  v1ErrorBody,
  v1Failure,
} from '../../operations/v1/failures.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { asServiceError } from '../http/service-errors.ts';
import type { V1Options } from './options.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
const DEFAULT_RETRY_SECONDS = 30;

type Options = Pick<V1Options, 'failures' | 'metrics' | 'services'>;

/** Answers any error in the form of v1, without a stack or a cause. */
export function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: Options,
): FastifyReply {
  const endpoint = request.routeOptions.config.operation ?? 'none';
  if (reply.raw.destroyed) {
    // The caller has disconnected; the metrics show how often.
    const { status } = v1Failure(new V1Refusal('client_disconnected', 'The caller has gone.'));
    options.metrics.httpRequest(endpoint, status, reply.elapsedTime);
    return reply.hijack();
  }
  const error = thrown instanceof V1Refusal ? thrown : asServiceError(thrown);
  if (error instanceof ServiceError) {
    options.failures.note(error, request, endpoint);
    if (error.status === 429) options.metrics.refused(error.code);
  }
  return sendFailure(error, request, reply, options);
}

export function sendFailure(
  error: V1Refusal | ServiceError,
  request: FastifyRequest,
  reply: FastifyReply,
  options: Options,
): FastifyReply {
  const failure = v1Failure(error);
  if (error instanceof V1Refusal && error.reason === 'account_id_required') sayDeprecated(reply, options);
  sayWhenAgain(failure, reply, options);
  reply.code(failure.status).header('request-id', request.id).header('content-type', JSON_TYPE);
  return reply.send(v1ErrorBody(failure));
}

/** `X-RateLimit-Reset` names the same moment as `Retry-After`, whichever limit applies. */
function sayWhenAgain(
  { status, retryAfterSeconds }: V1Failure,
  reply: FastifyReply,
  { services }: Options,
): void {
  if (status !== 429 && status !== 503) return;
  const seconds = Math.ceil(retryAfterSeconds ?? DEFAULT_RETRY_SECONDS);
  reply.header('retry-after', String(seconds));
  if (status === 429) {
    reply.header('x-ratelimit-reset', String(Math.ceil(services.clock.now() / 1000) + seconds));
  }
}

function sayDeprecated(reply: FastifyReply, { services }: Options): void {
  reply.header('deprecation', 'true').header('sunset', ACCOUNT_ID_SUNSET);
  reply.header('link', `<${services.publicUrl}/docs/v1#transactions>; rel="deprecation"; type="text/html"`);
}
