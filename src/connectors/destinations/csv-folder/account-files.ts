import { csvLine } from '../../../vocabulary/csv-lines.ts';
import type { ChunkRow, ExistedAs } from '../delivery-rows.ts';
import type { FolderClient } from './client.ts';
import { UnusableFile } from './failures.ts';
import { decodeRow, type EncodedRow, isFileOf, type RowLayout } from './rows.ts';

const BOM = '\uFEFF';

/** The contents of a file. A person may have added columns, and cells outside all columns; both are kept. */
interface CsvTable {
  readonly columns: string[];
  readonly rows: string[][];
}

/** @throws UnusableFile if it has no column of ids: another separator, or another kind of file */
function parseTable(name: string, text: string, idColumn: string): CsvTable {
  const [columns = [], ...rows] = cellsOf(name, text.startsWith(BOM) ? text.slice(1) : text);
  if (columns.includes(idColumn)) return { columns, rows };
  throw new UnusableFile(
    `${name} has no column ${idColumn}, or no commas between its columns. Restore it, or move it to another folder.`,
  );
}

/** Cells are written as they are: anything that could be mistaken for a formula was escaped when the cell was made. */
function tableText({ columns, rows }: CsvTable): string {
  return [columns, ...rows].map((cells) => csvLine(cells, { defuse: false })).join('');
}

const SPECIAL = /[",\r\n]/g;

/** Lines of cells as in RFC 4180, with either line ending; blank lines are left out. */
function cellsOf(name: string, text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let at = 0;
  const end = (): void => {
    if (line.length > 1 || line[0] !== '') lines.push(line);
    line = [];
  };
  while (at < text.length || line.length > 0) {
    let cell: string;
    if (text[at] === '"') {
      const close = closingQuote(text, at + 1);
      if (close === -1)
        throw new UnusableFile(`${name} has a quote without an end. Restore it, or remove it.`);
      cell = text.slice(at + 1, close).replaceAll('""', '"');
      at = close + 1;
    } else {
      SPECIAL.lastIndex = at;
      const stop = SPECIAL.exec(text)?.index ?? text.length;
      cell = text.slice(at, stop);
      at = stop;
      if (text[at] === '"')
        throw new UnusableFile(`${name} has a quote within a cell. Restore it, or remove it.`);
    }
    line.push(cell);
    if (text[at] === ',') {
      at++;
      if (at === text.length) line.push('');
      else continue;
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    at++;
    end();
  }
  return lines;
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}

const ENDING = '.csv';

interface OpenFile extends CsvTable {
  /** Whether rows were written into it. */
  grown: boolean;
  /** Rows that were removed from it. */
  readonly removed: Set<readonly string[]>;
}

/** Where a row is. */
interface Place {
  readonly file: OpenFile;
  readonly cells: string[];
}

/** Files of one layout in the folder of an account, by name without the ending. */
export async function filesIn(
  client: FolderClient,
  folder: string,
  layout: RowLayout,
): Promise<readonly string[]> {
  return (await client.names(folder))
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length))
    .filter((file) => isFileOf(layout, file));
}

/** One of them; null if it is gone. @throws UnusableFile */
export async function readTable(
  client: FolderClient,
  folder: string,
  file: string,
  { idColumn }: RowLayout,
): Promise<CsvTable | null> {
  const text = await client.text(folder, `${file}${ENDING}`);
  return text === null ? null : parseTable(`${file}${ENDING}`, text, idColumn);
}

/** The files of an account that a chunk changes, in their new form. */
export class AccountFiles {
  /** Rows that already existed, by source id. */
  readonly existed = new Map<string, ExistedAs>();
  readonly #client: FolderClient;
  readonly #folder: string;
  readonly #layout: RowLayout;
  readonly #files = new Map<string, OpenFile>();
  /** For the rows of the chunk, by their ids. */
  readonly #places = new Map<string, readonly Place[]>();

  private constructor(client: FolderClient, folder: string, layout: RowLayout) {
    this.#client = client;
    this.#folder = folder;
    this.#layout = layout;
  }

  /** Reads the files that contain a row of the chunk or get one, and changes them in memory. @throws UnusableFile */
  static async changed(
    client: FolderClient,
    folder: string,
    layout: RowLayout,
    rows: readonly ChunkRow[],
  ): Promise<AccountFiles> {
    const files = new AccountFiles(client, folder, layout);
    const given = rows.map((row) => ({ row, encoded: row.text === null ? null : decodeRow(row.text) }));
    const wanted = new Set(rows.flatMap(({ id, replaces }) => (replaces === null ? [id] : [id, replaces])));
    const targets = new Set(given.flatMap(({ encoded }) => encoded?.file ?? []));
    await files.#open(wanted, targets);
    for (const { row, encoded } of given) {
      if (encoded === null) files.#take(row.id);
      else files.#put(row, encoded);
    }
    return files;
  }

  get isChanged(): boolean {
    return [...this.#files.values()].some(({ grown, removed }) => grown || removed.size > 0);
  }

  async writeGrown(): Promise<void> {
    for (const [name, file] of this.#files) {
      if (file.grown) await this.#client.replace(this.#folder, `${name}${ENDING}`, textOf(file));
    }
  }

  /** A file with only its header left is removed. */
  async writeShrunk(): Promise<void> {
    for (const [name, file] of this.#files) {
      if (file.grown || file.removed.size === 0) continue;
      if (file.removed.size === file.rows.length) await this.#client.remove(this.#folder, `${name}${ENDING}`);
      else await this.#client.replace(this.#folder, `${name}${ENDING}`, textOf(file));
    }
  }

  async #open(wanted: ReadonlySet<string>, targets: ReadonlySet<string>): Promise<void> {
    const { idColumn, fields } = this.#layout;
    for (const name of await filesIn(this.#client, this.#folder, this.#layout)) {
      const table = await readTable(this.#client, this.#folder, name, this.#layout);
      if (table === null) continue;
      const at = table.columns.indexOf(idColumn);
      const found = table.rows.filter((cells) => wanted.has(cells[at] ?? ''));
      if (found.length === 0 && !targets.has(name)) continue;
      const file = { ...table, grown: false, removed: new Set<readonly string[]>() };
      this.#files.set(name, file);
      for (const cells of found) {
        const id = cells[at] ?? '';
        this.#places.set(id, [...this.#placesOf(id), { file, cells }]);
      }
    }
    for (const name of targets) {
      if (this.#files.has(name)) continue;
      this.#files.set(name, { columns: [...fields.values()], rows: [], grown: false, removed: new Set() });
    }
  }

  /** Writes the row over its earlier version, else over the pending row that it replaces, else at the end. */
  #put({ id, replaces }: ChunkRow, { file: name, cells }: EncodedRow): void {
    const file = this.#files.get(name);
    if (file === undefined) throw new TypeError('a row has no file');
    const own = this.#placesOf(id);
    const all = replaces === null ? own : [...own, ...this.#placesOf(replaces)];
    const place = all.find((one) => one.file === file);
    const next = this.#merged(file, place?.cells ?? [], cells);
    const isSame = place !== undefined && isEqual(next, place.cells);
    if (own.length > 0) this.existed.set(id, isSame && all.length === 1 ? 'same' : 'updated');
    if (!isSame) file.grown = true;
    if (place === undefined) file.rows.push(next);
    else place.cells.splice(0, place.cells.length, ...next);
    for (const one of all) if (one !== place) one.file.removed.add(one.cells);
  }

  #take(id: string): void {
    for (const { file, cells } of this.#placesOf(id)) file.removed.add(cells);
  }

  #placesOf(id: string): readonly Place[] {
    return this.#places.get(id) ?? [];
  }

  /** The cells with those of the row in their columns; missing columns are added on the right. */
  #merged(file: OpenFile, cells: readonly string[], row: EncodedRow['cells']): string[] {
    const next = [...cells];
    for (const [field, header] of this.#layout.fields) {
      const value = row[field];
      if (value === undefined) continue;
      let at = file.columns.indexOf(header);
      if (at === -1) at = file.columns.push(header) - 1;
      while (next.length <= at) next.push('');
      next[at] = value;
    }
    return next;
  }
}

function textOf({ columns, rows, removed }: OpenFile): string {
  return tableText({ columns, rows: rows.filter((cells) => !removed.has(cells)) });
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((cell, at) => cell === other[at]);
}
