import { randomUUID } from 'node:crypto';
import type { DeliveryAccount } from '../../../connectors/destinations/delivery-rows.ts';
import type { DestinationConnector } from '../../../connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../../connectors/destinations/destination-failure.ts';
import type {
  CreatedTarget,
  DestinationAccess,
} from '../../../connectors/destinations/destination-requests.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../storage/database.ts';
import { endCreation } from '../../../storage/destination-grants.ts';
import { type DestinationRow, lockDestination, updateDestination } from '../../../storage/destinations.ts';
import { holdRun, type RunLease } from '../../../storage/run-leases.ts';
import { accountsOfSyncs, lockSync, type SyncRow, updateSync } from '../../../storage/syncs.ts';
import { DESTINATION_KINDS } from '../../../vocabulary/destination-kinds.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import type { SyncSource } from '../read/sync-source.ts';
import { LeaseLost } from '../run/run-context.ts';
import { withinFinishDeadline } from './connector-calls.ts';

export interface PlacesContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly lease: RunLease;
  readonly source: SyncSource;
  readonly halted: AbortSignal;
  readonly confirmLease: () => Promise<void>;
}

export interface PlacedSync {
  readonly sync: SyncRow;
  /** Accounts that need a place and could not be opened to be given one, and why. */
  readonly unplaced: ReadonlyMap<RowId<'account'>, ErrorCode>;
}

/**
 * Has the connector make a place for each account that needs one of its own and has none, such as a tab of the
 * spreadsheet, and returns the sync with what was made, and the accounts that are left without one. An attempt whose
 * end nobody knows is repeated under its key. Raises DestinationFailure, LeaseLost, or the reason of an abort.
 */
export async function withAccountPlaces(
  context: PlacesContext,
  sync: SyncRow,
  destination: DestinationRow,
  connector: DestinationConnector,
  access: DestinationAccess | null,
): Promise<PlacedSync> {
  if (connector.create === undefined || access === null || !makesPlaces(sync, destination)) {
    return { sync, unplaced: new Map() };
  }
  const { db, clock, limits, halted, confirmLease } = context;
  const { accounts, unplaced } = await accountsWithoutPlace(context, sync);
  if (accounts.length === 0) return { sync, unplaced };
  const own = randomUUID();
  const key = await heldKey(context, destination, own);
  const request = {
    key,
    again: key !== own,
    name: sync.name,
    parent: null,
    target: destination.target,
    type: sync.type,
    mappingMode: sync.mapping_mode,
    accounts,
    columns: sync.columns,
  };
  const create = connector.create.bind(connector);
  await confirmLease();
  let made: CreatedTarget;
  try {
    made = await withinFinishDeadline({ clock, limits, halted }, (within) => create(access, request, within));
  } catch (error) {
    const nothingMade = error instanceof DestinationFailure && error.outcome === 'refused' && !request.again;
    if (nothingMade) await endCreation(db, destination.account_record, destination.id, key, { made: true });
    throw error;
  }
  return { sync: await recorded(context, sync, destination, made), unplaced };
}

/** Places that a person need not name when the sync is made. */
function makesPlaces({ type, mapping_mode: mode }: SyncRow, destination: DestinationRow): boolean {
  const { entry } = DESTINATION_KINDS[destination.type].mapping;
  return type === 'transactions' && entry?.needed === 'when_added' && entry.modes.includes(mode);
}

/** An account that cannot be read now gets its place in a later run; nothing is to be written of it in this one. */
async function accountsWithoutPlace(
  { db, source }: PlacesContext,
  { id, account_record: owner, account_mappings: mappings }: SyncRow,
): Promise<{ readonly accounts: readonly DeliveryAccount[] } & Pick<PlacedSync, 'unplaced'>> {
  const placed = new Set(mappings.map((mapping) => mapping.account));
  const found: DeliveryAccount[] = [];
  const unplaced = new Map<RowId<'account'>, ErrorCode>();
  for (const account of (await accountsOfSyncs(db, owner, [id])).get(id) ?? []) {
    if (placed.has(account)) continue;
    try {
      found.push((await source.open(owner, account)).account);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      unplaced.set(account, error.code);
    }
  }
  return { accounts: found, unplaced };
}

/** The key of this attempt, on record before the vendor is asked: that of an earlier one of unknown end, or `own`. */
function heldKey({ db, lease }: PlacesContext, { account_record: owner, id }: DestinationRow, own: string) {
  return db.transaction().execute(async (trx) => {
    const held = await lockDestination(trx, owner, id);
    if (held === null || !(await holdRun(trx, lease))) throw new LeaseLost();
    if (held.creation_key !== null) return held.creation_key;
    await updateDestination(trx, owner, id, { creation_key: own });
    return own;
  });
}

/** What a person has mapped meanwhile stays as they mapped it. */
async function recorded(
  { db, clock, lease }: PlacesContext,
  sync: SyncRow,
  { account_record: owner, id }: DestinationRow,
  made: CreatedTarget,
): Promise<SyncRow> {
  const mappings = await db.transaction().execute(async (trx) => {
    const destination = await lockDestination(trx, owner, id);
    const held = await lockSync(trx, owner, sync.id);
    if (destination === null || held === null || !(await holdRun(trx, lease))) throw new LeaseLost();
    const accounts: ReadonlySet<RowId<'account'>> = new Set(
      (await accountsOfSyncs(trx, owner, [sync.id])).get(sync.id),
    );
    const placed = new Set(held.account_mappings.map((mapping) => mapping.account));
    const added = made.mappings.filter(({ account }) => accounts.has(account) && !placed.has(account));
    const all = [...held.account_mappings, ...added];
    await updateSync(trx, owner, sync.id, { account_mappings: all, updated: new Date(clock.now()) });
    await updateDestination(trx, owner, id, { creation_key: null });
    return all;
  });
  return { ...sync, account_mappings: mappings };
}
