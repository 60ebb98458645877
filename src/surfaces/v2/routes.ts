import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication, Caller } from '../../features/authentication.ts';
import type { RateLimits } from '../../features/rate-limits/rate-limits.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { acceptJsonBodies } from '../http/json-body.ts';
import { admitting, callerOf, keepCallers, stepsOfV2 } from './admission.ts';
import { asServiceError, errorEnvelope } from './error-envelope.ts';
import { answerOperation } from './idempotency.ts';
import type { Operation } from './operation.ts';
import { echoVersion, type Step } from './pipeline.ts';
import { parseQuery, refuseUnstorable } from './query-string.ts';
import type { Services } from './services.ts';

export interface V2Options {
  readonly operations: readonly Operation[];
  readonly services: Services;
  readonly authentication: Authentication;
  readonly rateLimits: RateLimits;
  readonly log: Log;
  readonly metrics: Metrics;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const DEFAULT_RETRY_SECONDS = 30;

/** Answers an address of `/v2` that the router could not even read. */
export function answerUnroutable(request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  const error = new ServiceError('route_missing');
  echoVersion(request, reply);
  reply.code(error.status).header('request-id', request.id).header('content-type', JSON_TYPE);
  reply.send(errorEnvelope(error, request.id, `${publicUrl}/docs/errors`));
}

/** Mounts every operation under `/v2`, each behind the same steps in the same order. */
export function registerV2(server: FastifyInstance, options: V2Options): void {
  const answerNoRoute = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    answerError(new ServiceError('route_missing'), request, reply, options);
  const steps = stepsOfV2(options.rateLimits, options.services.clock);
  server.register(async (scope) => {
    acceptJsonBodies(scope);
    keepCallers(scope);
    scope.setErrorHandler((thrown, request, reply) => answerError(thrown, request, reply, options));
    scope.addHook('onResponse', (request, reply, done) => {
      const operation = request.routeOptions.config.operation ?? 'none';
      options.metrics.httpRequest(operation, reply.statusCode, reply.elapsedTime);
      done();
    });
    for (const operation of options.operations) mount(scope, operation, steps, options);
  });
  server.register(
    async (scope) => {
      // The framework refuses some methods by itself before it looks for a route.
      scope.setErrorHandler((_thrown, request, reply) => answerNoRoute(request, reply));
      scope.setNotFoundHandler(answerNoRoute);
    },
    { prefix: '/v2' },
  );
}

function mount(
  scope: FastifyInstance,
  operation: Operation,
  steps: readonly Step[],
  options: V2Options,
): void {
  scope.route({
    method: operation.update ? [operation.method, 'PATCH'] : operation.method,
    url: operation.path,
    onRequest: admitting(operation, steps, options.authentication),
    handler: async (request, reply) => {
      const asked = unparsed(request, reply, callerOf(request), operation, options.services);
      const { status, text } = await answerOperation(operation, asked, request, reply);
      reply.code(status).header('content-type', JSON_TYPE);
      return reply.send(text);
    },
    config: { operation: operation.id },
  });
}

function unparsed(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  operation: Operation,
  services: Services,
) {
  const url = request.raw.url ?? '';
  const at = url.indexOf('?');
  const { values, include } = parseQuery(
    at === -1 ? '' : url.slice(at + 1),
    operation.query,
    operation.includes,
  );
  const body = request.body === undefined ? {} : request.body;
  refuseUnstorableIn(request.params, '');
  refuseUnstorableIn(body, '');
  return {
    params: request.params,
    query: values,
    body,
    include,
    caller,
    services,
    get signal() {
      return abandoned(reply);
    },
    header: (name: string, value: string) => {
      reply.header(name, value);
    },
  };
}

/** Aborts when the caller hangs up before the answer is out; at once when that has happened already. */
function abandoned(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.closed && !reply.raw.writableFinished) controller.abort();
  else
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) controller.abort();
    });
  return controller.signal;
}

function refuseUnstorableIn(value: unknown, path: string): void {
  const rest: [unknown, string][] = [[value, path]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [found, at] = next;
    if (typeof found === 'string') refuseUnstorable(found, at);
    if (typeof found !== 'object' || found === null) continue;
    for (const [key, inner] of Object.entries(found)) {
      refuseUnstorable(key, at);
      rest.push([inner, pathOf(at, key, Array.isArray(found))]);
    }
  }
}

function pathOf(at: string, key: string, inArray: boolean): string {
  if (inArray) return `${at}[${key}]`;
  return (at === '' ? key : `${at}.${key}`).slice(0, 120);
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
  if (error.status >= 500) {
    const fields = { request_id: request.id, operation, code: error.code, detail: error.detail };
    options.log.error('A request failed.', fields, error.cause);
  }
  if (error.status === 429) options.metrics.refused(error.code);
  if (error.status === 429 || error.status === 503) {
    reply.header('retry-after', String(Math.ceil(error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS)));
  }
  echoVersion(request, reply);
  reply.code(error.status).header('request-id', request.id).header('content-type', JSON_TYPE);
  return reply.send(errorEnvelope(error, request.id, `${options.services.publicUrl}/docs/errors`));
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Operation id of the route, for metrics and the log. */
    operation?: string;
  }
}
