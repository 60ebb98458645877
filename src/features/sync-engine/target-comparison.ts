import type {
  ShownPosition,
  ShownRow,
  TargetReading,
} from '../../connectors/destinations/destination-contract.ts';
import { EventLoopBudget } from '../../platform/event-loop-budget.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { EXPECTATIONS } from './expectations.ts';
import type { ExpectedRows } from './expected-rows.ts';
import { clipped, type ProblemList } from './problem-list.ts';

/** Compares the rows of a target with what it is to show, a page at a time. */
export class TargetComparison {
  readonly #expected: ExpectedRows;
  readonly #problems: ProblemList;
  readonly #accountFields: ReadonlySet<string>;
  readonly #read: ReadonlySet<RowId<'account'>>;
  /** Of each expected row, whether it was found. */
  readonly #found: Uint8Array;
  readonly counts = { destination: 0, alike: 0, others: 0 };

  /** @param read accounts that were read to their end */
  constructor(
    { accountFields = [] }: Pick<TargetReading, 'accountFields'>,
    expected: ExpectedRows,
    problems: ProblemList,
    read: readonly RowId<'account'>[],
  ) {
    this.#accountFields = new Set(accountFields);
    this.#read = new Set(read);
    this.#expected = expected;
    this.#problems = problems;
    this.#found = new Uint8Array(expected.size);
  }

  async take(page: readonly ShownRow[]): Promise<void> {
    const budget = new EventLoopBudget();
    for (const row of page) {
      if (budget.spent) await budget.yieldToEventLoop();
      this.#compare(row);
    }
  }

  /** To be called once, when every row of the target was given. */
  async end(): Promise<void> {
    const budget = new EventLoopBudget();
    for (const [index, found] of this.#found.entries()) {
      if (budget.spent) await budget.yieldToEventLoop();
      if (found === 1) continue;
      const row = this.#expected.at(index);
      const { absent } = EXPECTATIONS[row.expectation];
      if (absent !== null) this.#problems.add(row, absent);
    }
  }

  #compare({ keys, where, values, position }: ShownRow): void {
    const row = this.#expected.find(keys);
    if (row === null) {
      this.#unknown(where, position);
      return;
    }
    this.counts.destination += 1;
    const { wanted, present, differs } = EXPECTATIONS[row.expectation];
    if (present !== null) this.#problems.add(row, present, where);
    if (!wanted) return;
    if (this.#found[row.index] === 1) {
      this.#problems.add(row, 'stands_twice', where);
      return;
    }
    this.#found[row.index] = 1;
    const names = this.#expected.differing(row.index, values);
    if (names.length === 0 || differs === null) {
      this.counts.alike += 1;
      return;
    }
    const fields = names.map((name) => ({ name, expected: null, found: clipped(values[name]) }));
    // The name of an account is no part of its rows: whether it was edited there or is another now is not on record.
    const isAboutAccount = differs === 'edited_there' && names.every((name) => this.#accountFields.has(name));
    this.#problems.add(row, isAboutAccount ? 'account_differs' : differs, where, fields);
  }

  /** Beyond the rows that are remembered, nobody knows which positions an account has. */
  #unknown(where: string, position: ShownPosition | undefined): void {
    if (position === undefined || this.#expected.isFull || !this.#read.has(position.account)) {
      this.counts.others += 1;
      return;
    }
    this.counts.destination += 1;
    this.#problems.add({ ...position, day: null, refusal: null }, 'unknown_position', where);
  }
}
