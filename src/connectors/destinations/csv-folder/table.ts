import { csvLine } from '../../../vocabulary/csv-lines.ts';
import { UnusableFile } from './failures.ts';

const BOM = '\uFEFF';

/** What a file holds. A person may have columns of their own in it, and cells beside all columns; both stay. */
export interface CsvTable {
  readonly columns: string[];
  readonly rows: string[][];
}

/** @throws UnusableFile for what has no column of ids: another separator, another file */
export function parseTable(name: string, text: string, idColumn: string): CsvTable {
  const [columns = [], ...rows] = cellsOf(name, text.startsWith(BOM) ? text.slice(1) : text);
  if (columns.includes(idColumn)) return { columns, rows };
  throw new UnusableFile(
    `${name} has no column ${idColumn}, or no commas between its columns. Restore it, or move it to another folder.`,
  );
}

/** Cells are written as they are: what must not be taken for a formula was defused when it became a cell. */
export function tableText({ columns, rows }: CsvTable): string {
  return [columns, ...rows].map((cells) => csvLine(cells, { defuse: false })).join('');
}

const SPECIAL = /[",\r\n]/g;

/** Lines of cells by RFC 4180, with either end of line; blank lines are left out. */
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
