import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import { type AccountRecord, lockAccountRecord } from '../../storage/account-records.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { clearCursors } from '../../storage/delivery-streams.ts';
import { type DestinationRow, findDestinations, lockDestination } from '../../storage/destinations.ts';
import { inRetryableTransaction } from '../../storage/retryable-transaction.ts';
import { sameAccountsOfSyncs } from '../../storage/same-accounts.ts';
import { forgetReadings } from '../../storage/stream-readings.ts';
import { rulesetsOfSyncs } from '../../storage/sync-rulesets.ts';
import { followAccounts, latestRuns, type SyncRunRow } from '../../storage/sync-runs.ts';
import {
  accountsOfSyncs,
  countOwnedSyncs,
  findSync,
  insertSync,
  listSyncs,
  lockSync,
  replaceSyncAccounts,
  type SyncChange,
  type SyncFilter,
  type SyncRow,
  type SyncWithState,
  syncsOfDestination,
  syncTypesOf,
  updateSync,
} from '../../storage/syncs.ts';
import type { AccountMapping } from '../../vocabulary/account-mappings.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import {
  type Metadata,
  type MetadataPatch,
  mergeMetadata,
  requireFittingMetadata,
} from '../../vocabulary/metadata.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { SyncStatus } from '../../vocabulary/states.ts';
import {
  type MappingMode,
  SYNC_OPTION_DEFAULTS,
  type SyncOptions,
  type SyncType,
} from '../../vocabulary/syncs.ts';
import { requireMetadataRoom } from '../access/metadata-room.ts';
import { planStateOf, requireGate, requireRoom } from '../access/plan-gates.ts';
import type { EventTrigger } from '../events/event-log.ts';
import { type CheckedTargets, followMappings, placesOf } from './row-places.ts';
import { cancelOpenRun, deleteHeldSync, type RunCause, type RunQueue } from './run-queue.ts';
import {
  clampDataFrom,
  mappingsAfter,
  requireAccountList,
  requireColumns,
  requireFittingAccounts,
  requireMappingMode,
  requireReady,
  validateMappings,
} from './sync-rules.ts';
import {
  type AskedSchedule,
  nextRunOf,
  requireSchedule,
  type ScheduleColumns,
  scheduleColumns,
} from './sync-schedules.ts';

/** A sync with everything that is shown of it. */
export interface Sync {
  readonly id: RowId<'sync'>;
  readonly row: SyncWithState;
  readonly destination: DestinationRow;
  readonly accounts: readonly RowId<'account'>[];
  /** Those of its accounts that are one account at the bank, linked more than once: a list for each. */
  readonly sameAccounts: readonly (readonly RowId<'account'>[])[];
  readonly latestRun: SyncRunRow | null;
  /** Attached rulesets, in the order in which they are applied. */
  readonly rulesets: readonly RowId<'ruleset'>[];
}

export interface OptionsPatch extends Partial<Omit<SyncOptions, 'data_from'>> {
  readonly data_from?: LocalDate;
}

export interface NewSync {
  readonly type: SyncType;
  readonly name: string;
  readonly destination: RowId<'destination'>;
  readonly accounts: readonly RowId<'account'>[];
  readonly mappingMode: MappingMode;
  readonly accountMappings: readonly AccountMapping[];
  /** Fields of its rows, in order; absent or null: the standard ones. */
  readonly columns?: readonly string[] | null;
  readonly options: OptionsPatch;
  /** Null or absent: as often as the service allows. */
  readonly schedule?: AskedSchedule | null;
  readonly metadata: Metadata | null;
  /** Why a first run is queued at once; null if none is. */
  readonly firstRun: RunCause | null;
}

export interface SyncPatch {
  readonly name?: string;
  readonly enabled?: boolean;
  readonly accounts?: readonly RowId<'account'>[];
  readonly accountMappings?: readonly AccountMapping[];
  readonly columns?: readonly string[] | null;
  readonly options?: OptionsPatch;
  readonly schedule?: AskedSchedule | null;
  readonly metadata?: MetadataPatch;
}

/** The part of linking that syncs need: the owner of an account, and its kind. */
export interface OwnedAccounts {
  requireOwned(
    owner: OwnerId,
    ids: readonly RowId<'account'>[],
    param: string,
  ): Promise<readonly { readonly provider: ProviderIdentifier }[]>;
}

export interface SyncsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly accounts: OwnedAccounts;
  readonly targets: CheckedTargets;
  readonly queue: RunQueue;
  readonly events: EventTrigger;
}

/** What is copied where (docs/resources.md#sync). */
export class Syncs {
  readonly #deps: SyncsDependencies;

  constructor(deps: SyncsDependencies) {
    this.#deps = deps;
  }

  /**
   * Raises `professional_required`, `resource_missing` (`destination`, `accounts`), `parameter_invalid`,
   * `parameter_missing`, `mapping_required`, `destination_incomplete`, `destination_disabled`, `destination_in_use` and
   * `sync_limit_reached` (docs/resources.md#sync), and what the destination's check raises.
   */
  async create(
    record: AccountRecord,
    input: NewSync,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Sync> {
    const { db, clock, limits, queue, targets } = this.#deps;
    if (input.type !== 'transactions') requireGate('brokerage_data', record, clock.now());
    requireAccountList(input.accounts, limits);
    requireFittingMetadata(input.metadata, limits.metadata_pairs);
    const accounts = await this.#deps.accounts.requireOwned(record.id, input.accounts, 'accounts');
    const now = clock.now();
    const id = rowId('sync', newRowId(clock));
    const [found = null] = await findDestinations(db, record.id, [input.destination]);
    const asked = {
      places: placesOf(input.accountMappings),
      categories: [],
      targetParam: 'destination',
    } as const;
    await targets.requirePlaces(fitting(found, input, accounts), asked, signal);
    return inRetryableTransaction(db, 'sync_create_failed', async (trx) => {
      await this.#requireFreeSync(trx, record.id, now);
      const locked = await lockDestination(trx, record.id, input.destination);
      const destination = fitting(locked, input, accounts);
      if ((await syncsOfDestination(trx, record.id, destination.id)).length > 0) {
        throw new ServiceError('destination_in_use', {
          param: 'destination',
          message: 'Another sync already writes to this destination.',
        });
      }
      const row = this.#newRow(record, id, input, now);
      await insertSync(trx, row, input.accounts);
      const kind = { table: 'syncs', owner: record.id, now } as const;
      await requireMetadataRoom(trx, limits, kind, { before: null, after: input.metadata });
      if (input.firstRun !== null) await queue.queue(trx, row, input.firstRun);
      // Before the commit, after which a worker may have taken the run: the answer shows it queued.
      return this.#read(trx, record.id, id);
    });
  }

  #newRow(record: AccountRecord, id: RowId<'sync'>, input: NewSync, now: number): SyncRow {
    const schedule = this.#schedule(input.schedule ?? null);
    return {
      id,
      account_record: record.id,
      destination: input.destination,
      name: input.name,
      type: input.type,
      enabled: true,
      mapping_mode: input.mappingMode,
      account_mappings: [...input.accountMappings],
      category_mappings: [],
      options: {
        ...SYNC_OPTION_DEFAULTS,
        ...input.options,
        data_from: this.#dataFrom(record, input.options.data_from ?? null, now),
      },
      columns: input.columns?.slice() ?? null,
      ...schedule,
      attention: null,
      failed_runs: 0,
      last_synced_at: null,
      next_run_at: nextRunOf({ ...schedule, account_record: record.id }, now, this.#deps.limits),
      metadata: input.metadata,
      created: new Date(now),
      updated: new Date(now),
    };
  }

  /** Raises `resource_missing`. */
  async read(owner: OwnerId, id: RowId<'sync'>): Promise<Sync> {
    return this.#read(this.#deps.db, owner, id);
  }

  async #read(db: Db, owner: OwnerId, id: RowId<'sync'>): Promise<Sync> {
    const row = await findSync(db, owner, id);
    const [sync] = row === null ? [] : await this.#composed(db, owner, [row]);
    if (sync === undefined) throw missing('sync');
    return sync;
  }

  /** What the syncs that write to the destination copy; nothing for a destination that does not exist. */
  typesInto(owner: OwnerId, destination: RowId<'destination'>): Promise<SyncType[]> {
    return syncTypesOf(this.#deps.db, owner, destination);
  }

  /** Raises `resource_missing` (`destination`) for a filter that names no destination of the owner's. */
  async list(owner: OwnerId, filter: SyncFilter, page: PageRequest): Promise<Page<Sync>> {
    const { db } = this.#deps;
    if (filter.destination !== undefined) {
      const [destination] = await findDestinations(db, owner, [filter.destination]);
      if (destination === undefined) throw missing('destination', 'destination');
    }
    const found = await listSyncs(db, owner, filter, page);
    return { ...found, items: await this.#composed(db, owner, found.items) };
  }

  /**
   * Disabling a sync cancels its open run: what a worker has delivered so far counts, and accounts that were not
   * delivered completely are `incomplete`. Raises `resource_missing`, `parameter_invalid`, `parameter_missing`,
   * `mapping_required`, and, with mappings, what the destination's check raises.
   */
  async update(
    record: AccountRecord,
    id: RowId<'sync'>,
    patch: SyncPatch,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Sync> {
    const { db, clock, limits, targets } = this.#deps;
    if (patch.accounts !== undefined) requireAccountList(patch.accounts, limits);
    const owned = await this.#deps.accounts.requireOwned(record.id, patch.accounts ?? [], 'accounts');
    const mapped = async (at: Db | Trx, old: SyncRow | null) => {
      const [destination] = old === null ? [] : await findDestinations(at, record.id, [old.destination]);
      if (old === null || destination === undefined) throw missing('sync');
      // As at creation: an account that cannot be in the sync is not asked for a mapping.
      if (patch.accounts !== undefined) requireFittingAccounts(old.type, owned, destination);
      return { old, destination, mappings: await this.#mappingsAfter(at, old, destination, patch) };
    };
    if (patch.accountMappings !== undefined && patch.accountMappings.length > 0) {
      const { destination } = await mapped(db, await findSync(db, record.id, id));
      const places = placesOf(patch.accountMappings);
      const asked = { places, categories: [], targetParam: 'account_mappings' } as const;
      await targets.requirePlaces(destination, asked, signal);
    }
    await db.transaction().execute(async (trx) => {
      const { old, destination, mappings } = await mapped(trx, await lockSync(trx, record.id, id));
      if (patch.accounts !== undefined) {
        await replaceSyncAccounts(trx, record.id, id, patch.accounts);
        await followAccounts(trx, record.id, id, patch.accounts);
      }
      const change = { ...mappings, ...this.#change(record, old, destination, patch, clock.now()) };
      // Rows from before the old first day were never read: the next run reads the whole window again.
      if (change.options !== undefined && change.options.data_from < old.options.data_from) {
        await clearCursors(trx, record.id, id);
        await forgetReadings(trx, record.id, id);
      }
      await updateSync(trx, record.id, id, change);
      const { account_mappings = old.account_mappings, columns = old.columns } = change;
      await followMappings(trx, old, { ...old, account_mappings, columns });
      const kind = { table: 'syncs', owner: record.id, now: clock.now() } as const;
      await requireMetadataRoom(trx, limits, kind, { before: old.metadata, after: change.metadata });
      if (patch.enabled === false)
        await cancelOpenRun(this.#deps, trx, record.id, id, 'its sync was disabled');
    });
    return this.read(record.id, id);
  }

  async #mappingsAfter(
    db: Db | Trx,
    { account_record, id, type, mapping_mode: mode, account_mappings: mappings }: SyncRow,
    destination: DestinationRow,
    patch: SyncPatch,
  ): Promise<SyncChange> {
    if (patch.accounts === undefined && patch.accountMappings === undefined) return {};
    const before = (await accountsOfSyncs(db, account_record, [id])).get(id) ?? [];
    const sync = { type, destination: destination.type, mode, accounts: patch.accounts ?? before };
    return {
      account_mappings: [...mappingsAfter(sync, { accounts: before, mappings }, patch.accountMappings)],
    };
  }

  #change(
    record: AccountRecord,
    old: SyncRow,
    destination: DestinationRow,
    patch: SyncPatch,
    now: number,
  ): SyncChange {
    const { limits } = this.#deps;
    const metadata = patch.metadata && mergeMetadata(old.metadata, patch.metadata);
    requireFittingMetadata(metadata, limits.metadata_pairs);
    if (patch.columns !== undefined) {
      requireColumns({ type: old.type, destination: destination.type }, patch.columns);
    }
    const { data_from, ...options } = patch.options ?? {};
    const from = data_from === undefined ? old.options.data_from : this.#dataFrom(record, data_from, now);
    const enabled = patch.enabled ?? old.enabled;
    const scheduled = enabled && destination.status !== 'disabled';
    const schedule = patch.schedule === undefined ? {} : this.#schedule(patch.schedule);
    return {
      ...(patch.name === undefined ? {} : { name: patch.name }),
      ...(patch.options === undefined ? {} : { options: { ...old.options, ...options, data_from: from } }),
      ...(patch.columns === undefined ? {} : { columns: patch.columns?.slice() ?? null }),
      ...(metadata === undefined ? {} : { metadata }),
      ...schedule,
      ...(patch.enabled === undefined && patch.schedule === undefined
        ? {}
        : {
            enabled,
            next_run_at: scheduled ? nextRunOf({ ...old, ...schedule }, now, limits) : null,
          }),
      updated: new Date(now),
    };
  }

  /** Deletes the sync and its runs; the destination stays. Raises `resource_missing`. */
  async delete(owner: OwnerId, id: RowId<'sync'>): Promise<void> {
    const deleted = await this.#deps.db.transaction().execute(async (trx) => {
      if ((await lockSync(trx, owner, id)) === null) return false;
      return deleteHeldSync(this.#deps, trx, owner, id);
    });
    if (!deleted) throw missing('sync');
  }

  async #composed(db: Db, owner: OwnerId, rows: readonly SyncWithState[]): Promise<Sync[]> {
    const ids = rows.map((row) => row.id);
    const accounts = await accountsOfSyncs(db, owner, ids);
    const sameAccounts = await sameAccountsOfSyncs(db, owner, ids);
    const runs = await latestRuns(db, owner, ids);
    const rulesets = await rulesetsOfSyncs(db, owner, ids);
    const destinations = new Map(
      (await findDestinations(db, owner, [...new Set(rows.map((row) => row.destination))])).map((row) => [
        row.id,
        row,
      ]),
    );
    return rows.flatMap((row) => {
      const destination = destinations.get(row.destination);
      if (destination === undefined) return [];
      return [
        {
          id: row.id,
          row,
          destination,
          accounts: accounts.get(row.id) ?? [],
          sameAccounts: sameAccounts.get(row.id) ?? [],
          latestRun: runs.get(row.id) ?? null,
          rulesets: rulesets.get(row.id) ?? [],
        },
      ];
    });
  }

  /** Create rule 5, under the account record's lock, so that two requests cannot both take the last slot. */
  async #requireFreeSync(trx: Trx, owner: OwnerId, now: number): Promise<void> {
    const record = await lockAccountRecord(trx, owner);
    if (record === null) throw missing('account record');
    requireRoom('sync_slot', record, now, await countOwnedSyncs(trx, owner));
  }

  #schedule(asked: AskedSchedule | null): ScheduleColumns {
    return scheduleColumns(asked === null ? null : requireSchedule(asked, this.#deps.limits));
  }

  #dataFrom(record: AccountRecord, asked: LocalDate | null, now: number): LocalDate {
    const { trial } = planStateOf(record, now);
    return clampDataFrom(asked, { now, timezone: record.timezone, trial, limits: this.#deps.limits });
  }
}

/** docs/states.md#sync; the list filter in storage/syncs.ts follows the same rules. */
export function statusOfSync(row: Pick<SyncWithState, 'running' | 'attention'>): SyncStatus {
  if (row.running) return 'running';
  return row.attention === null ? 'idle' : 'attention';
}

/** The destination, if the requested sync can write to it (create rules 1 to 3). Raises what `create` raises. */
function fitting(
  destination: DestinationRow | null,
  { type, mappingMode: mode, accounts, accountMappings, columns = null }: NewSync,
  owned: Awaited<ReturnType<OwnedAccounts['requireOwned']>>,
): DestinationRow {
  if (destination === null) throw missing('destination', 'destination');
  requireReady(destination, 'destination');
  requireFittingAccounts(type, owned, destination);
  requireMappingMode(destination.type, mode);
  requireColumns({ type, destination: destination.type }, columns);
  validateMappings({ type, destination: destination.type, mode, accounts }, accountMappings, []);
  return destination;
}
