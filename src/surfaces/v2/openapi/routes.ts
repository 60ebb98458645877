import type { FastifyInstance } from 'fastify';
import type { Operation } from '../../../operations/operation.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { type CachedBody, etagOf, sendCached } from '../../http/cached-body.ts';
import { describeV2 } from './description.ts';

/**
 * `GET /v2/openapi.json` (docs/api-conventions.md#versions): made once, when it is first requested, and available to
 * anyone, without a key or the version header. Returns its text, which `/docs` shows.
 */
export function registerDescription(
  server: FastifyInstance,
  {
    operations,
    publicUrl,
    limits,
  }: { readonly operations: readonly Operation[]; readonly publicUrl: string; readonly limits: Limits },
): () => string {
  let written: (CachedBody & { readonly body: string }) | null = null;
  const description = () => {
    if (written !== null) return written;
    const body = JSON.stringify(describeV2(operations, publicUrl, limits));
    written = { etag: etagOf(body), type: 'application/json; charset=utf-8', body };
    return written;
  };
  server.get('/v2/openapi.json', async (request, reply) => {
    reply.header('request-id', request.id).header('access-control-allow-origin', '*');
    return sendCached(request, reply, description());
  });
  return () => description().body;
}
