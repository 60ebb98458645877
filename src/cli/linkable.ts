import type { Party } from '../app/party.ts';

/** Providers that have a simulator: those `link` can link. */
export function linkableProviders(parties: readonly Party[]): readonly string[] {
  return parties
    .filter(({ row, simulator }) => row.kind === 'provider' && simulator !== null)
    .map(({ row }) => row.name);
}

/** The customers that the simulated banks know; docs/sandbox.md has what each of them owns. */
export function personaNames(parties: readonly Party[]): readonly string[] {
  return [...new Set(parties.flatMap(({ simulator }) => simulator?.personas ?? []))];
}
