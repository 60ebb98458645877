import type { Db, Trx } from '../../storage/database.ts';
import { moveCursor } from '../../storage/delivery-streams.ts';
import { type DestinationRow, lockDestination, updateDestination } from '../../storage/destinations.ts';
import { addHits } from '../../storage/rule-hits.ts';
import { holdRun, type RunLease } from '../../storage/run-leases.ts';
import { hasDoubts, type ReadingChange, recordReading } from '../../storage/stream-readings.ts';
import { endRun, type SyncRunRow, setReadCounts, updateLine } from '../../storage/sync-runs.ts';
import { lockSync, type SyncRow, updateSync } from '../../storage/syncs.ts';
import { DESTINATION_KINDS } from '../../vocabulary/destination-kinds.ts';
import type { ErrorCode } from '../../vocabulary/error-codes.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';
import { type AttentionCode, RUN_FAILURES, type RunFailureCode } from '../../vocabulary/syncs.ts';
import type { EventTrigger } from '../events/event-trigger.ts';
import { RowPlaces } from '../syncs/row-places.ts';
import { nextRetry, nextScheduledRun } from '../syncs/schedule-times.ts';
import type { ReadCounts } from './change.ts';
import { SWEEP_REST_MS } from './reading-plan.ts';
import { LeaseLost } from './run-context.ts';

/**
 * Failed runs in a row after which a destination is disabled, if they span at least a day
 * (docs/destinations.md#failure-rules).
 */
const FAILED_RUNS_TO_DISABLE = 5;
const DISABLE_AFTER_MS = 24 * 3_600_000;

/** What became of one account. */
export interface AccountResult {
  readonly account: RowId<'account'>;
  readonly stream: number;
  readonly failure: ErrorCode | null;
  /** Whether the provider says that more of the account's history is on its way. */
  readonly incomplete: boolean;
  readonly counts: ReadCounts;
  /** `options.data_from` when the attempt began: nothing from before that day was read. */
  readonly from: LocalDate;
  /** Where the mappings of the attempt put the account's rows (RowPlaces). */
  readonly places: string;
  /** Up to where everything is delivered; null leaves the cursor where it is. */
  readonly cursor: Date | null;
  /** What is remembered of reading the account; null: nothing new. */
  readonly reading: ReadingChange | null;
  /** How often rules skipped a row of the account that was not read before. */
  readonly hits: ReadonlyMap<RowId<'rule'>, number>;
}

export interface RunFailure {
  readonly code: RunFailureCode;
  readonly retryable: boolean;
  /** null: the code's own (RUN_FAILURES). */
  readonly attention: AttentionCode | null;
  /** The destination's part in it: none, it failed, or it said that it is gone. */
  readonly fault: 'none' | 'failed' | 'gone';
}

export interface RunResult {
  readonly failure: RunFailure | null;
  readonly accounts: readonly AccountResult[];
  readonly read: ReadCounts;
  /** Whether the destination took any chunk. */
  readonly delivered: boolean;
  /** Streams whose sweep began and did not come to its end: the next run gives way to the usual days. */
  readonly unswept: readonly number[];
  /** Which of the waits after failures comes before the next run though this one did not fail; null: the schedule's. */
  readonly again: number | null;
}

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
    for (const account of accounts) await finishAccount(trx, run, account);
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
    await finishSync(trx, deps, sync, result, disabled, at);
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

async function finishAccount(trx: Trx, run: SyncRunRow, result: AccountResult): Promise<void> {
  await updateLine(trx, run.id, result.account, {
    status: result.failure !== null ? 'failed' : result.incomplete ? 'incomplete' : 'succeeded',
    failure: result.failure,
    processed: result.counts.processed,
    skipped_by_rules: result.counts.skipped,
  });
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

async function finishSync(
  trx: Trx,
  { limits, events }: { readonly limits: Limits; readonly events: EventTrigger },
  sync: SyncRow,
  { failure, again }: RunResult,
  destinationDisabled: boolean,
  at: Date,
): Promise<void> {
  const scheduled = nextScheduledRun(at.getTime(), sync.account_record, limits.sync_interval_minutes);
  if (failure === null) {
    const next = again === null ? scheduled : nextRetry(at.getTime(), again, scheduled);
    const attention = (await hasDoubts(trx, sync.id)) ? 'data_invalid' : null;
    await updateSync(trx, sync.account_record, sync.id, {
      attention,
      failed_runs: 0,
      last_synced_at: at,
      next_run_at: sync.enabled ? next : null,
    });
    if (attention !== null && attention !== sync.attention) {
      await events(trx, sync.account_record, 'sync.attention', sync.id);
    }
    return;
  }
  const failedRuns = sync.failed_runs + 1;
  const next = failure.retryable ? nextRetry(at.getTime(), failedRuns, scheduled) : scheduled;
  const telling = failure.attention ?? RUN_FAILURES[failure.code].attention;
  const attention = destinationDisabled ? 'destination_disabled' : telling;
  await updateSync(trx, sync.account_record, sync.id, {
    attention,
    failed_runs: failedRuns,
    next_run_at: sync.enabled && !destinationDisabled ? next : null,
  });
  if (attention !== null && attention !== sync.attention) {
    await events(trx, sync.account_record, 'sync.attention', sync.id);
  }
}
