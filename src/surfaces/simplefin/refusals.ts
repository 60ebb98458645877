import type { FastifyReply, FastifyRequest } from 'fastify';
import { writeRefusal } from '../../operations/simplefin/account-set.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { storeFailure } from '../../vocabulary/store-unavailable.ts';
import type { BridgeOptions } from './bridge-options.ts';
import { CORS, JSON_TYPE, PRIVATE, TEXT_TYPE } from './headers.ts';

const DEFAULT_RETRY_SECONDS = 30;
/** Apps compare the body with this word, and store any other response to a claim as their access URL. */
const FORBIDDEN = 'Forbidden';

interface Refusal {
  readonly status: number;
  /** For the person who uses the app; null for the word alone. */
  readonly sentence: string | null;
  readonly retryAfterSeconds: number | null;
}

/** Answers requests without a route. */
export function answerMissing(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: readonly string[],
): FastifyReply {
  const nowhere = methods.length === 0;
  if (!nowhere) reply.header('allow', methods.join(', '));
  return send(request, reply, {
    status: nowhere ? 404 : 405,
    sentence: nowhere
      ? 'There is nothing at this address of the bridge.'
      : `This address takes ${methods.join(', ')}, not ${request.method}.`,
    retryAfterSeconds: null,
  });
}

/** Answers errors of a route, with the statuses of the protocol and an account set that says why. */
export function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { failures, metrics }: Pick<BridgeOptions, 'failures' | 'metrics'>,
): FastifyReply {
  // The caller has disconnected.
  if (reply.raw.destroyed) return reply.hijack();
  const operation = `simplefin_${request.routeOptions.config.bridge ?? 'none'}`;
  const error = storeFailure(thrown) ?? (thrown instanceof ServiceError ? thrown : null);
  if (error === null) {
    const status = statusOf(thrown);
    if (status >= 500) failures.note(thrown, request, operation);
    return send(request, reply, unreadable(status, request));
  }
  failures.note(error, request, operation);
  if (error.status === 429) metrics.refused(error.code);
  return send(request, reply, refusalOf(error, request));
}

function refusalOf(error: ServiceError, request: FastifyRequest): Refusal {
  const { status, message, retryAfterSeconds } = error;
  if (error.type === 'authentication_error') return { status: 403, sentence: null, retryAfterSeconds: null };
  switch (error.code) {
    case 'plan_upgrade_required':
      return {
        status: 402,
        sentence: 'Payment required: the plan does not include the bridge; change it to go on.',
        retryAfterSeconds: null,
      };
    case 'rate_limit_exceeded':
    case 'too_many_auth_attempts':
    case 'too_many_concurrent_requests':
      return { status, sentence: `Rate limit: make fewer requests. ${message}`, retryAfterSeconds };
    case 'internal_error':
      return unreadable(status, request);
    default:
      return { status, sentence: message, retryAfterSeconds };
  }
}

function unreadable(status: number, { id }: FastifyRequest): Refusal {
  const sentence =
    status >= 500
      ? `Something failed on our side; quote the reference ${id}.`
      : 'The request cannot be read.';
  return { status, sentence, retryAfterSeconds: null };
}

/** 4xx if the framework refused the request itself, 500 for everything else. */
function statusOf(thrown: unknown): number {
  if (!(thrown instanceof Error) || !('statusCode' in thrown)) return 500;
  const { statusCode } = thrown;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : 500;
}

function send(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status, retryAfterSeconds } = refusal;
  reply.code(status).headers(CORS).headers(PRIVATE).header('request-id', request.id);
  if (status === 429 || status === 503) {
    reply.header('retry-after', String(Math.ceil(retryAfterSeconds ?? DEFAULT_RETRY_SECONDS)));
  }
  const sentence = request.routeOptions.config.bridge === 'claim' ? null : refusal.sentence;
  return sentence === null
    ? reply.type(TEXT_TYPE).send(FORBIDDEN)
    : reply.type(JSON_TYPE).send(writeRefusal(sentence));
}
