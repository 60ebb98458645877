import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { DryRun, DryRunAction, DryRunCounts, DryRunRow } from './dry-run-result.ts';

const COUNTED = {
  add: 'added',
  update: 'updated',
  remove: 'removed',
  skip: 'skipped',
} as const satisfies Record<DryRunAction, keyof DryRunCounts>;

interface Line extends DryRunCounts {
  failure: ErrorCode | null;
}

/** Counts every row of a dry run and keeps the first of them. */
export class DryRunTally {
  readonly #most: number;
  readonly #rows: DryRunRow[] = [];
  readonly #lines = new Map<RowId<'account'>, Line>();
  #found = 0;

  /** @param most rows to keep */
  constructor(most: number) {
    this.#most = most;
  }

  get result(): DryRun {
    return {
      accounts: [...this.#lines].map(([account, line]) => ({ account, ...line })),
      rows: this.#rows,
      truncated: this.#found > this.#rows.length,
    };
  }

  add(row: DryRunRow): void {
    this.#line(row.account)[COUNTED[row.action]] += 1;
    this.#found += 1;
    if (this.#rows.length < this.#most) this.#rows.push(row);
  }

  unchanged(account: RowId<'account'>, rows = 1): void {
    this.#line(account).unchanged += rows;
  }

  /** The account was read, to its end where `failure` is null. */
  ended(account: RowId<'account'>, failure: ErrorCode | null): void {
    this.#line(account).failure = failure;
  }

  #line(account: RowId<'account'>): Line {
    const known = this.#lines.get(account);
    if (known !== undefined) return known;
    const line = { failure: null, added: 0, updated: 0, removed: 0, skipped: 0, unchanged: 0 };
    this.#lines.set(account, line);
    return line;
  }
}
