import type { Clock } from '../../../platform/clock.ts';
import type { Db, Trx } from '../../../storage/database.ts';
import { endRedelivery, moveCursor } from '../../../storage/delivery-streams.ts';
import { type DestinationRow, lockDestination, updateDestination } from '../../../storage/destinations.ts';
import {
  forgetAllRejected,
  forgetRejected,
  type RejectedRowKey,
  rememberRejected,
} from '../../../storage/rejected-rows.ts';
import { holdRun, type RunLease } from '../../../storage/run-leases.ts';
import { hasDoubts, type ReadingChange, recordReading } from '../../../storage/stream-readings.ts';
import { addHits } from '../../../storage/sync-rulesets.ts';
import {
  addRejected,
  endRun,
  type SyncRunRow,
  setReadCounts,
  updateLine,
} from '../../../storage/sync-runs.ts';
import { lockSync, type SyncRow, updateSync } from '../../../storage/syncs.ts';
import { DESTINATION_KINDS } from '../../../vocabulary/destination-kinds.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import type { LocalDate } from '../../../vocabulary/moments.ts';
import { DESTINATION_MOVES, moveBy, StatusMove, SYNC_RUN_MOVES } from '../../../vocabulary/states.ts';
import { type AttentionCode, RUN_FAILURES, type RunFailureCode } from '../../../vocabulary/syncs.ts';
import type { EventTrigger } from '../../events/event-log.ts';
import { RowPlaces } from '../../syncs/row-places.ts';
import { rangeOf } from '../../syncs/run-ranges.ts';
import { nextRetry, nextRunOf } from '../../syncs/sync-schedules.ts';
import type { ReadCounts } from '../compare/row-changes.ts';
import type { AsideOutcome, RefusedOutcome } from '../deliver/rejected-rows.ts';
import { SWEEP_REST_MS } from '../read/reading-plan.ts';
import { LeaseLost } from './run-context.ts';

/** The result of a run for one account, however the run ends. */
export interface AccountLine {
  readonly failure: ErrorCode | null;
  readonly counts: ReadCounts;
}

/** The result for one account. */
export interface AccountResult extends AccountLine {
  readonly account: RowId<'account'>;
  readonly stream: number;
  /** Whether the provider is still loading the account's history. */
  readonly incomplete: boolean;
  /** `options.data_from` when the attempt began: nothing older was read. */
  readonly from: LocalDate;
  /** Where the account's rows are mapped to in this attempt (RowPlaces). */
  readonly places: string;
  /** Up to where everything is delivered; null does not move the cursor. */
  readonly cursor: Date | null;
  /** What to record about reading the account; null: nothing new. */
  readonly reading: ReadingChange | null;
  /** Rows recorded as rejected that are resolved. */
  readonly over: readonly RejectedRowKey[];
  /** How often rules skipped a row of the account that had not been read before. */
  readonly hits: ReadonlyMap<RowId<'rule'>, number>;
}

/** What follows from an account that was read completely. */
export type AccountConclusion = Pick<AccountResult, 'incomplete' | 'cursor' | 'reading' | 'over' | 'hits'>;

export interface RunFailure {
  readonly code: RunFailureCode;
  readonly retryable: boolean;
  /** null: the code's own (RUN_FAILURES). */
  readonly attention: AttentionCode | null;
  /** The destination's part in it: none, it failed, or it reported that it is gone. */
  readonly fault: 'none' | 'failed' | 'gone';
  /** How long the destination asked us to wait; absent if it did not. */
  readonly retryAfterSeconds?: number;
}

export interface RunResult {
  readonly failure: RunFailure | null;
  /** Empty if the run was ended early. */
  readonly accounts: readonly AccountResult[];
  /** Every account that was started. */
  readonly lines: ReadonlyMap<RowId<'account'>, AccountLine>;
  readonly read: ReadCounts;
  /** Rows that could not be read, of every account that was started. */
  readonly aside: ReadonlyMap<RowId<'account'>, AsideOutcome>;
  readonly refused: RefusedOutcome;
  /** Whether the destination accepted any chunk. */
  readonly delivered: boolean;
  /** Streams whose sweep began and did not finish: the next run reads only the usual days. */
  readonly unswept: readonly number[];
  /**
   * Which of the waits after failures comes before the next run although this one did not fail; null: that of the
   * schedule.
   */
  readonly again: number | null;
}

/**
 * Consecutive failed runs after which a destination is disabled, if they span at least a day
 * (docs/destinations.md#failure-rules).
 */
export const FAILED_RUNS_TO_DISABLE = 5;
const DISABLE_AFTER_MS = 24 * 3_600_000;

/**
 * Ends a run in one transaction: its state, its lines, the accounts' cursors, and what follows for the sync and the
 * destination. Rows are locked in the order destination, sync, run. Raises LeaseLost if the lease is no longer held.
 */
export async function finishRun(
  deps: {
    readonly db: Db;
    readonly limits: Limits;
    readonly clock: Clock;
    readonly events: EventTrigger;
  },
  run: SyncRunRow,
  lease: RunLease,
  result: RunResult,
): Promise<void> {
  const now = deps.clock.now();
  const at = new Date(now);
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
    const sweepAfter = new Date(now + SWEEP_REST_MS);
    for (const stream of result.unswept) await recordReading(trx, stream, { sweepAfter });
    await setReadCounts(trx, run.id, result.read);
    await rememberRejections(trx, run, result, accounts, deps.clock);
    await addHits(trx, { at, counts: sumOf(accounts) });
    const { failure } = result;
    const move = moveBy(SYNC_RUN_MOVES, failure === null ? 'finished' : 'failed');
    await endRun(trx, run.account_record, run.id, move, {
      failure: failure?.code ?? null,
      retryable: failure?.retryable ?? null,
      at,
    });
    await deps.events(trx, run.account_record, move.emits, run.id);
    const disabled = await finishDestination(trx, destination, result, at, deps.events);
    await finishAttention(trx, deps.events, sync, result, disabled);
    if (rangeOf(run) === null) await finishSchedule(trx, deps.limits, sync, result, disabled, at);
    else if (disabled) await updateSync(trx, sync.account_record, sync.id, { next_run_at: null });
  });
}

/** Counts the rows that were not sent among the rejected ones, and records which rows were rejected. */
async function rememberRejections(
  trx: Trx,
  run: SyncRunRow,
  { aside, refused }: Pick<RunResult, 'aside' | 'refused'>,
  accounts: readonly AccountResult[],
  clock: Clock,
): Promise<void> {
  const rejecting = { owner: run.account_record, sync: run.sync, run: run.id };
  await forgetRejected(
    trx,
    rejecting,
    accounts.flatMap(({ over }) => over),
  );
  await forgetAllRejected(trx, run.account_record, run.sync, { all: false });
  const outcomes = [...aside.values()];
  const unread = outcomes.flatMap((outcome) => outcome.notes);
  const notes = [...refused.notes, ...unread];
  const unlisted = await rememberRejected(trx, rejecting, notes, clock);
  const count = outcomes.reduce((sum, outcome) => sum + outcome.count, 0);
  const beyond = unlisted + count - unread.length + refused.beyond;
  if (count > 0 || beyond > 0) await addRejected(trx, run.id, aside, beyond);
  if (refused.unsent.size > 0) await addRejected(trx, run.id, refused.unsent, 0);
}

/**
 * If `data_from` was moved back during the run, there are rows that the run did not request: a cursor would make the
 * next run miss them.
 */
function asReadFor(sync: SyncRow, account: AccountResult): AccountResult {
  return sync.options.data_from < account.from
    ? { ...account, cursor: null, reading: null, hits: new Map() }
    : account;
}

/** Rows that were mapped to other places during the run are read again by the next. */
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

/** `read`: null if the run ended before the account was read; its status then stays as it is. */
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
  if (result.cursor !== null || result.reading !== null) await endRedelivery(trx, result.stream);
}

/** Counts consecutive failures, and returns whether the destination is now disabled. */
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
    if (failure.code === 'destination_auth_failed' && destination.status === 'active') {
      const moved = StatusMove.of(DESTINATION_MOVES, 'grant failed during a sync', destination.status);
      await updateDestination(trx, owner, id, { moved, updated: at });
      await events(trx, owner, moved.row.emits, id);
    }
    return destination.status === 'disabled';
  }
  const failedRuns = destination.failed_runs + 1;
  const firstFailedAt = destination.first_failed_at ?? at;
  const lasting = at.getTime() - firstFailedAt.getTime() >= DISABLE_AFTER_MS;
  const disabled = failure.fault === 'gone' || (failedRuns >= FAILED_RUNS_TO_DISABLE && lasting);
  const moved =
    disabled && destination.status !== 'disabled'
      ? StatusMove.of(DESTINATION_MOVES, 'webhook auto-disabled', destination.status)
      : null;
  await updateDestination(trx, owner, id, {
    failed_runs: failedRuns,
    first_failed_at: firstFailedAt,
    ...(moved === null ? {} : { moved, updated: at }),
  });
  if (moved !== null) await events(trx, owner, moved.row.emits, id);
  return disabled;
}

/**
 * When the sync was last brought up to date, how often it failed since, and when it runs next: for runs that read what
 * is due. A backfill changes none of it.
 */
async function finishSchedule(
  trx: Trx,
  limits: Limits,
  sync: SyncRow,
  { failure, again }: RunResult,
  destinationDisabled: boolean,
  at: Date,
): Promise<void> {
  const scheduled = nextRunOf(sync, at.getTime(), limits);
  if (failure === null) {
    const next = again === null ? scheduled : nextRetry(at.getTime(), again, scheduled);
    await updateSync(trx, sync.account_record, sync.id, {
      failed_runs: 0,
      last_synced_at: at,
      next_run_at: sync.enabled ? next : null,
    });
    return;
  }
  const failedRuns = sync.failed_runs + 1;
  const retry = failure.retryable ? nextRetry(at.getTime(), failedRuns, scheduled) : scheduled;
  const allowed = at.getTime() + (failure.retryAfterSeconds ?? 0) * 1000;
  const next = new Date(Math.max(retry.getTime(), allowed));
  await updateSync(trx, sync.account_record, sync.id, {
    failed_runs: failedRuns,
    next_run_at: sync.enabled && !destinationDisabled ? next : null,
  });
}

/** What a person has to know after a run of either kind. */
async function finishAttention(
  trx: Trx,
  events: EventTrigger,
  sync: SyncRow,
  { failure }: RunResult,
  destinationDisabled: boolean,
): Promise<void> {
  const attention = await attentionAfter(trx, sync, failure, destinationDisabled);
  await updateSync(trx, sync.account_record, sync.id, { attention });
  if (attention !== null && attention !== sync.attention) {
    await events(trx, sync.account_record, 'sync.attention', sync.id);
  }
}

async function attentionAfter(
  trx: Trx,
  sync: SyncRow,
  failure: RunFailure | null,
  destinationDisabled: boolean,
): Promise<AttentionCode | null> {
  if (failure === null) return (await hasDoubts(trx, sync.id)) ? 'data_invalid' : null;
  if (destinationDisabled) return 'destination_disabled';
  return failure.attention ?? RUN_FAILURES[failure.code].attention;
}
