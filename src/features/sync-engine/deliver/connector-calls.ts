import { randomUUID } from 'node:crypto';
import type { DeliveryAccount, Snapshot } from '../../../connectors/destinations/delivery-rows.ts';
import type {
  CreatedTarget,
  DestinationAccess,
  DestinationConnector,
  DestinationWriter,
} from '../../../connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../../connectors/destinations/destination-failure.ts';
import type { Clock } from '../../../platform/clock.ts';
import { inSpan } from '../../../platform/tracing.ts';
import type { Db } from '../../../storage/database.ts';
import { recordedRefs } from '../../../storage/delivery-ledger.ts';
import { type DeliveryStream, streamsOfSync } from '../../../storage/delivery-streams.ts';
import { endCreation } from '../../../storage/destination-grants.ts';
import { type DestinationRow, lockDestination, updateDestination } from '../../../storage/destinations.ts';
import { holdRun, type RunLease } from '../../../storage/run-leases.ts';
import { accountsWithRows } from '../../../storage/same-accounts.ts';
import { wroteSinceSuccess } from '../../../storage/sync-runs.ts';
import { accountsOfSyncs, lockSync, type SyncRow, updateSync } from '../../../storage/syncs.ts';
import { DESTINATION_KINDS } from '../../../vocabulary/destination-kinds.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import { runFailure } from '../../destinations/destination-failures.ts';
import type { DestinationGrants } from '../../destinations/destination-grants.ts';
import type { DestinationSecrets } from '../../destinations/destination-secrets.ts';
import { withDeadline } from '../../outside-calls/deadline.ts';
import type { SyncSource } from '../read/sync-source.ts';
import { LeaseLost, type RunContext } from '../run/run-context.ts';

export interface OpenWriterOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: DestinationSecrets;
  readonly grants: Pick<DestinationGrants, 'access'>;
}

/**
 * The connector's writer for a sync's destination, with its secrets unsealed. Raises what `open` raises.
 *
 * @param streams of the sync, the only one that writes to the destination
 */
export function openWriter(
  { db, clock, secrets, grants }: OpenWriterOptions,
  connector: DestinationConnector,
  destination: DestinationRow,
  sync: SyncRow,
  signal: AbortSignal,
  streams: () => Promise<readonly DeliveryStream[]> = () => streamsOfSync(db, sync.account_record, sync.id),
): Promise<DestinationWriter> {
  const { account_record, id, type, mapping_mode, account_mappings, category_mappings, columns, options } =
    sync;
  const opening = {
    owner: destination.account_record,
    target: secrets.target(destination),
    secrets: secrets.signingSecrets(destination, clock.now()),
    access: grants.access(destination),
    sync: { account_record, id, type, mapping_mode, account_mappings, category_mappings, columns, options },
    recorded: (refs: readonly string[]) => recordedRefs(db, id, refs),
    accountsWithRows: async (ids: readonly string[]) => accountsWithRows(db, await streams(), ids),
  };
  return connector.open(opening, signal);
}

/**
 * One call of a connector around the chunks of a run, for at most LIMIT_FINISH_DEADLINE_MS, even if the connector
 * ignores its signal. Raises what the call raises, a DestinationFailure `timeout`, or `halted.reason`.
 */
export async function withinFinishDeadline<T>(
  { clock, limits, halted }: { readonly clock: Clock; readonly limits: Limits; readonly halted: AbortSignal },
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await withDeadline(clock, limits.finish_deadline_ms, halted, call);
  } catch (error) {
    throw runFailure(error, 'unknown');
  }
}

interface PlacesContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly lease: RunLease;
  readonly source: SyncSource;
  readonly halted: AbortSignal;
  readonly confirmLease: () => Promise<void>;
}

interface PlacedSync {
  readonly sync: SyncRow;
  /** Accounts that need a place and could not be opened to get one, and why. */
  readonly unplaced: ReadonlyMap<RowId<'account'>, ErrorCode>;
}

/**
 * Makes the connector create a place, such as a tab of the spreadsheet, for each account that needs one of its own and
 * has none. Returns the sync with the places created, and the accounts left without one. An attempt with an unknown
 * outcome is repeated under its key. Raises DestinationFailure, LeaseLost, or the reason of an abort.
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

/** Places that a person need not name when creating the sync. */
function makesPlaces({ type, mapping_mode: mode }: SyncRow, destination: DestinationRow): boolean {
  const { entry } = DESTINATION_KINDS[destination.type].mapping;
  return type === 'transactions' && entry?.needed === 'when_added' && entry.modes.includes(mode);
}

/** An account that cannot be read now gets its place in a later run; this one writes nothing of it. */
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

/**
 * The key of this attempt, recorded before the vendor is called: that of an earlier one with an unknown outcome, or
 * `own`.
 */
function heldKey({ db, lease }: PlacesContext, { account_record: owner, id }: DestinationRow, own: string) {
  return db.transaction().execute(async (trx) => {
    const held = await lockDestination(trx, owner, id);
    if (held === null || !(await holdRun(trx, lease))) throw new LeaseLost();
    if (held.creation_key !== null) return held.creation_key;
    await updateDestination(trx, owner, id, { creation_key: own });
    return own;
  });
}

/** What a person has mapped in the meantime is kept. */
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

/**
 * The last steps after every row of a run is written: balances, if the sync includes them, then the connector's own.
 * None of this is recorded, so after a crash the next attempt does all of it again.
 *
 * @param done which accounts were read completely, and whether this attempt wrote anything
 */
export async function finishDestination(
  context: RunContext,
  source: SyncSource,
  streams: readonly DeliveryStream[],
  done: { readonly read: readonly RowId<'account'>[]; readonly delivered: boolean },
): Promise<void> {
  const { db, run, sync, writer, reading, confirmLease } = context;
  const { read, delivered } = done;
  if (sync.options.include_balances_tab && sync.type === 'transactions') {
    await writeBalances(context, source, read);
  }
  if (writer.finish === undefined) return;
  reading.throwIfAborted();
  await confirmLease();
  // Because of chunks of an earlier attempt, and of what an earlier run left unverified because it failed or was
  // cancelled.
  const wrote = delivered || run.chunks > 0 || sync.failed_runs > 0 || (await wroteSinceSuccess(db, run));
  const ending = { accounts: streams.map((stream) => stream.account), read, wrote };
  await inSpan('finish', { attributes: { 'tributary.destination_type': context.connector.type } }, () =>
    withinFinishDeadline(context, async (within) => writer.finish?.(ending, within)),
  );
}

/** Writing to a destination as a part of what is traced. @param rows how many; undefined for a snapshot */
export function inDeliverySpan<T>(
  { type }: Pick<DestinationConnector, 'type'>,
  rows: number | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const attributes = { 'tributary.destination_type': type, 'tributary.rows': rows };
  return inSpan('deliver', { attributes }, work);
}

/** The balance of an account that cannot be read now is left as it was written before: the rows are delivered. */
async function writeBalances(
  context: RunContext,
  source: SyncSource,
  read: readonly RowId<'account'>[],
): Promise<void> {
  const { run, writer, reading, log } = context;
  if (writer.writeSnapshot === undefined) return;
  for (const id of read) {
    reading.throwIfAborted();
    try {
      const opened = await source.open(run.account_record, id);
      const balance = await opened.balance(reading);
      await writeSnapshot(context, { kind: 'balance', account: opened.account, ...balance });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      log.warn(
        'the balance of an account was not written',
        { run: publicId('sync_run', run.id), account: publicId('account', id) },
        error,
      );
    }
  }
}

/** Raises DestinationFailure, LeaseLost, or the reason of an abort. */
export async function writeSnapshot(context: RunContext, snapshot: Snapshot): Promise<void> {
  const { writer, confirmLease, metrics, connector } = context;
  await confirmLease();
  let outcome = 'failed';
  try {
    await inDeliverySpan(connector, undefined, () =>
      withinFinishDeadline(context, async (within) => {
        if (writer.writeSnapshot === undefined) throw new TypeError('the destination takes no snapshots');
        await writer.writeSnapshot(snapshot, within);
      }),
    );
    outcome = 'succeeded';
  } finally {
    metrics.delivery(connector.type, outcome);
  }
}
