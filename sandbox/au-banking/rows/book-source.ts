import type { SeenRow } from './row.ts';
import { orderTime } from './row-book.ts';
import { rowJson } from './row-json.ts';
import { firstIndex, isAfter, type RowFilter, type RowFrame, type RowSource } from './source.ts';

/** The held rows of one account under one consent, as a source. */
export function bookSource(
  key: string,
  accountId: string,
  rows: readonly SeenRow[],
  frame: RowFrame,
): RowSource {
  return {
    key,
    open(after, filter) {
      let index = after
        ? firstIndex(rows.length, (at) => {
            const row = rows[at];
            return row !== undefined && isAfter(after, orderTime(row), key, row.position);
          })
        : 0;
      const settle = (): SeenRow | undefined => {
        let row = rows[index];
        while (row && !matches(row, filter)) row = rows[++index];
        return row;
      };
      let head = settle();
      return {
        get time() {
          return head ? orderTime(head) : null;
        },
        get position() {
          return head?.position ?? -1;
        },
        json: () => (head ? rowJson(head, accountId, frame) : ''),
        advance() {
          index += 1;
          head = settle();
        },
      };
    },
  };
}

function matches(row: SeenRow, filter: RowFilter): boolean {
  if (filter.status && row.status !== filter.status) return false;
  if (filter.from !== null || filter.to !== null) {
    if (row.effective === null) return false;
    if (filter.from !== null && row.effective < filter.from) return false;
    if (filter.to !== null && row.effective > filter.to) return false;
  }
  return !filter.categories || filter.categories.has(row.facts.category?.secondary_category ?? '');
}
