import { type HistoryState, versionOf } from '../../../connectors/providers/provider-contract.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import type { HistoryObservation } from '../../../storage/ledger-tables.ts';
import { earliestDay, type KnownRejection } from '../../../storage/rejected-rows.ts';
import type { ReadingChange, StreamReading } from '../../../storage/stream-readings.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { LocalDate } from '../../../vocabulary/moments.ts';
import type { VanishedOutcome } from '../compare/vanished-rows.ts';
import { isDue } from '../deliver/rejected-rows.ts';
import type { ReadContext, RunContext } from '../run/run-context.ts';
import { planRange, planRead, planUsual, type ReadPlan, SWEEP_REST_MS } from './reading-plan.ts';
import { isPending, postingDayOf, type SourceRow } from './source-row.ts';
import type { SourceAccount } from './sync-source.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A provider that reports `loading` for longer is no longer believed; then the rows decide. */
const LOADING_BELIEVED_MS = 7 * DAY_MS;

/** Until which age of a loading history its sync runs again soon, and after which of the waits for failures. */
const LOOKS: readonly { readonly youngerThanMs: number; readonly wait: number }[] = [
  { youngerThanMs: HOUR_MS, wait: 1 },
  { youngerThanMs: 4 * HOUR_MS, wait: 2 },
  { youngerThanMs: DAY_MS, wait: 3 },
];

/** Oldest posted row, and number of posted rows up to a day, of a read of the whole window. Days since 1970. */
export class HistoryCount {
  readonly until: number;
  oldest: number | null = null;
  rows = 0;

  constructor(until: number) {
    this.until = until;
  }

  add(row: SourceRow): void {
    const day = isPending(row) ? null : postingDayOf(row);
    if (day === null || day > this.until) return;
    this.rows += 1;
    if (this.oldest === null || day < this.oldest) this.oldest = day;
  }
}

/** The last day counted: rows older than the overlap no longer come and go. */
export function countUntil(known: HistoryObservation | null, now: number, overlapDays: number): number {
  return known?.until ?? Math.floor(now / DAY_MS) - overlapDays;
}

/**
 * Whether a history is complete after a read of its window, and what to record if it is not. What the provider says
 * decides; if it says nothing, the oldest row and the number of rows must have stayed the same over two reads, at least
 * `settleMs` apart.
 */
function assessHistory(
  state: HistoryState,
  known: HistoryObservation | null,
  count: Pick<HistoryCount, 'until' | 'oldest' | 'rows'>,
  { from, now, settleMs }: { readonly from: LocalDate; readonly now: number; readonly settleMs: number },
): HistoryObservation | null {
  if (state === 'complete' || state === 'forgotten' || versionOf(state) !== null) return null;
  const { until, oldest, rows } = count;
  const before = known !== null && known.from === from && known.until === until ? known : null;
  const since = Math.min(before?.since ?? now, now);
  const same = before !== null && before.oldest === oldest && before.rows === rows;
  // A clock that was set back must not make the wait longer.
  const changedAt = same ? Math.min(before.changedAt, now) : now;
  const believed = state === 'loading' && now - since < LOADING_BELIEVED_MS;
  if (!believed && same && now - changedAt >= settleMs) return null;
  return { v: 1, from, until, oldest, rows, since, changedAt };
}

/** Which wait comes before the next read of a history that has been loading since then; null: that of the schedule. */
function nextLook(since: number, now: number): number | null {
  return LOOKS.find(({ youngerThanMs }) => now - since < youngerThanMs)?.wait ?? null;
}

const MINUTE_MS = 60_000;

/** The read of one account in one attempt. */
export interface AccountRead {
  readonly plan: ReadPlan;
  /** What the provider said about its history before the read; null: not asked. */
  readonly state: HistoryState | null;
  /** Whether the destination had rows of the account when the attempt began. */
  readonly known: boolean;
  readonly count: HistoryCount;
  /**
   * Whether rows missing from this read are gone, however many: more were missing from an earlier read than is
   * credible, and the owner has requested a resync since.
   */
  readonly gapConfirmed: boolean;
}

/** How an account was read, and what the read showed. */
interface ConcludedRead {
  readonly read: AccountRead;
  readonly vanished: VanishedOutcome | null;
  /** How many new rows resemble missing ones, though not one to one (ReissuedRows). */
  readonly ambiguous: number;
  /** Of the rows that the service has itself, if the read is one of that version; else null. */
  readonly version: string | null;
}

/**
 * What follows from an account that was read and delivered completely. Everything is read again soon after an ambiguous
 * read.
 */
export function readOutcome(
  context: Pick<RunContext, 'limits' | 'sync'>,
  stream: DeliveryStream,
  known: StreamReading,
  { read, vanished, ambiguous, version }: ConcludedRead,
  began: Date,
): { readonly cursor: Date | null; readonly reading: ReadingChange | null } {
  const outcome = plainOutcome(context, stream, known, read, { vanished, version }, began);
  return ambiguous === 0 ? outcome : { ...outcome, reading: { ...outcome.reading, unconfirmedAt: began } };
}

/**
 * What follows from an account that was read and delivered completely. The cursor is first set when the history is
 * complete; a sweep counts unless the provider was still loading, in which case the usual days are read next. A
 * backfill moves no cursor and does not count as a sweep.
 */
function plainOutcome(
  { limits, sync }: Pick<RunContext, 'limits' | 'sync'>,
  stream: DeliveryStream,
  known: StreamReading,
  { plan, state, count }: AccountRead,
  { vanished, version }: Pick<ConcludedRead, 'vanished' | 'version'>,
  began: Date,
): { readonly cursor: Date | null; readonly reading: ReadingChange | null } {
  if (plan.range !== null) {
    return { cursor: null, reading: vanished === null ? null : missingChange(vanished, false, began) };
  }
  if (state === null) return { cursor: began, reading: null };
  const swept = {
    swept: { sweeps: plan.sweeps, at: began },
    sweepAfter: null,
    ...(vanished === null ? {} : missingChange(vanished, plan.everything, began)),
    ...(version === null ? {} : { history: { v: 2, version } as const }),
  };
  if (stream.cursor !== null) {
    const rest = { sweepAfter: new Date(began.getTime() + SWEEP_REST_MS) };
    return { cursor: began, reading: state === 'loading' ? rest : swept };
  }
  const history = assessHistory(state, known.history, count, {
    from: sync.options.data_from,
    now: began.getTime(),
    settleMs: limits.history_settle_minutes * MINUTE_MS,
  });
  return history === null
    ? { cursor: began, reading: { history: null, ...swept } }
    : { cursor: null, reading: { history } };
}

/** A gap is closed when a read of everything shows none. */
function missingChange(
  { noted, cleared, unconfirmed }: VanishedOutcome,
  everything: boolean,
  at: Date,
): Pick<ReadingChange, 'missing' | 'unconfirmedAt'> {
  if (unconfirmed !== null) return { unconfirmedAt: at };
  return { missing: { noted, cleared, at }, ...(everything ? { unconfirmedAt: null } : {}) };
}

/** The shortest of the waits after failures, for a sweep that was not permitted yet. */
const SOON = 1;

/** Decides how each account of a run is read, and keeps track of the sweeps among those reads. */
export class RunReads {
  readonly #context: ReadContext;
  /** Streams whose sweep has begun and is not completely delivered. */
  readonly #sweeping = new Set<number>();
  #turn: Promise<boolean> | null = null;
  #again: number | null = null;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  get unswept(): readonly number[] {
    return [...this.#sweeping];
  }

  /** How soon the next run is wanted (RunResult). */
  get again(): number | null {
    return this.#again;
  }

  /** What to read of the account; first asks the provider about its history if that matters. */
  async begin(
    stream: DeliveryStream,
    source: SourceAccount,
    reading: StreamReading,
    now: number,
  ): Promise<AccountRead> {
    const { ledger, limits, sync, range } = this.#context;
    const { id, cursor } = stream;
    const known = await ledger.isKnown(id);
    const { options } = sync;
    const count = new HistoryCount(countUntil(reading.history, now, limits.sync_overlap_days));
    if (range !== null) {
      const plan = planRange({ now, owner: sync.account_record, limits, known, source, options }, range);
      const state = await source.history(this.#context.reading);
      return { plan, state, known, count, gapConfirmed: false };
    }
    const unread = earliestDay(this.#context.rejected.filter((row) => this.#isWanted(row, stream.account)));
    // The service has these rows itself, so that asking costs little.
    const stored = source.stored ? await source.history(this.#context.reading) : null;
    const input = {
      now,
      owner: sync.account_record,
      limits,
      cursor,
      reading,
      known,
      source,
      options,
      unread,
      version: versionOf(stored),
    };
    const wanted = planRead(input);
    const sweeps = cursor !== null && wanted.sweeps.length > 0;
    // No bank is asked for rows that the service has itself.
    const allowed = !sweeps || source.stored || (await this.#takeTurn());
    const plan = allowed ? wanted : planUsual(input);
    if (sweeps && allowed) this.#sweeping.add(id);
    if (!allowed) this.#runAgain(SOON);
    const state = plan.sweeps.length === 0 ? null : (stored ?? (await source.history(this.#context.reading)));
    // Once a history was complete, the pause after a sweep that did not count decides (plainOutcome).
    if (state === 'loading' && cursor === null) this.#runAgain(nextLook(reading.history?.since ?? now, now));
    const gapConfirmed = stream.redelivering && reading.unconfirmedAt !== null;
    return { plan, state, known, count, gapConfirmed };
  }

  /** Everything that the streams' sweeps found is delivered. */
  delivered(streams: readonly number[]): void {
    for (const stream of streams) this.#sweeping.delete(stream);
  }

  /** Whether the read should go back as far as the row. */
  #isWanted(row: KnownRejection, account: RowId<'account'>): boolean {
    return row.account === account && (row.origin === 'provider' || isDue(row, this.#context));
  }

  #runAgain(wait: number | null): void {
    if (wait !== null) this.#again = Math.min(this.#again ?? wait, wait);
  }

  /** Once for all accounts of the run. */
  #takeTurn(): Promise<boolean> {
    this.#turn ??= this.#context.takeSweepTurn();
    return this.#turn;
  }
}
