/** The part of a row of the table of integrations that the command line uses. */
export interface OfferedIntegration {
  readonly row: {
    readonly kind: 'provider' | 'destination';
    readonly name: string;
    readonly variables: readonly unknown[];
  };
  readonly simulator: { readonly personas?: readonly string[] } | null;
}

/** Providers that have a simulator: those `link` can link. */
export function linkableProviders(integrations: readonly OfferedIntegration[]): readonly string[] {
  return integrations
    .filter(({ row, simulator }) => row.kind === 'provider' && simulator !== null)
    .map(({ row }) => row.name);
}

/** The customers that the simulated banks know; docs/sandbox.md has what each of them owns. */
export function personaNames(integrations: readonly OfferedIntegration[]): readonly string[] {
  return [...new Set(integrations.flatMap(({ simulator }) => simulator?.personas ?? []))];
}

/** Types of destinations that rows can be written to in the sandbox: those with a simulator, and those that need none. */
export function deliverableTypes(integrations: readonly OfferedIntegration[]): readonly string[] {
  return integrations.flatMap(({ row, simulator }) =>
    row.kind === 'destination' && (simulator !== null || row.variables.length === 0) ? [row.name] : [],
  );
}
