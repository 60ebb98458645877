import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../operation.ts';
import { describeV2 } from './description.ts';
import { NOUNS } from './noun-table.ts';
import { Words } from './words.ts';

/** `GET /v2/openapi.json` (SPEC, opening paragraph): written once, for anybody, without a key or the version header. */
export function registerDescription(
  server: FastifyInstance,
  options: { readonly operations: readonly Operation[]; readonly publicUrl: string },
): void {
  const text = JSON.stringify(describeV2(options.operations, new Words(NOUNS), options.publicUrl));
  const etag = etagOf(text);
  server.get('/v2/openapi.json', async (request, reply) => {
    reply.header('request-id', request.id).header('access-control-allow-origin', '*');
    return sendCached(request, reply, { etag, type: 'application/json; charset=utf-8', body: text });
  });
}

export interface CachedBody {
  readonly etag: string;
  readonly type: string;
  readonly body: string | Buffer;
}

/** Answers 304 to whoever has this very body already. */
export function sendCached(request: FastifyRequest, reply: FastifyReply, cached: CachedBody): FastifyReply {
  reply.header('etag', cached.etag).header('cache-control', 'public, no-cache');
  const known = request.headers['if-none-match'] ?? '';
  if (known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === cached.etag)) {
    return reply.code(304).send();
  }
  return reply.type(cached.type).send(cached.body);
}

export function etagOf(body: string | Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}
