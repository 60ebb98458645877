import type { Caller } from '../../features/access/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import { CALLER_KINDS } from '../../vocabulary/caller-kinds.ts';
import { AGENT_SCOPES, type AgentScope } from '../../vocabulary/oauth-scopes.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import {
  type Admissible,
  type AdmissionRequest,
  type Admit,
  type Release,
  requirePermitted,
} from '../admit.ts';
import type { Tool } from './tool.ts';

/** The tier of all other messages that call no tool: prompts, unknown tools, invalid messages. */
const PROTOCOL: Admissible = { tier: 'cheap', scope: null, alsoScopes: [], planGate: null };
const HANDSHAKE: Admissible = { ...PROTOCOL, tier: 'handshake' };
/** What clients send several times for each call of a tool. */
const HANDSHAKES: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'tools/list',
  'prompts/list',
  'ping',
]);

/** What admission needs to know about a message. */
export interface AgentMessage {
  readonly caller: Caller;
  /** The tool it calls; null if it calls none, or one that does not exist. */
  readonly tool: Tool | null;
  /** The method that it names; null for a notification. */
  readonly method: string | null;
  readonly header: AdmissionRequest['header'];
}

/**
 * Admits each message of an agent as v1 admits a request (createAdmit), counted apart from what the same caller asks of
 * v1 and v2, and asks for the agents' scopes besides. Raises as `Admit` does.
 */
export function createAdmitAgent(admit: Admit): (message: AgentMessage) => Promise<Release | null> {
  return async ({ caller, tool, method, header }) => {
    const withoutTool = method === null || HANDSHAKES.has(method) ? HANDSHAKE : PROTOCOL;
    const operation = tool === null ? withoutTool : admissibleFor(tool, caller);
    const release = await admit({ operation, caller, countedAs: `mcp ${caller.id}`, version: null, header });
    try {
      requireAgentScopes(['mcp:read', ...(tool?.agentScopes ?? [])], caller);
    } catch (error) {
      release?.();
      throw error;
    }
    return release;
  };
}

const ALL: ReadonlySet<AgentScope> = new Set(AGENT_SCOPES);
const NONE: ReadonlySet<AgentScope> = new Set();

/** The agents' scopes of a caller: those its person granted, and both for an API key (docs/scopes.md#agents). */
function agentScopesOf(caller: Caller): ReadonlySet<AgentScope> {
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
function requireAgentScopes(needed: readonly AgentScope[], caller: Caller): void {
  const held = agentScopesOf(caller);
  const lacking = needed.find((scope) => !held.has(scope));
  if (lacking === undefined) return;
  throw new ServiceError('insufficient_scope', {
    message: `This needs the scope ${lacking}, which the ${CALLER_KINDS[caller.kind].label} lacks.`,
  });
}

/** How the caller is admitted to a tool: the published interface opens its six to tokens by agents' scopes alone. */
function admissibleFor(tool: Tool, caller: Pick<Caller, 'kind'>): Admissible {
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
