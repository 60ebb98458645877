/** Cells of a CSV file by RFC 4180, read by a machine of its own; raises where the file breaks its grammar. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const row: string[] = [];
    for (;;) {
      let cell = '';
      if (text[at] === '"') {
        for (at += 1; ; at += 1) {
          if (at >= text.length) throw new Error('a quoted cell does not end');
          if (text[at] === '"' && text[at + 1] === '"') at += 1;
          else if (text[at] === '"') break;
          cell += text[at];
        }
        at += 1;
      } else {
        while (at < text.length && !',\r\n'.includes(text[at] ?? '')) {
          if (text[at] === '"') throw new Error('a quote in a bare cell');
          cell += text[at];
          at += 1;
        }
      }
      row.push(cell);
      if (text[at] !== ',') break;
      at += 1;
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`a line ends with ${JSON.stringify(text[at])}`);
    at += 2;
    rows.push(row);
  }
  return rows;
}

/** What a spreadsheet runs: a sign, plain, full-width or small, after what no one sees; or a line that begins with a break. */
const FORMULA = /^(?:[\s\p{Cc}\p{Cf}\p{DI}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/u;
const DEFUSED = /^'(?:['\s\p{Cc}\p{Cf}\p{DI}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫]|'*[\t\r\n])/u;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** Whether a spreadsheet would run the cell as a formula. */
export function runsAsFormula(cell: string): boolean {
  return FORMULA.test(cell) && !NUMBER.test(cell);
}

/** The text that was written as this cell: without the apostrophe that keeps a spreadsheet from running it. */
export function textOfCell(cell: string): string {
  return DEFUSED.test(cell) ? cell.slice(1) : cell;
}
