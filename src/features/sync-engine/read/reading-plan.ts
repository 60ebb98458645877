import { createHash } from 'node:crypto';
import { inSpan } from '../../../platform/tracing.ts';
import type { StreamReading } from '../../../storage/stream-readings.ts';
import type { OwnerId } from '../../../vocabulary/ids.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { addDays, type LocalDate, localDateAt, startOfDay } from '../../../vocabulary/moments.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import { SWEEP_NAMES, SWEEPS, type Sweep } from '../../../vocabulary/sweeps.ts';
import type { RunRange, SyncType } from '../../../vocabulary/syncs.ts';
import { DAYS_AFTER, DAYS_BEFORE } from '../compare/pending-matches.ts';
import { isPending, type SourceRow } from './source-row.ts';
import type { RowSource, SourceAccount, SourceWindow } from './sync-source.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** After an incomplete sweep, how long only the usual days are read. */
export const SWEEP_REST_MS = 6 * HOUR_MS;
/** A row that was missing once is looked for again after this, in a read of everything. */
export const MISSING_CONFIRM_MS = 20 * HOUR_MS;
/**
 * Rows are read by the day of the purchase and looked for by the day of the posting, and banks correct either: this
 * many days before those that are checked are read as well, so that no row at the edge is mistaken for missing.
 */
export const EDGE_DAYS = 31;
/** Rows of the last days are not looked for before their day has passed everywhere and the bank has settled it. */
const FRESH_DAYS = 3;
/** How far back the usual read goes for rows that could not be read; older ones are found by sweeps. */
const UNREAD_DAYS = 90;

/** What to read of an account, and what may be concluded once the read is complete. */
export interface ReadPlan {
  readonly window: SourceWindow;
  /** The sweeps that the read counts as; none for the usual days. */
  readonly sweeps: readonly Sweep[];
  /** Days of posting for which every delivered row must be among those read; null: not checked. */
  readonly expected: { readonly from: LocalDate; readonly to: LocalDate } | null;
  /**
   * The same read in case the bank refuses days before the sync's first one, as with a consent that covers no earlier
   * history: fewer rows are looked for. Null if the read begins on that day or later.
   */
  readonly within: Pick<ReadPlan, 'window' | 'expected'> | null;
  /** Whether everything since the sync's first day is read. */
  readonly everything: boolean;
  /** In a backfill, the days to deliver; null: everything that is read. */
  readonly range: RunRange | null;
}

export interface WindowInput {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly limits: Limits;
  readonly source: { readonly timezone: string };
  readonly options: { readonly data_from: LocalDate; readonly include_pending: boolean };
}

export interface PlanInput extends WindowInput {
  readonly owner: OwnerId;
  readonly cursor: Date | null;
  readonly reading: StreamReading;
  /** Whether the destination has rows of the account. */
  readonly known: boolean;
  /** The earliest day of rows of the account that could not be read before; null if there are none. */
  readonly unread?: LocalDate | null;
  /** Of rows that the service has itself (ExactHistory): all are read when it is another than at the last sweep. */
  readonly version?: string | null;
  readonly source: Pick<SourceAccount, 'timezone' | 'linkedAt' | 'stored'>;
}

/**
 * Without a cursor everything since `data_from`, else the widest sweep that is due, else what the provider recorded
 * since the cursor less the overlap. It ends a day after today, because a bank's day may be ahead of ours. Pure.
 */
export function planRead(input: PlanInput): ReadPlan {
  if (input.cursor === null) return wide(input, input.options.data_from);
  const due = dueSweeps(input);
  if (due.length === 0) return usual(input, input.cursor);
  return wide(input, due.map((sweep) => firstDay(input, sweep)).sort()[0] ?? input.options.data_from);
}

/** The usual days, for a run that may not sweep now. */
export function planUsual(input: PlanInput): ReadPlan {
  return input.cursor === null ? wide(input, input.options.data_from) : usual(input, input.cursor);
}

/** Sweeps that are due. A clock that jumped makes each due once and never prevents one from being due again. Pure. */
export function dueSweeps(input: PlanInput): readonly Sweep[] {
  const { now, reading, version = null } = input;
  if (version !== null && version !== reading.version) return SWEEP_NAMES;
  const rest = (reading.sweepAfter?.getTime() ?? 0) - now;
  if (rest > 0 && rest <= SWEEP_REST_MS) return [];
  const due = SWEEP_NAMES.filter((sweep) => isDue(input, sweep));
  const unsettled = [reading.missingSince, reading.unconfirmedAt].some((noted) => {
    const passed = noted === null ? 0 : now - noted.getTime();
    return passed >= MISSING_CONFIRM_MS || passed < 0;
  });
  return unsettled && !due.includes('all') ? [...due, 'all'] : due;
}

/**
 * Time is divided into intervals of the sweep's length, with an offset specific to the account record: a sweep is due
 * if the last one was not in the current interval, but before it or, because a clock ran ahead, after it.
 */
function isDue(input: PlanInput, sweep: Sweep): boolean {
  const last = input.reading.swept[sweep];
  if (last === null) return true;
  const length = turnMs(input, sweep);
  const offset = createHash('sha256').update(input.owner).digest().readUIntBE(0, 6) % length;
  const turn = (at: number): number => Math.floor((at - offset) / length);
  return turn(last.getTime()) !== turn(input.now);
}

function turnMs({ now, limits, source }: PlanInput, sweep: Sweep): number {
  const usualMs = limits[SWEEPS[sweep].everyHours] * HOUR_MS;
  const young = now - source.linkedAt < limits.sweep_young_days * DAY_MS;
  return sweep === 'all' && young ? Math.min(usualMs, DAY_MS) : usualMs;
}

function firstDay({ now, limits, options, source }: PlanInput, sweep: Sweep): LocalDate {
  const { days } = SWEEPS[sweep];
  if (days === null) return options.data_from;
  const day = addDays(localDateAt(now, source.timezone), -limits[days]);
  return day < options.data_from ? options.data_from : day;
}

/**
 * The days of a backfill; only their rows are delivered. Rows are looked for as in a sweep, but a read of only these
 * days says nothing about rows posted near their edges. Pure.
 */
export function planRange(input: Omit<PlanInput, 'cursor' | 'reading'>, range: RunRange): ReadPlan {
  const { now, source, options, known } = input;
  const today = localDateAt(now, source.timezone);
  const from = addDays(range.from, EDGE_DAYS);
  const to = addDays(range.to < today ? range.to : today, -FRESH_DAYS);
  return {
    window: rangeWindow(options, range),
    sweeps: [],
    expected: known && from <= to ? { from, to } : null,
    within: null,
    everything: false,
    range,
  };
}

/** With the pending rows that a posted row of the range may replace: they may still be reported. */
function rangeWindow(
  { data_from: begin, include_pending: includePending }: WindowInput['options'],
  range: RunRange,
): SourceWindow {
  if (!includePending) return { ...range, since: null, includePending };
  const first = range.from < begin ? range.from : begin;
  const from = addDays(range.from, -DAYS_AFTER);
  return {
    from: from < first ? first : from,
    to: addDays(range.to, DAYS_BEFORE),
    since: null,
    includePending,
  };
}

function usual(input: PlanInput, cursor: Date): ReadPlan {
  return {
    window: reachingUnread(input, usualWindow(input, cursor)),
    sweeps: [],
    expected: null,
    within: null,
    everything: false,
    range: null,
  };
}

/**
 * The window with the rows that could not be read before, so that they are delivered once the bank has corrected them.
 */
function reachingUnread({ now, source, unread }: PlanInput, window: SourceWindow): SourceWindow {
  if (unread == null || window.since === null) return window;
  const farthest = addDays(localDateAt(now, source.timezone), -UNREAD_DAYS);
  const first = addDays(unread < farthest ? farthest : unread, -1);
  return { ...window, since: Math.min(window.since, startOfDay(first, source.timezone)) };
}

/** What the provider recorded since the cursor less the overlap, in which late postings and corrections are found. */
export function usualWindow(input: WindowInput, cursor: Date): SourceWindow {
  const since = cursor.getTime() - input.limits.sync_overlap_days * DAY_MS;
  return { ...days(input, input.options.data_from), since };
}

/** Everything since the sync's first day. */
export function wholeWindow(input: WindowInput): SourceWindow {
  return { ...days(input, input.options.data_from), since: null };
}

function wide(input: PlanInput, from: LocalDate): ReadPlan {
  const { data_from: first } = input.options;
  // No bank has yet to settle rows that the service has itself.
  const fresh = input.source.stored ? 0 : FRESH_DAYS;
  const to = addDays(localDateAt(input.now, input.source.timezone), -fresh);
  const edge = input.known ? addDays(from, -EDGE_DAYS) : from;
  return {
    window: { ...days(input, edge), since: null },
    sweeps: SWEEP_NAMES.filter((sweep) => firstDay(input, sweep) >= from),
    expected: input.known ? { from, to } : null,
    within:
      edge < first ? { window: wholeWindow(input), expected: { from: addDays(first, EDGE_DAYS), to } } : null,
    everything: from === first,
    range: null,
  };
}

function days({ now, source, options }: WindowInput, from: LocalDate) {
  const end = addDays(localDateAt(now, source.timezone), 1);
  return { from, to: end < from ? from : end, includePending: options.include_pending };
}

/** Rows of the window, of the kind that the sync delivers. */
export function rowPages(
  source: RowSource,
  type: SyncType,
  window: SourceWindow,
  signal: AbortSignal,
): AsyncIterable<readonly SourceRow[]> {
  return type === 'trades' ? source.trades(tradeDays(source, window), signal) : source.pages(window, signal);
}

/** A broker does not say when it recorded a trade: its day is used instead. */
function tradeDays({ timezone }: RowSource, { from, to, since, setAside }: SourceWindow) {
  const recorded = since === null ? from : localDateAt(since, timezone);
  return { from: recorded > from ? recorded : from, to, setAside };
}

/**
 * The items of a source, fetching the next one while the caller processes the current one. Only one item ahead, so
 * memory holds two. A caller that leaves early aborts what the source is waiting for.
 */
export async function* readAhead<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const leaving = new AbortController();
  const iterator = open(AbortSignal.any([signal, leaving.signal]))[Symbol.asyncIterator]();
  let next = begin(iterator);
  try {
    for (;;) {
      const result = await next;
      if (result.done === true) return;
      next = begin(iterator);
      yield result.value;
    }
  } finally {
    leaving.abort();
    await iterator.return?.().catch(() => undefined);
  }
}

/** A failure is reported when the item is awaited; until then it is unhandled on purpose. */
function begin<T>(iterator: AsyncIterator<T>): Promise<IteratorResult<T>> {
  const next = inSpan('read', {}, () => iterator.next());
  next.catch(() => undefined);
  return next;
}

/** The rows of a plan, and what may be concluded from them once the read is complete. */
export class PlannedPages {
  readonly #source: RowSource;
  readonly #type: SyncType;
  readonly #plan: ReadPlan;
  readonly #setAside: SetAside;
  #expected: ReadPlan['expected'];

  /** @param setAside receives rows that cannot be read, as pages come in: before the page they were on is returned */
  constructor(source: RowSource, type: SyncType, plan: ReadPlan, setAside: SetAside) {
    this.#setAside = setAside;
    this.#source = source;
    this.#type = type;
    this.#plan = plan;
    this.#expected = plan.expected;
  }

  get concluded(): Pick<ReadPlan, 'expected' | 'everything'> {
    return { expected: this.#expected, everything: this.#plan.everything };
  }

  /** A bank that refuses the days before the sync's first one is read from that day. Raises what the source raises. */
  async *read(signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const { within } = this.#plan;
    const setAside = this.#setAside;
    const window = { ...this.#plan.window, setAside };
    let pending = false;
    let settled = false;
    try {
      for await (const page of rowPages(this.#source, this.#type, window, signal)) {
        pending ||= page.some(isPending);
        settled ||= !page.every(isPending);
        yield page;
      }
    } catch (error) {
      if (within === null || settled || !isRefused(error)) throw error;
      this.#expected = within.expected;
      // Pending rows come before the window applies.
      const includePending = within.window.includePending && !pending;
      yield* rowPages(this.#source, this.#type, { ...within.window, includePending, setAside }, signal);
    }
  }
}

/** Whether a bank refused the days of a read. */
export function isRefused(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'upstream_bad_request';
}
