import type { HistoryState } from '../../../connectors/providers/provider-contract.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import type { ReadingChange, StreamReading } from '../../../storage/stream-readings.ts';
import type { VanishedOutcome } from '../compare/vanished-rows.ts';
import type { RunContext } from '../run/run-context.ts';
import { assessHistory, type HistoryCount } from './history-assessment.ts';
import { type ReadPlan, SWEEP_REST_MS } from './reading-plan.ts';

const MINUTE_MS = 60_000;

/** One account as it is read in one attempt. */
export interface AccountRead {
  readonly plan: ReadPlan;
  /** What the provider said of its history before; null: not asked. */
  readonly state: HistoryState | null;
  /** Whether the destination had rows of the account when the attempt began. */
  readonly known: boolean;
  readonly count: HistoryCount;
  /**
   * Whether rows that this read lacks are gone, however many: an earlier read lacked more than is believed, and the owner
   * asked for a resync since.
   */
  readonly gapConfirmed: boolean;
}

/** How an account was read, and what the read showed. */
export interface ConcludedRead {
  readonly read: AccountRead;
  readonly vanished: VanishedOutcome | null;
  /** How many new rows resemble missing ones, though not one to one (ReissuedRows). */
  readonly ambiguous: number;
}

/** What follows from an account that was read and delivered to its end. Everything is read again soon after an ambiguous one. */
export function readOutcome(
  context: Pick<RunContext, 'limits' | 'sync'>,
  stream: DeliveryStream,
  known: StreamReading,
  { read, vanished, ambiguous }: ConcludedRead,
  began: Date,
): { readonly cursor: Date | null; readonly reading: ReadingChange | null } {
  const outcome = plainOutcome(context, stream, known, read, vanished, began);
  return ambiguous === 0 ? outcome : { ...outcome, reading: { ...outcome.reading, doubtedAt: began } };
}

/**
 * What follows from an account that was read and delivered to its end. The cursor is set for the first time when the
 * history is whole; a sweep counts unless the provider was still loading, and then it gives way to the usual days. A
 * backfill moves no cursor and counts as no sweep.
 */
function plainOutcome(
  { limits, sync }: Pick<RunContext, 'limits' | 'sync'>,
  stream: DeliveryStream,
  known: StreamReading,
  { plan, state, count }: AccountRead,
  vanished: VanishedOutcome | null,
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
    ? { cursor: began, reading: { ...swept, history: null } }
    : { cursor: null, reading: { history } };
}

/** A gap is over when a read of everything shows none. */
function missingChange(
  { noted, cleared, doubted }: VanishedOutcome,
  everything: boolean,
  at: Date,
): Pick<ReadingChange, 'missing' | 'doubtedAt'> {
  if (doubted !== null) return { doubtedAt: at };
  return { missing: { noted, cleared, at }, ...(everything ? { doubtedAt: null } : {}) };
}
