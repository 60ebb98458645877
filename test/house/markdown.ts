/** A table of a page: the cells of every row by the names of the heading row. */
export type Row = Readonly<Record<string, string>>;

/** Rows of the tables under the heading `title` (its text without the hashes), or of the whole page. */
export function tableRows(page: string, title: string | null = null): Row[] {
  const rows: Row[] = [];
  let headings: string[] | null = null;
  for (const line of (title === null ? page : section(page, title)).split('\n')) {
    if (!line.startsWith('|')) {
      headings = null;
      continue;
    }
    const cells = line
      .slice(1, line.lastIndexOf('|'))
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    if (headings === null) headings = cells;
    else if (!cells.every((cell) => /^:?-+:?$/.test(cell))) rows.push(rowOf(headings, cells));
  }
  return rows;
}

function rowOf(headings: readonly string[], cells: readonly string[]): Row {
  if (cells.length !== headings.length)
    throw new Error(`a row of ${cells.length} cells: ${cells.join(' | ')}`);
  return Object.fromEntries(headings.map((heading, at) => [heading, cells[at] ?? '']));
}

/** Text between a heading and the next of the same or a higher rank. Raises when the page has no such heading. */
export function section(page: string, title: string): string {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.replace(/^#+ /, '') === title && line.startsWith('#'));
  if (start === -1) throw new Error(`no heading "${title}"`);
  const rank = /^#+/.exec(lines[start] ?? '')?.[0].length ?? 0;
  const length = lines.slice(start + 1).findIndex((line) => (/^#+(?= )/.exec(line)?.[0].length ?? 9) <= rank);
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).join('\n');
}

/** Headings of one rank, in order. */
export function headingsOf(page: string, rank: number): string[] {
  const mark = `${'#'.repeat(rank)} `;
  return page
    .split('\n')
    .filter((line) => line.startsWith(mark))
    .map((line) => line.slice(mark.length));
}

/** Anchors of a page as hosting sites derive them from headings. */
export function anchorsOf(page: string): Set<string> {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map((match) => match[1] ?? '');
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** The cell under a heading. Raises when the table has no such column. */
export function cell(row: Row, heading: string): string {
  const found = row[heading];
  if (found === undefined) throw new Error(`no column "${heading}"`);
  return found;
}

/** The text without the backquotes around it. */
export function plain(cell: string): string {
  return cell.replace(/^`(.*)`$/, '$1');
}
