import type { JSONRPCErrorResponse, RequestId } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RESOURCE_METADATA_PATH } from '../../features/oauth/oauth-resources.ts';
import { agentFailure } from '../../operations/mcp/failures.ts';
import type { Services } from '../../operations/services.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { ServiceError } from '../../vocabulary/service-error.ts';
import type { FailedRequests } from '../http/failed-requests.ts';
import { bearerChallenge } from '../http/header-values.ts';
import { asServiceError } from '../http/service-errors.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
const DEFAULT_RETRY_SECONDS = 30;
const INTERNAL_ERROR = -32_603;
const PARSE_ERROR = -32_700;

interface Options {
  readonly services: Pick<Services, 'limits' | 'publicUrl'>;
  readonly failures: Pick<FailedRequests, 'note'>;
  readonly metrics: Pick<Metrics, 'refused'>;
  readonly mcpUrl: string;
}

/** Responds to an error outside of a message, with an HTTP status and a JSON-RPC error. */
export function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: Options,
): FastifyReply {
  // The caller has disconnected.
  if (reply.raw.destroyed) return reply.hijack();
  reply.header('request-id', request.id);
  if (thrown instanceof Refusal) return sendRefusal(thrown, request, reply);
  const error = asServiceError(thrown);
  noteFailure(error, request, 'none', options);
  challenge(error, request, reply, options);
  if (error.code === 'body_too_large') {
    const most = options.services.limits.mcp_body_bytes;
    return sendRefusal(
      new Refusal(413, REFUSED, `Payload Too Large: at most ${most} bytes.`),
      request,
      reply,
    );
  }
  if (error.code === 'body_invalid')
    return sendRefusal(new Refusal(400, PARSE_ERROR, error.message), request, reply);
  return sendRefusal(refusalOf(error, request, reply, options), request, reply);
}

/** The error for HTTP and JSON-RPC; sets the headers that say when to retry. */
export function refusalOf(
  error: ServiceError,
  request: FastifyRequest,
  reply: FastifyReply,
  { metrics, services }: Options,
): Refusal {
  if (error.status === 429) metrics.refused(error.code);
  if (error.status === 429 || error.status === 503) {
    reply.header('retry-after', String(Math.ceil(error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS)));
  }
  const data = agentFailure(error, { docsUrl: `${services.publicUrl}/docs/errors`, requestId: request.id });
  return new Refusal(error.status, error.status >= 500 ? INTERNAL_ERROR : REFUSED, error.message, data);
}

export function sendRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, code, message, data } = refusal;
  reply.code(status).header('content-type', JSON_TYPE);
  return reply.send(JSON.stringify(errorMessage(idOf(request.body), { code, message, data })));
}

/** `called`: the tool, if any. */
export function noteFailure(
  error: ServiceError,
  request: FastifyRequest,
  called: string,
  { failures }: Pick<Options, 'failures'>,
): void {
  failures.note(error, request, `mcp ${called}`);
}

/** Tells a client without a valid token where to get one. */
function challenge(
  error: ServiceError,
  request: FastifyRequest,
  reply: FastifyReply,
  options: Options,
): void {
  if (error.status !== 401) return;
  const sent = request.headers.authorization !== undefined && error.code !== 'api_key_missing';
  const value = bearerChallenge({
    resourceMetadata: resourceMetadataUrl(options.mcpUrl),
    ...(sent && { error: 'invalid_token' as const }),
  });
  reply.header('www-authenticate', value);
}

/** Where the metadata of the resource `{mcp_url}/mcp` is (RFC 9728, section 3.1). */
export function resourceMetadataUrl(mcpUrl: string): string {
  return `${mcpUrl}${RESOURCE_METADATA_PATH}/mcp`;
}

/** For refusals by the service rather than by JSON-RPC. */
export const REFUSED = -32_000;

/** A JSON-RPC error, without an id if the request had no readable one. */
export function errorMessage(
  id: RequestId | undefined,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
): JSONRPCErrorResponse {
  const { code, message, data } = error;
  return {
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: { code, message, ...(data !== undefined && { data }) },
  };
}

/** The id to send back, if the body is a request with a valid one. */
export function idOf(body: unknown): RequestId | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  if (!('method' in body) || !('id' in body)) return undefined;
  const { id } = body;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : undefined;
}

/** Why a request is refused before MCP handles it, with the HTTP status. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** The JSON-RPC error code. */
  readonly code: number;
  readonly data: unknown;

  constructor(status: number, code: number, message: string, data?: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
  }
}
