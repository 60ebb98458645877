import type { JSONRPCErrorResponse, RequestId } from '@modelcontextprotocol/server';

/** For what happened on our side of the protocol: refused by the service, not by JSON-RPC. */
export const REFUSED = -32_000;

/** A failure of JSON-RPC. Without an id where the request had none that could be read. */
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

/** The id of what may be a request, to be shown to its sender again. */
export function idOf(body: unknown): RequestId | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  if (!('method' in body) || !('id' in body)) return undefined;
  const { id } = body;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : undefined;
}

/** Why a request is not answered as JSON-RPC of MCP, with the HTTP status that says so too. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Of JSON-RPC. */
  readonly code: number;
  readonly data: unknown;

  constructor(status: number, code: number, message: string, data?: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
  }
}
