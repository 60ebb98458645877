/** What a chunk in flight says of one row: all that is needed to send it again, and nothing of its content. */
export interface IntendedRow {
  readonly stream: number;
  readonly sourceId: string;
  readonly change: 'new' | 'updated' | 'removed';
  /** Hexadecimal; empty when nobody knows what the destination has of the row. */
  readonly contentMac: string;
  /** The pending row whose place this row takes. */
  readonly replaces: string | null;
  readonly provisional: boolean;
}

const CHANGES = { n: 'new', u: 'updated', r: 'removed' } as const;
const LETTERS = { new: 'n', updated: 'u', removed: 'r' } as const;

/**
 * The rows as text, one to a line: `id mac`, and where the row is anything but new and posted also `n|u|r`, `p` or `-`
 * for pending, and the id it replaces. A line `@stream` says whose rows follow. The database keeps the text as it is:
 * as JSON or bytes it would have to read it through first. Ids of rows hold neither blank nor line feed and begin with
 * a letter (vocabulary/providers.ts).
 */
export function packIntended(rows: readonly IntendedRow[]): string {
  const lines: string[] = [];
  let stream: number | null = null;
  for (const row of rows) {
    if (row.stream !== stream) {
      stream = row.stream;
      lines.push(`@${stream}`);
    }
    const plain = row.change === 'new' && !row.provisional && row.replaces === null;
    const rest = plain ? '' : ` ${LETTERS[row.change]} ${row.provisional ? 'p' : '-'} ${row.replaces ?? ''}`;
    lines.push(`${row.sourceId} ${row.contentMac}${rest}`);
  }
  return lines.join('\n');
}

export function unpackIntended(text: string): IntendedRow[] {
  const rows: IntendedRow[] = [];
  let stream = 0;
  for (const line of text.split('\n')) {
    if (line.startsWith('@')) {
      stream = Number(line.slice(1));
      continue;
    }
    const [sourceId = '', contentMac = '', letter = 'n', pending = '-', replaces = ''] = line.split(' ');
    const change = letter === 'u' || letter === 'r' ? CHANGES[letter] : CHANGES.n;
    rows.push({
      stream,
      sourceId,
      change,
      contentMac,
      replaces: replaces === '' ? null : replaces,
      provisional: pending === 'p',
    });
  }
  return rows;
}
