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
import { withOrigin, withRequestId } from '../../platform/request-origin.ts';
import { parseTraceparent, type Span } from '../../platform/span.ts';
import { NO_TRACING, type Tracing } from '../../platform/tracing.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { STRICT_TRANSPORT } from './strict-transport.ts';
import type { Surfaces } from './surfaces.ts';

export interface HttpOptions extends ResponseOptions {
  readonly bodyBytes: number;
  /**
   * Whose X-Forwarded-For to trust: no one's, that of the nearest hops (a number), or that of proxies in these
   * networks.
   */
  readonly trustProxy: false | number | readonly string[];
  /** The page of errors, for `doc_url`. */
  readonly docsUrl: string;
  /** How many connections may be open; see `boundConnections`. */
  readonly connections: number;
  /** A connection is destroyed after this long without a byte in either direction, even during a response. */
  readonly silentMs: number;
  /** Responds to requests that no route handles. */
  readonly surfaces: Surfaces;
  /** By default, no traces. */
  readonly tracing?: Tracing;
}

const MAX_PARAM_LENGTH = 300;
/** Deadlines for a whole request, and for its headers, to arrive. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node checks these times. */
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
    // For addresses that the router cannot read, because of invalid escapes or an excessive length.
    frameworkErrors: (_error, request, reply) => surfaces.answerMissing(request, reply),
    clientErrorHandler: (error, socket) => refuseBrokenHttp(error, socket, options.docsUrl),
    // While closing, a surface still answers requests on open connections in its own format; then the connection
    // closes.
    return503OnClosing: false,
  });
  boundConnections(server, options.connections);
  server.removeAllContentTypeParsers();
  server.setNotFoundHandler((request, reply) => surfaces.answerMissing(request, reply));
  server.setErrorHandler((thrown, request, reply) => surfaces.answerError(thrown, request, reply));
  // After the body has arrived, whose events belong to the connection rather than to the request.
  if (options.tracing === undefined || options.tracing === NO_TRACING)
    server.addHook('preHandler', (request, _reply, done) => withRequestId(request.id, done));
  else traceRequests(server, options.tracing);
  server.addHook('onRoute', (route) => {
    // Node leaves out the body. With the same handler, HEAD always has the hooks, counts and headers of GET.
    if (route.method === 'GET') route.method = ['GET', 'HEAD'];
    surfaces.remember(route);
  });
  return server;
}

/**
 * A span for each request that the framework routes. What the caller says in `traceparent` is linked: a trace that
 * callers could choose would let them join traces of others, or have all of theirs recorded.
 */
function traceRequests(server: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  server.addHook('onRequest', (request, reply, done) => {
    const { method, routeOptions, id } = request;
    const { url: route, config } = routeOptions;
    const span = tracing.root({
      name: route === undefined ? method : `${method} ${route}`,
      kind: 'server',
      requestId: id,
      place: 'request',
      caller: parseTraceparent(request.headers.traceparent),
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'tributary.operation': config.operation,
        'tributary.request_id': id,
      },
    });
    if (span !== null) {
      spans.set(request, span);
      reply.raw.once('close', () => {
        // Refused, or answered at once: such a request did not get as far as its handler.
        recordOwner(span, request);
        span.set('http.response.status_code', reply.statusCode);
        if (!reply.raw.writableFinished) span.fail('aborted');
        else if (reply.statusCode >= 500) span.fail(String(reply.statusCode));
        span.end();
      });
    }
    done();
  });
  server.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request) ?? null;
    if (span !== null) recordOwner(span, request);
    withOrigin({ requestId: request.id, span }, done);
  });
}

/** Surfaces without callers of the API do not have the property. */
function recordOwner(span: Span, { caller }: FastifyRequest): void {
  if (caller) span.ownedBy(publicId('account_record', caller.accountRecord.id));
}

function trusted(
  option: HttpOptions['trustProxy'],
): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (option === false) return false;
  return typeof option === 'number' ? (_address, hop) => hop < option : [...option];
}

/**
 * Closes any connection beyond `most` as it arrives, and then all idle ones as well, so that there is room for a caller
 * who tries again: idle connections cannot lock anyone out.
 */
function boundConnections(server: FastifyInstance, most: number): void {
  server.server.maxConnections = most;
  server.server.on('drop', () => server.server.closeIdleConnections());
}

/** Long enough for the response to arrive: closing immediately, with bytes unread, would reset the connection first. */
const LINGER_MS = 1_000;

const ANSWERS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

/**
 * Responds to bytes that are not HTTP, headers beyond the parser's limit, and requests that take too long to arrive.
 * There is no request object, only a socket, which is destroyed soon after even if the other side never closes its end.
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

/** `req_` and 24 random hex digits: callers quote it, and operators search the log for it. */
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
  /** Whether browsers are to use only https from now on. */
  readonly httpsOnly: boolean;
}

/**
 * Responses with `Connection: close` once the server is stopping, so that callers send their next request elsewhere,
 * and with `Strict-Transport-Security` if `httpsOnly`. A class rather than a hook, because a hook would slow down every
 * request, and does not run for requests that are refused before routing.
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
 * Lets requests in progress finish, and cuts off those that take longer than the deadline. Closes idle connections
 * repeatedly, because Node does so only once and then waits for those that become idle later. The deadline is needed
 * because a closing server no longer enforces its own time limits, so a caller who never finishes sending would block
 * the shutdown.
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
 * Accepts only JSON bodies. Raises `body_invalid` for another content type, bytes that are not UTF-8, or text that is
 * not JSON. An empty body counts as none, whatever its content type.
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
