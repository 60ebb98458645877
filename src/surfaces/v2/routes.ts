import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { Authentication } from '../../features/access/authentication.ts';
import { RESOURCE_METADATA_PATH } from '../../features/oauth/oauth-resources.ts';
import type { RateLimits } from '../../features/rate-limits/rate-limits.ts';
import { type Admit, createAdmit } from '../../operations/admit.ts';
import type { Operation } from '../../operations/operation.ts';
import { OperationRequest, type UnparsedRequest } from '../../operations/operation-request.ts';
import type { Services } from '../../operations/services.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Notices } from '../../storage/notices.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { isStoreUnavailable } from '../../vocabulary/store-unavailable.ts';
import { allowSilence } from '../http/allowed-silence.ts';
import type { AnswerWeights } from '../http/answer-weights.ts';
import { abandoned, admitting, callerOf, decorateWithCaller } from '../http/caller-context.ts';
import { bearerChallenge } from '../http/header-values.ts';
import { acceptJsonBodies } from '../http/json-body.ts';
import { originOf, searchOf } from '../http/request-url.ts';
import { asServiceError } from '../http/service-errors.ts';
import type { Surface } from '../http/surface.ts';
import type { Surfaces } from '../http/surfaces.ts';
import { admittanceOf, echoVersion, idempotencyKeyOf, requireFreshMembers } from './admittance.ts';
import { errorEnvelope } from './error-envelope.ts';
import { LiveAnswers } from './live-answers.ts';
import { paramAsWritten, parseQuery } from './query-string.ts';
import { streamAnswer } from './stream-answer.ts';

export interface V2Options {
  readonly operations: readonly Operation[];
  readonly services: Services;
  readonly authentication: Authentication;
  readonly rateLimits: RateLimits;
  readonly log: Log;
  readonly metrics: Metrics;
  /** What is on its way to each account record, through whichever surface. */
  readonly weights: AnswerWeights;
  /** After so many milliseconds in which the caller takes nothing, a streamed answer is broken off. */
  readonly stallMs: number;
  readonly notices: Pick<Notices, 'onChange' | 'onLost'>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The query of the route's operation, whose names errors give as they are written. */
    query?: TObject;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';
const DEFAULT_RETRY_SECONDS = 30;

/** Mounts every operation under `/v2`, each behind the same steps in the same order. */
export function registerV2(server: FastifyInstance, surfaces: Surfaces, options: V2Options): void {
  const admit = createAdmit(options.rateLimits, options.services.clock);
  const surface: Surface = {
    prefixes: ['/v2'],
    // An address and a method make a route together (docs/errors.md, route_missing).
    answerMissing: (request, reply) => send(new ServiceError('route_missing'), request, reply, options),
    answerError: (thrown, request, reply) => answerError(thrown, request, reply, options),
  };
  surfaces.mount(server, surface, (scope) => {
    acceptJsonBodies(scope);
    decorateWithCaller(scope);
    scope.addHook('onResponse', (request, reply, done) => {
      const operation = request.routeOptions.config.operation ?? 'none';
      options.metrics.httpRequest(operation, reply.statusCode, reply.elapsedTime);
      done();
    });
    const live = new LiveAnswers({ ...options, clock: options.services.clock });
    scope.addHook('preClose', (done) => {
      live.stop();
      done();
    });
    for (const operation of options.operations) mount(scope, operation, admit, live, options);
  });
}

function mount(
  scope: FastifyInstance,
  operation: Operation,
  admit: Admit,
  live: LiveAnswers,
  options: V2Options,
): void {
  scope.route({
    method: operation.update ? [operation.method, 'PATCH'] : operation.method,
    url: operation.path,
    onRequest: admitting(admittanceOf(operation, options.services), admit, options.authentication),
    handler: async (request, reply) => {
      if (operation.longest !== null) allowSilence(reply, options.services.limits[operation.longest] * 1000);
      const asked = unparsed(request, reply, operation, options.services);
      requireFreshMembers(operation, asked);
      if (operation.streamed !== null) {
        const streamed = await operation.stream(asked);
        const gone = asked.signal;
        const write = (until: AbortSignal): Promise<void> =>
          streamAnswer(streamed, operation, request, reply, until, options);
        if (operation.streamed.live) await live.during(request, operation, gone, write);
        else await write(gone);
        return reply;
      }
      const { status, text, headers, replayed } = await operation.answer(asked);
      for (const [name, value] of headers) reply.header(name, value);
      if (replayed) reply.header('idempotent-replayed', 'true');
      // What was done is answered in any case.
      if (operation.effect === 'reads') options.weights.hold(asked.caller.accountRecord.id, text, reply);
      reply.code(status).header('content-type', JSON_TYPE);
      return reply.send(text);
    },
    config: { operation: operation.id, query: operation.query },
  });
}

function unparsed(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
  services: Services,
): UnparsedRequest {
  const { values, include } = parseQuery(searchOf(request), operation.query, operation.includes);
  const body = request.body === undefined ? {} : request.body;
  return new OperationRequest(
    { params: request.params, query: values, body, include },
    {
      caller: callerOf(request),
      services,
      from: originOf(request),
      idempotencyKey: idempotencyKeyOf(request),
      queryNaming: 'query_string',
      lastEventId: lastEventIdOf(request),
      header: (name, value) => void reply.header(name, value),
      signal: () => abandoned(reply),
    },
  );
}

function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const sent = headers['last-event-id'];
  return Array.isArray(sent) ? sent.join(', ') : sent;
}

function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: V2Options,
): FastifyReply {
  // Nobody is left to answer, and what broke off is not a fault of ours.
  if (reply.raw.destroyed) return reply.hijack();
  const error = asServiceError(thrown);
  const operation = request.routeOptions.config.operation ?? 'none';
  // That a store is unreachable is logged once, where it is noticed.
  if (error.status >= 500 && !isStoreUnavailable(error)) {
    const { caller } = request;
    const fields = {
      request_id: request.id,
      operation,
      code: error.code,
      detail: error.detail,
      caller_kind: caller?.kind ?? null,
      caller_id: caller?.id ?? null,
    };
    options.log.error('A request failed.', fields, error.cause);
  }
  if (error.status === 429) options.metrics.refused(error.code);
  if (error.status === 429 || error.status === 503) {
    reply.header('retry-after', String(Math.ceil(error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS)));
  }
  return send(error, request, reply, options);
}

function send(
  error: ServiceError,
  request: FastifyRequest,
  reply: FastifyReply,
  { services }: V2Options,
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
