import {
  type CallToolResult,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type MessageClassification,
  PerRequestHTTPServerTransport,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { agentFailure } from '../../operations/mcp/failures.ts';
import { FOREIGN_IN_FAILURES, FOREIGN_TEXT, foreignTextOf } from '../../operations/mcp/foreign-text.ts';
import { INSTRUCTIONS } from '../../operations/mcp/instructions.ts';
import { PROMPTS, promptText } from '../../operations/mcp/prompts.ts';
import { InvalidArguments, lenientArguments, type ToolContext } from '../../operations/mcp/tool.ts';
import type { ToolPages } from '../../operations/mcp/tool-pages.ts';
import { toolNamed } from '../../operations/mcp/tool-table.ts';
import { V1Refusal } from '../../operations/v1/failures.ts';
import type { ServiceError } from '../../vocabulary/service-error.ts';
import { CURRENT_RELEASE } from '../../vocabulary/service-version.ts';
import { asServiceError } from '../http/service-errors.ts';

/** The revisions without sessions; the SDK supports one. */
export const MODERN_REVISIONS = ['2026-07-28'];
export const LEGACY_REVISIONS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;

const HOUR_MS = 3_600_000;
const PRIVATE = { ttlMs: HOUR_MS, cacheScope: 'private' } as const;

const SERVER_INFO = { name: 'tributary', title: 'Tributary', version: CURRENT_RELEASE };
const SETTINGS = {
  capabilities: { tools: {}, prompts: {} },
  instructions: INSTRUCTIONS,
  supportedProtocolVersions: [...MODERN_REVISIONS, ...LEGACY_REVISIONS],
  cacheHints: { 'tools/list': PRIVATE, 'prompts/list': PRIVATE, 'server/discover': PRIVATE },
};

/** What is needed to answer one message. */
export interface Answering extends ToolContext {
  readonly requestId: string;
  readonly pages: ToolPages;
  /** Called with each failure of a tool that is returned as a result. */
  readonly failed: (error: ServiceError) => void;
}

/** An SDK server for one message of one caller; it keeps no state. */
export function agentServer(answering: Answering): Server {
  const server = new Server(SERVER_INFO, SETTINGS);
  server.setRequestHandler('tools/list', ({ params }) => {
    const { tools, nextCursor } = invalidAsParams(() =>
      answering.pages.page(answering.caller, params?.cursor),
    );
    return { tools: [...tools], ...(nextCursor !== undefined && { nextCursor }) };
  });
  server.setRequestHandler('tools/call', ({ params }) => callTool(params, answering));
  server.setRequestHandler('prompts/list', () => ({
    prompts: PROMPTS.map(({ text: _text, arguments: taken, ...prompt }) => ({
      ...prompt,
      arguments: [...taken],
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const { prompt, text } = invalidAsParams(() => promptText(params.name, params.arguments ?? {}));
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text } }],
    };
  });
  return server;
}

async function callTool(
  {
    name,
    arguments: args = {},
  }: { readonly name: string; readonly arguments?: Record<string, unknown> | undefined },
  answering: Answering,
): Promise<CallToolResult> {
  const tool = toolNamed(name);
  if (tool === null) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'There is no tool of this name; try search_tools.',
    );
  }
  try {
    const { structured, text } = await tool.call(lenientArguments(tool.input, args), answering);
    const foreign = foreignTextOf(tool);
    return {
      content: [{ type: 'text', text }],
      structuredContent: { ...structured },
      ...(foreign.length > 0 && { _meta: { [FOREIGN_TEXT]: [...foreign] } }),
    };
  } catch (thrown) {
    if (thrown instanceof InvalidArguments) throw invalidParams(thrown);
    const error = thrown instanceof V1Refusal ? thrown : asServiceError(thrown);
    if (!(error instanceof V1Refusal)) answering.failed(error);
    const { services, requestId } = answering;
    const place = { docsUrl: `${services.publicUrl}/docs/errors`, requestId, asV1: tool.ofV1 };
    const failure = agentFailure(error, place);
    return {
      isError: true,
      content: [{ type: 'text', text: JSON.stringify({ error: failure }) }],
      _meta: { [FOREIGN_TEXT]: [...FOREIGN_IN_FAILURES] },
    };
  }
}

function invalidAsParams<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InvalidArguments ? invalidParams(error) : error;
  }
}

function invalidParams({ message, param, code }: InvalidArguments): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid params: ${message}`, { code, param });
}

/** The response to a message. */
export interface Answered {
  readonly message: JSONRPCResponse;
  /** Whether the protocol layer refused it before any of our handlers was called. */
  readonly early: boolean;
}

/**
 * Passes one message to an SDK server, in memory, and returns its response. It derives from the SDK's own transport so
 * that the SDK knows the revision. That transport itself would write each response into a `Response`, which would have
 * to be read again: more work than all the rest of a call (docs/decisions/0030-mcp.md).
 */
export class Exchange extends PerRequestHTTPServerTransport {
  #answered: ((answered: Answered) => void) | null = null;
  #handing = false;

  constructor(classification: MessageClassification) {
    super({ classification, responseMode: 'json' });
    this.#classification = classification;
  }

  readonly #classification: MessageClassification;

  /** Connects the server for this message only. Never settles if the server is closed before it has responded. */
  async ask(server: Server, message: JSONRPCRequest): Promise<Answered> {
    await server.connect(this);
    const answer = new Promise<Answered>((resolve) => {
      this.#answered = resolve;
    });
    this.#handing = true;
    this.onmessage?.(message, { classification: this.#classification });
    this.#handing = false;
    try {
      return await answer;
    } finally {
      await server.close();
    }
  }

  /** Drops everything except the response, because nothing is streamed. */
  override async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCResponse(message)) this.#answered?.({ message, early: this.#handing });
  }
}
