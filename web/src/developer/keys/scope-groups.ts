import { impliedScopes, SCOPES, type Scope } from '../../../../src/vocabulary/scopes.ts';
import type { NEW_API_KEY } from '../../text/api-keys.ts';

type Noun = keyof typeof NEW_API_KEY.groups;

interface ScopeGroup {
  readonly noun: string;
  readonly read: Scope | null;
  readonly write: Scope | null;
}

/** The scopes by what they are about, as the form shows them. */
export const SCOPE_GROUPS: readonly ScopeGroup[] = [...new Set(SCOPES.map(nounOf))].map((noun) => ({
  noun,
  read: SCOPES.find((scope) => scope === `${noun}:read`) ?? null,
  write: SCOPES.find((scope) => scope === `${noun}:write`) ?? null,
}));

export const READS: readonly Scope[] = SCOPES.filter((scope) => scope.endsWith(':read'));

export function isNoun(noun: string, groups: typeof NEW_API_KEY.groups): noun is Noun {
  return Object.hasOwn(groups, noun);
}

/** What has to be asked for: a scope that another brings is left out. */
export function askedFor(chosen: ReadonlySet<Scope>): Scope[] {
  return SCOPES.filter((scope) => chosen.has(scope) && !isBrought(scope, chosen));
}

/** Whether the scope comes with another that is chosen. */
export function isBrought(scope: Scope, chosen: ReadonlySet<Scope>): boolean {
  return impliedScopes([...chosen].filter((one) => one !== scope)).has(scope);
}

function nounOf(scope: Scope): string {
  return scope.slice(0, scope.indexOf(':'));
}
