import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SimulatorControl } from '../shared/control.ts';
import { Faults } from '../shared/faults.ts';
import { RequestLog } from '../shared/request-log.ts';
import type { ReceivedRow, ReceivedRows } from '../shared/simulator.ts';

const ROW_IDS = ['Transaction ID', 'Trade ID'];

/** A CSV file with its lines as cells. */
export interface ShownFile {
  /** Relative to the folder, such as `acc_…/Money/Everyday-acct_…/2026-03.csv`. */
  readonly path: string;
  readonly lines: readonly (readonly string[])[];
}

/** The contents of the folder, and what may be done to it. It gets no requests, so none can fail. */
export class CsvFolderControl extends SimulatorControl implements ReceivedRows {
  readonly root: string;

  constructor(root: string) {
    super(new Faults(1), new RequestLog());
    this.root = root;
  }

  files(): readonly ShownFile[] {
    return readdirSync(this.root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.csv'))
      .toSorted()
      .map((path) => ({ path, lines: linesOf(readFileSync(join(this.root, path), 'utf8')) }));
  }

  rows(): readonly ReceivedRow[] {
    return this.files().flatMap(({ path, lines: [columns = [], ...rows] }) => {
      const at = columns.findIndex((column) => ROW_IDS.includes(column));
      return rows
        .filter((cells) => (cells[at] ?? '') !== '')
        .map((cells) => ({
          id: cells[at] ?? '',
          place: path.slice(0, path.lastIndexOf('/')),
          values: Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])),
        }));
    });
  }

  pages(): readonly string[] {
    return ['/', ...this.files().map(filePath)];
  }
}

export function filePath({ path }: Pick<ShownFile, 'path'>): string {
  return `/files/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** Lines of cells as in RFC 4180. */
function linesOf(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|$)/g,
  )) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') lines.push([]);
  }
  return lines.filter((cells) => cells.some((cell) => cell !== ''));
}
