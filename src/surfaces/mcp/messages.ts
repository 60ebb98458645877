import {
  classifyInboundRequest,
  isJSONRPCRequest,
  type JSONRPCRequest,
  type MessageClassification,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { LEGACY_REVISIONS, MODERN_REVISIONS } from './agent-server.ts';
import { Refusal } from './json-rpc.ts';
import { checkStandardHeaders, type MessageHeaders } from './request-headers.ts';

/** The messages of a request: those that want an answer, and how many do not. */
export interface Messages {
  readonly requests: readonly JSONRPCRequest[];
  readonly others: number;
  readonly isBatch: boolean;
  readonly classification: MessageClassification;
}

const LEGACY: MessageClassification = { era: 'legacy' };
/** The one revision that has batches; also the one meant where no header names another. */
const BATCHING = '2025-03-26';
const BAD_REQUEST = 400;
const INVALID_REQUEST = -32_600;

/** Finds out in which era somebody speaks, and what they say. Raises a Refusal for what no revision knows. */
export function messagesOf(body: unknown, headers: MessageHeaders, mostEntries: number): Messages {
  // Before anybody looks at what is in it.
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

/** Some hosts send `null` for the arguments of a call that has none. */
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
