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

/** A field that differs from what it should show; texts are clipped. */
export interface ProblemField {
  readonly name: string;
  /** Null for nothing, and if the row could not be read a second time. */
  readonly expected: string | null;
  readonly found: string | null;
}

/** A column that rows of the sync should show and that the destination does not fill. */
export interface ColumnLack extends LackingColumn {
  readonly remedy: Remedy;
}

/** One row that is not as it should be at the destination. */
export interface Problem {
  readonly reason: ProblemReason;
  readonly remedy: Remedy;
  readonly account: RowId<'account'>;
  /** The row's v2 id; for an unknown position, what is there in its place. */
  readonly id: string;
  /** Null if the bank gave none. */
  readonly date: LocalDate | null;
  /** How a person finds it at the destination; null if it is not there or the destination was not read. */
  readonly where: string | null;
  /** What the destination cannot show of a refused row; else null. */
  readonly refusal: Refusal | null;
  /** For a row that was found and differs; else empty. */
  readonly fields: readonly ProblemField[];
}

export interface VerificationCounts {
  /** Rows that the bank has now. */
  bank: number;
  /** Rows of the sync that the destination has; null if it was not read. */
  destination: number | null;
  /** Rows that are as they should be. */
  alike: number;
  skipped: number;
  /** Rows of chunks whose outcome is not yet known. */
  inDoubt: number;
  /** Rows at the destination that match nothing that was compared; null if it was not read. */
  others: number | null;
  /** Rows that could not be read at the bank, and were not compared. */
  unreadable: number;
  /** Rows left out because there are more than LIMIT_VERIFICATION_ROWS. */
  notCompared: number;
}

export interface VerifiedAccount {
  readonly account: RowId<'account'>;
  readonly failure: ErrorCode | null;
  /** Rows of it that could not be read now. */
  readonly unreadable: number;
  /** Rows of it that the destination refused in the last run. Which ones is not recorded. */
  readonly rejectedByLastRun: number;
}

export interface Verification {
  readonly comparedWith: ComparedWith;
  /** In the order of the sync. `failure`: why an account could not be read completely. */
  readonly accounts: readonly VerifiedAccount[];
  /** Columns that are not compared because the target lacks them, each once for each part of the target. */
  readonly columns: readonly ColumnLack[];
  readonly counts: Readonly<VerificationCounts>;
  /** Of all problems, including those that are not listed. */
  readonly kinds: Readonly<Record<ProblemKind, number>>;
  /** The first of them. */
  readonly problems: readonly Problem[];
  readonly truncated: boolean;
}

const DAY_MS = 86_400_000;
/** How many characters of a value are shown. */
const SHOWN_CHARACTERS = 100;
const NO_FIELDS: readonly ProblemField[] = [];

/** Counts every problem and keeps the first of them. */
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

  /** Sets what the fields of a row should show. */
  expect(account: RowId<'account'>, id: string, shown: Readonly<Record<string, string | null>>): void {
    for (const [at, problem] of this.#problems.entries()) {
      if (problem.id !== id || problem.account !== account) continue;
      const fields = problem.fields.map((field) => ({ ...field, expected: clipped(shown[field.name]) }));
      this.#problems[at] = { ...problem, fields };
    }
  }
}

/** At most this many whole characters; a text that was cut ends in an ellipsis. */
export function clipped(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  if (text.length <= SHOWN_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_CHARACTERS - 1).toWellFormed()}…`;
}

/** @param day days since 1970 */
function dateOf(day: number | null): LocalDate | null {
  return day === null ? null : localDate(new Date(day * DAY_MS).toISOString().slice(0, 10));
}
