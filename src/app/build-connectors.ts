import type { DestinationConnector } from '../connectors/destinations/destination-contract.ts';
import type { DestinationIntegrationTools } from '../connectors/destinations/destination-integration.ts';
import type { Provider } from '../connectors/providers/provider-contract.ts';
import type { ProviderTools } from '../connectors/providers/provider-integration.ts';
import type { Connectors } from '../features/destinations/create-destinations.ts';
import type { Pauses } from '../features/provider-gateway/call-guards.ts';
import type { BalanceSigns, SharedIds, Turns } from '../features/provider-gateway/gateway-options.ts';
import type { MemoryCache } from '../features/provider-gateway/memory-cache.ts';
import { ProviderGateway } from '../features/provider-gateway/provider-gateway.ts';
import type { Metrics } from '../platform/metrics.ts';
import {
  findVendorPause,
  noteBalanceSign,
  noteSharedRowId,
  noteVendorPause,
  sharedRowIds,
} from '../storage/accounts.ts';
import type { Db } from '../storage/database.ts';
import type { ProviderIdentifier } from '../vocabulary/provider-kinds.ts';
import { destinationsOf, type PlacedIntegration, providersOf } from './integrations.ts';

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

interface GatewayParts extends ProviderTools {
  readonly metrics: Metrics;
  readonly cache: MemoryCache;
  readonly turns: Turns;
  readonly integrations: readonly PlacedIntegration[];
  readonly db: Db;
}

/** The gateway over every provider that is set up. */
export async function buildGateway(parts: GatewayParts): Promise<ProviderGateway> {
  const { integrations, db, http, clock, log, limits, cache, turns, metrics } = parts;
  const providers = new Map<ProviderIdentifier, Provider>();
  for (const { row, values } of providersOf(integrations))
    providers.set(row.name, await row.open(values, { http, clock, log, limits }));
  const sharedIds: SharedIds = {
    of: (owner, account) => sharedRowIds(db, owner, account),
    note: (owner, account, rowId) =>
      noteSharedRowId(db, { owner, account, rowId, most: limits.shared_row_ids }),
  };
  const pauses: Pauses = {
    of: (read) => findVendorPause(db, read),
    note: (read, pause) => noteVendorPause(db, read, pause),
  };
  const balanceSigns: BalanceSigns = {
    note: (owner, account, sign) => noteBalanceSign(db, owner, account, sign),
  };
  return new ProviderGateway({
    providers,
    cache,
    turns,
    limits,
    clock,
    log,
    metrics,
    sharedIds,
    pauses,
    balanceSigns,
  });
}
