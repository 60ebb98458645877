import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { newRequestId } from './request-ids.ts';

export interface HttpOptions {
  readonly bodyBytes: number;
  /** Whom to believe about X-Forwarded-For: nobody, the nearest so many hops, or proxies in these networks. */
  readonly trustProxy: false | number | readonly string[];
  /** The page of errors that `doc_url` points into. */
  readonly docsUrl: string;
  /** Answers an address the router cannot read: broken escapes, absurd lengths. No hook has run for it. */
  readonly unroutable: (request: FastifyRequest, reply: FastifyReply) => void;
}

const MAX_PARAM_LENGTH = 300;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 72_000;

/**
 * The frame every door hangs in: one listener, request ids, body limits and time limits. Doors register themselves
 * as plugins and own their errors; what no door takes ends here.
 */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const server = Fastify({
    logger: false,
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: trusted(options.trustProxy),
    bodyLimit: options.bodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: {
      maxParamLength: MAX_PARAM_LENGTH,
      caseSensitive: true,
      ignoreTrailingSlash: false,
      querystringParser: () => ({}),
    },
    frameworkErrors: (_error, request, reply) => options.unroutable(request, reply),
    clientErrorHandler: (error, socket) => refuseBrokenHttp(error, socket, options.docsUrl),
    // What still comes on an open connection while closing is answered by its door, in its own form, and then closed.
    return503OnClosing: false,
  });
  server.removeAllContentTypeParsers();
  server.setNotFoundHandler((request, reply) => {
    reply.code(404).type('application/json; charset=utf-8').header('request-id', request.id);
    return reply.send(
      JSON.stringify({ error: { message: 'There is nothing at this address.', code: 'route_missing' } }),
    );
  });
  return server;
}

function trusted(
  option: HttpOptions['trustProxy'],
): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (option === false) return false;
  return typeof option === 'number' ? (_address, hop) => hop < option : [...option];
}

/** Bytes that are not HTTP, or headers past the parser's limit: there is no request to answer, only a socket. */
function refuseBrokenHttp(error: Error & { code?: string }, socket: Socket, docsUrl: string): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const id = newRequestId();
  const body = JSON.stringify({
    error: {
      type: 'invalid_request_error',
      code: 'parameter_invalid',
      message: status === 431 ? 'The request headers are too large.' : 'The request is not valid HTTP.',
      param: null,
      doc_url: `${docsUrl}#parameter_invalid`,
      request_id: id,
    },
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nRequest-Id: ${id}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
