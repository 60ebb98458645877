import type { Integration } from '../app/integrations.ts';

/** Providers that have a simulator: those `link` can link. */
export function linkableProviders(integrations: readonly Integration[]): readonly string[] {
  return integrations
    .filter(({ row, simulator }) => row.kind === 'provider' && simulator !== null)
    .map(({ row }) => row.name);
}

/** The customers that the simulated banks know; docs/sandbox.md has what each of them owns. */
export function personaNames(integrations: readonly Integration[]): readonly string[] {
  return [...new Set(integrations.flatMap(({ simulator }) => simulator?.personas ?? []))];
}
