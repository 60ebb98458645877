import { sumDecimals } from '../shared/decimal.ts';
import { digest, mix32, seedOf } from '../shared/random.ts';
import type { AccountPlan } from './personas/plan.ts';
import type { Day } from './rows/calendar.ts';
import { ComputedRows } from './rows/computed-rows.ts';
import { rowsOf } from './rows/habits.ts';
import type { Row, SettledRows } from './rows/row.ts';
import { RowBook } from './rows/row-book.ts';

/** GONE accounts are no longer in any list, as after a closure at the bank. */
export const ACCOUNT_STATES = ['OPEN', 'GONE'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** What accounts are created from. */
export type Town = { readonly seed: number; readonly startedAt: number; readonly days: () => readonly Day[] };

/** An account at a bank, whatever ids the vendor has for it. */
export class BankAccount {
  /** The person, the bank, and which of their accounts. */
  readonly scope: string;
  readonly plan: AccountPlan;
  readonly book: RowBook;
  readonly computed: ComputedRows | null;
  /** Bank, branch, account and suffix. */
  readonly number: string;
  state: AccountState = 'OPEN';

  constructor(
    town: Town,
    owner: { readonly customer: string; readonly bank: string; readonly bankNumber: string },
    plan: AccountPlan,
  ) {
    this.scope = `${owner.customer}/${owner.bank}/${plan.key}`;
    this.plan = plan;
    const { habit, rows } = plan;
    this.book = new RowBook(habit === undefined ? [] : rowsOf(this.scope, town.seed, town.days(), habit));
    this.computed = rows === undefined ? null : new ComputedRows(this.scope, rows, town.startedAt);
    this.number = numberOf(owner.customer, owner.bank, owner.bankNumber, plan.key);
  }

  get currency(): string {
    return this.plan.currency ?? 'NZD';
  }

  /** What is settled at a given time, newest first; rows entered by hand before computed ones. */
  settledAt(at: number): SettledRows {
    const held = this.book.settledAt(at);
    const { computed } = this;
    if (computed === null) return held;
    const within = (index: number): readonly [SettledRows, number] =>
      index < held.length ? [held, index] : [computed, index - held.length];
    const row = (index: number): Row => {
      const [rows, place] = within(index);
      return rows.row(place);
    };
    return { length: held.length + computed.length, row, dateAt: (index) => row(index).date };
  }

  /** Signed decimal, negative = owed. */
  balanceAt(at: number): string {
    const { length, row } = this.book.settledAt(at);
    const amounts = Array.from({ length }, (_, index) => row(index).amount);
    return sumDecimals([this.plan.opening, this.computed?.total ?? '0.00', ...amounts]);
  }

  /** Rows that the bank shows at a given time. */
  countAt(at: number): { readonly settled: number; readonly pending: number } {
    return this.plan.silent === true
      ? { settled: 0, pending: 0 }
      : { settled: this.settledAt(at).length, pending: this.book.pendingAt(at).length };
  }

  /** The vendor's id; it changes with each move to another connection. */
  idAt(generation: number): string {
    return `acc_${digest('account', this.scope, generation).slice(0, 25)}`;
  }

  /** The vendor's id of a row under the account's id of that generation. */
  rowIdAt(generation: number, key: string): string {
    return `trans_${digest('row', this.scope, generation, key).slice(0, 25)}`;
  }
}

/** The accounts of one person at one bank share a number and differ in the suffix. */
function numberOf(customer: string, bank: string, bankNumber: string, key: string): string {
  const base = mix32(seedOf('number', customer, bank));
  const branch = String(1000 + (base % 9000));
  const account = String(1_000_000 + (mix32(base) % 9_000_000));
  const suffix = String(mix32(seedOf('suffix', key)) % 100).padStart(2, '0');
  return `${bankNumber}-${branch}-${account}-${suffix}`;
}
