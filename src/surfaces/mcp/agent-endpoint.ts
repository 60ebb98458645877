import { createAdmit } from '../../operations/admit.ts';
import { createAdmitAgent } from '../../operations/mcp/admit-agent.ts';
import { ToolPages } from '../../operations/mcp/tool-pages.ts';
import { FIRST_TOOLS, TOOLS } from '../../operations/mcp/tool-table.ts';
import { Conversations } from './conversations.ts';
import type { McpOptions } from './options.ts';
import { OwnHosts } from './own-hosts.ts';
import { checkMediaTypes } from './request-headers.ts';

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
