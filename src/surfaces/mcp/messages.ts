import {
  classifyInboundRequest,
  isJSONRPCRequest,
  isJsonContentType,
  type JSONRPCRequest,
  type MessageClassification,
  specTypeSchemas,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { weightsOf } from '../http/header-values.ts';
import { LEGACY_REVISIONS, MODERN_REVISIONS } from './agent-server.ts';
import { Refusal } from './errors.ts';

/** The messages of a request: those that need a response, and the number of those that do not. */
export interface Messages {
  readonly requests: readonly JSONRPCRequest[];
  readonly others: number;
  readonly isBatch: boolean;
  readonly classification: MessageClassification;
}

const LEGACY: MessageClassification = { era: 'legacy' };
/** The only revision with batches, and the default if no header names another. */
const BATCHING = '2025-03-26';
const BAD_REQUEST = 400;
const INVALID_REQUEST = -32_600;

/** Determines the era of a request and parses its messages. Raises a Refusal for a request that no revision allows. */
export function messagesOf(request: Pick<FastifyRequest, 'headers' | 'body'>, mostEntries: number): Messages {
  const { body } = request;
  const headers = messageHeaders(request);
  // Checked before the content.
  if (Array.isArray(body)) checkBatch(body, headers, mostEntries);
  const route = classifyInboundRequest({ httpMethod: 'POST', ...headers, body });
  switch (route.kind) {
    case 'reject':
      throw new Refusal(route.httpStatus, route.code, route.message, route.data);
    case 'modern': {
      const { classification, message } = route;
      checkRevision(classification.revision, MODERN_REVISIONS);
      if (!isJSONRPCRequest(message)) return { requests: [], others: 1, isBatch: false, classification };
      checkStandardHeaders(headers, message);
      return { requests: [withArguments(message)], others: 0, isBatch: false, classification };
    }
    case 'legacy': {
      const named = headers.protocolVersionHeader;
      if (named !== undefined && route.reason !== 'initialize') checkRevision(named.trim(), LEGACY_REVISIONS);
      const entries: readonly unknown[] = Array.isArray(body) ? body : [body];
      const requests = entries.filter((entry) => isJSONRPCRequest(entry)).map(withArguments);
      const isBatch = Array.isArray(body);
      return { requests, others: entries.length - requests.length, isBatch, classification: LEGACY };
    }
  }
}

/** Some clients send `null` for the arguments of a call without any. */
function withArguments(message: JSONRPCRequest): JSONRPCRequest {
  const { params } = message;
  return params?.arguments === null ? { ...message, params: { ...params, arguments: {} } } : message;
}

function checkBatch(
  batch: readonly unknown[],
  { protocolVersionHeader: named = BATCHING }: MessageHeaders,
  most: number,
): void {
  if (named.trim() !== BATCHING) {
    throw new Refusal(
      BAD_REQUEST,
      INVALID_REQUEST,
      `Bad Request: the revision ${BATCHING} alone has batches.`,
    );
  }
  if (batch.length > most) {
    throw new Refusal(BAD_REQUEST, INVALID_REQUEST, `Bad Request: a batch has at most ${most} messages.`);
  }
  const isInitialize = (entry: unknown): boolean =>
    typeof entry === 'object' && entry !== null && 'method' in entry && entry.method === 'initialize';
  if (batch.some(isInitialize)) {
    throw new Refusal(BAD_REQUEST, INVALID_REQUEST, 'Bad Request: initialize cannot be part of a batch.');
  }
}

function checkRevision(revision: string | undefined, known: readonly string[]): void {
  if (revision !== undefined && known.includes(revision)) return;
  const { code, message, data } = new UnsupportedProtocolVersionError({
    supported: [...known],
    requested: (revision ?? 'unknown').slice(0, 100),
  });
  throw new Refusal(BAD_REQUEST, code, message, data);
}

/** The error code in the revision of July 2026 for headers that contradict the body. */
const HEADER_MISMATCH = -32_020;
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]+={0,2})\?=$/;

/** The headers of a message, each with a single value, under the names of the SDK. */
interface MessageHeaders {
  readonly protocolVersionHeader?: string;
  readonly mcpMethodHeader?: string;
  readonly mcpNameHeader?: string;
}

function messageHeaders({ headers }: Pick<FastifyRequest, 'headers'>): MessageHeaders {
  const version = textOf(headers['mcp-protocol-version']);
  const method = textOf(headers['mcp-method']);
  const name = textOf(headers['mcp-name']);
  return {
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
  };
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

/** Raises 415 unless the body is declared as JSON, and 406 unless the caller accepts JSON, the only format of responses. */
export function checkMediaTypes({ headers }: FastifyRequest): void {
  if (!isJsonContentType(headers['content-type'])) {
    throw new Refusal(415, -32_000, 'Unsupported Media Type: send application/json.');
  }
  const { accept } = headers;
  if (accept === undefined) return;
  const weights = weightsOf(accept);
  const takes = (type: string): boolean =>
    [type, type.replace(/\/.*/, '/*'), '*/*'].some((name) => (weights.get(name) ?? 0) > 0);
  if (takes('application/json')) return;
  throw new Refusal(406, -32_000, 'Not Acceptable: accept application/json.');
}

/**
 * Compares the headers of a request of the newer era with its body. They are required, so that proxies can route by
 * them. The SDK has already compared version and method if both are present. Raises 400, -32020.
 */
function checkStandardHeaders(headers: MessageHeaders, { method, params }: JSONRPCRequest): void {
  const { protocolVersionHeader, mcpMethodHeader, mcpNameHeader } = headers;
  if (protocolVersionHeader === undefined) throw mismatch('MCP-Protocol-Version', 'is missing');
  if (mcpMethodHeader === undefined) throw mismatch('Mcp-Method', 'is missing');
  if (method !== 'tools/call' && method !== 'prompts/get') return;
  const name = params?.name;
  if (typeof name !== 'string') return;
  if (mcpNameHeader === undefined) throw mismatch('Mcp-Name', 'is missing');
  if (decoded(mcpNameHeader.trim()) !== name)
    throw mismatch('Mcp-Name', 'names something else than the body');
}

/** Names that are not plain ASCII are sent as base64 of their UTF-8. */
function decoded(header: string): string {
  const encoded = ENCODED.exec(header)?.[1];
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString();
}

function mismatch(header: string, what: string): Refusal {
  return new Refusal(400, HEADER_MISMATCH, `Bad Request: the header ${header} ${what}.`, { header });
}

/** The methods for which the SDK itself would return an internal error if the parameters have the wrong form. */
const SCHEMAS = {
  initialize: specTypeSchemas.InitializeRequest,
  'tools/list': specTypeSchemas.ListToolsRequest,
  'prompts/list': specTypeSchemas.ListPromptsRequest,
  'prompts/get': specTypeSchemas.GetPromptRequest,
} as const;

/** What is wrong with the parameters of a request, or null. The arguments of a call are checked by its tool. */
export function faultOf(message: JSONRPCRequest, { era }: MessageClassification): string | null {
  const { method } = message;
  // The newer era has no handshake, so there is nothing to check.
  if (!isChecked(method) || (era === 'modern' && method === 'initialize')) return null;
  const verdict = SCHEMAS[method]['~standard'].validate(message);
  if (verdict instanceof Promise) throw new TypeError('a schema of the protocol is looked at later');
  const [first] = verdict.issues ?? [];
  if (first === undefined) return null;
  const path = (first.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  return `${path.join('.').slice(0, 120)}: ${first.message}`;
}

function isChecked(method: string): method is keyof typeof SCHEMAS {
  return Object.hasOwn(SCHEMAS, method);
}
