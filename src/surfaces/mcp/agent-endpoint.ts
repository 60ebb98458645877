import { isIP } from 'node:net';
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { createAdmit } from '../../operations/admit.ts';
import { createAdmitAgent } from '../../operations/mcp/admit-agent.ts';
import { ToolPages } from '../../operations/mcp/tool-pages.ts';
import { FIRST_TOOLS, TOOLS } from '../../operations/mcp/tool-table.ts';
import { Conversations } from './conversations.ts';
import { Refusal } from './json-rpc.ts';
import type { McpOptions } from './options.ts';
import { checkMediaTypes } from './request-headers.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Listening here is listening on every address of the machine. */
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::', '']);

/**
 * Refuses what a browser may have been led to: a page whose name was pointed at this machine sends its own `Host`, and a
 * page of somebody else its own `Origin` (MCP, Streamable HTTP, security warning). Programs send no `Origin`.
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

/** What answers at `/mcp`. The SDK of the protocol is loaded with this file. */
export interface AgentEndpoint {
  readonly hosts: OwnHosts;
  readonly checkMediaTypes: typeof checkMediaTypes;
  readonly conversations: Conversations;
}

export function agentEndpoint(options: McpOptions): AgentEndpoint {
  const { clock, limits } = options.services;
  return {
    hosts: new OwnHosts([options.mcpUrl, ...options.ownUrls], options.host),
    checkMediaTypes,
    conversations: new Conversations({
      ...options,
      admit: createAdmitAgent(createAdmit(options.rateLimits, clock)),
      firstPage: new ToolPages(FIRST_TOOLS, clock, limits),
      allPages: new ToolPages(TOOLS, clock, limits),
    }),
  };
}
