import type {
  DestinationConnector,
  DestinationResource,
} from '../../connectors/destinations/destination-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../storage/database.ts';
import { type DestinationRow, findDestination } from '../../storage/destinations.ts';
import { typeNotSetUp } from '../../vocabulary/consoles.ts';
import { DESTINATION_KINDS, type DestinationType } from '../../vocabulary/destination-kinds.ts';
import type { DestinationResourceType } from '../../vocabulary/destinations.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import { withDeadline } from '../outside-calls/deadline.ts';
import { destinationError, lapsedGrant } from './destination-failures.ts';
import type { DestinationGrants } from './destination-grants.ts';

export interface ResourcesDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly grants: DestinationGrants;
  readonly connectors: ReadonlyMap<DestinationType, DestinationConnector>;
}

export interface ListedResources {
  readonly type: DestinationResourceType;
  readonly parent: string | null;
  readonly items: readonly DestinationResource[];
  /** Whether the vendor has more than one answer may hold. */
  readonly truncated: boolean;
}

/** What a linked destination can be aimed at and mapped to, read live and not stored. */
export class DestinationResourceReads {
  readonly #deps: ResourcesDependencies;

  constructor(deps: ResourcesDependencies) {
    this.#deps = deps;
  }

  /**
   * Raises `resource_missing`, `no_resources`, `not_supported`, `parameter_invalid` (`type`, `parent`),
   * `parameter_missing` (`parent`), the `upstream_…` codes, or `signal.reason`.
   */
  async list(
    owner: OwnerId,
    id: RowId<'destination'>,
    asked: { readonly type: DestinationResourceType; readonly parent: string | null },
    signal: AbortSignal,
  ): Promise<ListedResources> {
    const { db, clock, limits, grants, connectors } = this.#deps;
    const row = await findDestination(db, owner, id);
    if (row === null) throw missing('destination');
    if (Object.keys(DESTINATION_KINDS[row.type].target.resources).length === 0)
      throw new ServiceError('no_resources');
    const parent = parentOf(row, asked.type, asked.parent);
    const resources = connectors.get(row.type)?.resources;
    if (resources === undefined) {
      throw new ServiceError('not_supported', {
        message: typeNotSetUp(row.type),
      });
    }
    const access = grants.access(row);
    if (row.status === 'reauth_required' || access === null) throw lapsedGrant(row.type);
    const limit = limits.destination_resources;
    const query = { type: asked.type, parent, limit: limit + 1 };
    try {
      const found = await withDeadline(clock, limits.read_deadline_ms, signal, (within) =>
        resources.list(access, query, within),
      );
      return { ...query, items: found.slice(0, limit), truncated: found.length > limit };
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw error;
      this.#deps.log.warn('Failed to list resources of a destination.', { destination: id }, error);
      throw destinationError(error, row.type, `The ${row.type} destination`);
    }
  }
}

/** What contains the resources: what the caller names, else the destination's current target. */
function parentOf(row: DestinationRow, type: DestinationResourceType, given: string | null): string | null {
  const child = DESTINATION_KINDS[row.type].target.resources[type];
  if (child === undefined) {
    const has = Object.keys(DESTINATION_KINDS[row.type].target.resources).join(', ');
    throw invalidParameter('type', `A destination of type ${row.type} has ${has}, but no ${type}.`);
  }
  if (child === null) {
    if (given !== null) throw invalidParameter('parent', `A ${type} has no parent: omit parent.`);
    return null;
  }
  const parent = given ?? row.target[child.targetKey];
  if (parent === undefined) {
    throw new ServiceError('parameter_missing', {
      param: 'parent',
      message: `parent is required: the destination has no ${child.parent} as its target yet.`,
    });
  }
  return parent;
}
