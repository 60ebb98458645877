import type { FastifyInstance } from 'fastify';
import type { Operation } from '../../../operations/operation.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { type CachedBody, etagOf, sendCached } from '../../http/cached-body.ts';
import { describeV2 } from './description.ts';

/**
 * `GET /v2/openapi.json` (docs/api-conventions.md#versions): written once, when it is first asked for, for anybody,
 * without a key or the version header.
 */
export function registerDescription(
  server: FastifyInstance,
  {
    operations,
    publicUrl,
    limits,
  }: { readonly operations: readonly Operation[]; readonly publicUrl: string; readonly limits: Limits },
): void {
  let written: CachedBody | null = null;
  const description = (): CachedBody => {
    const body = JSON.stringify(describeV2(operations, publicUrl, limits));
    return { etag: etagOf(body), type: 'application/json; charset=utf-8', body };
  };
  server.get('/v2/openapi.json', async (request, reply) => {
    reply.header('request-id', request.id).header('access-control-allow-origin', '*');
    written ??= description();
    return sendCached(request, reply, written);
  });
}
