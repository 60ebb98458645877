import type { Row, SettledRows } from './row.ts';

type Entry = { row: Row; withdrawn: boolean };
type View = { readonly at: number; readonly settled: readonly Row[]; readonly pending: readonly Row[] };

/** The rows of one account in memory. */
export class RowBook {
  readonly #entries = new Map<string, Entry>();
  #view: View | null = null;

  constructor(rows: readonly Row[]) {
    for (const row of rows) this.append(row);
  }

  append(row: Row): void {
    this.#entries.set(row.key, { row, withdrawn: false });
    this.#view = null;
  }

  /** How many rows were ever entered; used for keys of appended ones. */
  get length(): number {
    return this.#entries.size;
  }

  /** The keys of every row that was ever entered. */
  keys(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Rows settled at a given time, newest first. */
  settledAt(at: number): SettledRows {
    const { settled } = this.#at(at);
    const row = (index: number): Row => {
      const found = settled[index];
      if (found === undefined) throw new RangeError('no such row');
      return found;
    };
    return { length: settled.length, row, dateAt: (index) => row(index).date };
  }

  /** Rows pending at a given time, newest first. */
  pendingAt(at: number): readonly Row[] {
    return this.#at(at).pending;
  }

  /** Moves a pending row to its next state; false if no row with that key is pending then. */
  settle(key: string, at: number, vanishes: boolean): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined || !isPending(entry.row, at)) return false;
    entry.row = { ...entry.row, settles: at, vanishes };
    this.#view = null;
    return true;
  }

  /** Removes a settled row from the statement, or restores it; false if there is none with that key. */
  withdraw(key: string, withdrawn: boolean): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    entry.withdrawn = withdrawn;
    this.#view = null;
    return true;
  }

  #at(at: number): View {
    if (this.#view?.at === at) return this.#view;
    const rows = [...this.#entries.values()]
      .filter(({ withdrawn }) => !withdrawn)
      .map(({ row }) => row)
      .reverse()
      .sort((a, b) => b.date - a.date);
    const settled = rows.filter((row) => row.settles <= at && !row.vanishes);
    this.#view = { at, settled, pending: rows.filter((row) => isPending(row, at)) };
    return this.#view;
  }
}

function isPending({ pendingFrom, settles }: Row, at: number): boolean {
  return pendingFrom !== null && pendingFrom <= at && at < settles;
}
