import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../vocabulary/service-error.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads JSON bodies and nothing else. Raises `body_invalid` for another content type, bytes that are not UTF-8, or
 * text that is not JSON. An empty body is no body, whatever its content type says.
 */
export function acceptJsonBodies(server: FastifyInstance): void {
  server.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined;
    if (!isJson(request.headers['content-type'])) {
      throw new ServiceError('body_invalid', {
        message: 'Send the body as JSON, with Content-Type: application/json.',
      });
    }
    return parseJson(body);
  });
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && JSON_TYPE.test(contentType);
}

function parseJson(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(decoder.decode(body));
    return value;
  } catch (error) {
    throw new ServiceError('body_invalid', { cause: error });
  }
}
