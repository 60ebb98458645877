import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { Type } from 'typebox';
import { RESOURCE_METADATA_PATH } from '../../features/oauth/oauth-resources.ts';
import type { Services } from '../../operations/services.ts';
import { oneOf, resource } from '../../operations/v2/schema/conventions.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { ERROR_TYPES, errorAnchor } from '../../vocabulary/error-codes.ts';
import type { ServiceError } from '../../vocabulary/service-error.ts';
import { VERSION_HEADER, validateVersion } from '../../vocabulary/service-version.ts';
import type { FailedRequests } from '../http/failed-requests.ts';
import { bearerChallenge } from '../http/header-values.ts';
import { searchOf } from '../http/request-url.ts';
import { asServiceError } from '../http/service-errors.ts';
import { paramAsWritten } from './query-string.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The query schema of the route's operation, by which errors name parameters as they are written. */
    query?: TObject;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';
const DEFAULT_RETRY_SECONDS = 30;

interface ErrorOptions {
  readonly services: Pick<Services, 'publicUrl'>;
  readonly failures: Pick<FailedRequests, 'note'>;
  readonly metrics: Pick<Metrics, 'refused'>;
}

/** Answers what a route raised. */
export function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ErrorOptions,
): FastifyReply {
  // The caller has disconnected, and what was aborted by that is no internal error.
  if (reply.raw.destroyed) return reply.hijack();
  const error = asServiceError(thrown);
  options.failures.note(error, request, request.routeOptions.config.operation ?? 'none');
  if (error.status === 429) options.metrics.refused(error.code);
  if (error.status === 429 || error.status === 503) {
    reply.header('retry-after', String(Math.ceil(error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS)));
  }
  return sendError(error, request, reply, options);
}

/** Answers an error in the envelope of v2, with the headers that belong to it. */
export function sendError(
  error: ServiceError,
  request: FastifyRequest,
  reply: FastifyReply,
  { services }: ErrorOptions,
): FastifyReply {
  echoVersion(request, reply);
  const challenge = challengeOf(error, request, services.publicUrl);
  if (challenge !== null) reply.header('www-authenticate', challenge);
  reply.code(error.status).header('request-id', request.id).header('content-type', JSON_TYPE);
  const { query } = request.routeOptions.config;
  const param = query === undefined ? error.param : paramAsWritten(error.param, searchOf(request), query);
  return reply.send(
    errorEnvelope(error, { param, requestId: request.id, docsUrl: `${services.publicUrl}/docs/errors` }),
  );
}

/**
 * What leads a client of OAuth on: every 401 says where to get a token, as does the 403 of a token that carries too
 * little. Null for everything else.
 */
function challengeOf(
  error: ServiceError,
  { headers, caller }: Pick<FastifyRequest, 'headers' | 'caller'>,
  publicUrl: string,
): string | null {
  const resourceMetadata = `${publicUrl}${RESOURCE_METADATA_PATH}/v2`;
  if (error.status === 401) {
    const sent = headers.authorization !== undefined && headers.authorization !== '';
    return bearerChallenge({ resourceMetadata, ...(sent && { error: 'invalid_token' }) });
  }
  if (error.code !== 'insufficient_scope' || caller?.kind !== 'oauth_token') return null;
  return bearerChallenge({ resourceMetadata, error: 'insufficient_scope' });
}

/** The Service-Version as it was sent. */
export function versionOf(request: FastifyRequest): string | undefined {
  const header = request.headers[VERSION_HEADER];
  return Array.isArray(header) ? header.join(',') : header;
}

/** Returns the release that the caller requested, if it exists, for refusals before it is checked. */
function echoVersion(request: FastifyRequest, reply: FastifyReply): void {
  const sent = versionOf(request);
  if (validateVersion(sent) === null) reply.header(VERSION_HEADER, sent);
}

/** The form of every failure (docs/errors.md). */
export const errorEnvelopeSchema = resource('error', {
  error: Type.Object(
    {
      type: oneOf(ERROR_TYPES),
      code: Type.String({ description: 'Stable; branch on it.' }),
      message: Type.String({ description: 'What happened and what to do next, for people.' }),
      param: Type.Union([Type.String(), Type.Null()], { description: 'The field at fault, if one is.' }),
      doc_url: Type.String({ description: 'Where the code is explained.' }),
      request_id: Type.String({ description: 'The Request-Id of this answer.' }),
    },
    { additionalProperties: false },
  ),
});

/**
 * What a caller sees of a failure: never a stack, never a cause, never `detail`. `param` is the one at fault as
 * written.
 */
export function errorEnvelope(
  error: Omit<ServiceError, 'param'>,
  { param, requestId, docsUrl }: { param: string | null; requestId: string; docsUrl: string },
): string {
  return JSON.stringify({
    error: {
      type: error.type,
      code: error.code,
      message: error.message,
      param,
      doc_url: `${docsUrl}#${errorAnchor(error.code)}`,
      request_id: requestId,
    },
  });
}
