import { isJsonContentType, type JSONRPCRequest } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { weightsOf } from '../http/header-values.ts';
import { Refusal } from './json-rpc.ts';

/** The code of the revision of July 2026 for headers that say something else than the body. */
const HEADER_MISMATCH = -32_020;
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]+={0,2})\?=$/;

/** The headers of a message, each once, as the SDK names them. */
export interface MessageHeaders {
  readonly protocolVersionHeader?: string;
  readonly mcpMethodHeader?: string;
  readonly mcpNameHeader?: string;
}

export function messageHeaders({ headers }: Pick<FastifyRequest, 'headers'>): MessageHeaders {
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

/** Raises 415 unless the body says that it is JSON, and 406 unless the caller takes JSON, which every answer is. */
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
 * Holds the headers of a request of the newer era against its body: they must be there, so that proxies can route by them.
 * What the two say of version and method where both speak, the SDK has compared. Raises 400, -32020.
 */
export function checkStandardHeaders(headers: MessageHeaders, { method, params }: JSONRPCRequest): void {
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

/** A name that is not plain ASCII comes as base64 of its UTF-8. */
function decoded(header: string): string {
  const encoded = ENCODED.exec(header)?.[1];
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString();
}

function mismatch(header: string, what: string): Refusal {
  return new Refusal(400, HEADER_MISMATCH, `Bad Request: the header ${header} ${what}.`, { header });
}
