import type { JsonObject } from '../../shared/json.ts';
import type { CategoryKey } from './categories.ts';

/** One movement through its whole life. `key` is unique within its account and never changes. */
export type Row = {
  readonly key: string;
  /** The bank's date in epoch ms, usually a local midnight. */
  readonly date: number;
  /** Epoch ms from which it is pending; null for one that is settled from the start. */
  readonly pendingFrom: number | null;
  /** Epoch ms at which it settles or vanishes; `Infinity` keeps it pending. */
  readonly settles: number;
  readonly vanishes: boolean;
  /** Signed decimal, negative = out. */
  readonly amount: string;
  readonly description: string;
  /** One of the vendor's types. */
  readonly type: string;
  readonly merchant: string | null;
  readonly category: CategoryKey | null;
  readonly meta: JsonObject | null;
};

/** Rows, newest first, that are read by their index, so that a statement may be larger than memory. */
export type SettledRows = {
  readonly length: number;
  row(index: number): Row;
  dateAt(index: number): number;
};

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
