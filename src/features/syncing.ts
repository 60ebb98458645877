import type { DestinationConnector } from '../connectors/destinations/destination-contract.ts';
import { WebhookConnector } from '../connectors/destinations/webhook/webhook-connector.ts';
import type { AddressGuard } from '../platform/address-guard.ts';
import type { Clock } from '../platform/clock.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Log } from '../platform/log.ts';
import type { OutgoingHttp } from '../platform/outgoing-http.ts';
import type { Db } from '../storage/database.ts';
import type { Jobs } from '../storage/jobs.ts';
import type { DestinationType } from '../vocabulary/destinations.ts';
import type { Limits } from '../vocabulary/limits.ts';
import type { Accounts } from './accounts.ts';
import { DestinationSecrets } from './destination-secrets.ts';
import { Destinations } from './destinations.ts';
import type { ProviderGateway } from './provider-gateway/provider-gateway.ts';
import { rowRulesOfSync } from './row-rules-of-sync.ts';
import { RunQueue } from './run-queue.ts';
import { LinkedAccounts } from './sync-engine/linked-accounts.ts';
import { SyncEngine } from './sync-engine/sync-engine.ts';
import { SyncRuns } from './sync-runs.ts';
import { Syncs } from './syncs.ts';
import type { Taxonomies } from './taxonomies.ts';

export interface SyncingOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly http: OutgoingHttp;
  readonly guard: AddressGuard;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly accounts: Accounts;
  readonly gateway: ProviderGateway;
  readonly taxonomies: Taxonomies;
}

/** Every feature between linked accounts and where they are copied, each built once. */
export interface Syncing {
  readonly destinations: Destinations;
  readonly syncs: Syncs;
  readonly syncRuns: SyncRuns;
  readonly syncEngine: SyncEngine;
}

export function createSyncing(options: SyncingOptions): Syncing {
  const { clock, limits, keyring, http } = options;
  const secrets = new DestinationSecrets(keyring);
  const queue = new RunQueue(options);
  const webhook = new WebhookConnector({ http, clock, chunkRows: limits.webhook_chunk_rows });
  const connectors = new Map<DestinationType, DestinationConnector>([[webhook.type, webhook]]);
  return {
    destinations: new Destinations({ ...options, secrets }),
    syncs: new Syncs({ ...options, queue }),
    syncRuns: new SyncRuns({ ...options, queue }),
    syncEngine: new SyncEngine({
      ...options,
      secrets,
      connectors,
      source: new LinkedAccounts(options),
      rulesOf: rowRulesOfSync(options),
    }),
  };
}
