import { AGENT_SCOPES, type AgentScope, isAgentScope } from '../../vocabulary/agent-scopes.ts';
import { MEMBER_ROLES, type MemberRole } from '../../vocabulary/member-roles.ts';
import type { OAuthScope } from '../../vocabulary/oauth-scopes.ts';
import { impliedScopes, type Scope } from '../../vocabulary/scopes.ts';

/** Whether a member of the role can let an app do so: what they may not do themselves, they cannot give. */
export function mayGrant(role: MemberRole, scope: OAuthScope): boolean {
  return isAgentScope(scope) || MEMBER_ROLES[role].scopes.includes(scope);
}

/** What a caller holds of the scopes its token was issued for, with those they bring. */
export interface HeldScopes {
  readonly scopes: ReadonlySet<Scope>;
  readonly agentScopes: ReadonlySet<AgentScope>;
}

/** What is left of granted scopes while the person has the role. */
export function heldScopes(granted: readonly OAuthScope[], role: MemberRole): HeldScopes {
  const held = granted.filter((scope) => mayGrant(role, scope));
  return {
    scopes: impliedScopes(held.filter((scope) => !isAgentScope(scope))),
    agentScopes: new Set(AGENT_SCOPES.filter((scope) => held.includes(scope))),
  };
}
