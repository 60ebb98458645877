import type { RowStatus } from './row.ts';

/** Where a row is in the global order: time descending, then source, then position ascending. */
export type Point = { readonly time: number; readonly source: string; readonly position: number };

/** What a transactions request asks for. Bounds are inclusive epoch ms. */
export type RowFilter = {
  readonly from: number | null;
  readonly to: number | null;
  readonly status: RowStatus | null;
  /** Secondary categories; null = all. */
  readonly categories: ReadonlySet<string> | null;
};

/** The members of a row that depend on the consent rather than the bank's records. */
export type RowFrame = {
  readonly arrangementId: string;
  readonly institutionId: string;
  readonly version: 'v1' | 'v2' | 'v3';
};

/** Reads one source in order. */
export type RowStream = {
  /** Time of the current row; null at the end. */
  readonly time: number | null;
  readonly position: number;
  /** The current row as one JSON object. */
  json(): string;
  advance(): void;
};

/** A sequence of rows that can be read from any position without reading what precedes it. */
export type RowSource = {
  readonly key: string;
  open(after: Point | null, filter: RowFilter): RowStream;
};

/** Whether a row of `source` at (time, position) is after `point`, and so still to be sent. */
export function isAfter(point: Point, time: number, source: string, position: number): boolean {
  if (time !== point.time) return time < point.time;
  if (source !== point.source) return source > point.source;
  return position > point.position;
}

/** First index in [0, length) for which `test` holds, given that it holds from some index on. */
export function firstIndex(length: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
