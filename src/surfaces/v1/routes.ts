import type { FastifyInstance } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { type Admit, createAdmit } from '../../operations/admit.ts';
import { JsonText } from '../../operations/operation-request.ts';
import { schemaType } from '../../operations/parameters.ts';
import type { V1Endpoint } from '../../operations/v1/endpoint.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { abandoned, admitting, callerOf, decorateWithCaller } from '../http/caller-context.ts';
import { searchOf } from '../http/request-url.ts';
import type { Surface, Surfaces } from '../http/surfaces.ts';
import { answerError, JSON_TYPE, sendFailure } from './errors.ts';
import type { V1Options } from './options.ts';

const INTEGER = /^-?\d{1,15}$/;
const NOTHING = {};

/**
 * The parameters of a query string that the schema knows, each of the schema's type: `limit=5` becomes an integer,
 * `includePending=true` a boolean. Text that is not of that type stays text, and a repeated parameter becomes a list;
 * the schema refuses both. Unknown names are dropped.
 */
function readQuery(search: string, schema: TObject): Readonly<Record<string, unknown>> {
  if (search === '') return NOTHING;
  const values = new Map<string, unknown>();
  for (const [name, text] of new URLSearchParams(search)) {
    if (!Object.hasOwn(schema.properties, name)) continue;
    const property: TSchema | undefined = schema.properties[name];
    if (property === undefined) continue;
    values.set(name, values.has(name) ? [values.get(name), text] : typed(text, schemaType(property)));
  }
  return Object.fromEntries(values);
}

function typed(text: string, type: string | null): unknown {
  if (type === 'integer' && INTEGER.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Mounts the frozen endpoints below `/v1` (docs/v1.md). */
export function registerV1(server: FastifyInstance, surfaces: Surfaces, options: V1Options): void {
  const admit = createAdmit(options.rateLimits, options.services.clock);
  const surface: Surface = {
    prefixes: ['/v1'],
    answerMissing: (request, reply) =>
      sendFailure(new ServiceError('route_missing'), request, reply, options),
    answerError: (thrown, request, reply) => answerError(thrown, request, reply, options),
  };
  surfaces.mount(server, surface, (scope) => {
    decorateWithCaller(scope);
    scope.addHook('onResponse', (request, reply, done) => {
      const endpoint = request.routeOptions.config.operation ?? 'none';
      options.metrics.httpRequest(endpoint, reply.statusCode, reply.elapsedTime);
      done();
    });
    for (const endpoint of options.endpoints) mount(scope, endpoint, admit, options);
  });
}

function mount(scope: FastifyInstance, endpoint: V1Endpoint, admit: Admit, options: V1Options): void {
  const { authentication, services, weights } = options;
  scope.route({
    method: 'GET',
    url: endpoint.path,
    // Separate buckets, so that requests to v2 do not reduce what v1 has always allowed.
    onRequest: admitting({ operation: endpoint, countedAs: ({ id }) => `v1 ${id}` }, admit, authentication),
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const values = readQuery(searchOf(request), endpoint.query);
      const signal = (): AbortSignal => abandoned(reply);
      const { body, cache, truncated } = await endpoint.answer(values, { caller, services, signal });
      if (cache !== null) reply.header('x-cache', cache);
      if (truncated) reply.header('x-service-truncated', 'true');
      if (endpoint.maxAgeSeconds !== null) {
        reply.header('cache-control', `public, max-age=${endpoint.maxAgeSeconds}`);
        reply.header('vary', 'authorization');
      }
      const text = body instanceof JsonText ? body.text : JSON.stringify(body);
      weights.hold(caller.accountRecord.id, text.length, reply);
      reply.header('content-type', JSON_TYPE);
      return reply.send(text);
    },
    config: { operation: endpoint.id },
  });
}
