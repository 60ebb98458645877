import type { LackingColumn } from '../../../connectors/destinations/destination-contract.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { LocalDate } from '../../../vocabulary/moments.ts';
import type {
  ComparedWith,
  ProblemKind,
  ProblemReason,
  Refusal,
  Remedy,
} from '../../../vocabulary/verifications.ts';

/** A field that shows something else than it should; texts are clipped. */
export interface ProblemField {
  readonly name: string;
  /** Null for nothing, and where the row could not be read a second time. */
  readonly expected: string | null;
  readonly found: string | null;
}

/** A column that rows of the sync are to show and that the destination does not fill. */
export interface ColumnLack extends LackingColumn {
  readonly remedy: Remedy;
}

/** One row that is not at the destination as it should be. */
export interface Problem {
  readonly reason: ProblemReason;
  readonly remedy: Remedy;
  readonly account: RowId<'account'>;
  /** The row's v2 id; of an unknown position, what is there as one. */
  readonly id: string;
  /** Null where the bank gave none. */
  readonly date: LocalDate | null;
  /** How a person finds it at the destination; null where it is not there or the destination was not read. */
  readonly where: string | null;
  /** What of a row that is refused the destination cannot show; else null. */
  readonly refusal: Refusal | null;
  /** Of a row that was found and differs; else empty. */
  readonly fields: readonly ProblemField[];
}

export interface VerificationCounts {
  /** Rows that the bank has now. */
  bank: number;
  /** Rows of the sync that the destination has; null where it was not read. */
  destination: number | null;
  /** Rows that are as they should be. */
  alike: number;
  skipped: number;
  /** Rows of chunks of which nobody knows yet whether they arrived. */
  inDoubt: number;
  /** Rows at the destination that belong to nothing that was compared; null where it was not read. */
  others: number | null;
  /** Rows that were left out because there are more than LIMIT_VERIFICATION_ROWS. */
  notCompared: number;
}

export interface VerifiedAccount {
  readonly account: RowId<'account'>;
  readonly failure: ErrorCode | null;
  /** Rows of it that the destination refused in the last run. Which they were is not on record. */
  readonly rejectedByLastRun: number;
}

export interface Verification {
  readonly comparedWith: ComparedWith;
  /** In the order of the sync. `failure`: why an account could not be read to its end. */
  readonly accounts: readonly VerifiedAccount[];
  /** Columns that are not compared because the target lacks them, each once for each part of the target. */
  readonly columns: readonly ColumnLack[];
  readonly counts: Readonly<VerificationCounts>;
  /** Of all problems, also those that are not listed. */
  readonly kinds: Readonly<Record<ProblemKind, number>>;
  /** The first of them. */
  readonly problems: readonly Problem[];
  readonly truncated: boolean;
}
