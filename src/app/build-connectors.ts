import type { DestinationConnector } from '../connectors/destinations/destination-contract.ts';
import type { DestinationPartyTools } from '../connectors/destinations/destination-party.ts';
import type { Connectors } from '../features/destinations/create-destinations.ts';
import { destinationsOf, type PlacedParty } from './party.ts';

/**
 * Every kind of destination that is set up.
 *
 * @param further connectors besides those, for tests of what all kinds share
 */
export async function buildConnectors(
  parties: readonly PlacedParty[],
  tools: DestinationPartyTools,
  further: readonly DestinationConnector[],
): Promise<Connectors> {
  const built: DestinationConnector[] = [];
  for (const { row, values } of destinationsOf(parties)) built.push(await row.open(values, tools));
  return new Map([...built, ...further].map((connector) => [connector.type, connector]));
}
