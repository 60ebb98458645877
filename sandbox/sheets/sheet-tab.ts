import { BLANK, type Cell } from './cell.ts';

export interface TabState {
  readonly sheetId: number;
  readonly title: string;
  readonly rowCount: number;
  readonly columnCount: number;
  readonly frozenRowCount: number;
  readonly frozenColumnCount: number;
  readonly hidden: boolean;
  /** Indexes of columns that are hidden. */
  readonly hiddenColumns: readonly number[];
  readonly rows: readonly (readonly Cell[])[];
}

export type Dimension = 'ROWS' | 'COLUMNS';

/** The grid of a tab. Rows are replaced and never changed, so that a copy only costs its list of rows. */
export class SheetTab {
  readonly sheetId: number;
  title: string;
  rowCount: number;
  columnCount: number;
  frozenRowCount: number;
  frozenColumnCount: number;
  hidden: boolean;
  hiddenColumns: Set<number>;
  #rows: (readonly Cell[])[];

  constructor(state: TabState) {
    this.sheetId = state.sheetId;
    this.title = state.title;
    this.rowCount = state.rowCount;
    this.columnCount = state.columnCount;
    this.frozenRowCount = state.frozenRowCount;
    this.frozenColumnCount = state.frozenColumnCount;
    this.hidden = state.hidden;
    this.hiddenColumns = new Set(state.hiddenColumns);
    this.#rows = [...state.rows];
  }

  get state(): TabState {
    const { sheetId, title, rowCount, columnCount, frozenRowCount, frozenColumnCount, hidden } = this;
    const hiddenColumns = [...this.hiddenColumns];
    return {
      ...{ sheetId, title, rowCount, columnCount, frozenRowCount, frozenColumnCount, hidden, hiddenColumns },
      rows: this.#rows,
    };
  }

  copy(): SheetTab {
    return new SheetTab(this.state);
  }

  cell(row: number, column: number): Cell {
    return this.#rows[row]?.[column] ?? BLANK;
  }

  row(row: number): readonly Cell[] {
    return Array.from({ length: this.columnCount }, (_, at) => this.cell(row, at));
  }

  /** Writes neighbouring cells of a row. */
  write(row: number, column: number, cells: readonly Cell[]): void {
    const before = this.#rows[row] ?? [];
    const width = Math.max(before.length, column + cells.length);
    this.#rows[row] = Array.from({ length: width }, (_, at) => {
      const index = at - column;
      return (index >= 0 ? cells[index] : undefined) ?? before[at] ?? BLANK;
    });
  }

  /** Index of the last row with a value; -1 for none. */
  get lastRow(): number {
    return this.#rows.findLastIndex((row) => row?.some(({ value }) => value !== null));
  }

  insert(dimension: Dimension, start: number, count: number, formatsFrom: number): void {
    if (dimension === 'ROWS') {
      const row = (this.#rows[formatsFrom] ?? []).map(({ format }) => ({ ...BLANK, format }));
      this.#fill();
      this.#rows = [
        ...this.#rows.slice(0, start),
        ...Array.from({ length: count }, () => row),
        ...this.#rows.slice(start),
      ];
      this.rowCount += count;
      return;
    }
    this.#eachRow((row) => [
      ...padded(row, start),
      ...Array.from({ length: count }, () => ({ ...BLANK, format: row[formatsFrom]?.format ?? null })),
      ...row.slice(start),
    ]);
    this.hiddenColumns = moved(this.hiddenColumns, (at) => (at >= start ? at + count : at));
    this.columnCount += count;
  }

  remove(dimension: Dimension, start: number, end: number): void {
    if (dimension === 'ROWS') {
      this.#fill();
      this.#rows.splice(start, end - start);
      this.rowCount -= end - start;
      return;
    }
    this.#eachRow((row) => [...row.slice(0, start), ...row.slice(end)]);
    this.hiddenColumns = moved(this.hiddenColumns, (at) =>
      at < start ? at : at < end ? null : at - (end - start),
    );
    this.columnCount -= end - start;
  }

  /** Moves the range to before the index `to`, counted before the move. */
  move(dimension: Dimension, start: number, end: number, to: number): void {
    const order = moveOrder(dimension === 'ROWS' ? this.rowCount : this.columnCount, start, end, to);
    if (dimension === 'ROWS') {
      this.#fill();
      this.#rows = order.map((from) => this.#rows[from] ?? []);
      return;
    }
    this.#eachRow((row) => order.map((from) => row[from] ?? BLANK));
    this.hiddenColumns = moved(this.hiddenColumns, (at) => order.indexOf(at));
  }

  /** Sorts rows by a column, those without a value last. */
  sort(start: number, end: number, column: number, descending: boolean): void {
    this.#fill();
    const rows = this.#rows.slice(start, end).toSorted((a, b) => {
      const [x, y] = [a[column]?.value ?? null, b[column]?.value ?? null];
      if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
      const order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x) < String(y) ? -1 : 1;
      return descending ? -order : order;
    });
    this.#rows.splice(start, end - start, ...rows);
  }

  #fill(): void {
    this.#rows = Array.from({ length: this.rowCount }, (_, at) => this.#rows[at] ?? []);
  }

  #eachRow(change: (row: readonly Cell[]) => readonly Cell[]): void {
    this.#fill();
    this.#rows = this.#rows.map(change);
  }
}

/** Old indexes in their new order. */
export function moveOrder(count: number, start: number, end: number, to: number): readonly number[] {
  const all = Array.from({ length: count }, (_, at) => at);
  const taken = all.slice(start, end);
  const before = all.filter((at) => at < to && (at < start || at >= end));
  const after = all.filter((at) => at >= to && (at < start || at >= end));
  return [...before, ...taken, ...after];
}

const padded = (row: readonly Cell[], length: number): readonly Cell[] =>
  Array.from({ length }, (_, at) => row[at] ?? BLANK);

function moved(set: ReadonlySet<number>, to: (at: number) => number | null): Set<number> {
  return new Set([...set].map(to).filter((at) => at !== null));
}
