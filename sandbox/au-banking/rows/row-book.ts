import { digest } from '../../shared/random.ts';
import { correctedCategory } from '../categories.ts';
import { type Moment, utcMoment } from './moment.ts';
import type { Row, RowFacts, RowStatus, SeenRow } from './row.ts';

type Entry = { row: Row; readonly position: number; withdrawn: boolean };
type View = { readonly rows: readonly SeenRow[]; readonly from: number; readonly until: number };

/** What may change about a posted row. */
export type Amendment = Partial<Pick<RowFacts, 'amount' | 'description'>> & {
  readonly posting?: Moment;
  readonly execution?: Moment;
};

/** A vendor row id: 64 hex digits, fixed by bank account, row key and whether the row is pending. */
export function fiskilRowId(scope: string, key: string, status: RowStatus): string {
  return `bank_tx_${digest('row', scope, key, status)}`;
}

/**
 * The rows of one account that are in memory: everything except the computed statements. Newest first; rows without any
 * date come first, since the bank saw them last.
 */
export class RowBook {
  readonly #scope: string;
  readonly #entries: Entry[] = [];
  readonly #corrections = new Map<string, string>();
  #view: View | null = null;

  constructor(scope: string, rows: readonly Row[]) {
    this.#scope = scope;
    for (const row of rows) this.append(row);
  }

  /** Enters a row and returns its id in its first state. */
  append(row: Row): string {
    this.#entries.push({ row, position: this.#entries.length, withdrawn: false });
    this.#view = null;
    return fiskilRowId(this.#scope, row.key, row.pending ? 'PENDING' : 'POSTED');
  }

  /** How many rows were ever entered; used for keys of appended ones. */
  get length(): number {
    return this.#entries.length;
  }

  /** The rows visible at `now`. Recomputed only when a row changes state. */
  at(now: number): readonly SeenRow[] {
    if (this.#view && now >= this.#view.from && now < this.#view.until) return this.#view.rows;
    this.#view = this.#build(now);
    return this.#view.rows;
  }

  /** Moves a pending row to its next state; false if no pending row has that id at `now`. */
  settle(fiskilId: string, now: number): boolean {
    return this.#replacePending(fiskilId, now, (row) => ({
      ...row,
      posting: utcMoment(now),
      pending: row.pending && { ...row.pending, until: now, fate: 'posts' },
    }));
  }

  drop(fiskilId: string, now: number): boolean {
    return this.#replacePending(fiskilId, now, (row) => ({
      ...row,
      pending: row.pending && { ...row.pending, until: now, fate: 'vanishes' },
    }));
  }

  change(fiskilId: string, now: number, change: Partial<Pick<RowFacts, 'amount' | 'description'>>): boolean {
    return this.#replacePending(fiskilId, now, (row) => ({
      ...row,
      facts: { ...row.facts, ...change },
      pending: row.pending && { ...row.pending, firstAmount: null },
    }));
  }

  /** Changes a posted row in place; its id does not change. False when no posted row has that id. */
  amend(fiskilId: string, change: Amendment): boolean {
    const entry = this.#posted(fiskilId);
    if (!entry) return false;
    const { posting, execution, ...facts } = change;
    entry.row = {
      ...entry.row,
      posting: posting ?? entry.row.posting,
      facts: { ...entry.row.facts, ...facts, execution: execution ?? entry.row.facts.execution },
    };
    this.#view = null;
    return true;
  }

  /** Removes a posted row from the statement, or restores it. False when no posted row has that id. */
  withdraw(fiskilId: string, withdrawn: boolean): boolean {
    const entry = this.#posted(fiskilId);
    if (!entry) return false;
    entry.withdrawn = withdrawn;
    this.#view = null;
    return true;
  }

  #posted(fiskilId: string): Entry | undefined {
    return this.#entries.find(({ row }) => fiskilRowId(this.#scope, row.key, 'POSTED') === fiskilId);
  }

  /** Records a category correction; false when no visible row has that id. */
  correctCategory(fiskilId: string, secondary: string, now: number): boolean {
    if (!this.at(now).some((row) => row.fiskilId === fiskilId)) return false;
    this.#corrections.set(fiskilId, secondary);
    this.#view = null;
    return true;
  }

  #replacePending(fiskilId: string, now: number, change: (row: Row) => Row): boolean {
    const seen = this.at(now).find((row) => row.fiskilId === fiskilId && row.status === 'PENDING');
    const entry = seen && this.#entries[seen.position];
    if (!entry) return false;
    entry.row = change(entry.row);
    this.#view = null;
    return true;
  }

  #build(now: number): View {
    const rows: SeenRow[] = [];
    let from = Number.NEGATIVE_INFINITY;
    let until = Number.POSITIVE_INFINITY;
    const turn = (at: number): void => {
      if (at <= now) from = Math.max(from, at);
      else until = Math.min(until, at);
    };
    for (const { row, position, withdrawn } of this.#entries) {
      if (withdrawn) continue;
      if (row.pending) {
        turn(row.pending.from);
        turn(row.pending.until);
        if (row.pending.firstAmount) turn(row.pending.firstAmount.until);
      } else turn(row.visibleFrom);
      const seen = this.#seen(row, position, now);
      if (seen) rows.push(seen);
    }
    rows.sort((a, b) => orderTime(b) - orderTime(a) || a.position - b.position);
    return { rows, from, until };
  }

  #seen(row: Row, position: number, now: number): SeenRow | null {
    const { pending } = row;
    if (pending && now < pending.from) return null;
    if (pending && now < pending.until) {
      const first = pending.firstAmount;
      const { posting, ...shown } = pending.shown;
      const amount = first && now < first.until ? first.amount : row.facts.amount;
      return this.#show(row.key, position, 'PENDING', { ...row.facts, ...shown, amount }, posting);
    }
    if (pending?.fate === 'vanishes') return null;
    if (!pending && now < row.visibleFrom) return null;
    return this.#show(row.key, position, 'POSTED', row.facts, row.posting);
  }

  #show(
    key: string,
    position: number,
    status: RowStatus,
    facts: RowFacts,
    posting: SeenRow['posting'],
  ): SeenRow {
    const fiskilId = fiskilRowId(this.#scope, key, status);
    const secondary = this.#corrections.get(fiskilId);
    return {
      fiskilId,
      position,
      status,
      facts: secondary === undefined ? facts : { ...facts, category: correctedCategory(secondary) },
      posting,
      effective: posting?.at ?? facts.execution?.at ?? null,
    };
  }
}

/** Sort key of a row: its effective time, undated rows newest. */
export function orderTime(row: SeenRow): number {
  return row.effective ?? Number.MAX_SAFE_INTEGER;
}
