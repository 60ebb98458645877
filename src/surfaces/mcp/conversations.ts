import {
  type JSONRPCRequest,
  type JSONRPCResponse,
  type MessageClassification,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Release } from '../../operations/admit.ts';
import type { AgentMessage } from '../../operations/mcp/admit-agent.ts';
import { scopesOf } from '../../operations/mcp/agent-caller.ts';
import type { Tool } from '../../operations/mcp/tool.ts';
import type { ToolPages } from '../../operations/mcp/tool-pages.ts';
import { toolNamed } from '../../operations/mcp/tool-table.ts';
import type { ServiceError } from '../../vocabulary/service-error.ts';
import { allowSilence } from '../http/allowed-silence.ts';
import { abandoned, callerOf } from '../http/caller-context.ts';
import { bearerChallenge } from '../http/header-values.ts';
import { originOf, searchOf } from '../http/request-url.ts';
import { asServiceError } from '../http/service-errors.ts';
import { agentServer } from './agent-server.ts';
import { logFailure, refusalOf, resourceMetadataUrl } from './errors.ts';
import { type Answered, Exchange } from './exchange.ts';
import { errorMessage, REFUSED, Refusal } from './json-rpc.ts';
import { type Messages, messagesOf } from './messages.ts';
import type { McpOptions } from './options.ts';
import { messageHeaders } from './request-headers.ts';

/** Of the methods that the SDK itself would answer as an internal error where their parameters are of another form. */
const SCHEMAS = {
  initialize: specTypeSchemas.InitializeRequest,
  'tools/list': specTypeSchemas.ListToolsRequest,
  'prompts/list': specTypeSchemas.ListPromptsRequest,
  'prompts/get': specTypeSchemas.GetPromptRequest,
} as const;

/** What is wrong with the parameters of a request, or null; those of a call its tool looks at. */
function faultOf(message: JSONRPCRequest, { era }: MessageClassification): string | null {
  const { method } = message;
  // The newer era has no handshake, so it is nothing to have parameters.
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

interface Dependencies extends Pick<McpOptions, 'services' | 'log' | 'metrics' | 'mcpUrl'> {
  readonly admit: (message: AgentMessage) => Promise<Release | null>;
  /** What is listed to everybody, and to those who ask for all tools. */
  readonly firstPage: ToolPages;
  readonly allPages: ToolPages;
}

interface HttpAnswer {
  readonly status: number;
  readonly body: JSONRPCResponse | readonly JSONRPCResponse[];
}

const INVALID_PARAMS = -32_602;

/** What the newer era says by HTTP too, where the protocol itself refuses a message. */
const EARLY_STATUS: ReadonlyMap<number, number> = new Map([
  [-32_601, 404],
  [-32_600, 400],
]);

/** Answers what agents send, one request at a time; nothing is kept between two of them. */
export class Conversations {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Null where nothing that was sent wants an answer. Raises a Refusal, and what admission refuses with. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<HttpAnswer | null> {
    const { limits } = this.#deps.services;
    // Before the message is looked at, because it is the address that is wrong.
    wantsAllTools(request);
    const sent = messagesOf(request.body, messageHeaders(request), limits.mcp_batch_entries);
    for (let other = 0; other < sent.others; other++) await this.#admit(null, null, request, reply);
    if (sent.isBatch) return this.#answerBatch(sent, request, reply);
    const [message] = sent.requests;
    if (message === undefined) return null;
    const tool = toolOf(message);
    const longest = tool?.longest ?? null;
    if (longest !== null) allowSilence(reply, limits[longest] * 1000);
    const release = await this.#admit(tool, message.method, request, reply);
    if (release !== null) releaseAfter(reply, release);
    const { message: body, early } = await this.#ask(message, sent, request, reply);
    const status = early && 'error' in body && sent.classification.era === 'modern';
    return { status: status ? (EARLY_STATUS.get(body.error.code) ?? 200) : 200, body };
  }

  /** One after the other: a batch must not have more of the service at a time than a single message. */
  async #answerBatch(
    sent: Messages,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<HttpAnswer | null> {
    allowSilence(reply, sent.requests.length * this.#deps.services.limits.read_deadline_ms);
    const answers: JSONRPCResponse[] = [];
    for (const message of sent.requests) {
      if (reply.raw.destroyed) break;
      answers.push(await this.#answerEntry(message, sent, request, reply));
    }
    return answers.length === 0 ? null : { status: 200, body: answers };
  }

  /** An entry that is refused fails alone. */
  async #answerEntry(
    message: JSONRPCRequest,
    sent: Messages,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<JSONRPCResponse> {
    let release: Release | null = null;
    try {
      release = await this.#admit(toolOf(message), message.method, request, reply);
      return (await this.#ask(message, sent, request, reply)).message;
    } catch (thrown) {
      const error = asServiceError(thrown);
      logFailure(error, request, message.method, this.#deps);
      return errorMessage(message.id, refusalOf(error, request, reply, this.#deps));
    } finally {
      release?.();
    }
  }

  async #admit(
    tool: Tool | null,
    method: string | null,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Release | null> {
    const caller = callerOf(request);
    const header = (name: string, value: string): void => void reply.header(name, value);
    try {
      return await this.#deps.admit({ caller, tool, method, header });
    } catch (thrown) {
      const error = asServiceError(thrown);
      if (error.code === 'insufficient_scope' && caller.kind === 'oauth_token') {
        const scope = (tool === null ? ['mcp:read'] : scopesOf(tool)).join(' ');
        const resourceMetadata = resourceMetadataUrl(this.#deps.mcpUrl);
        reply.header(
          'www-authenticate',
          bearerChallenge({ resourceMetadata, error: 'insufficient_scope', scope }),
        );
      }
      throw error;
    }
  }

  async #ask(
    message: JSONRPCRequest,
    { classification }: Messages,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Answered> {
    const fault = faultOf(message, classification);
    if (fault !== null) {
      const refused = { code: INVALID_PARAMS, message: `Invalid params: ${fault}` };
      return { message: errorMessage(message.id, refused), early: false };
    }
    const server = agentServer({
      caller: callerOf(request),
      services: this.#deps.services,
      from: originOf(request),
      signal: () => abandoned(reply),
      requestId: request.id,
      pages: wantsAllTools(request) ? this.#deps.allPages : this.#deps.firstPage,
      failed: (error: ServiceError) =>
        logFailure(error, request, toolOf(message)?.name ?? 'none', this.#deps),
    });
    return new Exchange(classification).ask(server, message);
  }
}

/** By `tools` of the address, which takes `all`. Raises a Refusal for anything else. */
function wantsAllTools(request: FastifyRequest): boolean {
  const asked = new URLSearchParams(searchOf(request)).get('tools');
  if (asked !== null && asked !== 'all') throw new Refusal(400, REFUSED, 'tools takes all.');
  return asked === 'all';
}

/** The tool that a message calls, if there is one of the name. */
function toolOf({ method, params }: JSONRPCRequest): Tool | null {
  return method === 'tools/call' && typeof params?.name === 'string' ? toolNamed(params.name) : null;
}

/** An answer closes when it is out, and when its connection breaks. */
function releaseAfter(reply: FastifyReply, release: Release): void {
  if (reply.raw.closed) release();
  else reply.raw.once('close', release);
}
