import type {
  ShownPosition,
  ShownRow,
  TargetReading,
} from '../../../connectors/destinations/destination-contract.ts';
import { EventLoopBudget } from '../../../platform/event-loop-budget.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { EXPECTATIONS, type ExpectedRows, type RememberedRow } from './expected-rows.ts';
import { clipped, type ProblemField, type ProblemList } from './verification-result.ts';

/** How an expected row was found: by its account and id, or by something less certain. */
const [NOT_FOUND, BY_KEY, BY_ACCOUNT] = [0, 1, 2];
/** How many rows are kept until the end: beyond that, each is decided when it is read. */
const MOST_UNSURE = 10_000;

interface RowOption {
  readonly row: RememberedRow;
  /** The fields in which the target's row differs. */
  readonly fields: readonly ProblemField[];
}

interface UnsureRow {
  readonly options: readonly RowOption[];
  readonly where: string;
}

/** Compares the rows of a target with what it should show, a page at a time. */
export class TargetComparison {
  readonly #expected: ExpectedRows;
  readonly #problems: ProblemList;
  readonly #accountFields: ReadonlySet<string>;
  readonly #read: ReadonlySet<RowId<'account'>>;
  /** For each expected row, whether it was found, and how. */
  readonly #found: Uint8Array;
  /** Rows without an account that differ from the rows they may be: those may still be found elsewhere. */
  readonly #unsure: UnsureRow[] = [];
  readonly counts = { destination: 0, alike: 0, others: 0 };

  /** @param read accounts that were read completely */
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

  /** Call it once, after every row of the target. */
  async end(): Promise<void> {
    const budget = new EventLoopBudget();
    for (const unsure of this.#unsure) {
      if (budget.spent) await budget.yieldToEventLoop();
      this.#decide(unsure);
    }
    for (const [index, found] of this.#found.entries()) {
      if (budget.spent) await budget.yieldToEventLoop();
      if (found !== NOT_FOUND) continue;
      const row = this.#expected.at(index);
      const { absent } = EXPECTATIONS[row.expectation];
      if (absent !== null) this.#problems.add(row, absent);
    }
  }

  #compare(shown: ShownRow): void {
    const { where, values, position } = shown;
    const rows = this.#expected.find(shown);
    const [first] = rows;
    if (first === undefined) {
      this.#unknown(where, position);
      return;
    }
    if (!EXPECTATIONS[first.expectation].wanted) {
      this.counts.destination += 1;
      this.#present(first, where);
      return;
    }
    const options = rows.map((row) => ({ row, fields: this.#fieldsOf(row, values) }));
    const by = shown.row === undefined ? BY_KEY : BY_ACCOUNT;
    const free = options.filter(({ row }) => this.#found[row.index] === NOT_FOUND);
    const same = free.find(({ fields }) => fields.length === 0);
    if (same !== undefined) this.#settle(same, where, by);
    else if (by === BY_ACCOUNT || this.#unsure.length >= MOST_UNSURE) this.#decide({ options, where }, by);
    else this.#unsure.push({ options, where });
  }

  /** The first of the rows that was not found; one already found if all were. */
  #decide({ options, where }: UnsureRow, by: number = BY_KEY): void {
    const free = options.find(({ row }) => this.#found[row.index] === NOT_FOUND);
    if (free !== undefined) {
      this.#settle(free, where, by);
      return;
    }
    const doubled = options.find(({ row }) => by === BY_ACCOUNT || this.#found[row.index] === BY_KEY);
    if (doubled === undefined) {
      // Each of them is there with its account and id: this is a row of an account that was not compared.
      this.counts.others += 1;
      return;
    }
    this.counts.destination += 1;
    this.#present(doubled.row, where);
    this.#problems.add(doubled.row, 'stands_twice', where);
  }

  #settle({ row, fields }: RowOption, where: string, by: number): void {
    this.counts.destination += 1;
    this.#present(row, where);
    this.#found[row.index] = by;
    const { differs } = EXPECTATIONS[row.expectation];
    if (fields.length === 0 || differs === null) {
      this.counts.alike += 1;
      return;
    }
    // The name of an account is not part of its rows: it is not recorded whether it was edited there or has changed.
    const isAboutAccount =
      differs === 'edited_there' && fields.every(({ name }) => this.#accountFields.has(name));
    this.#problems.add(row, isAboutAccount ? 'account_differs' : differs, where, fields);
  }

  #present(row: RememberedRow, where: string): void {
    const { present } = EXPECTATIONS[row.expectation];
    if (present !== null) this.#problems.add(row, present, where);
  }

  #fieldsOf({ index }: RememberedRow, values: ShownRow['values']): readonly ProblemField[] {
    const names = this.#expected.differing(index, values);
    return names.map((name) => ({ name, expected: null, found: clipped(values[name]) }));
  }

  /** Beyond the rows that are kept, it is unknown which positions an account has. */
  #unknown(where: string, position: ShownPosition | undefined): void {
    if (position === undefined || this.#expected.isFull || !this.#read.has(position.account)) {
      this.counts.others += 1;
      return;
    }
    this.counts.destination += 1;
    this.#problems.add({ ...position, day: null, refusal: null }, 'unknown_position', where);
  }
}
