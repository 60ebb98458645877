import { randomFillSync } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { ownResponse, type ResponseOptions } from './closing.ts';
import type { Surfaces } from './surfaces.ts';

export interface HttpOptions extends ResponseOptions {
  readonly bodyBytes: number;
  /** Whom to believe about X-Forwarded-For: nobody, the nearest so many hops, or proxies in these networks. */
  readonly trustProxy: false | number | readonly string[];
  /** The page of errors that `doc_url` points into. */
  readonly docsUrl: string;
  /** How many connections may be open; see `boundConnections`. */
  readonly connections: number;
  /** After so many milliseconds without a byte in either direction a connection is destroyed, in an answer too. */
  readonly silentMs: number;
  /** Who answers where no route does. */
  readonly surfaces: Surfaces;
}

const MAX_PARAM_LENGTH = 300;
/** For all of a request to arrive, and for its headers. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node looks for requests past these times. */
const TIMEOUT_LOOK_MS = 2_000;
const KEEP_ALIVE_MS = 72_000;

/**
 * The server that all surfaces share: one listener, request ids, body limits and time limits. Surfaces are mounted on
 * `options.surfaces` and answer below their prefixes; `HEAD` is answered wherever `GET` is.
 */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const { surfaces } = options;
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
    connectionTimeout: options.silentMs,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_LOOK_MS,
      ServerResponse: ownResponse(options),
    },
    routerOptions: {
      maxParamLength: MAX_PARAM_LENGTH,
      caseSensitive: true,
      ignoreTrailingSlash: false,
      querystringParser: () => ({}),
    },
    // An address the router cannot read: broken escapes, absurd lengths.
    frameworkErrors: (_error, request, reply) => surfaces.answerMissing(request, reply),
    clientErrorHandler: (error, socket) => refuseBrokenHttp(error, socket, options.docsUrl),
    // What still comes on an open connection while closing is answered by its surface, in its own form, and then closed.
    return503OnClosing: false,
  });
  boundConnections(server, options.connections);
  server.removeAllContentTypeParsers();
  server.setNotFoundHandler((request, reply) => surfaces.answerMissing(request, reply));
  server.setErrorHandler((thrown, request, reply) => surfaces.answerError(thrown, request, reply));
  server.addHook('onRoute', (route) => {
    // The same handler, and Node leaves out the body: so hooks, counts and headers are those of GET by construction.
    if (route.method === 'GET') route.method = ['GET', 'HEAD'];
    surfaces.remember(route);
  });
  return server;
}

function trusted(
  option: HttpOptions['trustProxy'],
): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (option === false) return false;
  return typeof option === 'number' ? (_address, hop) => hop < option : [...option];
}

/**
 * One connection more than `most` is closed as it arrives. Those that are between two requests are then closed, too:
 * who comes back finds room, and idle connections cannot lock anybody out.
 */
function boundConnections(server: FastifyInstance, most: number): void {
  server.server.maxConnections = most;
  server.server.on('drop', () => server.server.closeIdleConnections());
}

/**
 * Long enough for the answer to arrive. Closed at once with bytes unread, the system would reset the connection first.
 */
const LINGER_MS = 1_000;

const ANSWERS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

/**
 * Answers bytes that are not HTTP, headers past the parser's limit, and requests that take too long to arrive: there is
 * no request to answer, only a socket. It is destroyed soon after, also where the other side never closes its end.
 */
function refuseBrokenHttp(error: Error & { code?: string }, socket: Socket, docsUrl: string): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = ANSWERS[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
  const id = newRequestId();
  const body = JSON.stringify({
    error: {
      type: 'invalid_request_error',
      code: 'parameter_invalid',
      message,
      param: null,
      doc_url: `${docsUrl}#parameter_invalid`,
      request_id: id,
    },
  });
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(lingering));
  socket.resume();
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nRequest-Id: ${id}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const POOL_IDS = 256;
const ID_BYTES = 12;
const pool = Buffer.alloc(POOL_IDS * ID_BYTES);
let used = POOL_IDS;

/** `req_` plus 24 hex digits of randomness: what a caller quotes and an operator searches the log for. */
function newRequestId(): string {
  if (used === POOL_IDS) {
    randomFillSync(pool);
    used = 0;
  }
  const start = used * ID_BYTES;
  used += 1;
  return `req_${pool.toString('hex', start, start + ID_BYTES)}`;
}
