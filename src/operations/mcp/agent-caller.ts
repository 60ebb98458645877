import type { Caller } from '../../features/access/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import { CALLER_KINDS } from '../../vocabulary/caller-kinds.ts';
import { AGENT_SCOPES, type AgentScope } from '../../vocabulary/oauth-scopes.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { type Admissible, requirePermitted } from '../admit.ts';
import type { Tool } from './tool.ts';

const ALL: ReadonlySet<AgentScope> = new Set(AGENT_SCOPES);
const NONE: ReadonlySet<AgentScope> = new Set();

/** The agents' scopes of a caller: those its person granted, and both for an API key (docs/scopes.md#agents). */
export function agentScopesOf(caller: Caller): ReadonlySet<AgentScope> {
  switch (caller.kind) {
    case 'api_key':
      return ALL;
    case 'oauth_token':
      return caller.agentScopes;
    default:
      return NONE;
  }
}

/** Raises `insufficient_scope` for the first scope that the caller lacks. */
export function requireAgentScopes(needed: readonly AgentScope[], caller: Caller): void {
  const held = agentScopesOf(caller);
  const lacking = needed.find((scope) => !held.has(scope));
  if (lacking === undefined) return;
  throw new ServiceError('insufficient_scope', {
    message: `This needs the scope ${lacking}, which the ${CALLER_KINDS[caller.kind].label} lacks.`,
  });
}

/** How the caller is admitted to a tool: the published interface opens its six to tokens by agents' scopes alone. */
export function admissibleFor(tool: Tool, caller: Pick<Caller, 'kind'>): Admissible {
  return tool.ofV1 && caller.kind === 'oauth_token'
    ? { tier: tool.tier, scope: null, alsoScopes: [], planGate: tool.planGate }
    : tool;
}

/** Every scope that a call of the tool with a token needs, as an app asks its person for them. */
export function scopesOf(tool: Tool): readonly string[] {
  const { scope, alsoScopes } = admissibleFor(tool, { kind: 'oauth_token' });
  return ['mcp:read', ...tool.agentScopes, ...(scope === null ? [] : [scope]), ...alsoScopes];
}

/** Whether the tool is offered to the caller: its scopes reach that far, and the plan. */
export function mayUse(tool: Tool, caller: Caller, clock: Clock): boolean {
  try {
    requireAgentScopes(tool.agentScopes, caller);
    requirePermitted(admissibleFor(tool, caller), caller, clock);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
