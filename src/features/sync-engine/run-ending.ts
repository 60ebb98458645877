import type { Db, Trx } from '../../storage/database.ts';
import { moveCursor } from '../../storage/delivery-streams.ts';
import { type DestinationRow, lockDestination, updateDestination } from '../../storage/destinations.ts';
import { addHits } from '../../storage/rule-hits.ts';
import { holdRun, type RunLease } from '../../storage/run-leases.ts';
import { recordReading } from '../../storage/stream-readings.ts';
import { endRun, type SyncRunRow, setReadCounts, updateLine } from '../../storage/sync-runs.ts';
import { lockSync, type SyncRow, updateSync } from '../../storage/syncs.ts';
import { DESTINATION_KINDS } from '../../vocabulary/destination-kinds.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { EventTrigger } from '../events/event-trigger.ts';
import { RowPlaces } from '../syncs/row-places.ts';
import { rangeOf } from '../syncs/run-ranges.ts';
import { SWEEP_REST_MS } from './reading-plan.ts';
import { LeaseLost } from './run-context.ts';
import type { AccountLine, AccountResult, RunResult } from './run-result.ts';
import { finishAttention, finishSchedule } from './sync-after-run.ts';

/**
 * Failed runs in a row after which a destination is disabled, if they span at least a day
 * (docs/destinations.md#failure-rules).
 */
export const FAILED_RUNS_TO_DISABLE = 5;
const DISABLE_AFTER_MS = 24 * 3_600_000;

/**
 * Ends a run in one transaction: its state, its lines, the accounts' cursors, and what follows for the sync and the
 * destination. Rows are taken in the order destination, sync, run. Raises LeaseLost when the lease does not stand.
 */
export async function finishRun(
  deps: {
    readonly db: Db;
    readonly limits: Limits;
    readonly now: number;
    readonly events: EventTrigger;
  },
  run: SyncRunRow,
  lease: RunLease,
  result: RunResult,
): Promise<void> {
  const at = new Date(deps.now);
  await deps.db.transaction().execute(async (trx) => {
    const destination = await lockDestination(trx, run.account_record, run.destination);
    const sync = await lockSync(trx, run.account_record, run.sync);
    if (destination === null || sync === null || !(await holdRun(trx, lease))) throw new LeaseLost();
    const places = new RowPlaces(sync);
    const accounts = result.accounts.map((account) => asPlaced(places, asReadFor(sync, account)));
    const read = new Map(accounts.map((account) => [account.account, account]));
    for (const [account, line] of result.lines)
      await finishLine(trx, run, account, line, read.get(account) ?? null);
    for (const account of accounts) await moveAccount(trx, account);
    const sweepAfter = new Date(deps.now + SWEEP_REST_MS);
    for (const stream of result.unswept) await recordReading(trx, stream, { sweepAfter });
    await setReadCounts(trx, run.id, result.read);
    await addHits(trx, { at, counts: sumOf(accounts) });
    const { failure } = result;
    await endRun(trx, run.account_record, run.id, ['running'], {
      status: failure === null ? 'succeeded' : 'failed',
      failure: failure?.code ?? null,
      retryable: failure?.retryable ?? null,
      at,
    });
    const ended = failure === null ? 'sync_run.succeeded' : 'sync_run.failed';
    await deps.events(trx, run.account_record, ended, run.id);
    const disabled = await finishDestination(trx, destination, result, at, deps.events);
    await finishAttention(trx, deps.events, sync, result, disabled);
    if (rangeOf(run) === null) await finishSchedule(trx, deps.limits, sync, result, disabled, at);
    else if (disabled) await updateSync(trx, sync.account_record, sync.id, { next_run_at: null });
  });
}

/**
 * A sync that was made to begin earlier while the run was under way has rows that the run did not ask for: a cursor
 * would have the next run pass over them.
 */
function asReadFor(sync: SyncRow, account: AccountResult): AccountResult {
  return sync.options.data_from < account.from
    ? { ...account, cursor: null, reading: null, hits: new Map() }
    : account;
}

/** Rows that were mapped to other places while the run was under way are read again by the next. */
function asPlaced(places: RowPlaces, account: AccountResult): AccountResult {
  if (account.reading === null || account.places === places.summary(account.account)) return account;
  const { swept: _, ...reading } = account.reading;
  return { ...account, reading };
}

function sumOf(accounts: readonly AccountResult[]): ReadonlyMap<RowId<'rule'>, number> {
  const sum = new Map<RowId<'rule'>, number>();
  for (const { hits } of accounts) {
    for (const [rule, count] of hits) sum.set(rule, (sum.get(rule) ?? 0) + count);
  }
  return sum;
}

/** `read`: null where the run ended before the account did, whose status then stays as it is. */
async function finishLine(
  trx: Trx,
  run: SyncRunRow,
  account: RowId<'account'>,
  { failure, counts }: AccountLine,
  read: AccountResult | null,
): Promise<void> {
  const readTo = read === null ? {} : ({ status: read.incomplete ? 'incomplete' : 'succeeded' } as const);
  await updateLine(trx, run.id, account, {
    ...(failure === null ? readTo : { status: 'failed', failure }),
    processed: counts.processed,
    skipped_by_rules: counts.skipped,
  });
}

async function moveAccount(trx: Trx, result: AccountResult): Promise<void> {
  if (result.cursor !== null) await moveCursor(trx, result.stream, result.cursor);
  if (result.reading !== null) await recordReading(trx, result.stream, result.reading);
}

/** Counts failures in a row, and says whether the destination is disabled now. */
async function finishDestination(
  trx: Trx,
  destination: DestinationRow,
  { failure, delivered }: RunResult,
  at: Date,
  events: EventTrigger,
): Promise<boolean> {
  const { account_record: owner, id } = destination;
  if (failure === null || failure.fault === 'none') {
    if (destination.failed_runs > 0 && (delivered || failure === null)) {
      await updateDestination(trx, owner, id, { failed_runs: 0, first_failed_at: null });
    }
    return destination.status === 'disabled';
  }
  if (DESTINATION_KINDS[destination.type].failure === 'lost_grant') {
    const expired = failure.code === 'destination_auth_failed' && destination.status === 'active';
    if (expired) {
      await updateDestination(trx, owner, id, { status: 'reauth_required', updated: at });
      await events(trx, owner, 'destination.reauth_required', id);
    }
    return destination.status === 'disabled';
  }
  const failedRuns = destination.failed_runs + 1;
  const firstFailedAt = destination.first_failed_at ?? at;
  const lasting = at.getTime() - firstFailedAt.getTime() >= DISABLE_AFTER_MS;
  const disabled = failure.fault === 'gone' || (failedRuns >= FAILED_RUNS_TO_DISABLE && lasting);
  await updateDestination(trx, owner, id, {
    failed_runs: failedRuns,
    first_failed_at: firstFailedAt,
    ...(disabled ? { status: 'disabled', updated: at } : {}),
  });
  if (disabled && destination.status !== 'disabled') await events(trx, owner, 'destination.disabled', id);
  return disabled;
}
