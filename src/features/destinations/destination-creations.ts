import { randomUUID } from 'node:crypto';
import type {
  CreatedTarget,
  CreationRequest,
  DestinationConnector,
} from '../../connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../connectors/destinations/destination-failure.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../storage/database.ts';
import { claimCreation, endCreation } from '../../storage/destination-grants.ts';
import {
  type DestinationRow,
  findDestination,
  lockDestination,
  updateDestination,
} from '../../storage/destinations.ts';
import type { AccountMapping } from '../../vocabulary/account-mappings.ts';
import { DESTINATION_KINDS, type DestinationType } from '../../vocabulary/destination-kinds.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import { DESTINATION_MOVES, StatusMove } from '../../vocabulary/states.ts';
import { withDeadline } from '../outside-calls/deadline.ts';
import { destinationError } from './destination-failures.ts';
import type { DestinationGrants } from './destination-grants.ts';
import { validateTarget } from './target-checks.ts';

/** How long a claim outlasts the call it is for. */
const RECORDING_MS = 30_000;

export interface DestinationCreationsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly connectors: ReadonlyMap<DestinationType, DestinationConnector>;
  readonly grants: DestinationGrants;
}

/** What a person wants made, and for which sync. */
export type NewTarget = Pick<CreationRequest, 'name' | 'parent' | 'type' | 'mappingMode' | 'accounts'>;

export interface MadeTarget {
  /** The destination, active and aimed at what was made. */
  readonly row: DestinationRow;
  /** For `account_mappings` of the sync that is to write there. */
  readonly mappings: readonly AccountMapping[];
}

/**
 * Creates a spreadsheet, database or table for a draft as its target. A vendor that was asked and did not
 * answer may have made it: the next attempt comes under the same key and looks for that first.
 */
export class DestinationCreations {
  readonly #deps: DestinationCreationsDependencies;

  constructor(deps: DestinationCreationsDependencies) {
    this.#deps = deps;
  }

  /**
   * Not aborted when the caller disconnects. Raises `resource_missing`, `not_supported` if the type creates nothing,
   * `parameter_invalid` (`type`) for a sync that the type does not take and (`target`) for a destination that is aimed
   * already, `destination_in_use` while another attempt is in progress, and the `upstream_…` codes.
   */
  async create(owner: OwnerId, id: RowId<'destination'>, wanted: NewTarget): Promise<MadeTarget> {
    const { db, clock, limits, grants, connectors } = this.#deps;
    const row = await findDestination(db, owner, id);
    if (row === null) throw missing('destination');
    const connector = connectors.get(row.type);
    const access = grants.access(row);
    if (connector?.create === undefined || access === null) throw new ServiceError('not_supported');
    const create = connector.create.bind(connector);
    if (!DESTINATION_KINDS[row.type].holds.includes(wanted.type)) {
      const message = `A destination of type ${row.type} takes no syncs of ${wanted.type}.`;
      throw invalidParameter('type', message);
    }
    if (row.status !== 'incomplete') throw invalidParameter('target', 'The destination has a target.');
    const [own, now] = [randomUUID(), clock.now()];
    const until = new Date(now + limits.read_deadline_ms + RECORDING_MS);
    const key = await claimCreation(db, owner, id, { key: own, now: new Date(now), until });
    if (key === null) {
      throw new ServiceError('destination_in_use', { message: 'The target is being made at the moment.' });
    }
    const request: CreationRequest = { ...wanted, key, again: key !== own, target: null };
    let made: CreatedTarget;
    try {
      made = await withDeadline(clock, limits.read_deadline_ms, new AbortController().signal, (within) =>
        create(access, request, within),
      );
    } catch (error) {
      const nothingMade =
        error instanceof DestinationFailure && error.outcome === 'refused' && !request.again;
      await endCreation(db, owner, id, key, { made: nothingMade });
      throw destinationError(error, row.type, `The ${row.type} service`);
    }
    return { row: await this.#aim(row, key, made), mappings: made.mappings };
  }

  async #aim(
    { account_record: owner, id, type }: DestinationRow,
    key: string,
    made: CreatedTarget,
  ): Promise<DestinationRow> {
    const { db, clock } = this.#deps;
    return db.transaction().execute(async (trx) => {
      const held = await lockDestination(trx, owner, id);
      if (held === null) throw missing('destination');
      // A person has chosen a target in the meantime.
      if (held.creation_key !== key) throw invalidParameter('target', 'The destination has a target.');
      const aimed = await updateDestination(trx, owner, id, {
        target: validateTarget(type, made.target),
        moved: StatusMove.of(DESTINATION_MOVES, 'target set', held.status),
        creation_key: null,
        creating_until: null,
        updated: new Date(clock.now()),
      });
      return aimed ?? held;
    });
  }
}
