import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { RuledHolding } from '../compare/row-changes.ts';
import type { RuledRow } from '../read/source-row.ts';

export const DRY_RUN_ACTIONS = ['add', 'update', 'remove', 'skip'] as const;
export type DryRunAction = (typeof DRY_RUN_ACTIONS)[number];

/** One row that the next run would deliver, remove, or skip because of a rule. */
export interface DryRunRow {
  readonly action: DryRunAction;
  readonly account: RowId<'account'>;
  /** The row's v2 id. */
  readonly id: string;
  /** As it would be delivered, or as it was read if a rule skips it; null for a removal. */
  readonly content: RuledRow | Pick<RuledHolding, 'kind' | 'holding'> | null;
  /** The rules that were applied to it, in order. */
  readonly rules: readonly RowId<'rule'>[];
  /** The id under which the destination has the row now, if it is another. */
  readonly replaces: string | null;
}

/** What a run would count for one account. */
export interface DryRunCounts {
  added: number;
  updated: number;
  removed: number;
  skipped: number;
  unchanged: number;
}

export interface DryRunAccount extends Readonly<DryRunCounts> {
  readonly account: RowId<'account'>;
  /** Why the account could not be read completely; its counts then cover what was read until then. */
  readonly failure: ErrorCode | null;
  /** Rows that could not be read, which the run would reject. */
  readonly unreadable: number;
}

export interface DryRun {
  readonly accounts: readonly DryRunAccount[];
  /** The first rows, account by account. */
  readonly rows: readonly DryRunRow[];
  /** Whether there are more rows than those. */
  readonly truncated: boolean;
}

const COUNTED = {
  add: 'added',
  update: 'updated',
  remove: 'removed',
  skip: 'skipped',
} as const satisfies Record<DryRunAction, keyof DryRunCounts>;

interface Line extends DryRunCounts {
  failure: ErrorCode | null;
  unreadable: number;
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

  /** Rows of the account that could not be read. */
  unreadable(account: RowId<'account'>, rows: number): void {
    this.#line(account).unreadable = rows;
  }

  /** The account was read, completely if `failure` is null. */
  ended(account: RowId<'account'>, failure: ErrorCode | null): void {
    this.#line(account).failure = failure;
  }

  #line(account: RowId<'account'>): Line {
    const known = this.#lines.get(account);
    if (known !== undefined) return known;
    const line = { failure: null, unreadable: 0, added: 0, updated: 0, removed: 0, skipped: 0, unchanged: 0 };
    this.#lines.set(account, line);
    return line;
  }
}
