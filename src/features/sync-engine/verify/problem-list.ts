import type { RowId } from '../../../vocabulary/ids.ts';
import { type LocalDate, localDate } from '../../../vocabulary/moments.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import {
  PROBLEM_REASONS,
  type ProblemKind,
  type ProblemReason,
  remedyOf,
} from '../../../vocabulary/verifications.ts';
import type { RememberedRow } from './expected-rows.ts';
import type { Problem, ProblemField } from './verification-result.ts';

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
