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
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { ServiceError } from '../../vocabulary/service-error.ts';
import { allowSilence } from '../http/allowed-silence.ts';
import { type AnswerWeights, abandoned, callerOf, releaseAfter } from '../http/caller-context.ts';
import { bearerChallenge } from '../http/header-values.ts';
import { originOf, searchOf } from '../http/request-url.ts';
import { asServiceError } from '../http/service-errors.ts';
import { type Answered, agentServer, Exchange } from './agent-server.ts';
import { errorMessage, logFailure, REFUSED, Refusal, refusalOf, resourceMetadataUrl } from './errors.ts';
import { checkMediaTypes, faultOf, type Messages, messagesOf } from './messages.ts';

export interface McpOptions {
  readonly services: Services;
  readonly authentication: Authentication;
  readonly rateLimits: RateLimits;
  readonly log: Log;
  readonly metrics: Metrics;
  /** What is on its way to each account record, through whichever surface. */
  readonly weights: AnswerWeights;
  /** Where agents reach the server, without `/mcp` and without a trailing slash. */
  readonly mcpUrl: string;
  /** Addresses of the service, which its hosts may be called by besides. */
  readonly ownUrls: readonly string[];
  /** What the process listens on: a loopback name is a good one where it listens there. */
  readonly host: string;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Listening here is listening on every address of the machine. */
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::', '']);

/**
 * Refuses what a browser may have been led to: a page whose name was pointed at this machine sends its own `Host`, and a
 * page of someone else its own `Origin` (MCP, Streamable HTTP, security warning). Programs send no `Origin`.
 */
class OwnHosts {
  readonly #names: string[];

  /** @param urls where the service is reached; `host`: what it listens on */
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

  /** Raises a Refusal with status 403, which does not say what would do. */
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

/** What the newer era says by HTTP too, where the protocol itself refuses a message. */
const EARLY_STATUS: ReadonlyMap<number, number> = new Map([
  [-32_601, 404],
  [-32_600, 400],
]);

/**
 * What answers at `/mcp`: what agents send, one request at a time, of which nothing is kept between two. The SDK of the
 * protocol is loaded with this file.
 */
export class AgentEndpoint {
  readonly #options: McpOptions;
  readonly #hosts: OwnHosts;
  readonly #admitMessage: (message: AgentMessage) => Promise<Release | null>;
  /** What is listed to everyone, and to those who ask for all tools. */
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

  /** What is looked at before anyone asks whose request it is. Raises a Refusal. */
  checkHost(request: FastifyRequest): void {
    this.#hosts.check(request);
  }

  /** What is looked at before the body is read. Raises a Refusal. */
  checkMediaTypes(request: FastifyRequest): void {
    checkMediaTypes(request);
  }

  /** Null if nothing that was sent wants an answer. Raises a Refusal, and what admission refuses with. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<HttpAnswer | null> {
    const { limits } = this.#options.services;
    // Before the message is looked at, because it is the address that is wrong.
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
    allowSilence(reply, sent.requests.length * this.#options.services.limits.read_deadline_ms);
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
      logFailure(error, request, message.method, this.#options);
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
        logFailure(error, request, toolOf(message)?.name ?? 'none', this.#options),
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
