import type { DestinationConnector } from '../connectors/destinations/destination-contract.ts';
import type { DestinationIntegrationTools } from '../connectors/destinations/destination-integration.ts';
import type { Connectors } from '../features/destinations/create-destinations.ts';
import { destinationsOf, type PlacedIntegration } from './integrations.ts';

/**
 * Every kind of destination that is set up.
 *
 * @param further connectors besides those, for tests of what all kinds share
 */
export async function buildConnectors(
  integrations: readonly PlacedIntegration[],
  tools: DestinationIntegrationTools,
  further: readonly DestinationConnector[],
): Promise<Connectors> {
  const built: DestinationConnector[] = [];
  for (const { row, values } of destinationsOf(integrations)) built.push(await row.open(values, tools));
  return new Map([...built, ...further].map((connector) => [connector.type, connector]));
}
