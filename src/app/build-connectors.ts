import type { DestinationConnector } from '../connectors/destinations/destination-contract.ts';
import type { DestinationIntegrationTools } from '../connectors/destinations/destination-integration.ts';
import type { Provider } from '../connectors/providers/provider-contract.ts';
import type { ProviderTools } from '../connectors/providers/provider-integration.ts';
import { createStatementFilesProvider } from '../connectors/providers/statement-files/connector.ts';
import type { Connectors } from '../features/destinations/create-destinations.ts';
import { DocumentSecrets } from '../features/documents/document-secrets.ts';
import { StoredStatements } from '../features/documents/stored-statements.ts';
import type { Pauses, UnattendedReads } from '../features/provider-gateway/call-guards.ts';
import type { BalanceSigns, SharedIds, Turns } from '../features/provider-gateway/gateway-options.ts';
import type { MemoryCache } from '../features/provider-gateway/memory-cache.ts';
import { ProviderGateway } from '../features/provider-gateway/provider-gateway.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Metrics } from '../platform/metrics.ts';
import {
  findVendorPause,
  giveBackUnattendedRead,
  noteBalanceSign,
  noteSharedRowId,
  noteVendorPause,
  sharedRowIds,
  takeUnattendedRead,
} from '../storage/accounts.ts';
import type { Db } from '../storage/database.ts';
import type { ProviderIdentifier } from '../vocabulary/provider-kinds.ts';
import { destinationsOf, type PlacedIntegration, providersOf } from './integrations.ts';

/**
 * Every configured type of destination.
 *
 * @param further additional connectors, for tests of what all types share
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

const DAY_MS = 86_400_000;

interface GatewayParts extends ProviderTools {
  readonly metrics: Metrics;
  readonly cache: MemoryCache;
  readonly turns: Turns;
  readonly integrations: readonly PlacedIntegration[];
  readonly db: Db;
  readonly keyring: Keyring;
}

/** The gateway to every configured provider. */
export async function buildGateway(parts: GatewayParts): Promise<ProviderGateway> {
  const { integrations, db, keyring, http, clock, log, limits, cache, turns, metrics, quotas, ownUrls } =
    parts;
  const providers = new Map<ProviderIdentifier, Provider>();
  for (const { row, values } of providersOf(integrations))
    providers.set(row.name, await row.open(values, { http, clock, log, limits, quotas, ownUrls }));
  // No integration: it has no vendor, no settings and no simulator, and is always there.
  const secrets = new DocumentSecrets(keyring);
  const source = new StoredStatements({ db, secrets });
  providers.set('statement_files', createStatementFilesProvider(source));
  const sharedIds: SharedIds = {
    of: (owner, account) => sharedRowIds(db, owner, account),
    note: (owner, account, rowId) =>
      noteSharedRowId(db, { owner, account, rowId, most: limits.shared_row_ids }),
  };
  const pauses: Pauses = {
    of: (read) => findVendorPause(db, read),
    note: (read, pause) => noteVendorPause(db, read, pause),
  };
  const unattended: UnattendedReads = {
    take: (read, at) =>
      takeUnattendedRead(db, { ...read, at, most: limits.unattended_reads, withinMs: DAY_MS }),
    giveBack: (read, at) => giveBackUnattendedRead(db, { ...read, at }),
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
    unattended,
    balanceSigns,
  });
}
