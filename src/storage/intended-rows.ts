/** What a chunk in flight records about one row: all that is needed to send it again, and nothing of its content. */
export interface IntendedRow {
  readonly stream: number;
  readonly sourceId: string;
  readonly change: 'new' | 'updated' | 'removed';
  /** Hexadecimal; empty if it is unknown what the destination has of the row. */
  readonly contentMac: string;
  /** The pending row that this row replaces. */
  readonly replaces: string | null;
  readonly provisional: boolean;
  /** As RowMacs.pair; null for rows without one. */
  readonly pairMac: string | null;
  /** As Change.day. */
  readonly day: number | null;
}

const CHANGES = { n: 'new', u: 'updated', r: 'removed' } as const;
const LETTERS = { new: 'n', updated: 'u', removed: 'r' } as const;

/**
 * The rows as text, one per line: `id mac`, and unless the row is new and posted also `n|u|r`, `p` or `-` for pending,
 * and the id it replaces; then, if it has either, `pairMac/day`. A line `@stream` starts the rows of a stream. The database stores text as it is, while it would have to parse JSON or bytes
 * first. Ids of rows contain neither spaces nor newlines and begin with a letter (vocabulary/provider-kinds.ts).
 *
 * A first line `#form` says in which form the rows were sent to the destination, if not in the first: they are sent
 * again in the same form. A process of an older version that does not know the line leaves the chunk to a newer one.
 */
export function packIntended(rows: readonly IntendedRow[], rowForm = 1): string {
  const lines: string[] = rowForm === 1 ? [] : [`#${rowForm}`];
  let stream: number | null = null;
  for (const row of rows) {
    if (row.stream !== stream) {
      stream = row.stream;
      lines.push(`@${stream}`);
    }
    const plain = row.change === 'new' && !row.provisional && row.replaces === null;
    const rest = plain ? '' : ` ${LETTERS[row.change]} ${row.provisional ? 'p' : '-'} ${row.replaces ?? ''}`;
    const pairing = row.pairMac === null && row.day === null ? '' : ` ${row.pairMac ?? ''}/${row.day ?? ''}`;
    lines.push(`${row.sourceId} ${row.contentMac}${rest}${pairing}`);
  }
  return lines.join('\n');
}

/**
 * The first character identifies the format: `@` and `#` the lines above. A new format takes another one.
 * @throws TypeError for a format that this version does not know
 */
export function unpackIntended(text: string): IntendedRow[] {
  if (!text.startsWith('@') && !FORM_LINE.test(text)) {
    throw new TypeError('an intent has a form this version does not know');
  }
  const rows: IntendedRow[] = [];
  let stream = 0;
  for (const line of text.replace(FORM_LINE, '').split('\n')) {
    if (line.startsWith('@')) {
      stream = Number(line.slice(1));
      continue;
    }
    const parts = line.split(' ');
    const [, pairMac = '', day = ''] = PAIRING.exec(parts.at(-1) ?? '') ?? [];
    if (pairMac !== '' || day !== '') parts.pop();
    const [sourceId = '', contentMac = '', letter = 'n', pending = '-', replaces = ''] = parts;
    const change = letter === 'u' || letter === 'r' ? CHANGES[letter] : CHANGES.n;
    rows.push({
      stream,
      sourceId,
      change,
      contentMac,
      replaces: replaces === '' ? null : replaces,
      provisional: pending === 'p',
      pairMac: pairMac === '' ? null : pairMac,
      day: day === '' ? null : Number(day),
    });
  }
  return rows;
}

/** The form in which the rows of a packed text were sent to the destination. */
export function rowFormOf(text: string): number {
  const [, form = '1'] = FORM_LINE.exec(text) ?? [];
  return Number(form);
}

/** Form 1 has no such line. */
const FORM_LINE = /^#([2-9]|[1-9]\d+)\n(?=@)/;

/** An id begins with a letter and is longer, and a MAC has no slash. */
const PAIRING = /^([0-9a-f]{8})?\/(-?\d+)?$/;
