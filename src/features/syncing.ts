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
import { CategoryMappings } from './category-mappings.ts';
import { DestinationLinkCompletion } from './destination-link-completion.ts';
import { DestinationLinkTokens } from './destination-linking.ts';
import { DestinationLinks } from './destination-links.ts';
import { DestinationResourceReads } from './destination-resources.ts';
import { DestinationSecrets } from './destination-secrets.ts';
import { Destinations } from './destinations.ts';
import type { EventTrigger } from './event-trigger.ts';
import { HostedDestinationLinks } from './hosted-destination-links.ts';
import type { ProviderGateway } from './provider-gateway/provider-gateway.ts';
import { rowRulesOfSync } from './row-rules-of-sync.ts';
import { RulesetAttachments } from './ruleset-attachments.ts';
import { RulesetRules } from './ruleset-rules.ts';
import { Rulesets } from './rulesets.ts';
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
  readonly events: EventTrigger;
  readonly taxonomies: Taxonomies;
  /** Where the hosted pages are reached, without a slash at the end. */
  readonly publicUrl: string;
  /** Connectors besides those built here. */
  readonly connectors?: readonly DestinationConnector[];
}

/** Every feature between linked accounts and where they are copied, each built once. */
export interface Syncing {
  readonly destinations: Destinations;
  readonly destinationLinks: DestinationLinks;
  readonly hostedDestinationLinks: HostedDestinationLinks;
  readonly destinationResources: DestinationResourceReads;
  readonly syncs: Syncs;
  readonly categoryMappings: CategoryMappings;
  readonly rulesets: Rulesets;
  readonly rulesetRules: RulesetRules;
  readonly rulesetAttachments: RulesetAttachments;
  readonly syncRuns: SyncRuns;
  readonly syncEngine: SyncEngine;
}

export function createSyncing(options: SyncingOptions): Syncing {
  const { clock, limits, keyring, http } = options;
  const secrets = new DestinationSecrets(keyring);
  const queue = new RunQueue(options);
  // Every kind of destination that is set up. Adding one adds a line here.
  const built: readonly DestinationConnector[] = [
    new WebhookConnector({ http, clock, chunkRows: limits.webhook_chunk_rows }),
    ...(options.connectors ?? []),
  ];
  const connectors = new Map<DestinationType, DestinationConnector>(built.map((one) => [one.type, one]));
  const linking = { ...options, secrets, connectors, tokens: new DestinationLinkTokens(keyring) };
  const completion = new DestinationLinkCompletion(linking);
  return {
    destinations: new Destinations({ ...options, secrets }),
    destinationLinks: new DestinationLinks(linking),
    hostedDestinationLinks: new HostedDestinationLinks({ ...linking, completion }),
    destinationResources: new DestinationResourceReads(linking),
    categoryMappings: new CategoryMappings(options),
    syncs: new Syncs({ ...options, queue }),
    rulesets: new Rulesets(options),
    rulesetRules: new RulesetRules(options),
    rulesetAttachments: new RulesetAttachments(options),
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
