interface Rows {
  readonly count: number;
  /** Whether an entry of the list is a row, and not a heading above rows. */
  readonly isRow: (at: number) => boolean;
}

interface Place extends Rows {
  readonly current: number;
  /** How many rows fit on the screen. */
  readonly screenful: number;
}

/** The index of the row that a key leads to, or null for a key that means nothing to a list. */
export function rowFor(key: string, { current, screenful, ...rows }: Place): number | null {
  switch (key) {
    case 'ArrowDown':
      return nextRow(rows, current, 1, 1);
    case 'ArrowUp':
      return nextRow(rows, current, -1, 1);
    case 'PageDown':
      return nextRow(rows, current, 1, screenful);
    case 'PageUp':
      return nextRow(rows, current, -1, screenful);
    case 'Home':
      return nextRow(rows, -1, 1, 1);
    case 'End':
      return nextRow(rows, rows.count, -1, 1);
    default:
      return null;
  }
}

/** So many rows further, or the last one there is in that direction; headings do not count. */
function nextRow({ count, isRow }: Rows, from: number, step: 1 | -1, most: number): number | null {
  let found = from >= 0 && from < count && isRow(from) ? from : null;
  let left = most;
  for (let at = from + step; left > 0 && at >= 0 && at < count; at += step) {
    if (!isRow(at)) continue;
    found = at;
    left -= 1;
  }
  return found;
}
