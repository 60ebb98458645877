import type { Category } from '#client';

/** Which category claims each code. */
export function claimsOf(categories: readonly Category[]): ReadonlyMap<string, string> {
  return new Map(categories.flatMap(({ id, sources }) => sources.map((code) => [code, id] as const)));
}
