import { randomFillSync } from 'node:crypto';
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { STRICT_TRANSPORT } from './strict-transport.ts';
import type { Surfaces } from './surfaces.ts';

export interface HttpOptions extends ResponseOptions {
  readonly bodyBytes: number;
  /** Whom to believe about X-Forwarded-For: no one, the nearest so many hops, or proxies in these networks. */
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
 * One connection more than `most` is closed as it arrives. Those that are between two requests are then closed, too: a
 * returning caller finds room, and idle connections cannot lock anyone out.
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

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

const LOOK_MS = 50;

interface ResponseOptions {
  /** Whether the server is about to close. */
  readonly stopping: () => boolean;
  /** Whether browsers are to come back over https alone. */
  readonly httpsOnly: boolean;
}

/**
 * Responses that say `Connection: close` once the server is stopping, so that callers ask their next question elsewhere,
 * and `Strict-Transport-Security` where the service is reached over https. A class and not a hook, because a hook is one
 * more step of every request, and is left out where no route was looked for.
 */
function ownResponse({ stopping, httpsOnly }: ResponseOptions): typeof ServerResponse {
  return class OwnResponse<R extends IncomingMessage> extends ServerResponse<R> {
    constructor(...given: ConstructorParameters<typeof ServerResponse<R>>) {
      super(...given);
      if (httpsOnly) this.setHeader(...STRICT_TRANSPORT);
    }

    override writeHead(status: number, message?: string, headers?: Headers): this;
    override writeHead(status: number, headers?: Headers): this;
    override writeHead(status: number, second?: string | Headers, third?: Headers): this {
      if (stopping()) this.shouldKeepAlive = false;
      return typeof second === 'string'
        ? super.writeHead(status, second, third)
        : super.writeHead(status, second);
    }
  };
}

/**
 * Lets requests under way end and cuts off what takes longer than the deadline. A connection that is between two
 * requests is closed as soon as it is seen to be: Node looks once, and waits for those that become idle later. Nor does
 * it watch its own time limits once a server is closing, so a caller who never finishes sending would hold the shutdown.
 */
export async function closeServer(server: FastifyInstance, deadlineMs: number): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), deadlineMs);
  const looking = setInterval(() => server.server.closeIdleConnections(), LOOK_MS);
  try {
    await server.close();
  } finally {
    clearTimeout(cut);
    clearInterval(looking);
  }
}

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
