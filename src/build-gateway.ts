import type { Provider } from './connectors/providers/provider-contract.ts';
import type { ProviderTools } from './connectors/providers/provider-party.ts';
import type { GatewayCache } from './features/provider-gateway/gateway-cache.ts';
import { ProviderGateway } from './features/provider-gateway/provider-gateway.ts';
import { type PlacedParty, providersOf } from './party.ts';
import type { Metrics } from './platform/metrics.ts';
import type { ProviderIdentifier } from './vocabulary/providers.ts';

export interface GatewayParts extends ProviderTools {
  readonly metrics: Metrics;
  readonly cache: GatewayCache;
  readonly parties: readonly PlacedParty[];
}

/** The gateway over every provider that is set up. */
export async function buildGateway(parts: GatewayParts): Promise<ProviderGateway> {
  const { parties, http, clock, log, limits, cache, metrics } = parts;
  const providers = new Map<ProviderIdentifier, Provider>();
  for (const { row, values } of providersOf(parties))
    providers.set(row.name, await row.open(values, { http, clock, log, limits }));
  return new ProviderGateway({ providers, cache, limits, clock, log, metrics });
}
