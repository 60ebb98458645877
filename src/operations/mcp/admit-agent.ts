import type { Caller } from '../../features/access/caller.ts';
import type { Admissible, AdmissionRequest, Admit, Release } from '../admit.ts';
import { admissibleFor, requireAgentScopes } from './agent-caller.ts';
import type { Tool } from './tool.ts';

/** What every other message is that calls no tool: prompts, tools that there are none of, nonsense. */
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

/** What admission needs to know of a message. */
export interface AgentMessage {
  readonly caller: Caller;
  /** The tool it calls; null where it calls none that there is. */
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
