import type { RejectedRowKey } from '../../../storage/rejected-rows.ts';
import type { ReadingChange } from '../../../storage/stream-readings.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { LocalDate } from '../../../vocabulary/moments.ts';
import type { AttentionCode, RunFailureCode } from '../../../vocabulary/syncs.ts';
import type { ReadCounts } from '../compare/change.ts';
import type { RefusedOutcome } from '../deliver/refused-rows.ts';
import type { AsideOutcome } from '../read/rows-aside.ts';

/** What a run says of one account, however it ends. */
export interface AccountLine {
  readonly failure: ErrorCode | null;
  readonly counts: ReadCounts;
}

/** What became of one account. */
export interface AccountResult extends AccountLine {
  readonly account: RowId<'account'>;
  readonly stream: number;
  /** Whether the provider says that more of the account's history is on its way. */
  readonly incomplete: boolean;
  /** `options.data_from` when the attempt began: nothing from before that day was read. */
  readonly from: LocalDate;
  /** Where the mappings of the attempt put the account's rows (RowPlaces). */
  readonly places: string;
  /** Up to where everything is delivered; null leaves the cursor where it is. */
  readonly cursor: Date | null;
  /** What is remembered of reading the account; null: nothing new. */
  readonly reading: ReadingChange | null;
  /** Rows remembered as rejected that are over. */
  readonly over: readonly RejectedRowKey[];
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
  /** For how long the destination asked to be left alone; absent where it did not. */
  readonly retryAfterSeconds?: number;
}

export interface RunResult {
  readonly failure: RunFailure | null;
  /** Empty where the run was ended before its end. */
  readonly accounts: readonly AccountResult[];
  /** Every account whose turn came. */
  readonly lines: ReadonlyMap<RowId<'account'>, AccountLine>;
  readonly read: ReadCounts;
  /** Rows that could not be read, of every account whose turn came. */
  readonly aside: ReadonlyMap<RowId<'account'>, AsideOutcome>;
  readonly refused: RefusedOutcome;
  /** Whether the destination took any chunk. */
  readonly delivered: boolean;
  /** Streams whose sweep began and did not come to its end: the next run gives way to the usual days. */
  readonly unswept: readonly number[];
  /** Which of the waits after failures comes before the next run though this one did not fail; null: the schedule's. */
  readonly again: number | null;
}
