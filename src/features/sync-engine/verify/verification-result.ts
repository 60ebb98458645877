import type { LackingColumn } from '../../../connectors/destinations/destination-contract.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { type LocalDate, localDate } from '../../../vocabulary/moments.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import {
  type ComparedWith,
  PROBLEM_REASONS,
  type ProblemKind,
  type ProblemReason,
  type Refusal,
  type Remedy,
  remedyOf,
} from '../../../vocabulary/verifications.ts';
import type { RememberedRow } from './expected-rows.ts';

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

const DAY_MS = 86_400_000;
/** Characters of a value that is shown. */
const SHOWN_CHARACTERS = 100;
const NO_FIELDS: readonly ProblemField[] = [];

/** Counts every problem and has the first of them. */
export class ProblemList {
  readonly #most: number;
  readonly #type: SyncType;
  readonly #problems: Problem[] = [];
  readonly kinds: Record<ProblemKind, number> = { missing: 0, extra: 0, different: 0, doubled: 0 };

  /**
   * @param most problems to list
   * @param type of the sync
   */
  constructor(most: number, type: SyncType) {
    this.#most = most;
    this.#type = type;
  }

  get listed(): readonly Problem[] {
    return this.#problems;
  }

  get truncated(): boolean {
    return Object.values(this.kinds).reduce((sum, count) => sum + count, 0) > this.#problems.length;
  }

  add(
    { id, account, day, refusal }: Pick<RememberedRow, 'id' | 'account' | 'day' | 'refusal'>,
    reason: ProblemReason,
    where: string | null = null,
    fields = NO_FIELDS,
  ): void {
    this.kinds[PROBLEM_REASONS[reason].kind] += 1;
    if (this.#problems.length >= this.#most) return;
    const refused = reason === 'refused' || reason === 'change_refused' ? refusal : null;
    const remedy = remedyOf(reason, this.#type);
    this.#problems.push({ reason, remedy, account, id, date: dateOf(day), where, fields, refusal: refused });
  }

  /** Says what the fields of a row should show. */
  expect(account: RowId<'account'>, id: string, shown: Readonly<Record<string, string | null>>): void {
    for (const [at, problem] of this.#problems.entries()) {
      if (problem.id !== id || problem.account !== account) continue;
      const fields = problem.fields.map((field) => ({ ...field, expected: clipped(shown[field.name]) }));
      this.#problems[at] = { ...problem, fields };
    }
  }
}

/** At most so many characters, whole ones; what is cut ends in an ellipsis. */
export function clipped(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  if (text.length <= SHOWN_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_CHARACTERS - 1).toWellFormed()}…`;
}

/** @param day days since 1970 */
function dateOf(day: number | null): LocalDate | null {
  return day === null ? null : localDate(new Date(day * DAY_MS).toISOString().slice(0, 10));
}
