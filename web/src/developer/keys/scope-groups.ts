import { impliedScopes, SCOPES, type Scope } from '../../../../src/vocabulary/scopes.ts';
import type { NEW_API_KEY } from '../../text/api-keys.ts';

type Resource = keyof typeof NEW_API_KEY.groups;

interface ScopeGroup {
  readonly resource: string;
  readonly read: Scope | null;
  readonly write: Scope | null;
}

/** The scopes by what they are about, as the form shows them. */
export const SCOPE_GROUPS: readonly ScopeGroup[] = [...new Set(SCOPES.map(resourceOf))].map((resource) => ({
  resource,
  read: SCOPES.find((scope) => scope === `${resource}:read`) ?? null,
  write: SCOPES.find((scope) => scope === `${resource}:write`) ?? null,
}));

export const READS: readonly Scope[] = SCOPES.filter((scope) => scope.endsWith(':read'));

export function isResource(resource: string, groups: typeof NEW_API_KEY.groups): resource is Resource {
  return Object.hasOwn(groups, resource);
}

/** The scopes to request, without those that another one includes. */
export function askedFor(chosen: ReadonlySet<Scope>): Scope[] {
  return SCOPES.filter((scope) => chosen.has(scope) && !isBrought(scope, chosen));
}

/** Whether the scope comes with another that is chosen. */
export function isBrought(scope: Scope, chosen: ReadonlySet<Scope>): boolean {
  return impliedScopes([...chosen].filter((one) => one !== scope)).has(scope);
}

function resourceOf(scope: Scope): string {
  return scope.slice(0, scope.indexOf(':'));
}
