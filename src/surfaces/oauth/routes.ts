import type { FastifyInstance, FastifyReply } from 'fastify';
import { OAUTH_PATHS, RESOURCE_METADATA_PATH } from '../../features/oauth/oauth-resources.ts';
import { serverMetadata } from '../../features/oauth/server-metadata.ts';
import type { Surface, Surfaces } from '../http/surfaces.ts';
import { registerConsent } from './consent-routes.ts';
import { CROSS_ORIGIN, CROSS_ORIGIN_PREFLIGHT } from './cross-origin.ts';
import { registerEndpoints } from './endpoint-routes.ts';
import { libraryCall } from './library-call.ts';
import { loadServer } from './load-server.ts';
import type { OAuthSurfaceOptions, RunningOAuth } from './oauth-surface-options.ts';
import { answerError, answerMissing } from './refusals.ts';

/** The authorization server (docs/oauth.md): endpoints, consent page, and the metadata of the protected resources. */
export function registerOAuth(
  server: FastifyInstance,
  surfaces: Surfaces,
  options: OAuthSurfaceOptions,
): void {
  const { rateLimits, failures, metrics } = options;
  const surface: Surface = {
    prefixes: ['/oauth', OAUTH_PATHS.metadata, RESOURCE_METADATA_PATH],
    answerMissing,
    answerError: (thrown, request, reply) => answerError(thrown, request, reply, failures),
  };
  let loading: ReturnType<typeof loadServer> | null = null;
  const running: RunningOAuth = {
    ...options,
    server: () => {
      loading ??= loadServer(options);
      return loading;
    },
  };
  surfaces.mount(server, surface, (scope) => {
    scope.addHook('onRequest', async (request) => rateLimits.oauth.arrive(request.ip));
    scope.addHook('onResponse', (request, reply, done) => {
      const name = request.routeOptions.config.oauth ?? 'none';
      metrics.httpRequest(`oauth_${name}`, reply.raw.statusCode, reply.elapsedTime);
      done();
    });
    registerMetadata(scope, options);
    scope.register(async (inner) => registerEndpoints(inner, running, libraryCall(running)));
    scope.register(async (inner) => registerConsent(inner, running));
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Endpoint of the authorization server, for metrics. */
    oauth?: 'metadata' | 'authorize' | 'resume' | 'consent' | 'register' | 'token' | 'revoke';
  }
}

/** The documents that lead a client from a refused request to a token (RFC 9728, RFC 8414). */
function registerMetadata(
  scope: FastifyInstance,
  { oauth: { resources }, addresses }: OAuthSurfaceOptions,
): void {
  const documents = {
    [OAUTH_PATHS.metadata]: serverMetadata(addresses, resources),
    // At the host itself, for clients that look only there.
    [RESOURCE_METADATA_PATH]: resources.metadataOf(resources.mcp),
    [`${RESOURCE_METADATA_PATH}/mcp`]: resources.metadataOf(resources.mcp),
    [`${RESOURCE_METADATA_PATH}/v2`]: resources.metadataOf(resources.v2),
  };
  for (const [path, document] of Object.entries(documents)) {
    const text = JSON.stringify(document);
    scope.get(path, { config: { oauth: 'metadata' } }, (_request, reply) => sendMetadata(reply, text));
    scope.options(path, { config: { oauth: 'metadata' } }, (_request, reply) =>
      reply.code(204).headers(CROSS_ORIGIN_PREFLIGHT).send(),
    );
  }
}

function sendMetadata(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .headers(CROSS_ORIGIN)
    .header('cache-control', 'public, max-age=300')
    .header('content-type', 'application/json; charset=utf-8')
    .send(text);
}
