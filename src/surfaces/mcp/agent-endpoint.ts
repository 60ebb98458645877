import { isIP } from 'node:net';
import {
  type JSONRPCRequest,
  type JSONRPCResponse,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from '../../features/access/authentication.ts';
import type { RateLimits } from '../../features/rate-limits/rate-limits.ts';
import { createAdmit, type Release } from '../../operations/admit.ts';
import { type AgentMessage, createAdmitAgent, scopesOf } from '../../operations/mcp/admit-agent.ts';
import type { Tool } from '../../operations/mcp/tool.ts';
import { ToolPages } from '../../operations/mcp/tool-pages.ts';
import { FIRST_TOOLS, TOOLS, toolNamed } from '../../operations/mcp/tool-table.ts';
import type { Services } from '../../operations/services.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { inSpan } from '../../platform/tracing.ts';
import type { ServiceError } from '../../vocabulary/service-error.ts';
import { allowSilence } from '../http/allowed-silence.ts';
import { type AnswerWeights, abandoned, callerOf, releaseAfter } from '../http/caller-context.ts';
import type { FailedRequests } from '../http/failed-requests.ts';
import { bearerChallenge } from '../http/header-values.ts';
import { originOf, searchOf } from '../http/request-url.ts';
import { asServiceError } from '../http/service-errors.ts';
import { type Answered, agentServer, Exchange } from './agent-server.ts';
import { errorMessage, noteFailure, REFUSED, Refusal, refusalOf, resourceMetadataUrl } from './errors.ts';
import { checkMediaTypes, faultOf, type Messages, messagesOf } from './messages.ts';

export interface McpOptions {
  readonly services: Services;
  readonly authentication: Authentication;
  readonly rateLimits: RateLimits;
  readonly metrics: Metrics;
  readonly failures: FailedRequests;
  /** The responses that are being sent to each account record, by any surface. */
  readonly weights: AnswerWeights;
  /** Where agents reach the server, without `/mcp` and without a trailing slash. */
  readonly mcpUrl: string;
  /** Other addresses of the service, whose hosts are accepted as well. */
  readonly ownUrls: readonly string[];
  /** The address that the process listens on. If it includes loopback, loopback names are accepted as well. */
  readonly host: string;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** These stand for every address of the machine. */
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::', '']);

/**
 * Refuses requests that a browser may have been tricked into sending: a page whose name resolves to this machine sends
 * its own name as `Host`, and a page of another site sends its own `Origin` (MCP, Streamable HTTP, security warning).
 * Programs send no `Origin`.
 */
class OwnHosts {
  readonly #names: string[];

  /** @param urls where the service is reached; `host`: the address it listens on */
  constructor(urls: readonly string[], host: string) {
    const listensOnLoopback =
      EVERYWHERE.has(host) ||
      host === 'localhost' ||
      host === '::1' ||
      (isIP(host) === 4 && host.startsWith('127.'));
    this.#names = [
      ...new Set([...urls.map((url) => new URL(url).hostname), ...(listensOnLoopback ? LOOPBACK : [])]),
    ];
  }

  /** Raises a Refusal with status 403, which does not say what would be accepted. */
  check({ headers }: FastifyRequest): void {
    if (!validateHostHeader(headers.host, this.#names).ok)
      throw new Refusal(403, -32_000, 'Forbidden: Host.');
    if (!validateOriginHeader(headers.origin, this.#names).ok) {
      throw new Refusal(403, -32_000, 'Forbidden: Origin.');
    }
  }
}

interface HttpAnswer {
  readonly status: number;
  readonly body: JSONRPCResponse | readonly JSONRPCResponse[];
}

const INVALID_PARAMS = -32_602;
/** Those that traces and the log name; an agent can send any other word. */
const METHODS = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
] as const;

/** The HTTP statuses that the newer revision requires when the protocol itself refuses a message. */
const EARLY_STATUS: ReadonlyMap<number, number> = new Map([
  [-32_601, 404],
  [-32_600, 400],
]);

/** Handles requests of agents at `/mcp`, without state between requests. Importing this file loads the MCP SDK. */
export class AgentEndpoint {
  readonly #options: McpOptions;
  readonly #hosts: OwnHosts;
  readonly #admitMessage: (message: AgentMessage) => Promise<Release | null>;
  /** The tools that are listed by default, and those listed with `tools=all`. */
  readonly #firstPage: ToolPages;
  readonly #allPages: ToolPages;

  constructor(options: McpOptions) {
    const { clock, limits } = options.services;
    this.#options = options;
    this.#hosts = new OwnHosts([options.mcpUrl, ...options.ownUrls], options.host);
    this.#admitMessage = createAdmitAgent(createAdmit(options.rateLimits, clock));
    this.#firstPage = new ToolPages(FIRST_TOOLS, clock, limits);
    this.#allPages = new ToolPages(TOOLS, clock, limits);
  }

  /** The check before authentication. Raises a Refusal. */
  checkHost(request: FastifyRequest): void {
    this.#hosts.check(request);
  }

  /** The check before the body is read. Raises a Refusal. */
  checkMediaTypes(request: FastifyRequest): void {
    checkMediaTypes(request);
  }

  /** Null if no message needs a response. Raises a Refusal, and what admission raises. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<HttpAnswer | null> {
    const { limits } = this.#options.services;
    // Before the message is parsed, because a wrong URL is not the fault of a message.
    wantsAllTools(request);
    const sent = messagesOf(request, limits.mcp_batch_entries);
    for (let other = 0; other < sent.others; other++) await this.#admit(null, null, request, reply);
    if (sent.isBatch) return this.#answerBatch(sent, request, reply);
    const [message] = sent.requests;
    if (message === undefined) return null;
    const tool = toolOf(message);
    const longest = tool?.longest ?? null;
    if (longest !== null) allowSilence(reply, limits[longest] * 1000);
    const release = await this.#admit(tool, message.method, request, reply);
    releaseAfter(reply, release);
    const { message: body, early } = await this.#traced(message, sent, request, reply);
    const status = early && 'error' in body && sent.classification.era === 'modern';
    return { status: status ? (EARLY_STATUS.get(body.error.code) ?? 200) : 200, body };
  }

  /** Sequentially: a batch must not use more of the service at a time than a single message. */
  async #answerBatch(
    sent: Messages,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<HttpAnswer | null> {
    allowSilence(reply, sent.requests.length * this.#options.services.limits.read_deadline_ms);
    const answers: JSONRPCResponse[] = [];
    for (const message of sent.requests) {
      if (reply.raw.destroyed) break;
      answers.push(await this.#answerEntry(message, sent, request, reply));
    }
    return answers.length === 0 ? null : { status: 200, body: answers };
  }

  /** If one entry of a batch is refused, the others are not affected. */
  async #answerEntry(
    message: JSONRPCRequest,
    sent: Messages,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<JSONRPCResponse> {
    let release: Release | null = null;
    try {
      release = await this.#admit(toolOf(message), message.method, request, reply);
      return (await this.#traced(message, sent, request, reply)).message;
    } catch (thrown) {
      const error = asServiceError(thrown);
      noteFailure(error, request, toolOf(message)?.name ?? methodOf(message), this.#options);
      return errorMessage(message.id, refusalOf(error, request, reply, this.#options));
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
      return await this.#admitMessage({ caller, tool, method, header });
    } catch (thrown) {
      const error = asServiceError(thrown);
      if (error.code === 'insufficient_scope' && caller.kind === 'oauth_token') {
        const scope = (tool === null ? ['mcp:read'] : scopesOf(tool)).join(' ');
        const resourceMetadata = resourceMetadataUrl(this.#options.mcpUrl);
        reply.header(
          'www-authenticate',
          bearerChallenge({ resourceMetadata, error: 'insufficient_scope', scope }),
        );
      }
      throw error;
    }
  }

  /** A failure of a tool is a result to the protocol, and does not fail the span. */
  #traced(
    message: JSONRPCRequest,
    sent: Messages,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Answered> {
    const method = methodOf(message);
    const tool = toolOf(message)?.name;
    const attributes = { 'mcp.method.name': method, 'gen_ai.tool.name': tool };
    return inSpan(tool === undefined ? method : `${method} ${tool}`, { attributes }, async (span) => {
      const answered = await this.#ask(message, sent, request, reply);
      if ('error' in answered.message) span?.fail('protocol');
      return answered;
    });
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
      services: this.#options.services,
      from: originOf(request),
      signal: () => abandoned(reply),
      requestId: request.id,
      pages: wantsAllTools(request) ? this.#allPages : this.#firstPage,
      failed: (error: ServiceError) =>
        noteFailure(error, request, toolOf(message)?.name ?? 'none', this.#options),
    });
    return new Exchange(classification).ask(server, message);
  }
}

/** Whether the query has `tools=all`. Raises a Refusal for any other value of `tools`. */
function wantsAllTools(request: FastifyRequest): boolean {
  const asked = new URLSearchParams(searchOf(request)).get('tools');
  if (asked !== null && asked !== 'all') throw new Refusal(400, REFUSED, 'tools takes all.');
  return asked === 'all';
}

function methodOf({ method }: JSONRPCRequest): (typeof METHODS)[number] | 'other' {
  return METHODS.find((known) => known === method) ?? 'other';
}

/** The tool that a message calls; null if it calls none that exists. */
function toolOf({ method, params }: JSONRPCRequest): Tool | null {
  return method === 'tools/call' && typeof params?.name === 'string' ? toolNamed(params.name) : null;
}
