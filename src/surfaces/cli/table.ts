/** A column of a human table. Numbers line up on the right. */
export type Column = { readonly title: string; readonly align?: 'left' | 'right' };

const GAP = '  ';

/**
 * Lines of a table under its titles, each cell padded to its column. Empty columns are kept; trailing blanks are
 * removed.
 */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map((column) => column.title), ...rows.map((row) => row.map(printable))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => displayWidth(line[at] ?? ''))));
  return lines
    .map((line) =>
      columns
        .map(({ align = 'left' }, at) => padded(line[at] ?? '', widths[at] ?? 0, align))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

/** Names and values, one pair per line. */
export function pairs(entries: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...entries.map(([name]) => displayWidth(name)));
  return entries.map(([name, value]) => `${padded(name, width, 'left')}${GAP}${printable(value)}`).join('\n');
}

function padded(text: string, width: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'right' ? blanks + text : text + blanks;
}

/** Text from elsewhere must not move the cursor, start an escape sequence or break the line. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
}

/** Text whose characters take one cell each; segmenting other text takes memory for every piece. */
const NARROW = /^[ -~]*$/;
let segmenter: Intl.Segmenter | undefined;
const WIDE =
  /\p{Emoji_Presentation}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
