import type { Caller } from '../../features/access/caller.ts';
import type { Admissible, AdmissionRequest, Admit, Release } from '../admit.ts';
import { admissibleFor, requireAgentScopes } from './agent-caller.ts';
import type { Tool } from './tool.ts';

/** What every message is that calls no tool: `initialize`, `ping`, lists, prompts, notifications, nonsense. */
const PROTOCOL: Admissible = { tier: 'cheap', scope: null, alsoScopes: [], planGate: null };

/** What admission needs to know of a message. */
export interface AgentMessage {
  readonly caller: Caller;
  /** The tool it calls; null where it calls none that there is. */
  readonly tool: Tool | null;
  readonly header: AdmissionRequest['header'];
}

/**
 * Admits each message of an agent as v1 admits a request (createAdmit), counted apart from what the same caller asks of
 * v1 and v2, and asks for the agents' scopes besides. Raises as `Admit` does.
 */
export function createAdmitAgent(admit: Admit): (message: AgentMessage) => Promise<Release | null> {
  return async ({ caller, tool, header }) => {
    const operation = tool === null ? PROTOCOL : admissibleFor(tool, caller);
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
