/**
 * Scopes of the MCP server beside those of v2 (docs/scopes.md#agents): an OAuth token holds those its person granted, an
 * API key holds both. They open no operation of v2.
 */
export const AGENT_SCOPES = ['mcp:read', 'brokerage:read'] as const;

export type AgentScope = (typeof AGENT_SCOPES)[number];

const KNOWN: ReadonlySet<string> = new Set(AGENT_SCOPES);

export function isAgentScope(text: string): text is AgentScope {
  return KNOWN.has(text);
}
