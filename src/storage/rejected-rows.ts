import type { Selectable } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { newRowId } from '../platform/row-id.ts';
import { type OwnerId, type RowId, rowId } from '../vocabulary/ids.ts';
import type { LocalDate } from '../vocabulary/moments.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { RejectionOrigin } from '../vocabulary/set-aside-rows.ts';
import type { Db, Trx } from './database.ts';
import type { RejectedRowsTable } from './ledger-tables.ts';
import { selectPage } from './pages.ts';

export type RejectedRow = Selectable<RejectedRowsTable>;

/** How many rows are recorded of one sync at most, from both origins together. */
export const REJECTED_ROWS_KEPT = 1_000;
/** Rows written by one statement. */
const STATEMENT_ROWS = 250;

export type RejectedRowKey = Pick<RejectedRow, 'account' | 'origin' | 'row_key'>;
export type RejectionNote = RejectedRowKey &
  Pick<RejectedRow, 'source_id' | 'day' | 'field' | 'reason' | 'content_mac'>;

/** The run in which rows were rejected. */
export interface RejectingRun {
  readonly owner: OwnerId;
  readonly sync: RowId<'sync'>;
  readonly run: RowId<'sync_run'>;
}

/**
 * Records rows that the run could not deliver; those already known keep the time when they were first seen. Returns how
 * many there was no room for. The caller holds the lock on the sync's row, so that two runs do not exceed the limit
 * together.
 */
export async function rememberRejected(
  trx: Trx,
  { owner, sync, run }: RejectingRun,
  notes: readonly RejectionNote[],
  clock: Clock,
): Promise<number> {
  if (notes.length === 0) return 0;
  const known = new Set((await rejectedKeys(trx, owner, sync)).map(keyOf));
  let room = REJECTED_ROWS_KEPT - known.size;
  let unlisted = 0;
  const kept = new Map<string, RejectionNote>();
  for (const note of notes) {
    const key = keyOf(note);
    if (kept.has(key)) continue;
    if (!known.has(key)) {
      if (room <= 0) {
        unlisted += 1;
        continue;
      }
      room -= 1;
    }
    kept.set(key, note);
  }
  const at = new Date(clock.now());
  const seen = { first_run: run, last_run: run, first_seen: at, last_seen: at };
  const rows = [...kept.values()].map((note) => ({
    id: rowId('rejected_row', newRowId(clock)),
    account_record: owner,
    sync,
    ...note,
    ...seen,
  }));
  for (let from = 0; from < rows.length; from += STATEMENT_ROWS) {
    await trx
      .insertInto('rejected_rows')
      .values(rows.slice(from, from + STATEMENT_ROWS))
      .onConflict((conflict) =>
        conflict.columns(['sync', 'account', 'origin', 'row_key']).doUpdateSet((eb) => ({
          source_id: eb.ref('excluded.source_id'),
          day: eb.ref('excluded.day'),
          field: eb.ref('excluded.field'),
          reason: eb.ref('excluded.reason'),
          content_mac: eb.ref('excluded.content_mac'),
          last_run: eb.ref('excluded.last_run'),
          last_seen: eb.ref('excluded.last_seen'),
        })),
      )
      .execute();
  }
  return unlisted;
}

/** Deletes rows that have been delivered since, or that the bank no longer has. */
export async function forgetRejected(
  trx: Trx,
  { owner, sync }: Pick<RejectingRun, 'owner' | 'sync'>,
  keys: readonly RejectedRowKey[],
): Promise<void> {
  const places = Map.groupBy(keys, ({ account, origin }) => `${account} ${origin}`);
  for (const rows of places.values()) {
    const [first] = rows;
    if (first === undefined) continue;
    await trx
      .deleteFrom('rejected_rows')
      .where('account_record', '=', owner)
      .where('sync', '=', sync)
      .where('account', '=', first.account)
      .where('origin', '=', first.origin)
      .where(
        'row_key',
        'in',
        rows.map(({ row_key }) => row_key),
      )
      .execute();
  }
}

/** Deletes every rejected row of accounts that are no longer in the sync, and with `all` also of those that are. */
export async function forgetAllRejected(
  trx: Trx,
  owner: OwnerId,
  sync: RowId<'sync'>,
  { all }: { readonly all: boolean },
): Promise<void> {
  let query = trx.deleteFrom('rejected_rows').where('account_record', '=', owner).where('sync', '=', sync);
  if (!all) {
    query = query.where('account', 'not in', (eb) =>
      eb.selectFrom('sync_accounts').select('account').where('sync', '=', sync),
    );
  }
  await query.execute();
}

/** As much of a recorded row as a run needs. */
export type KnownRejection = Pick<
  RejectedRow,
  'account' | 'origin' | 'row_key' | 'source_id' | 'day' | 'field' | 'reason' | 'content_mac' | 'last_seen'
>;

/** The recorded rows of a sync, at most REJECTED_ROWS_KEPT. */
export async function rejectedKeys(
  db: Db,
  owner: OwnerId,
  sync: RowId<'sync'>,
): Promise<readonly KnownRejection[]> {
  return db
    .selectFrom('rejected_rows')
    .select([
      'account',
      'origin',
      'row_key',
      'source_id',
      'day',
      'field',
      'reason',
      'content_mac',
      'last_seen',
    ])
    .where('account_record', '=', owner)
    .where('sync', '=', sync)
    .limit(REJECTED_ROWS_KEPT)
    .execute();
}

export interface RejectedRowFilter {
  readonly sync: RowId<'sync'>;
  /** Only rows that this run encountered; null for all. */
  readonly run: RowId<'sync_run'> | null;
  readonly origin: RejectionOrigin | null;
}

/** Recorded rows of a sync in pages, newest first. */
export async function listRejectedRows(
  db: Db,
  owner: OwnerId,
  { sync, run, origin }: RejectedRowFilter,
  page: PageRequest,
): Promise<Page<RejectedRow>> {
  let query = db
    .selectFrom('rejected_rows')
    .selectAll()
    .where('account_record', '=', owner)
    .where('sync', '=', sync);
  if (run !== null) query = query.where('last_run', '=', run);
  if (origin !== null) query = query.where('origin', '=', origin);
  return selectPage<RejectedRow>(query, page);
}

/** The earliest day of recorded rows. */
export function earliestDay(rows: readonly Pick<KnownRejection, 'day'>[]): LocalDate | null {
  const days = rows.flatMap(({ day }) => day ?? []);
  return days.length === 0 ? null : days.reduce((first, day) => (day < first ? day : first));
}

function keyOf({ account, origin, row_key }: RejectedRowKey): string {
  return `${account} ${origin} ${row_key}`;
}
