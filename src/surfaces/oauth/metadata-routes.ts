import type { FastifyInstance, FastifyReply } from 'fastify';
import { OAUTH_PATHS } from '../../features/oauth/oauth-paths.ts';
import { RESOURCE_METADATA_PATH } from '../../features/oauth/oauth-resources.ts';
import { serverMetadata } from '../../features/oauth/server-metadata.ts';
import { CROSS_ORIGIN, CROSS_ORIGIN_PREFLIGHT } from './cross-origin.ts';
import type { OAuthSurfaceOptions } from './oauth-surface-options.ts';

/** The documents that lead a client from a refused request to a token (RFC 9728, RFC 8414). */
export function registerMetadata(
  scope: FastifyInstance,
  { oauth: { resources }, addresses }: OAuthSurfaceOptions,
): void {
  const documents = {
    [OAUTH_PATHS.metadata]: serverMetadata(addresses, resources),
    // Of the host itself, for clients that look no further than that.
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
