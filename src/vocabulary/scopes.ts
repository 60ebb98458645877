/** The scopes that a key may have, as docs/scopes.md lists them. */
export const SCOPES = [
  'account:read',
  'connections:read',
  'connections:write',
  'data:read',
  'categories:read',
  'categories:write',
  'destinations:read',
  'destinations:write',
  'syncs:read',
  'syncs:write',
  'rules:read',
  'rules:write',
  'events:read',
  'events:write',
  'keys:write',
] as const;

export type Scope = (typeof SCOPES)[number];

const KNOWN: ReadonlySet<string> = new Set(SCOPES);

export function isScope(text: string): text is Scope {
  return KNOWN.has(text);
}

/** The scopes of a legacy key: every `:read` scope and no write scope (docs/authentication.md#scopes). */
export const LEGACY_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope.endsWith(':read'));

/** The given scopes, each `:write` with its `:read` (docs/authentication.md#scopes). */
export function impliedScopes(held: readonly Scope[]): ReadonlySet<Scope> {
  const all = new Set(held);
  for (const scope of held) {
    const read = scope.replace(/:write$/, ':read');
    if (isScope(read)) all.add(read);
  }
  return all;
}
