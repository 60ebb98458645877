import type {
  DestinationConnector,
  DestinationLinking,
} from '../connectors/destinations/destination-contract.ts';
import type { Clock } from '../platform/clock.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../storage/database.ts';
import type { DestinationLinkRow } from '../storage/destination-links.ts';
import type { DestinationType } from '../vocabulary/destinations.ts';
import type { Limits } from '../vocabulary/limits.ts';
import { ServiceError } from '../vocabulary/service-error.ts';
import type { DestinationLinkStatus } from '../vocabulary/states.ts';
import type { DestinationSecrets } from './destination-secrets.ts';
import { linkSessionStatus } from './link-session-status.ts';
import { LinkTokens } from './link-tokens.ts';

/** What the features of destination links are built from; each takes the part it uses. */
export interface DestinationLinkingDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly secrets: DestinationSecrets;
  readonly connectors: ReadonlyMap<DestinationType, DestinationConnector>;
  readonly tokens: DestinationLinkTokens;
  /** Absolute, without a slash at its end. */
  readonly publicUrl: string;
}

/** The secrets of a link, each made from its id: nothing is stored for them. */
export class DestinationLinkTokens {
  /** Opens the hosted page. */
  readonly page: LinkTokens<'destination_link'>;
  /** Travels through the vendor as `state`, and opens nothing but the landing. */
  readonly state: LinkTokens<'destination_link'>;
  /** Kept as a cookie by the browser that went on to the vendor from the hosted page. */
  readonly browser: LinkTokens<'destination_link'>;
  readonly #verifiers: LinkTokens<'destination_link'>;

  constructor(keyring: Keyring) {
    this.page = new LinkTokens(keyring, 'destination_link', 'destination-link-token');
    this.state = new LinkTokens(keyring, 'destination_link', 'destination-link-state');
    this.browser = new LinkTokens(keyring, 'destination_link', 'destination-link-browser');
    this.#verifiers = new LinkTokens(keyring, 'destination_link', 'destination-link-verifier');
  }

  /** The PKCE code verifier, the same however often the vendor's page is opened. */
  verifierOf(link: DestinationLinkRow['id']): string {
    return this.#verifiers.secretOf(link);
  }
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

/** Where every vendor sends people back to; it has to be registered there as it is. */
export const redirectUriOf = (publicUrl: string): string => `${publicUrl}/connect/return`;
