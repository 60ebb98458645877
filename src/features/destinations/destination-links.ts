import type {
  DestinationConnector,
  DestinationLinking,
} from '../../connectors/destinations/destination-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { newRowId } from '../../platform/row-id.ts';
import type { Db } from '../../storage/database.ts';
import {
  type DestinationLinkRow,
  findDestinationLink,
  insertDestinationLink,
} from '../../storage/destination-links.ts';
import { findDestination } from '../../storage/destinations.ts';
import { inRetryableTransaction } from '../../storage/retryable-transaction.ts';
import { typeNotSetUp } from '../../vocabulary/consoles.ts';
import { DESTINATION_KINDS, type DestinationType } from '../../vocabulary/destination-kinds.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { DestinationLinkStatus } from '../../vocabulary/states.ts';
import { linkSessionStatus } from '../linking/link-session-status.ts';
import { checkReturnUrl } from '../linking/link-sessions.ts';
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
  /** Absolute, without a trailing slash. */
  readonly publicUrl: string;
}

/** Status of a link at `now`, epoch ms: it follows from its moments as a link session's does. */
export function destinationLinkStatus(
  link: Pick<DestinationLinkRow, 'completed_at' | 'failed_at' | 'expires_at'>,
  now: number,
): DestinationLinkStatus {
  return linkSessionStatus(link, now);
}

/** How destinations of the type are linked. Raises `not_supported` if no connector offers it. */
export function linkingOf(
  connectors: ReadonlyMap<DestinationType, DestinationConnector>,
  type: DestinationType,
): DestinationLinking {
  const linking = connectors.get(type)?.linking;
  if (linking !== undefined) return linking;
  throw new ServiceError('not_supported', {
    param: 'type',
    message: typeNotSetUp(type),
  });
}

const MINUTE_MS = 60_000;

interface NewDestinationLink {
  readonly type: DestinationType;
  readonly returnUrl: string;
  /** A destination whose grant is to be replaced; null for a new one. */
  readonly destination: RowId<'destination'> | null;
}

/** A link with what is computed from it. */
export interface OpenedDestinationLink {
  readonly id: RowId<'destination_link'>;
  readonly row: DestinationLinkRow;
  readonly status: DestinationLinkStatus;
  /** The hosted page. Anyone who has it can continue the link. */
  readonly url: string;
}

/** One attempt of a person to connect a destination, or to connect one again (docs/resources.md#destination-link). */
export class DestinationLinks {
  readonly #deps: DestinationLinkingDependencies;

  constructor(deps: DestinationLinkingDependencies) {
    this.#deps = deps;
  }

  /**
   * Raises `parameter_invalid` (`type`, `return_url`, `destination`), `resource_missing` (`destination`) and
   * `not_supported` (`type`) if the type is not set up.
   */
  async create(owner: OwnerId, input: NewDestinationLink): Promise<OpenedDestinationLink> {
    const { db, clock, limits, connectors } = this.#deps;
    if (DESTINATION_KINDS[input.type].connects !== 'link') {
      throw invalidParameter('type', `A ${input.type} needs no link: create it with POST /v2/destinations.`);
    }
    const returnUrl = checkReturnUrl(input.returnUrl);
    if (input.destination !== null) await this.#requireOfType(owner, input.destination, input.type);
    linkingOf(connectors, input.type);
    const now = clock.now();
    const row: DestinationLinkRow = {
      id: rowId('destination_link', newRowId(clock)),
      account_record: owner,
      type: input.type,
      renews: input.destination,
      destination: null,
      return_url: returnUrl,
      failure_reason: null,
      landing_until: null,
      expires_at: new Date(now + limits.link_session_minutes * MINUTE_MS),
      completed_at: null,
      failed_at: null,
      created: new Date(now),
      updated: new Date(now),
    };
    await inRetryableTransaction(db, 'destination_link_create_failed', (trx) =>
      insertDestinationLink(trx, row),
    );
    return this.#opened(row);
  }

  /** Raises `resource_missing`. */
  async read(owner: OwnerId, id: RowId<'destination_link'>): Promise<OpenedDestinationLink> {
    const row = await findDestinationLink(this.#deps.db, owner, id);
    if (row === null) throw missing('destination link');
    return this.#opened(row);
  }

  async #requireOfType(owner: OwnerId, id: RowId<'destination'>, type: DestinationType): Promise<void> {
    const destination = await findDestination(this.#deps.db, owner, id);
    if (destination === null) throw missing('destination', 'destination');
    if (destination.type !== type) {
      throw invalidParameter('type', `The destination to connect again is of type ${destination.type}.`);
    }
  }

  #opened(row: DestinationLinkRow): OpenedDestinationLink {
    const { clock, publicUrl, tokens } = this.#deps;
    return {
      id: row.id,
      row,
      status: destinationLinkStatus(row, clock.now()),
      url: `${publicUrl}/connect/${tokens.page.tokenOf(row.id)}`,
    };
  }
}
