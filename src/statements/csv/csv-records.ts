import type { Reading } from '../reading.ts';
import type { CsvLayout } from '../statement-contract.ts';

export const DELIMITERS: ReadonlyArray<CsvLayout['delimiter']> = [',', ';', '\t', '|'];

/** A quoted cell that is longer has a quote that is never closed. */
const MAX_CELL = 10_000;
/** Cells of a record; what follows stays in the last one. */
const MAX_CELLS = 500;

/**
 * The records of a CSV, cells without the spaces around them; an empty line is a record of one empty cell. A quoted cell
 * may contain delimiters, line ends and doubled quotes (RFC 4180). Files of banks break that rule, and one stray quote
 * must not swallow the rows behind it, so a quote inside a quoted cell that is neither doubled nor in front of a
 * delimiter is text, and a quote that is never closed, or only on a later line against the rule, is text too. Ends after
 * `limit` records. Linear in the length of the text.
 */
export async function readCsvRecords(
  text: string,
  delimiter: string,
  limit: number,
  reading: Reading,
): Promise<string[][]> {
  const cells = new CellReader(text, delimiter);
  const records: string[][] = [];
  while (!cells.done && records.length < limit) {
    const from = cells.at;
    records.push(cells.record());
    if (reading.worked(cells.at - from)) await reading.pause();
  }
  return records;
}

class CellReader {
  at = 0;
  readonly #text: string;
  readonly #delimiter: string;
  /** Where the next ones are, looked up only when they have been passed. */
  readonly #next = new Map<string, number>();
  /** No quoted cell ends before this place. */
  #unclosed = 0;

  constructor(text: string, delimiter: string) {
    this.#text = text;
    this.#delimiter = delimiter;
  }

  get done(): boolean {
    return this.at >= this.#text.length;
  }

  record(): string[] {
    const record: string[] = [];
    for (;;) {
      const end = this.#cell(record, record.length < MAX_CELLS - 1);
      if (this.#text.charAt(end) === this.#delimiter && record.length < MAX_CELLS) {
        this.at = end + 1;
        continue;
      }
      this.at = end + (this.#text.startsWith('\r\n', end) ? 2 : 1);
      return record;
    }
  }

  /** Adds the cell that begins here, and returns where it ends. */
  #cell(record: string[], delimited: boolean): number {
    let open = this.at;
    while (this.#text.charAt(open) === ' ') open += 1;
    if (this.#text.charAt(open) === '"') {
      const close = this.#closing(open);
      if (close >= 0) {
        record.push(
          this.#text
            .slice(open + 1, close)
            .replaceAll('""', '"')
            .trim(),
        );
        return this.#pastSpaces(close + 1);
      }
    }
    const line = this.#lineEnd(this.at);
    const end = delimited ? Math.min(this.#find(this.#delimiter, this.at), line) : line;
    record.push(this.#text.slice(this.at, end).trim());
    return end;
  }

  /** Where the quote is that closes the one at `open`, or -1. */
  #closing(open: number): number {
    const line = this.#lineEnd(open);
    const last = open + MAX_CELL;
    let at = this.#text.indexOf('"', Math.max(open + 1, this.#unclosed));
    let bare = false;
    while (at >= 0 && at <= last) {
      if (this.#text.charAt(at + 1) === '"') {
        at += 1;
        // Where quotes are not doubled, two in front of a delimiter are one of the text and the closing one.
        if (bare && this.#endsCell(this.#pastSpaces(at + 1))) return at;
      } else if (this.#endsCell(this.#pastSpaces(at + 1))) return at;
      else if (at > line) return -1;
      else bare = true;
      at = this.#text.indexOf('"', at + 1);
    }
    this.#unclosed = at < 0 ? this.#text.length : last;
    return -1;
  }

  #endsCell(at: number): boolean {
    const next = this.#text.charAt(at);
    return next === '' || next === this.#delimiter || next === '\n' || next === '\r';
  }

  #pastSpaces(from: number): number {
    let at = from;
    while (this.#text.charAt(at) === ' ') at += 1;
    return at;
  }

  #lineEnd(from: number): number {
    return Math.min(this.#find('\n', from), this.#find('\r', from));
  }

  #find(character: string, from: number): number {
    const known = this.#next.get(character) ?? -1;
    if (known >= from) return known;
    const found = this.#text.indexOf(character, from);
    const at = found < 0 ? this.#text.length : found;
    this.#next.set(character, at);
    return at;
  }
}
