import { sql } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Sweep } from '../vocabulary/sweeps.ts';
import type { Db, Trx } from './database.ts';
import { jsonColumn } from './json-column.ts';
import type { HistoryObservation, StoredVersion } from './ledger-tables.ts';

/** The state of reading one account's rows for one sync. */
export interface StreamReading {
  readonly history: HistoryObservation | null;
  /** Of rows that the service has itself, at the last sweep; null if there was none, or for rows of a bank. */
  readonly version: string | null;
  readonly swept: Readonly<Record<Sweep, Date | null>>;
  readonly sweepAfter: Date | null;
  /** When the oldest of the missing rows was recorded. */
  readonly missingSince: Date | null;
  /** When the bank last omitted more rows at once than is credible. */
  readonly unconfirmedAt: Date | null;
}

export const NEVER_READ: StreamReading = {
  history: null,
  version: null,
  swept: { recent: null, year: null, all: null },
  sweepAfter: null,
  missingSince: null,
  unconfirmedAt: null,
};

/** What a read changes; absent members stay as they are. */
export interface ReadingChange {
  readonly history?: HistoryObservation | StoredVersion | null;
  readonly swept?: { readonly sweeps: readonly Sweep[]; readonly at: Date };
  readonly sweepAfter?: Date | null;
  readonly unconfirmedAt?: Date | null;
  /** Ids to record as missing at that time, and recorded ones that are no longer missing. */
  readonly missing?: {
    readonly noted: readonly string[];
    readonly cleared: readonly string[];
    readonly at: Date;
  };
}

/** Readings of the streams; streams that were never read are absent. */
export async function readingsOfStreams(
  db: Db,
  streams: readonly number[],
): Promise<ReadonlyMap<number, StreamReading>> {
  if (streams.length === 0) return new Map();
  const rows = await db
    .selectFrom('stream_readings')
    .selectAll()
    .select((query) =>
      query
        .selectFrom('missing_rows')
        .whereRef('missing_rows.stream', '=', 'stream_readings.stream')
        .select((eb) => eb.fn.min('noted_at').as('noted_at'))
        .as('missing_since'),
    )
    .where('stream', 'in', streams)
    .execute();
  return new Map(
    rows.map((row) => [
      row.stream,
      {
        history: row.history?.v === 1 ? row.history : null,
        version: row.history?.v === 2 ? row.history.version : null,
        swept: { recent: row.swept_recent_at, year: row.swept_year_at, all: row.swept_all_at },
        sweepAfter: row.sweep_after,
        missingSince: row.missing_since,
        unconfirmedAt: row.doubted_at,
      },
    ]),
  );
}

export async function recordReading(trx: Trx, stream: number, change: ReadingChange): Promise<void> {
  const { history, swept, sweepAfter, unconfirmedAt, missing } = change;
  const sweptAt = (sweep: Sweep) => (swept?.sweeps.includes(sweep) === true ? swept.at : undefined);
  const columns = {
    history: jsonColumn(history),
    swept_recent_at: sweptAt('recent'),
    swept_year_at: sweptAt('year'),
    swept_all_at: sweptAt('all'),
    sweep_after: sweepAfter,
    doubted_at: unconfirmedAt,
  };
  await trx
    .insertInto('stream_readings')
    .values({
      stream,
      history: columns.history ?? null,
      swept_recent_at: columns.swept_recent_at ?? null,
      swept_year_at: columns.swept_year_at ?? null,
      swept_all_at: columns.swept_all_at ?? null,
      sweep_after: sweepAfter ?? null,
      doubted_at: unconfirmedAt ?? null,
    })
    .onConflict((conflict) => conflict.column('stream').doUpdateSet({ stream, ...columns }))
    .execute();
  if (missing === undefined) return;
  if (missing.cleared.length > 0) {
    await trx
      .deleteFrom('missing_rows')
      .where('stream', '=', stream)
      .where('source_id', 'in', missing.cleared)
      .execute();
  }
  if (missing.noted.length > 0) {
    await trx
      .insertInto('missing_rows')
      .values(missing.noted.map((source_id) => ({ stream, source_id, noted_at: missing.at })))
      .onConflict((conflict) =>
        conflict.columns(['stream', 'source_id']).doUpdateSet({ noted_at: missing.at }),
      )
      .execute();
  }
}

/** Rows recorded as missing, with the time. */
export async function missingRows(db: Db, stream: number): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .selectFrom('missing_rows')
    .select(['source_id', 'noted_at'])
    .where('stream', '=', stream)
    .execute();
  return new Map(rows.map((row) => [row.source_id, row.noted_at]));
}

/** Whether the bank of any account of the sync omitted more rows at once than is credible. */
export async function hasDoubts(db: Db, sync: RowId<'sync'>): Promise<boolean> {
  const row = await db
    .selectFrom('stream_readings')
    .innerJoin('delivery_streams', 'delivery_streams.id', 'stream_readings.stream')
    .innerJoin('sync_accounts', (join) =>
      join
        .onRef('sync_accounts.sync', '=', 'delivery_streams.sync')
        .onRef('sync_accounts.account', '=', 'delivery_streams.account'),
    )
    .select('stream_readings.stream')
    .where('delivery_streams.sync', '=', sync)
    .where('stream_readings.doubted_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes the next run that may sweep read the accounts from the sync's first day. */
export async function requireFullSweep(
  trx: Trx,
  owner: OwnerId,
  sync: RowId<'sync'>,
  accounts: readonly RowId<'account'>[],
): Promise<void> {
  if (accounts.length === 0) return;
  await trx
    .updateTable('stream_readings')
    .set({ swept_all_at: null })
    .where('stream', 'in', (query) =>
      query
        .selectFrom('delivery_streams')
        .innerJoin('syncs', 'syncs.id', 'delivery_streams.sync')
        .select('delivery_streams.id')
        .where('syncs.account_record', '=', owner)
        .where('syncs.id', '=', sync)
        .where('delivery_streams.account', 'in', accounts),
    )
    .execute();
}

/**
 * Makes the next run read the sync's accounts as the first did. Which rows a bank omitted is kept: a resync is how a
 * person confirms that they are gone.
 */
export async function restartReadings(trx: Trx, owner: OwnerId, sync: RowId<'sync'>): Promise<void> {
  await trx
    .updateTable('stream_readings')
    .set({
      history: null,
      swept_recent_at: null,
      swept_year_at: null,
      swept_all_at: null,
      sweep_after: null,
    })
    .where('stream', 'in', (query) =>
      query
        .selectFrom('delivery_streams')
        .innerJoin('syncs', 'syncs.id', 'delivery_streams.sync')
        .select('delivery_streams.id')
        .where('syncs.account_record', '=', owner)
        .where('syncs.id', '=', sync),
    )
    .execute();
}

/** Resets how the sync's accounts were read: the next run begins as the first did. */
export async function forgetReadings(trx: Trx, owner: OwnerId, sync: RowId<'sync'>): Promise<void> {
  const streams = sql<number>`(
    select delivery_streams.id from delivery_streams join syncs on syncs.id = delivery_streams.sync
    where syncs.account_record = ${owner} and syncs.id = ${sync}
  )`;
  await trx.deleteFrom('missing_rows').where('stream', 'in', streams).execute();
  await trx.deleteFrom('stream_readings').where('stream', 'in', streams).execute();
}
