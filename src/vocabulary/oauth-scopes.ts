import { SCOPES, type Scope } from './scopes.ts';

/**
 * Scopes of the MCP server in addition to those of v2 (docs/scopes.md#agents): an OAuth token has those that were
 * granted, an API key has both. They allow no operation of v2.
 */
export const AGENT_SCOPES = ['mcp:read', 'brokerage:read'] as const;

export type AgentScope = (typeof AGENT_SCOPES)[number];

const KNOWN: ReadonlySet<string> = new Set(AGENT_SCOPES);

export function isAgentScope(text: string): text is AgentScope {
  return KNOWN.has(text);
}

/** A scope that an app may ask a person for. `keys:write` is never offered: a key would outlive the app's revocation. */
export type OAuthScope = AgentScope | Exclude<Scope, 'keys:write'>;

/** How the consent page groups a scope: reads together, brokerage and writes separately. */
export type ConsentGroup = 'reads' | 'brokerage' | 'writes';

interface OfferedScope {
  readonly group: ConsentGroup;
  /** What the app may do with it, as shown on the consent page; completes "It may …". */
  readonly allows: string;
}

/**
 * What an app may ask for, in the order shown to people and in metadata. Only scopes of the group `reads` are
 * preselected. docs/scopes.md shows the same table.
 */
export const OAUTH_SCOPES: Readonly<Record<OAuthScope, OfferedScope>> = {
  'mcp:read': {
    group: 'reads',
    allows: 'use your data in conversations: accounts, balances and transactions',
  },
  'account:read': { group: 'reads', allows: 'see your plan and its limits' },
  'connections:read': { group: 'reads', allows: 'see which banks you have linked, and until when' },
  'data:read': { group: 'reads', allows: 'read accounts, balances, transactions and product details' },
  'categories:read': { group: 'reads', allows: 'see your categories and saved views' },
  'destinations:read': { group: 'reads', allows: 'see where your data is copied to' },
  'syncs:read': { group: 'reads', allows: 'see your syncs and what they did' },
  'rules:read': { group: 'reads', allows: 'see your rules' },
  'events:read': { group: 'reads', allows: 'see events and who receives them' },
  'brokerage:read': { group: 'brokerage', allows: 'read holdings and trades of your brokerage accounts' },
  'connections:write': {
    group: 'writes',
    allows: 'link banks, and renew, refresh and remove those you have linked',
  },
  'categories:write': { group: 'writes', allows: 'change your categories and saved views' },
  'destinations:write': { group: 'writes', allows: 'add, change and delete destinations of your data' },
  'syncs:write': { group: 'writes', allows: 'create, change, run and delete syncs' },
  'rules:write': { group: 'writes', allows: 'change the rules that your syncs apply' },
  'events:write': { group: 'writes', allows: 'choose who receives events, and send events again' },
};

/** In the order of the table. */
export const OAUTH_SCOPE_NAMES: readonly OAuthScope[] = [...AGENT_SCOPES, ...SCOPES]
  .filter(isOAuthScope)
  .toSorted((a, b) => position(a) - position(b));

export function isOAuthScope(text: string): text is OAuthScope {
  return Object.hasOwn(OAUTH_SCOPES, text);
}

function position(scope: OAuthScope): number {
  return Object.keys(OAUTH_SCOPES).indexOf(scope);
}
