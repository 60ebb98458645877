import type {
  DestinationConnector,
  DestinationLinking,
} from '../../connectors/destinations/destination-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../storage/database.ts';
import type { DestinationLinkRow } from '../../storage/destination-links.ts';
import type { DestinationType } from '../../vocabulary/destination-kinds.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { DestinationLinkStatus } from '../../vocabulary/states.ts';
import { linkSessionStatus } from '../linking/link-session-status.ts';
import type { LinkSecrets } from '../linking/link-tokens.ts';
import type { DestinationSecrets } from './destination-secrets.ts';
import type { GrantRevocations } from './grant-revocations.ts';

/** What the features of destination links are built from; each takes the part it uses. */
export interface DestinationLinkingDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly secrets: DestinationSecrets;
  readonly connectors: ReadonlyMap<DestinationType, DestinationConnector>;
  readonly revocations: Pick<GrantRevocations, 'schedule' | 'scheduleOf'>;
  readonly tokens: LinkSecrets<'destination_link'>;
  /** Absolute, without a slash at its end. */
  readonly publicUrl: string;
}

/** Status of a link at `now`, epoch ms: it follows from its moments as a link session's does. */
export function destinationLinkStatus(
  link: Pick<DestinationLinkRow, 'completed_at' | 'failed_at' | 'expires_at'>,
  now: number,
): DestinationLinkStatus {
  return linkSessionStatus(link, now);
}

/** How destinations of the type are linked. Raises `not_supported` where no connector offers it. */
export function linkingOf(
  connectors: ReadonlyMap<DestinationType, DestinationConnector>,
  type: DestinationType,
): DestinationLinking {
  const linking = connectors.get(type)?.linking;
  if (linking !== undefined) return linking;
  throw new ServiceError('not_supported', {
    param: 'type',
    message: `Destinations of type ${type} are not set up on this service.`,
  });
}
