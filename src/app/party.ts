import type { ReachedSimulator, SimulatorIntegration } from '../../sandbox/shared/simulator.ts';

import type { DestinationIntegration } from '../connectors/destinations/destination-integration.ts';
import type { ProviderIntegration } from '../connectors/providers/provider-integration.ts';
import type { Config } from '../platform/config.ts';
import { type IntegrationConfig, IntegrationValues } from '../platform/integration-settings.ts';

/** An integration: who it is, and what stands in for it in the sandbox, if anything does. */
export interface Integration {
  readonly row: ProviderIntegration | DestinationIntegration;
  readonly simulator: SimulatorIntegration | null;
}

/** An integration that is set up: at the vendor with the operator's settings, or at its simulator. */
export interface PlacedIntegration<Row extends Integration['row'] = Integration['row']> {
  readonly row: Row;
  readonly at: 'vendor' | 'simulator';
  readonly values: IntegrationValues;
}

/** Whether the vendor itself is used: its credentials are set, or it needs none. */
export function isReal({ row }: Integration, config: Config): boolean {
  return configOf(row, config).complete;
}

/**
 * Whether a simulator stands in for it where the sandbox is on. A destination's shows the rows it received to everybody
 * who has the address, so none runs where a bank is real.
 */
export function isSimulated(
  integration: Integration,
  integrations: readonly Integration[],
  config: Config,
): boolean {
  if (integration.simulator === null) return false;
  if (isReal(integration, config) && integration.simulator.beside !== true) return false;
  if (integration.row.kind === 'provider') return true;
  return !integrations.some((other) => other.row.kind === 'provider' && isReal(other, config));
}

/** Every integration that is set up. One without credentials is at its simulator where that runs, and nowhere else. */
export function placeIntegrations(
  integrations: readonly Integration[],
  config: Config,
  simulators: ReadonlyMap<string, ReachedSimulator>,
): readonly PlacedIntegration[] {
  return integrations.flatMap((integration): PlacedIntegration[] => {
    const { row } = integration;
    const { texts } = configOf(row, config);
    const simulator = simulators.get(row.name);
    if (isReal(integration, config)) {
      // A simulator beside it adds what the operator did not set, such as its address.
      return [
        { row, at: 'vendor', values: new IntegrationValues(row.name, { ...simulator?.settings, ...texts }) },
      ];
    }
    if (simulator === undefined) return [];
    const values = new IntegrationValues(row.name, { ...texts, ...simulator.settings });
    return [{ row, at: 'simulator', values }];
  });
}

function configOf({ name }: Integration['row'], { integrations }: Config): IntegrationConfig {
  const found = Object.hasOwn(integrations, name) ? integrations[name] : undefined;
  if (found === undefined) throw new Error(`The configuration was read without ${name}.`);
  return found;
}

/** The providers among them. */
export function providersOf(
  integrations: readonly PlacedIntegration[],
): readonly PlacedIntegration<ProviderIntegration>[] {
  return integrations.flatMap(({ row, ...rest }) => (row.kind === 'provider' ? [{ row, ...rest }] : []));
}

/** The destinations among them. */
export function destinationsOf(
  integrations: readonly PlacedIntegration[],
): readonly PlacedIntegration<DestinationIntegration>[] {
  return integrations.flatMap(({ row, ...rest }) => (row.kind === 'destination' ? [{ row, ...rest }] : []));
}

/** Origins at which the integrations are reached: the operator chose them, so the address guard is not asked. */
export function trustedOrigins(integrations: readonly PlacedIntegration[]): readonly string[] {
  return integrations.flatMap(({ row, values }) =>
    row.variables
      .filter(({ role }) => role === 'address')
      .flatMap((variable) => values.find(variable) ?? [])
      .map((text) => new URL(String(text)).origin),
  );
}
