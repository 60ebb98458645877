import type { DestinationConnector } from '../../connectors/destinations/destination-contract.ts';
import type { AddressGuard } from '../../platform/address-guard.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../storage/database.ts';
import type { Jobs } from '../../storage/jobs.ts';
import type { DestinationType } from '../../vocabulary/destination-kinds.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { EventTrigger } from '../events/event-log.ts';
import { LinkSecrets } from '../linking/link-tokens.ts';
import { DestinationCreations } from './destination-creations.ts';
import { DestinationGrants } from './destination-grants.ts';
import { DestinationLinkCompletion } from './destination-link-completion.ts';
import { DestinationLinks } from './destination-links.ts';
import { DestinationResourceReads } from './destination-resources.ts';
import type { DestinationSecrets } from './destination-secrets.ts';
import { DestinationSignIns, DestinationTries } from './destination-sign-ins.ts';
import { Destinations } from './destinations.ts';
import { GrantRevocations } from './grant-revocations.ts';
import { HostedDestinationLinks } from './hosted-destination-links.ts';
import { TargetChecks } from './target-checks.ts';

/** Connectors by the type of destination they write to. */
export type Connectors = ReadonlyMap<DestinationType, DestinationConnector>;

export interface DestinationsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly secrets: DestinationSecrets;
  readonly connectors: Connectors;
  readonly guard: AddressGuard;
  readonly events: EventTrigger;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  /** Where the hosted pages are reached, without a trailing slash. */
  readonly publicUrl: string;
}

/**
 * Destinations: where accounts are copied to, how a person links one, its secrets and its choices of targets. What
 * is written there, and when, is decided by the sync engine.
 */
export interface DestinationFeatures {
  readonly destinations: Destinations;
  readonly destinationSignIns: DestinationSignIns;
  readonly destinationLinks: DestinationLinks;
  readonly hostedDestinationLinks: HostedDestinationLinks;
  readonly destinationResources: DestinationResourceReads;
  readonly destinationCreations: DestinationCreations;
  /** For syncs. */
  readonly targetChecks: TargetChecks;
  /** For the sync engine. */
  readonly destinationGrants: DestinationGrants;
  /** For the worker. */
  readonly grantRevocations: GrantRevocations;
}

export function createDestinations(options: DestinationsOptions): DestinationFeatures {
  const tokens = new LinkSecrets(options.keyring, 'destination_link', 'destination-link');
  const revocations = new GrantRevocations(options);
  const destinationGrants = new DestinationGrants({ ...options, revocations });
  const tries = new DestinationTries(options.limits);
  const targetChecks = new TargetChecks({ ...options, grants: destinationGrants, tries });
  const linking = {
    ...{ ...options, tokens, grants: destinationGrants },
    ...{ revocations, tries, targets: targetChecks },
  };
  const completion = new DestinationLinkCompletion(linking);
  return {
    destinations: new Destinations(linking),
    destinationSignIns: new DestinationSignIns(linking),
    destinationLinks: new DestinationLinks(linking),
    hostedDestinationLinks: new HostedDestinationLinks({ ...linking, completion }),
    destinationResources: new DestinationResourceReads(linking),
    destinationCreations: new DestinationCreations(linking),
    targetChecks,
    destinationGrants,
    grantRevocations: revocations,
  };
}
